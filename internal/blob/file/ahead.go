package file

import "io"

// bite is how many bytes are written at once.
const bite = 256 << 10

// copyAhead copies like io.Copy, and reads on while it writes: what comes over a
// network is as much work to read as to write.
func copyAhead(w io.Writer, r io.Reader) (size int64, err error) {
	writing := inFlight{w: w}
	defer writing.wait() // when reading fails, or panics
	read, written := make([]byte, bite), []byte(nil)
	for err == nil {
		var n int
		n, err = fill(r, read)
		if err != nil && err != io.EOF {
			return size, err
		}
		if failed := writing.begin(read[:n]); failed != nil {
			return size, failed
		}
		size += int64(n)
		if written == nil && err == nil {
			written = make([]byte, bite)
		}
		read, written = written, read
	}
	return size, writing.wait()
}

// fill reads until p is full or there is no more. Unlike io.ReadFull it leaves the error
// of the reader as it is.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = r.Read(p[n:])
		n += more
	}
	return n, err
}

// inFlight does one write at a time, beside its caller.
type inFlight struct {
	w    io.Writer
	done chan error // nil: there is none
}

// begin waits for the write before, and begins another, which needs p until it ends.
func (f *inFlight) begin(p []byte) error {
	if err := f.wait(); err != nil {
		return err
	}
	done := make(chan error, 1)
	f.done = done
	go func() {
		_, err := f.w.Write(p)
		done <- err
	}()
	return nil
}

func (f *inFlight) wait() error {
	if f.done == nil {
		return nil
	}
	err := <-f.done
	f.done = nil
	return err
}
