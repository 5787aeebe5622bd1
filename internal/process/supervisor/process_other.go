//go:build !linux

package supervisor

import (
	"os"
	"syscall"
)

// Attributes returns the attributes of a child process.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// scratch makes a file without a name.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "harrier-messages-*")
	if err == nil {
		os.Remove(f.Name())
	}
	return f, err
}
