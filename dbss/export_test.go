package dbss

// Forgetful makes workers forget what they remember every few transitions, until the test is over.
func Forgetful(t interface{ Cleanup(func()) }) {
	memory, mask := leastMemory, pollMask
	leastMemory, pollMask = 0, 1<<3-1
	t.Cleanup(func() { leastMemory, pollMask = memory, mask })
}
