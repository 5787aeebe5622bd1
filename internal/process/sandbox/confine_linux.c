//go:build linux && (amd64 || arm64)

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// These system calls have the same numbers on all architectures.
enum { LANDLOCK_ADD_RULE = 445, LANDLOCK_RESTRICT_SELF = 446 };

// A rule of Landlock, by the kernel's interface.
struct __attribute__((packed)) beneath {
    unsigned long long access;
    int file;
};

enum { RULE_PATH_BENEATH = 1, READ_FILE = 1 << 2 };

// What Go, Java and the C library read of a process, each below /proc/PID. Its memory and its descriptors, which are there too, are
// not to be read past the language.
static const char *const readable[] = {"maps", "stat", "statm", "status", "cgroup", "mountinfo", "mounts", "limits", "auxv"};

// allow_self lets the process read what is about itself, and reports whether that worked. The files stay open: one that nobody uses
// may be made anew by the system, which the rule would not be for.
static int allow_self(int ruleset) {
    int self = open("/proc/self", O_PATH | O_CLOEXEC);
    if (self < 0) {
        return 1; // there is no /proc
    }
    for (unsigned i = 0; i < sizeof readable / sizeof *readable; i++) {
        struct beneath rule = {READ_FILE, openat(self, readable[i], O_PATH | O_CLOEXEC)};
        if (rule.file >= 0 && syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) {
            return 0;
        }
    }
    close(self);
    return 1;
}

// confine puts the process into the Landlock domain of the ruleset that it was started with. It runs before Go's runtime
// does, while there is one thread: all others inherit the domain. What the system tells a process about
// itself is below /proc/PID, so only now a rule can name it. If it fails, the variable stays, and Entered says so.
__attribute__((constructor)) static void confine(void) {
    const char *number = getenv("HARRIER_RULESET");
    if (number == NULL) {
        return;
    }
    int ruleset = atoi(number);
    if (allow_self(ruleset) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0) {
        unsetenv("HARRIER_RULESET");
    }
    close(ruleset);
}
