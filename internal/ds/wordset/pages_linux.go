package wordset

import "golang.org/x/sys/unix"

// useHugePages asks for large pages where they fit, since looking a word up at random mostly costs finding the
// page. The memory there is cleared; it is had anew when it is written to.
func useHugePages(memory []byte) {
	const page = 2 << 20
	if whole := len(memory) / page * page; whole > 0 {
		// Without large pages it is slower, no more.
		_ = unix.Madvise(memory[:whole], unix.MADV_DONTNEED)
		_ = unix.Madvise(memory[:whole], unix.MADV_HUGEPAGE)
	}
}
