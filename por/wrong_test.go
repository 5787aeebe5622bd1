package por_test

import (
	"fmt"
	"testing"
)

// TestWrongReductionIsSeen reduces in a way that is wrong, and expects both the comparison with the twin and the definition to tell.
func TestWrongReductionIsSeen(t *testing.T) {
	wrong := []*reducer{{"first actor", firstActor}}
	var d distribution
	byTwin, byDefinition := 0, 0
	for seed := range uint64(120) {
		s := generators[shares[seed%10]].make(seed)
		s.name = fmt.Sprint("seed ", seed)
		if s.compareWith(wrong, seed, &d) != "" {
			byTwin++
		}
		if problem, _ := s.define(wrong[0]); problem != "" {
			byDefinition++
		}
	}
	t.Logf("of %d programs the twin tells in %d, the definition in %d", 120, byTwin, byDefinition)
	if byTwin < 10 || byDefinition < 2*byTwin {
		t.Error("a wrong reduction is hardly ever seen")
	}
}
