package file

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"stoa/internal/blob"
)

func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		if err := blob.CheckPrefix(prefix); err != nil {
			yield(blob.Info{}, err)
			return
		}
		s.walk(ctx, "", prefix, yield)
	}
}

// walk lists a folder, whose name is empty or ends in a slash, and tells
// whether to go on. What vanishes meanwhile is left out.
func (s *Store) walk(ctx context.Context, folder, prefix string, yield func(blob.Info, error) bool) bool {
	keys, err := s.keys(folder)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		yield(blob.Info{}, refusal("list", folder, ctx.Err(), err))
		return false
	}
	for _, key := range keys {
		isFolder := strings.HasSuffix(key, "/")
		switch {
		case isFolder && (strings.HasPrefix(key, prefix) || strings.HasPrefix(prefix, key)):
			if !s.walk(ctx, key, prefix, yield) {
				return false
			}
		case !isFolder && strings.HasPrefix(key, prefix):
			if !s.yield(key, yield) {
				return false
			}
		}
	}
	return true
}

func (s *Store) yield(key string, yield func(blob.Info, error) bool) bool {
	f, info, err := s.open(key)
	if errors.Is(err, blob.ErrNotFound) {
		return true
	}
	if err != nil {
		yield(blob.Info{}, refusal("list", key, nil, err))
		return false
	}
	f.Close()
	info.ContentType = ""
	return yield(info, nil)
}

// keys are the files and folders of a folder in the order of the keys below
// them: those of the folder a come after a-b and a.b, for the sake of its slash.
func (s *Store) keys(folder string) ([]string, error) {
	d, err := s.root.Open(path.Clean(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if errors.Is(err, fs.ErrNotExist) && folder != "" { // a Delete took it away since it was opened
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, entry := range entries {
		key := folder + entry.Name()
		switch {
		case blob.CheckKey(key) != nil:
		case entry.IsDir():
			keys = append(keys, key+"/")
		case entry.Type().IsRegular():
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
