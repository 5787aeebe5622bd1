//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"harrier/internal/testkit/must"

	"golang.org/x/sys/unix"
)

// TestMain runs the test binary as the process in the sandbox, if it was started as one.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "confined" {
		os.Exit(confinedMain(os.Args[2], os.Args[3], os.Args[4]))
	}
	os.Exit(m.Run())
}

// A ruleset is about files, not paths: an editor may put another file in the place of one.
func TestGrantsOfReplacedFilesDiffer(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "A.java")
	write := func() {
		t.Helper()
		must.Do(os.WriteFile(file+"~", nil, 0o600))
		must.Do(os.Rename(file+"~", file))
	}
	write()
	alone, below := Policy{Read: []string{file}}, Policy{Read: []string{folder, file}}
	before, around := alone.Grants(), below.Grants()
	if !slices.EqualFunc(before, alone.Grants(), Grant.Same) {
		t.Error("a file differs from itself")
	}
	write()
	if slices.EqualFunc(before, alone.Grants(), Grant.Same) {
		t.Error("another file is taken for the one that was granted")
	}
	if !slices.EqualFunc(around, below.Grants(), Grant.Same) {
		t.Error("a file counts that is granted with its folder")
	}
}

// attempts are what a process in the sandbox tries, from a thread that was there before the filter was. Those with a
// leading + must succeed, all others must be denied.
func attempts(inside, outside string) map[string]func() error {
	open := func(path string, flags int) func() error {
		return func() error {
			f, err := os.OpenFile(path, flags, 0o644)
			if err == nil {
				f.Close()
			}
			return err
		}
	}
	call := func(number uintptr, arguments ...uintptr) func() error {
		return func() error {
			arguments := append(arguments, make([]uintptr, 6)...)
			_, _, errno := unix.RawSyscall6(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
			if errno != 0 {
				return errno
			}
			return nil
		}
	}
	parent := os.Getppid()
	folder, err := unix.Open(inside, unix.O_RDONLY, 0)
	must.Do(err)
	return map[string]func() error{
		"+read what is allowed":  open(filepath.Join(inside, "file"), os.O_RDONLY),
		"+write what is allowed": open(filepath.Join(inside, "new"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC),
		"+read about itself":     open("/proc/self/statm", os.O_RDONLY),
		"+make a thread":         func() error { go runtime.LockOSThread(); return nil },
		"+send itself a signal":  func() error { return unix.Kill(os.Getpid(), 0) },
		"+ask how much there is": func() error {
			f, err := os.Open(filepath.Join(inside, "file"))
			if err == nil {
				_, err = unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
			}
			return err
		},
		"read another file":                  open(filepath.Join(outside, "file"), os.O_RDONLY),
		"list another folder":                func() error { _, err := os.ReadDir(outside); return err },
		"write another file":                 open(filepath.Join(outside, "file"), os.O_WRONLY),
		"truncate another file":              func() error { return os.Truncate(filepath.Join(outside, "file"), 0) },
		"make another file":                  open(filepath.Join(outside, "new"), os.O_CREATE|os.O_WRONLY),
		"remove another file":                func() error { return os.Remove(filepath.Join(outside, "file")) },
		"move another file here":             func() error { return os.Rename(filepath.Join(outside, "file"), filepath.Join(inside, "moved")) },
		"link another file here":             func() error { return os.Link(filepath.Join(outside, "file"), filepath.Join(inside, "linked")) },
		"link to another file":               func() error { return os.Symlink(filepath.Join(outside, "file"), filepath.Join(inside, "link")) },
		"change another file's mode":         func() error { return os.Chmod(filepath.Join(outside, "file"), 0o777) },
		"change another file's times":        func() error { return unix.Utimes(filepath.Join(outside, "file"), make([]unix.Timeval, 2)) },
		"read the users":                     open("/etc/passwd", os.O_RDONLY),
		"read about its parent":              open(fmt.Sprintf("/proc/%d/cmdline", parent), os.O_RDONLY),
		"read its memory":                    open("/proc/self/mem", os.O_RDONLY),
		"read a thread's memory":             open("/proc/thread-self/mem", os.O_RDONLY),
		"list its descriptors":               func() error { _, err := os.ReadDir("/proc/self/fd"); return err },
		"start a process":                    func() error { return exec.Command("/bin/true").Run() },
		"become another program":             func() error { return unix.Exec("/bin/true", nil, nil) },
		"fork":                               call(unix.SYS_CLONE, uintptr(unix.SIGCHLD)),
		"open a socket":                      func() error { _, err := net.Dial("tcp", "127.0.0.1:1"); return err },
		"keep memory that counts for nobody": func() error { _, err := unix.MemfdCreate("memory", 0); return err },
		"suspend itself":                     func() error { return unix.Kill(os.Getpid(), unix.SIGTSTP) },
		"open a socket of this machine": func() error {
			_, err := net.Dial("unix", "@harrier")
			return err
		},
		"make a file of its user's rights": func() error {
			_, err := unix.Open(filepath.Join(inside, "setuid"), unix.O_CREAT|unix.O_WRONLY, 0o4755)
			return err
		},
		"make a file of its group's rights": func() error {
			_, err := unix.Openat(folder, "setgid", unix.O_CREAT|unix.O_WRONLY, 0o2755)
			return err
		},
		"make a file by its number": func() error { return unix.Mknod(filepath.Join(inside, "node"), unix.S_IFREG|0o4755, 0) },
		"open in another way":       func() error { _, err := unix.Openat2(folder, "file", &unix.OpenHow{}); return err },
		"change a file's flags":     func() error { return unix.IoctlSetPointerInt(folder, unix.FS_IOC_SETFLAGS, 0) },
		"type into a terminal":      call(unix.SYS_IOCTL, 0, unix.TIOCSTI),
		"outlive its parent":        func() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) },
		"kill itself":               func() error { return unix.Kill(os.Getpid(), unix.SIGKILL) },
		"kill a thread of its own":  call(unix.SYS_TGKILL, uintptr(os.Getpid()), uintptr(os.Getpid()), uintptr(unix.SIGKILL)),
		"send its parent a signal":  func() error { return unix.Kill(parent, 0) },
		"send everyone a signal":    func() error { return unix.Kill(-1, 0) },
		"trace its parent":          func() error { return unix.PtraceAttach(parent) },
		"limit its parent":          func() error { return unix.Prlimit(parent, unix.RLIMIT_CORE, nil, &unix.Rlimit{}) },
		"set up io_uring":           call(unix.SYS_IO_URING_SETUP),
		"make a namespace":          func() error { return unix.Unshare(unix.CLONE_NEWUSER) },
		"mount":                     func() error { return unix.Mount("none", inside, "tmpfs", 0, "") },
	}
}

