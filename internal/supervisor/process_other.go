//go:build !linux

package supervisor

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// scratch makes a file without a name.
func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "harrier-messages-*")
	if err == nil {
		os.Remove(f.Name())
	}
	return f, err
}
