package sandbox

import "golang.org/x/sys/unix"

const auditMachine = unix.AUDIT_ARCH_AARCH64

// deniedHere are system calls that not all machines have.
var deniedHere = []uint32{unix.SYS_KEXEC_FILE_LOAD}

// makesHere are calls with a mode that not all machines have.
var makesHere []making
