package macro_test

import (
	"context"
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// A knower knows of an actor whether it exists, without reading it.
type knower struct {
	*toy.Script
	violates func(bob string, kidExists bool) bool
}

// Evaluate implements model.Oracle.
func (k knower) Evaluate(_ context.Context, evaluations []model.Evaluation) (all []model.Judgement, err error) {
	for _, e := range evaluations {
		find := func(name string) int {
			return slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == name })
		}
		bob := find("bob")
		all = append(all, model.Judgement{Holds: !k.violates(string(e.Actors[bob].Local), find("ann/kid") >= 0), Reads: []int{bob}})
	}
	return all, nil
}

// TestScriptsAgreeWithTwin holds macro steps to the dumb twin on programs written by hand.
func TestScriptsAgreeWithTwin(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/scripts.txt") {
		t.Run(c.Name, func(t *testing.T) {
			script := toy.Read(c.Text)
			var p model.Oracle = script
			if c.Name == "who exists in a component" {
				p = knower{script, func(bob string, kidExists bool) bool { return bob == "bob=1" && !kidExists }}
			}
			want := twin.Explore(p, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for _, groups := range [][][]string{nil, {{"ann"}}, {{"ann", "bob"}}} {
				script.Components = groups
				s := subject{Oracle: p}
				s.group(t, groups, false)
				if _, problem := s.problem(context.Background(), want); problem != "" {
					t.Errorf("groups %v: %s", groups, problem)
				}
			}
		})
	}
}
