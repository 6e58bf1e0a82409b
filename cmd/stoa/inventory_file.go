package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile gives a file other content, all of it or nothing. Its mode stays,
// and a link still leads to it.
func replaceFile(name string, content []byte) (err error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}

// createFile writes a new file; one that is there is only replaced with force.
func createFile(name string, content []byte, force bool) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist) && force:
		return replaceFile(name, content)
	case errors.Is(err, fs.ErrExist):
		return errExists(name)
	case err != nil:
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

func errExists(name string) error { return errors.New(name + " exists: --force replaces it") }
