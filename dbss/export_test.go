package dbss

// Forgetful makes workers forget what they remember every few transitions, until the test is over.
func Forgetful(t interface{ Cleanup(func()) }) {
	memory, mask := leastMemory, pollMask
	leastMemory, pollMask = 0, 1<<3-1
	t.Cleanup(func() { leastMemory, pollMask = memory, mask })
}

// Crowded makes workers look at the memory that is left every few transitions, keep few candidates in memory, and share out few
// arrivals at a time, until the test is over.
func Crowded(t interface{ Cleanup(func()) }) {
	mask, size, room := pollMask, pieceSize, leastRoom
	pollMask, pieceSize, leastRoom = 0, 3, 0
	t.Cleanup(func() { pollMask, pieceSize, leastRoom = mask, size, room })
}
