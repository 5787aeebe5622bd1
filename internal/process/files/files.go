// Package files writes files so that nobody sees half of one, and reads regular files only.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrIrregular is the error of a pipe, a device or a folder where a file should be.
var ErrIrregular = errors.New("is no regular file")

// OpenRegular opens a file to be read. A file that need not end is refused with ErrIrregular.
func OpenRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else a pipe waits for who writes to it
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s %w", path, ErrIrregular)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadRegular gives the content of a file, as OpenRegular opens it.
func ReadRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// WriteWhole writes a file so that another process sees all of it or nothing, and makes its folder.
func WriteWhole(path string, content []byte) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s %w", path, ErrIrregular) // a device would be gone when its name is taken
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "writing-*")
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = &fs.PathError{Op: "create", Path: path, Err: failed.Err} // by its own name
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Scratch makes a file in a folder ("" for that of temporary files) that nothing is left of when it is closed or the process ends. It has
// a name, which begins with prefix, for a moment only.
func Scratch(folder, prefix string) (*os.File, error) {
	f, err := os.CreateTemp(folder, prefix)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// DropOldest removes all but the newest files or folders of a folder whose names have an ending.
func DropOldest(folder, ending string, keep int) {
	type aged struct {
		path string
		time time.Time
	}
	var found []aged
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ending) {
			found = append(found, aged{filepath.Join(folder, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(found, func(x, y aged) int { return y.time.Compare(x.time) })
	for _, old := range found[min(len(found), keep):] {
		os.RemoveAll(old.path)
	}
}
