package video

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"stoa/internal/blob"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// openSource finds the source of a video as files for ffmpeg, and as many of the
// images that are laid over it as the plan has. The caller calls release when no
// program reads them any more.
func (s *Service) openSource(ctx context.Context, id string, overlays int) (source encode.Source, release func(), err error) {
	parts, err := readParts(ctx, s.db, id)
	if err != nil {
		return source, nil, err
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.size == 0 }) // the last may have no bytes
	if len(parts) == 0 {
		return source, nil, ffmpeg.ErrNotVideo
	}
	if source.Input, err = directInput(s.Blobs, parts); err != nil {
		return source, nil, err
	}
	release = func() {}
	if len(source.Input.Parts) == 0 {
		if source.Input, release, err = s.copies.open(ctx, id, parts); err != nil {
			return source, nil, err
		}
	}
	if overlays == 0 {
		return source, release, nil
	}
	if err := s.openOverlays(ctx, id, overlays, &source); err != nil {
		release()
		return source, nil, err
	}
	closeInput := release // which is about to become something else
	return source, func() { os.RemoveAll(source.Folder); closeInput() }, nil
}

// directInput is the files of a store that keeps objects as such; else it is empty.
func directInput(store blob.Store, parts []part) (in ffmpeg.Input, err error) {
	files, ok := store.(interface {
		Path(key string) (path string, size int64, err error)
	})
	if !ok {
		return in, nil
	}
	for _, p := range parts {
		path, size, err := files.Path(p.blob)
		if err != nil {
			return in, err
		}
		in.Parts = append(in.Parts, ffmpeg.Part{Path: path, Size: size})
	}
	return in, nil
}

// openOverlays copies the images to a folder that ffmpeg may read.
func (s *Service) openOverlays(ctx context.Context, id string, n int, source *encode.Source) (err error) {
	if source.Folder, err = s.scratch.new("overlay"); err != nil {
		return err
	}
	for i := range n {
		path := filepath.Join(source.Folder, fmt.Sprintf("%d.png", i))
		if _, err := copyBlobs(ctx, s.Blobs, path, overlayKey(id, i)); err != nil {
			os.RemoveAll(source.Folder)
			return err
		}
		source.Images = append(source.Images, path)
	}
	return nil
}

// copyBlobs writes objects to a new file, one behind the other.
func copyBlobs(ctx context.Context, store blob.Store, path string, keys ...string) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, key := range keys {
		n, err := copyBlob(ctx, store, f, key)
		size += n
		if err != nil {
			return size, fmt.Errorf("copy %s: %w", key, err)
		}
	}
	return size, f.Close()
}

func copyBlob(ctx context.Context, store blob.Store, to io.Writer, key string) (int64, error) {
	object, err := store.Open(ctx, key)
	if err != nil {
		return 0, err
	}
	defer object.Close()
	return io.Copy(to, blob.NewSource(ctx, object))
}
