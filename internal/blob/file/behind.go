package file

import (
	"os"

	"golang.org/x/sys/unix"
)

// window is how much the disk is told to begin with at a time, in bytes.
const window = 8 << 20

// behind writes to a file, and has the disk begin with what is there while more comes:
// a sync at the end would else wait for all of it.
type behind struct {
	*os.File
	size, begun int64 // bytes written; and how many of them the disk knows of
}

func (b *behind) Write(p []byte) (int, error) {
	n, err := b.File.Write(p)
	b.size += int64(n)
	if b.size-b.begun >= window {
		// It promises nothing, and not every file system has it: Sync tells what went wrong.
		_ = unix.SyncFileRange(int(b.Fd()), b.begun, b.size-b.begun, unix.SYNC_FILE_RANGE_WRITE)
		b.begun = b.size
	}
	return n, err
}
