// Package files writes files so that nobody sees half of one.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// WriteWhole writes a file so that another process sees all of it or nothing, and makes its folder.
func WriteWhole(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	w, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		w.Discard()
		return err
	}
	return w.Keep()
}

// Whole is a file that is being written: under another name, until all of it is there.
type Whole struct {
	*os.File
	path string
}

// Create begins a file in a folder that exists. The error is that there can be no such file.
func Create(path string) (*Whole, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path) // a device would be gone when its name is taken
	}
	f, err := os.CreateTemp(filepath.Dir(path), "writing-*")
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = &fs.PathError{Op: "create", Path: path, Err: failed.Err} // by its own name
	}
	if err != nil {
		return nil, err
	}
	return &Whole{f, path}, nil
}

// Keep ends the file and gives it its name.
func (w *Whole) Keep() error {
	if err := w.Close(); err != nil {
		os.Remove(w.Name())
		return err
	}
	if err := os.Rename(w.Name(), w.path); err != nil {
		os.Remove(w.Name())
		return err
	}
	return nil
}

// Discard gives the file up.
func (w *Whole) Discard() {
	w.Close()
	os.Remove(w.Name())
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
