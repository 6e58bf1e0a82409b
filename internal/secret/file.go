package secret

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// FileKey reads the text of a key from a file, and makes the file when there is
// none. Processes that start together get the same text. The folder must exist.
func FileKey(path string) (string, error) {
	text, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	if err := makeKey(path); err != nil {
		return "", fmt.Errorf("make secret file: %w", err)
	}
	return readKey(path)
}

// readKey refuses a file that cannot be one of makeKey, and does not replace it:
// the key may be all that opens the database.
func readKey(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read secret file: %w", err)
	}
	text := strings.TrimSpace(string(content))
	if n := utf8.RuneCountInString(text); n < minText {
		return "", fmt.Errorf("secret file %s has %d characters: want at least %d; bring it back from a backup", path, n, minText)
	}
	return text, nil
}

// makeKey writes a whole file under another name and links it into place: the
// link fails when another process was first, whose key then counts.
func makeKey(path string) (err error) {
	random := make([]byte, 32)
	rand.Read(random)
	folder := filepath.Dir(path)
	temporary, err := os.CreateTemp(folder, ".secret-*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(temporary.Name())) }()
	_, err = temporary.WriteString(base64.RawURLEncoding.EncodeToString(random) + "\n")
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err := os.Link(temporary.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes the name of a new file outlive a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