// isDenied reports whether an error says that somebody may not do something, or that it cannot be done at all.
func isDenied(err error) bool {
	for _, e := range []error{fs.ErrPermission, unix.EXDEV, unix.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// waiting are attempts of a process that may wait for a debugger at a port.
func waiting(port string) map[string]func() error {
	listen := func(network, address string) func() error {
		return func() error {
			l, err := net.Listen(network, address)
			if err == nil {
				l.Close()
			}
			return err
		}
	}
	return map[string]func() error{
		"+listen at its port":       listen("tcp4", "127.0.0.1:"+port),
		"listen at another port":    listen("tcp4", "127.0.0.1:1"),
		"listen at another address": listen("tcp6", "[::1]:"+port),
		"send to somebody": func() error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
			if err == nil {
				err = unix.Sendto(fd, []byte("out"), 0, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{127, 0, 0, 1}})
			}
			return err
		},
	}
}

func confinedMain(inside, outside, port string) int {
	// Other threads, which the filter has to reach.
	var ready sync.WaitGroup
	begin := make(chan bool)
	results := make(chan string)
	all := attempts(inside, outside)
	if port != "" {
		maps.Copy(all, waiting(port))
	}
	for name, attempt := range all {
		ready.Add(1)
		go func() {
			runtime.LockOSThread()
			ready.Done()
			<-begin
			err := attempt()
			if allowed := strings.HasPrefix(name, "+"); allowed && err != nil || !allowed && !isDenied(err) {
				results <- fmt.Sprintf("%s: %v", name, err)
			} else {
				results <- ""
			}
		}()
	}
	ready.Wait()
	if err := errors.Join(Entered(), Filter(port != "")); err != nil {
		fmt.Println(err)
		return 1
	}
	close(begin)
	code := 0
	for range all {
		if text := <-results; text != "" {
			fmt.Println(text)
			code = 1
		}
	}
	return code
}

// TestNothingGetsOut tries from inside what a program under check must not be able to do.
func TestNothingGetsOut(t *testing.T) {
	support := Find()
	if support.Missing() != "" || support.Landlock < 6 {
		t.Skipf("this kernel has %v", support)
	}
	inside, outside := t.TempDir(), t.TempDir()
	for _, folder := range []string{inside, outside} {
		must.Do(os.WriteFile(filepath.Join(folder, "file"), []byte("content"), 0o644))
	}
	ruleset := func(port int) *os.File {
		f := must.Get(Policy{Write: []string{inside}, Port: port}.Ruleset(support))
		t.Cleanup(func() { f.Close() })
		return f
	}
	run := func(files []*os.File, number, port string) string {
		c := exec.Command(os.Args[0], "confined", inside, outside, port)
		c.Env = append(os.Environ(), RulesetVariable+"="+number)
		c.ExtraFiles = files
		out, err := c.CombinedOutput()
		if err != nil {
			return strings.TrimSpace(string(out) + err.Error())
		}
		return ""
	}
	if failed := run([]*os.File{ruleset(0)}, "3", ""); failed != "" {
		t.Errorf("in the sandbox:\n%s", failed)
	}
	l := must.Get(net.Listen("tcp4", "127.0.0.1:0"))
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	if failed := run([]*os.File{ruleset(port)}, "3", strconv.Itoa(port)); failed != "" {
		t.Errorf("in the sandbox, waiting for a debugger:\n%s", failed)
	}
	if content, err := os.ReadFile(filepath.Join(outside, "file")); err != nil || string(content) != "content" {
		t.Errorf("the file outside has %q, %v", content, err)
	}
	if got := run(nil, "3", ""); !strings.Contains(got, "cannot be entered") {
		t.Errorf("without a ruleset: %q", got)
	}
}

func TestMissingSaysWhatProgramsCanDo(t *testing.T) {
	for want, s := range map[string]Support{
		"": {Landlock: 7, Seccomp: true},
		"start processes and open sockets (there are no seccomp filters)": {Landlock: 7},
		"read and write files (the kernel has no Landlock)":               {Seccomp: true},
	} {
		if got := s.Missing(); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}

func TestNothingIsDeniedTwice(t *testing.T) {
	all := append(slices.Clone(denied), deniedHere...)
	slices.Sort(all)
	if len(slices.Compact(all)) != len(denied)+len(deniedHere) {
		t.Error("a system call is denied twice")
	}
}
