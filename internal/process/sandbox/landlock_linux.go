//go:build amd64 || arm64

package sandbox

import "C" // for confine_linux.c, which the C library runs before Go's runtime starts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Find reports what the kernel has.
func Find() Support {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		abi = 0
	}
	// Asking for the filter mode with no filter fails with EFAULT where there is such a mode.
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, 0, 0, 0)
	return Support{Landlock: int(abi), Seccomp: errors.Is(err, unix.EFAULT)}
}

const (
	readFile = unix.LANDLOCK_ACCESS_FS_READ_FILE
	read     = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	write    = read | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REFER
)

// handled is what a version of Landlock can deny, all of which is denied.
func handled(abi int) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1}
	if abi >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr
}

// system is what any Java reads of the system beside its own files: libraries, the time zone, the machine's size.
var system = []string{
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
	"/etc/timezone", "/usr/share/zoneinfo", "/dev/random", "/dev/urandom", "/dev/zero", "/proc/cgroups", "/proc/cpuinfo",
	"/proc/meminfo", "/proc/stat", "/proc/version", "/proc/sys/vm", "/sys/fs/cgroup", "/sys/devices/system/cpu",
	"/sys/devices/system/node", "/sys/kernel/mm/hugepages", "/sys/kernel/mm/transparent_hugepage",
}

// Ruleset makes the Landlock ruleset of the policy. Paths that there are not are left out. Symbolic links in them are
// followed, and those below a folder are not.
func (p Policy) Ruleset(support Support) (*os.File, error) {
	attr := handled(support.Landlock)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)),
		unsafe.Offsetof(attr.Quiet_access_fs), 0)
	if errno != 0 {
		return nil, fmt.Errorf("creating the sandbox: %w", errno)
	}
	ruleset := os.NewFile(fd, "ruleset")
	add := func(path string, access uint64) error { return addRule(int(fd), path, access&attr.Handled_access_fs) }
	var failed error
	for _, path := range append(append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), system...), p.Read...) {
		failed = errors.Join(failed, add(path, read))
	}
	for _, folder := range p.List {
		failed = errors.Join(failed, add(folder, unix.LANDLOCK_ACCESS_FS_READ_DIR))
	}
	for _, folder := range p.Write {
		failed = errors.Join(failed, add(folder, write))
	}
	failed = errors.Join(failed, add(os.DevNull, readFile|unix.LANDLOCK_ACCESS_FS_WRITE_FILE))
	if p.Port != 0 && attr.Handled_access_net != 0 {
		failed = errors.Join(failed, addPort(int(fd), p.Port))
	}
	if failed != nil {
		ruleset.Close()
		return nil, fmt.Errorf("creating the sandbox: %w", failed)
	}
	return ruleset, nil
}

func addRule(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOTDIR) || path == "" {
		return nil
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err == nil && stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE // what there is for files
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return &fs.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}

// ruleNetPort is LANDLOCK_RULE_NET_PORT.
const ruleNetPort = 2

// addPort lets a port be listened at.
func addPort(ruleset, port int) error {
	rule := struct{ access, port uint64 }{unix.LANDLOCK_ACCESS_NET_BIND_TCP, uint64(port)} // struct landlock_net_port_attr
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), ruleNetPort,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allowing port %d: %w", port, errno)
	}
	return nil
}

// Entered returns an error if the process is not in the domain of the ruleset that it was started with.
func Entered() error {
	if fd, left := os.LookupEnv(RulesetVariable); left {
		if _, err := strconv.Atoi(fd); err == nil {
			return errors.New("the sandbox cannot be entered (Landlock)")
		}
		return fmt.Errorf("the variable %s is harrier's own: unset it", RulesetVariable)
	}
	return nil
}
