//go:build !linux

package compare

import "syscall"

// ownGroup keeps Ctrl-C on a terminal from the child, which is ended by us.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
