package liveness

import "testing"

// FirstStates sets, for a test, the number of states after which macro steps are compared with single steps.
func FirstStates(t *testing.T, states int) {
	before := firstStates
	firstStates = states
	t.Cleanup(func() { firstStates = before })
}

// TakeOneByOne begins anew with the steps of a component taken one by one, and returns of how many components they are.
func (s *Search) TakeOneByOne(component uint32) int {
	s.renew(map[uint32]bool{component: true}, nil)
	return len(s.endless)
}
