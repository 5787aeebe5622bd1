package sandbox

import "golang.org/x/sys/unix"

const auditMachine = unix.AUDIT_ARCH_X86_64

// deniedHere are system calls that newer machines do not have.
var deniedHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES,
	unix.SYS_FUTIMESAT, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_MKNOD,
}

// makesHere are calls with a mode that newer machines do not have.
var makesHere = []making{{unix.SYS_OPEN, 2}, {unix.SYS_CREAT, 1}, {unix.SYS_MKDIR, 1}}
