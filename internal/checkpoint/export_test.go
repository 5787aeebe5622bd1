package checkpoint

import (
	"os"
	"syscall"
)

// FillDisk has the disk be full when files have so many bytes, until restore is called.
func FillDisk(bytes int64) (restore func()) {
	writeAt = func(f *os.File, b []byte, at int64) (int, error) {
		if at+int64(len(b)) <= bytes {
			return f.WriteAt(b, at)
		}
		n, _ := f.WriteAt(b[:max(0, bytes-at)], at)
		return n, syscall.ENOSPC
	}
	return func() { writeAt = (*os.File).WriteAt }
}

// Records returns the records of a file of a checkpoint whose key is "".
func Records(path, name string) (all [][]byte, err error) {
	f, err := Open(path, "")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := f.open(name)
	for err == nil {
		record, ok := r.read()
		if !ok {
			return all, r.file.Close()
		}
		all = append(all, record)
	}
	return nil, err
}

// Rewrite writes a file of other records.
func Rewrite(path, name string, all [][]byte) error {
	f, err := Open(path, "")
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := f.open(name)
	if err != nil {
		return err
	}
	defer r.file.Close()
	if err := r.file.Truncate(0); err != nil {
		return err
	}
	for _, record := range all {
		r.append(record)
	}
	return f.Failed()
}
