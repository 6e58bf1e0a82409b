package ffmpeg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

// pipes are those between us and a program: one for each output, and last the one
// that brings the order to the confining step. One more may be its standard input.
type pipes struct {
	given   []*os.File // the ends of the program, from descriptor 3 on
	stdin   *os.File   // its end; nil: none
	input   *os.File   // ours
	stop    func()     // tells the writer of the input that the program has ended
	order   *os.File
	readers []func(io.Reader) error
	sources []*os.File // for readers, in the same order
	reading sync.WaitGroup
	writing sync.WaitGroup
}

func openPipes(c Command) (*pipes, error) {
	p := &pipes{readers: c.Outputs, stop: func() {}}
	if c.Stdin != nil {
		var err error
		if p.stdin, p.input, err = os.Pipe(); err != nil {
			return nil, err
		}
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
	for _, f := range []*os.File{p.order, p.stdin, p.input} {
		f.Close() // of nil it does nothing
	}
}

// started leaves the far ends to the program and gives it its order.
func (p *pipes) started(o order) {
	for _, f := range append(p.given, p.stdin) {
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

// write starts the writer of the standard input. That the program reads no more is
// no failure of the writer.
func (p *pipes) write(ctx context.Context, writer func(context.Context, io.Writer) error, fail func(error)) {
	if writer == nil {
		return
	}
	ctx, p.stop = context.WithCancel(ctx)
	p.writing.Go(func() {
		defer p.input.Close()
		if err := writer(ctx, p.input); err != nil && !errors.Is(err, syscall.EPIPE) && ctx.Err() == nil {
			fail(&outputError{0, err})
		}
	})
}

func (p *pipes) wait() {
	p.writing.Wait()
	p.reading.Wait()
}

// outputError tells the failure of a reader, or of the writer, from other ends of a run.
type outputError struct {
	descriptor int
	err        error
}

func (e *outputError) Error() string { return fmt.Sprintf("pipe %d: %v", e.descriptor, e.err) }

func (e *outputError) Unwrap() error { return e.err }
