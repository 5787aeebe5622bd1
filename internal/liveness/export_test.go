package liveness

import "testing"

// FirstStates sets, for a test, the number of states after which macro steps are compared with single steps.
func FirstStates(t *testing.T, states int) {
	before := firstStates
	firstStates = states
	t.Cleanup(func() { firstStates = before })
}
