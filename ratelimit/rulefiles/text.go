package rulefiles

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"stoa/internal/fault"
)

// Text is a rule file as it stands, for somebody who edits it.
type Text struct {
	Name     string // as faults name it
	Path     string
	Text     []byte
	Version  string // another with every other text
	There    bool   // else Text is what holds while there is no file
	ReadOnly string // why it cannot be written here; "": it can
}

// ErrChanged is the answer to who writes what he did not read.
var ErrChanged = errors.New("the file is another than the one that was read: read it again, and make the change there")

// absent is the version of a file that is not there.
const absent = "absent"

func versionOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// readText reads a file, or tells that it is not there.
func readText(name, path string) (Text, error) {
	t := Text{Name: name, Path: path, Version: absent, ReadOnly: readOnly(path)}
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, fault.Wrap(fault.Unavailable, fmt.Errorf("%s cannot be read: %w", name, err))
	}
	t.Text, t.There, t.Version = text, true, versionOf(text)
	return t, nil
}

// readOnly says what keeps this process from replacing a file. Folders that are not
// there yet would be made.
func readOnly(path string) string {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "it is a link: whoever made it replaces what it leads to"
	}
	folder := filepath.Dir(path)
	for {
		info, err := os.Stat(folder)
		if err == nil && info.IsDir() {
			break
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	if err := unix.Access(folder, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Sprintf("this process may not write in %s: %v", folder, err)
	}
	return ""
}

// replace puts a text in the place of a file: whoever reads, also after a crash, finds
// the old one or the new one. Names that begin with two dots are no rule files.
func replace(path string, text []byte) (err error) {
	folder, mode := filepath.Dir(path), fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(folder, ".."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err = os.Rename(temporary.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a rename last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
