//go:build unix

package files

import (
	"io/fs"
	"syscall"
)

// ownerOf is the number of the user to whom a file belongs, -1 if it is not known.
func ownerOf(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}
