package file

import (
	"fmt"
	"path/filepath"

	"stoa/internal/blob"
)

// Path is where an object is, for programs that read files: its bytes are the first
// size bytes of that file. They stay as they are as long as nobody puts or deletes
// the object; who has the file open then reads on.
func (s *Store) Path(key string) (path string, size int64, err error) {
	if err := blob.CheckKey(key); err != nil {
		return "", 0, err
	}
	f, info, err := s.open(key)
	if err != nil {
		return "", 0, refusal("find", key, nil, err)
	}
	f.Close()
	path, err = filepath.Abs(filepath.Join(s.root.Name(), filepath.FromSlash(key)))
	if err != nil {
		return "", 0, fmt.Errorf("find %s: %w", key, err)
	}
	return path, info.Size, nil
}
