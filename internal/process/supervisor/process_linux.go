package supervisor

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Attributes returns the attributes of a child process, which ends with the thread that started it.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// scratch makes a file without a name, which cannot grow beyond mostMessages.
func scratch() (*os.File, error) {
	fd, err := unix.MemfdCreate("messages", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "messages")
	err = f.Truncate(mostMessages)
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_GROW|unix.F_SEAL_SHRINK)
	}
	return f, err
}
