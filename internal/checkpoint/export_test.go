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
