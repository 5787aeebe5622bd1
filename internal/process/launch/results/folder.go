// Package results has the supervisor write what a check found into its folder for results (--out). The process that runs Java can write no
// results, or the program under check could change those of other checks: it sends them to its supervisor.
package results

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is the folder for results. It is there before the child is confined, which can write to it from then on, and is
// gone in the end if nothing was put there.
type Folder struct {
	folder *os.File // open and locked, so that another check does not remove it
	name   string
	made   []string // which folders were made, the innermost first
}

// Open makes the folder for results. One that cannot be written to is an error.
func Open(path string) (*Folder, error) {
	o := &Folder{name: path}
	for missing := filepath.Clean(path); ; missing = filepath.Dir(missing) {
		if _, err := os.Lstat(missing); !errors.Is(err, os.ErrNotExist) {
			break
		}
		o.made = append(o.made, missing)
	}
	for {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_SH) != nil {
			o.made = nil // nobody can know who uses it
		}
		// Another check may have removed it meanwhile.
		mine, err := f.Stat()
		if there, e := os.Stat(path); err == nil && e == nil && os.SameFile(mine, there) {
			o.folder = f
			break
		}
		f.Close()
	}
	probe, err := os.CreateTemp(path, "writing-*")
	if err != nil {
		o.Close()
		return nil, err
	}
	probe.Close()
	return o, os.Remove(probe.Name())
}

// Path is the folder's path, "" of a nil Folder.
func (o *Folder) Path() string {
	if o == nil {
		return ""
	}
	return o.name
}

// Close removes the folders that Open made, if they are empty and nobody else uses them.
func (o *Folder) Close() {
	if o == nil {
		return
	}
	if syscall.Flock(int(o.folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		for _, folder := range o.made {
			if os.Remove(folder) != nil {
				break
			}
		}
	}
	o.folder.Close()
}
