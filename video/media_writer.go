package video

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// mediaPiece is how many bytes of media must be read within answerTime: some 9 KB a second.
const mediaPiece = 1 << 20

// directWriter writes media. It spares http.ServeContent its copying: a file on this
// machine goes from the disk to the network without being read, and what is in memory
// goes as it is. It does so piece by piece, and each has its own time: a large file may
// take as long as somebody reads it, and who does not read is left soon.
type directWriter struct{ http.ResponseWriter }

func (w directWriter) ReadFrom(r io.Reader) (sent int64, err error) {
	limited, ok := r.(*io.LimitedReader)
	if !ok {
		return io.Copy(w.ResponseWriter, r)
	}
	from := limited.R
	switch content := from.(type) {
	case *fileBytes: // the limit ends before that of the file
		from = content.File
	case *bytes.Reader:
		if limited.N >= int64(content.Len()) {
			return content.WriteTo(w)
		}
	}
	for left := limited.N; left > 0; {
		next := &io.LimitedReader{R: from, N: min(left, mediaPiece)}
		n, err := io.Copy(w.ResponseWriter, next)
		sent, left = sent+n, left-n
		if err != nil || next.N > 0 {
			return sent, err
		}
		w.goOn(left)
	}
	return sent, nil
}

func (w directWriter) Write(content []byte) (sent int, err error) {
	for {
		n, err := w.ResponseWriter.Write(content[sent:min(sent+mediaPiece, len(content))])
		sent += n
		if err != nil || sent == len(content) {
			return sent, err
		}
		w.goOn(int64(len(content) - sent))
	}
}

// goOn gives what is left the time of a piece. Where connections have no deadlines there
// are none to move.
func (w directWriter) goOn(left int64) {
	if left > 0 {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(answerTime))
	}
}

// Unwrap is for http.ResponseController.
func (w directWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
