package console

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"stoa/internal/blob"
	"stoa/internal/fault"
	"stoa/video"
)

// storage is what the environment takes of its machines, in bytes.
type storage struct {
	Database int64     `json:"database"`
	Disk     *disk     `json:"disk"` // of the data folder; null: it cannot be told
	Files    filesUsed `json:"files"`
}

type disk struct {
	Folder string `json:"folder"`
	Total  int64  `json:"total"`
	Free   int64  `json:"free"` // for this process
}

// filesUsed is what all files take. Where there are too many to look at, it is what was
// seen in time.
type filesUsed struct {
	Uses     []fileUse `json:"uses"` // the largest first
	Complete bool      `json:"complete"`
	Problem  string    `json:"problem,omitzero"`
	Measured time.Time `json:"measured"`
}

type fileUse struct {
	Use   string `json:"use"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

func (c *Console) getStorage(call *call) error {
	bytes, err := c.DB.Size(call.r.Context())
	if err != nil {
		return err
	}
	return call.answer(storage{bytes, diskOf(c.Folder), c.files.measure(call.r.Context(), c.Blobs)})
}

func diskOf(folder string) *disk {
	var s unix.Statfs_t
	if folder == "" || unix.Statfs(folder, &s) != nil {
		return nil
	}
	return &disk{folder, int64(s.Blocks) * s.Bsize, int64(s.Bavail) * s.Bsize}
}

const (
	measureTime = 5 * time.Second // for a look at all files
	measureLife = time.Minute     // it is a lot of work: pages that look again and again shall not cause it
)

// files remembers what all files take.
type files struct {
	mu   sync.Mutex
	last filesUsed
}

func (f *files) measure(ctx context.Context, store blob.Store) filesUsed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.last.Measured) > measureLife {
		f.last = measureFiles(ctx, store)
		f.last.Measured = now.UTC().Truncate(time.Second)
	}
	return f.last
}

func measureFiles(ctx context.Context, store blob.Store) filesUsed {
	// It is for all who ask, so it goes on when this one leaves.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), measureTime)
	defer cancel()
	used := filesUsed{Uses: []fileUse{}, Complete: true}
	byUse := map[string]fileUse{}
	for info, err := range store.List(ctx, "") {
		if err != nil {
			used.Complete = false
			if !errors.Is(err, context.DeadlineExceeded) {
				used.Problem = "the files cannot be looked at now; try again"
				if told, ok := errors.AsType[*fault.Error](err); ok {
					used.Problem = told.Message
				}
			}
			break
		}
		use := byUse[useOf(info.Key)]
		use.Files++
		use.Bytes += info.Size
		byUse[useOf(info.Key)] = use
	}
	for _, name := range slices.Sorted(maps.Keys(byUse)) {
		use := byUse[name]
		use.Use = name
		used.Uses = append(used.Uses, use)
	}
	slices.SortStableFunc(used.Uses, func(a, b fileUse) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return used
}

// useOf is what a file is for. The rooms share a store: whatever is not of the videos
// is of the polls.
func useOf(key string) string {
	switch use := video.FileUse(key); {
	case use != "":
		return "video_" + use
	case strings.HasPrefix(key, "images/"), strings.HasPrefix(key, "uploads/"):
		return "poll_pictures"
	}
	return "other"
}
