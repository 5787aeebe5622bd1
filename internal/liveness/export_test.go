package liveness

import "testing"

// FirstStates has macro steps be compared with single steps after so many states in a test.
func FirstStates(t *testing.T, states int) {
	before := firstStates
	firstStates = states
	t.Cleanup(func() { firstStates = before })
}
