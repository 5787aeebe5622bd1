package compare

import "syscall"

// ownGroup keeps Ctrl-C on a terminal from the child, which is ended by us, and ends it when we die.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
