//go:build linux

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// refuse ends the process as wrong use does.
static void refuse(rlim_t has, const char *of, const char *mend) {
    fprintf(stderr, "harrier: this process may have %llu %s: %s\n", (unsigned long long)has, of, mend);
    _exit(2);
}

// Go's runtime reserves more than a gigabyte of address space before it runs anything, and opens files, for which it takes the hard
// limit. With fewer than 20 files not even the least program can be checked.
__attribute__((constructor)) static void check(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < (rlim_t)2 << 30) {
        refuse(limit.rlim_cur >> 20, "MiB of address space (ulimit -v)",
               "address space is no memory, and harrier reserves a terabyte: take ulimit -v unlimited, and --max-memory");
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < 20) {
        refuse(limit.rlim_max, "open files (ulimit -n)", "give it 64 or more");
    }
}
