//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A filter is a program of the kernel's packet filter that is run for each system call.
type filter []unix.SockFilter

// Offsets of the fields of struct seccomp_data, by which a filter decides. Arguments have 64 bits, of which the lower half comes
// first on the machines that there are numbers for.
const (
	atNumber   = 0
	atMachine  = 4
	atArgument = 16
)

// lastNumber is the largest number of a system call that was looked at. Newer ones fail as if they did not exist.
const lastNumber = unix.SYS_LISTMOUNT

// denied are the system calls that fail with EPERM: those that start processes, reach other processes or the network,
// change what Landlock does not guard, or configure the system.
var denied = []uint32{
	// Other programs.
	unix.SYS_EXECVE, unix.SYS_EXECVEAT,
	// The network, and other ways to talk to processes. A pair of sockets talks to nobody else, and Java makes one.
	unix.SYS_CONNECT, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	// Memory that counts for no process.
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
	// Other processes.
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_KCMP,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO,
	unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM,
	unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SETPGID, unix.SYS_SETSID,
	// Attributes of files: Landlock guards contents only.
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	unix.SYS_MKNODAT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
	// The system, and who the process is.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT,
	unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_BPF,
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_INIT_MODULE,
	unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF, unix.SYS_QUOTACTL, unix.SYS_ACCT, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_PERSONALITY,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME, unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID,
	unix.SYS_SETRESGID, unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_SETGROUPS, unix.SYS_CAPSET,
}

// listening are those that a debugger is waited for with, and talked to.
var listening = []uint32{
	unix.SYS_SOCKET, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SENDTO, unix.SYS_RECVFROM,
}

// A call with the mode of a file that it may make.
type making struct{ number, argument uint32 }

// makes are those calls, but for openat2, whose mode a filter cannot see.
var makes = []making{{unix.SYS_OPENAT, 3}, {unix.SYS_MKDIRAT, 2}}

// asked are the requests to files and devices that Java and Go make: about terminals, and what there is to be read.
var asked = []uint32{unix.TCGETS, unix.TCGETS2, unix.TIOCGWINSZ, unix.TIOCINQ}

func answer(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

func (f *filter) add(code uint16, k uint32, jumpTrue, jumpFalse uint8) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jumpTrue, Jf: jumpFalse, K: k})
}

func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }

func (f *filter) give(result uint32) { f.add(unix.BPF_RET|unix.BPF_K, result, 0, 0) }

// on gives a result if a comparison of the loaded value with k holds.
func (f *filter) on(comparison uint16, k, result uint32) {
	f.add(unix.BPF_JMP|comparison|unix.BPF_K, k, 0, 1)
	f.give(result)
}

// unless gives a result for one system call unless a comparison of half an argument with k holds.
func (f *filter) unless(number uint32, half uint32, comparison uint16, k, result uint32) {
	f.compare(number, half, comparison, k, result, 1, 0)
}

// when gives a result for a system call if the comparison holds.
func (f *filter) when(number uint32, half uint32, comparison uint16, k, result uint32) {
	f.compare(number, half, comparison, k, result, 0, 1)
}

func (f *filter) compare(number uint32, half uint32, comparison uint16, k, result uint32, jumpTrue, jumpFalse uint8) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, 4)
	f.load(atArgument + 4*half)
	f.add(unix.BPF_JMP|comparison|unix.BPF_K, k, jumpTrue, jumpFalse)
	f.give(result)
	f.load(atNumber)
}

// among gives a result for one system call unless the lower half of an argument is one of some values.
func (f *filter) among(number, argument uint32, values []uint32, result uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, uint8(len(values)+3))
	f.load(atArgument + 8*argument)
	for i, value := range values {
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, uint8(len(values)-i), 0)
	}
	f.give(result)
	f.load(atNumber)
}

// newFilter assembles the filter for a process. One that listens may take connections, and make none.
func newFilter(pid int, listens bool) filter {
	var f filter
	f.load(atMachine)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, auditMachine, 1, 0)
	f.give(unix.SECCOMP_RET_KILL_PROCESS)
	f.load(atNumber)
	f.on(unix.BPF_JGT, lastNumber, answer(unix.ENOSYS))
	for _, number := range append(append([]uint32{}, denied...), deniedHere...) {
		f.on(unix.BPF_JEQ, number, answer(unix.EPERM))
	}
	if listens {
		// Landlock knows TCP and not MPTCP. Data with an address would go to whom nobody is connected with.
		f.unless(unix.SYS_SOCKET, 0, unix.BPF_JEQ, unix.AF_INET, answer(unix.EPERM))
		f.when(unix.SYS_SOCKET, 4, unix.BPF_JGT, unix.IPPROTO_TCP, answer(unix.EPERM))
		f.unless(unix.SYS_SENDTO, 8, unix.BPF_JEQ, 0, answer(unix.EPERM))
		f.unless(unix.SYS_SENDTO, 9, unix.BPF_JEQ, 0, answer(unix.EPERM))
	} else {
		for _, number := range listening {
			f.on(unix.BPF_JEQ, number, answer(unix.EPERM))
		}
	}
	// Threads are made, processes are not. The C library falls back to clone, whose flags can be seen.
	f.on(unix.BPF_JEQ, unix.SYS_CLONE3, answer(unix.ENOSYS))
	f.unless(unix.SYS_CLONE, 0, unix.BPF_JSET, unix.CLONE_THREAD, answer(unix.EPERM))
	// Files that run as somebody else, flags of files, and input to terminals.
	for _, m := range append(append([]making{}, makes...), makesHere...) {
		f.when(m.number, 2*m.argument, unix.BPF_JSET, unix.S_ISUID|unix.S_ISGID, answer(unix.EPERM))
	}
	f.on(unix.BPF_JEQ, unix.SYS_OPENAT2, answer(unix.ENOSYS))
	f.among(unix.SYS_IOCTL, 1, asked, answer(unix.EPERM))
	// It ends with its supervisor.
	f.when(unix.SYS_PRCTL, 0, unix.BPF_JEQ, unix.PR_SET_PDEATHSIG, answer(unix.EPERM))
	// Signals to itself, as Go's scheduler and abort need them. One that kills it is the system's, which has no memory left, and those that
	// suspend it are the user's.
	for _, signal := range []uint32{uint32(unix.SIGKILL), uint32(unix.SIGSTOP), uint32(unix.SIGTSTP), uint32(unix.SIGTTIN), uint32(unix.SIGTTOU)} {
		f.when(unix.SYS_KILL, 2, unix.BPF_JEQ, signal, answer(unix.EPERM))
		f.when(unix.SYS_TGKILL, 4, unix.BPF_JEQ, signal, answer(unix.EPERM))
	}
	f.unless(unix.SYS_KILL, 0, unix.BPF_JEQ, uint32(pid), answer(unix.EPERM))
	f.unless(unix.SYS_TGKILL, 0, unix.BPF_JEQ, uint32(pid), answer(unix.EPERM))
	f.unless(unix.SYS_PRLIMIT64, 0, unix.BPF_JEQ, 0, answer(unix.EPERM))
	f.give(unix.SECCOMP_RET_ALLOW)
	return f
}

// Filter denies all threads of the process the system calls that no check needs: those that fail throw an exception
// in Java. It holds for as long as the process runs. One that listens may take connections.
func Filter(listens bool) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("entering the sandbox: %w", err)
	}
	f := newFilter(os.Getpid(), listens)
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(f)
	if errno != 0 {
		return fmt.Errorf("entering the sandbox: %w", errno)
	}
	return nil
}
