package ffmpeg

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// pipes are those between us and a program: one for each output, one for its
// progress, and last the one that brings the order to the confining step.
type pipes struct {
	given   []*os.File // the ends of the program, from descriptor 3 on
	order   *os.File
	readers []func(io.Reader) error
	sources []*os.File // for readers, in the same order
	reading sync.WaitGroup
	writing sync.WaitGroup
}

func openPipes(c Command) (*pipes, error) {
	p := &pipes{readers: c.Outputs}
	if c.Progress != nil {
		p.readers = append(p.readers[:len(p.readers):len(p.readers)], progressReader(c.Progress))
	}
	for range p.readers {
		ours, theirs, err := os.Pipe()
		if err != nil {
			p.close()
			return nil, err
		}
		p.sources, p.given = append(p.sources, ours), append(p.given, theirs)
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		p.close()
		return nil, err
	}
	p.order, p.given = ours, append(p.given, theirs)
	return p, nil
}

// close is for a program that did not start.
func (p *pipes) close() {
	for _, f := range append(p.given, p.sources...) {
		f.Close()
	}
	if p.order != nil {
		p.order.Close()
	}
}

// started leaves the far ends to the program and gives it its order.
func (p *pipes) started(o order) {
	for _, f := range p.given {
		f.Close()
	}
	p.writing.Go(func() {
		defer p.order.Close()
		_ = json.NewEncoder(p.order).Encode(o) // a step that cannot read says so itself
	})
}

// read starts the readers. The first that fails is told to fail.
func (p *pipes) read(fail func(error)) {
	for i, reader := range p.readers {
		p.reading.Go(func() {
			defer p.sources[i].Close()
			if err := reader(p.sources[i]); err != nil {
				fail(&outputError{i + 3, err})
			}
			_, _ = io.Copy(io.Discard, p.sources[i])
		})
	}
}

func (p *pipes) wait() {
	p.writing.Wait()
	p.reading.Wait()
}

// outputError tells the failure of a reader from other ends of a run.
type outputError struct {
	descriptor int
	err        error
}

func (e *outputError) Error() string { return fmt.Sprintf("output %d: %v", e.descriptor, e.err) }

func (e *outputError) Unwrap() error { return e.err }
