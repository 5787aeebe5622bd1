package symmetry_test

import (
	"testing"

	"harrier/symmetry"
)

func TestPermutationMovesWhatAnActorCreated(t *testing.T) {
	p := symmetry.Permutation{"a1": "a2", "a2": "a1"}
	for name, want := range map[string]string{"a1": "a2", "a2/child1": "a1/child1", "a2/x/y": "a1/x/y", "a11": "a11", "b": "b", "": ""} {
		if got := p.Of(name); got != want {
			t.Errorf("%q goes to %q, want %q", name, got, want)
		}
	}
}

func TestPermutationsCompose(t *testing.T) {
	swap := symmetry.Permutation{"a": "b", "b": "a"}
	turn := symmetry.Permutation{"a": "b", "b": "c", "c": "a"}
	if got := swap.Then(turn).String(); got != "a and c swapped" {
		t.Errorf("the swap and then the turn: %s", got)
	}
	if got := turn.Then(turn.Inverse()); len(got) != 0 {
		t.Errorf("a permutation and its inverse move %v", got)
	}
	if got := turn.String(); got != "a -> b -> c -> a" {
		t.Errorf("the text of the turn is %q", got)
	}
}
