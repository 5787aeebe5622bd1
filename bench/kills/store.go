package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// The values of -place.
const (
	onServers = "servers"
	inFolder  = "folder"
)

// states is the value of --share.
func (t *site) states() string {
	if t.files == "" {
		return onServers
	}
	return t.files
}

// damageFiles cuts, swaps or removes some of the files with states: one of them, or about half.
func (t *site) damageFiles() error {
	var all []string
	err := filepath.WalkDir(t.files, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && len(entry.Name()) == nameLength {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		return err
	}
	t.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	some := 1
	if t.random.IntN(2) == 0 {
		some = (len(all) + 1) / 2
	}
	for i, path := range all[:some] {
		t.damaged = append(t.damaged, filepath.Base(path))
		switch other := all[(i+1)%len(all)]; { // it is not removed yet
		case t.random.IntN(3) == 0:
			err = t.cut(path)
		case other != path && t.random.IntN(2) == 0:
			t.damaged = append(t.damaged, filepath.Base(other))
			err = swap(path, other)
		default:
			err = os.Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nameLength is how long the name of a complete file is: a hash, in hexadecimal digits.
const nameLength = 64

// cut cuts off a part of a file.
func (t *site) cut(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, t.random.Int64N(max(info.Size(), 1)))
}

// swap has two files take each other's names.
func swap(a, b string) error {
	between := a + "-swapped"
	if err := os.Rename(a, between); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return os.Rename(between, b)
}
