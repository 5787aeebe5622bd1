package dbss

// Forgetful makes workers forget what they remember every few transitions, until the test is over.
func Forgetful(t interface{ Cleanup(func()) }) {
	memory, mask := leastMemory, pollMask
	leastMemory, pollMask = 0, 1<<3-1
	t.Cleanup(func() { leastMemory, pollMask = memory, mask })
}

// Crowded makes workers look at the memory that is left every few transitions, and share out few arrivals at a time, until the test is
// over.
func Crowded(t interface{ Cleanup(func()) }) {
	mask, size := pollMask, pieceSize
	pollMask, pieceSize = 0, 3
	t.Cleanup(func() { pollMask, pieceSize = mask, size })
}
