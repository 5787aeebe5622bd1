package dbss

// Forgetful makes workers forget what they remember every few transitions, until the test is over.
func Forgetful(t interface{ Cleanup(func()) }) {
	memory, mask := leastMemory, pollMask
	leastMemory, pollMask = 0, 1<<3-1
	t.Cleanup(func() { leastMemory, pollMask = memory, mask })
}

// Crowded makes workers look at the memory that is left every few transitions, keep no more than a state in memory where they may be in
// files, and share out few new states at a time, until the test is over.
func Crowded(t interface{ Cleanup(func()) }) {
	mask, size, room := pollMask, pieceSize, roomOf
	pollMask, pieceSize, roomOf = 0, 3, func(uint64) uint64 { return 0 }
	t.Cleanup(func() { pollMask, pieceSize, roomOf = mask, size, room })
}

// InBatches sets how many successors are enough for a batch of breadth-first search, until the test is over.
func InBatches(t interface{ Cleanup(func()) }, of int) {
	size := batchSize
	batchSize = of
	t.Cleanup(func() { batchSize = size })
}
