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
    int folder;
};

enum { RULE_PATH_BENEATH = 1, READ_FILE_AND_DIR = 1 << 2 | 1 << 3 };

// confine puts the process into the Landlock domain of the ruleset that it was started with. It runs before Go's runtime
// does, while there is one thread: all others inherit the domain. What the system tells a process about
// itself is below /proc/PID, so only now a rule can name it. That folder stays open: one that nobody uses may be made
// anew by the system, which the rule would not be for. If it fails, the variable stays, and Entered says so.
__attribute__((constructor)) static void confine(void) {
    const char *number = getenv("HARRIER_RULESET");
    if (number == NULL) {
        return;
    }
    int ruleset = atoi(number);
    struct beneath self = {READ_FILE_AND_DIR, open("/proc/self", O_PATH | O_CLOEXEC)};
    if ((self.folder < 0 || syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &self, 0) == 0) &&
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0) {
        unsetenv("HARRIER_RULESET");
    }
    close(ruleset);
}
