package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// notes is what a later run needs and no API tells: the secrets. They are in a file
// that only its owner can read.
type notes struct {
	path string

	Key         string            `json:"apiKey"`
	Passwords   map[string]string `json:"passwords"` // by username
	Tokens      map[string]string `json:"tokens"`    // by username
	Voters      []string          `json:"voters"`    // ids of people without account
	Watermark   string            `json:"watermark"`
	UploadToken string            `json:"uploadToken"`
}

func openNotes(path string) (*notes, error) {
	n := &notes{path: path, Passwords: map[string]string{}, Tokens: map[string]string{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, n); err != nil || n.Passwords == nil || n.Tokens == nil {
		return nil, fmt.Errorf("%s cannot be read: delete it together with the accounts of the demo, or bring it back from a backup", path)
	}
	return n, nil
}

// save replaces the file at once, so that an interruption leaves the old one or the new.
func (n *notes) save() error {
	text, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(n.path), "demo-*.json") // for its owner alone
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone once it is renamed
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), n.path)
}
