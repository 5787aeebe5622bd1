package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Keep keeps files, by their names, in a folder of their own, and gives its path. It is called by a name, with a number after it
// if another folder is called so.
type Keep func(name string, content map[string][]byte) (folder string, err error)

// KeepIn keeps files in folders below one. Files of others there stay as they are; equal files are not kept twice.
func KeepIn(below string) Keep {
	return func(name string, content map[string][]byte) (string, error) {
		if err := demandPlain(name, content); err != nil {
			return "", err
		}
		if err := os.MkdirAll(below, 0o755); err != nil {
			return "", err
		}
		for n := 1; ; n++ {
			folder := filepath.Join(below, name)
			if n > 1 {
				folder += fmt.Sprintf("-%d", n)
			}
			err := os.Mkdir(folder, 0o755)
			if errors.Is(err, fs.ErrExist) && !holds(folder, content) {
				continue
			}
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return "", err
			}
			for file, text := range content {
				if err := WriteWhole(filepath.Join(folder, file), text); err != nil {
					return "", err
				}
			}
			return folder, nil
		}
	}
}

// demandPlain returns an error unless all names are names of a folder and of files in it, which are not hidden.
func demandPlain(name string, content map[string][]byte) error {
	names := []string{name}
	for file := range content {
		names = append(names, file)
	}
	for _, n := range names {
		if n == "" || strings.HasPrefix(n, ".") || strings.ContainsAny(n, "/\\\x00") {
			return fmt.Errorf("%q is no name of a file", n)
		}
	}
	return nil
}

// holds reports whether a folder has some of the files, and no file with another content.
func holds(folder string, content map[string][]byte) bool {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	some := false
	for file, text := range content {
		there, err := os.ReadFile(filepath.Join(folder, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !bytes.Equal(there, text) {
			return false
		}
		some = true
	}
	return some
}
