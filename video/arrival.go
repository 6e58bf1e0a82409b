package video

import (
	"context"
	"database/sql"
	"io"
	"sync"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

// arrival is a file of a source in the storage, on its way to a video.
type arrival struct {
	blob string // "": nothing was stored
	size int64  // bytes
}

// arrivalLife is after what time an arrival is a leftover: longer than a request or a
// try of a job may take.
const arrivalLife = 24 * time.Hour

// bookTime is how long the books about an arrival may take to be written when whoever
// caused it has gone.
const bookTime = 30 * time.Second

var errLate = fault.New(fault.Unavailable, "this took too long: send it again")

// sourceFolder is where the files of a video's source are kept, as keys begin.
func sourceFolder(videoID string) string { return "video/" + videoID + "/source/" }

// pendingFolder is for files that come before it is known whose they are. They stay
// there: a video's rows name its files.
const pendingFolder = "video/pending/"

// store keeps what comes as a new file in a folder. Unless it returns an error, the
// caller claims the arrival or drops it.
func (s *Service) store(ctx context.Context, folder string, body io.Reader) (arrival, error) {
	a := arrival{blob: folder + newID("")}
	written := make(chan error, 1)
	go func() { written <- s.book(ctx, a) }()
	booked := sync.OnceValue(func() error { return <-written })
	info, err := s.Blobs.Put(ctx, a.blob, bookedBody{body, booked}, "")
	if err := booked(); err != nil {
		return arrival{}, err
	}
	if err != nil {
		s.drop(ctx, a)
		return arrival{}, err
	}
	a.size = info.Size
	s.metrics.uploadParts.Add(1)
	s.metrics.uploadBytes.Add(uint64(info.Size))
	return a, nil
}

// book writes down that a file is coming, so that it is found if nobody claims it.
func (s *Service) book(ctx context.Context, a arrival) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO video_arrivals (blob, dropped, begun_at) VALUES ($1, FALSE, $2)`, a.blob, db.Micros(time.Now()))
		return err
	})
}

// bookedBody is what comes. It does not end before the arrival is in the books, and fails
// if it is not: a store has no file before its end. So the bytes need not wait for the books.
type bookedBody struct {
	io.Reader
	booked func() error
}

func (b bookedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		if fault := b.booked(); fault != nil {
			return n, fault
		}
	}
	return n, err
}

// claim gives arrivals to a video, in the transaction that writes who it is.
func claim(ctx context.Context, tx *db.Tx, arrivals ...arrival) error {
	for _, a := range arrivals {
		result, err := tx.Exec(ctx, `DELETE FROM video_arrivals WHERE blob = $1 AND NOT dropped`, a.blob)
		if err := changedOne(result, err, errLate); err != nil {
			return err
		}
	}
	return nil
}

// drop removes arrivals that nobody is going to claim. What cannot be removed now is
// swept later.
func (s *Service) drop(ctx context.Context, arrivals ...arrival) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTime)
	defer cancel()
	for _, a := range arrivals {
		if a.blob == "" {
			continue
		}
		if err := s.removeArrival(ctx, a.blob); err != nil {
			s.log.Warn("a file is left behind for now", "key", a.blob, "error", err)
		}
	}
}

func (s *Service) removeArrival(ctx context.Context, key string) error {
	if err := s.Blobs.Delete(ctx, key); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM video_arrivals WHERE blob = $1`, key)
		return err
	})
}

// sweepArrivals removes the files of whoever died on the way.
func (s *Service) sweepArrivals(ctx context.Context, now time.Time) error {
	var left []string
	err := s.db.InTx(ctx, func(tx *db.Tx) error { // from here on they cannot be claimed
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var key string
			err := rows.Scan(&key)
			left = append(left, key)
			return err
		}, `UPDATE video_arrivals SET dropped = TRUE WHERE begun_at < $1 RETURNING blob`, db.Micros(now.Add(-arrivalLife)))
	})
	if err != nil {
		return err
	}
	for _, key := range left {
		if err := s.removeArrival(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
