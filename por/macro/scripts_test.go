package macro_test

import (
	"context"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/por/macro"
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

// TestScriptsAgreeWithTwin holds persistent labels to the dumb twin on programs written by hand, whatever invariants read.
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
				for set := range 1 << (s.actors.Positions() + 1) {
					var seen []uint32
					for position := range s.actors.Positions() + 1 {
						if set>>position&1 == 1 {
							seen = append(seen, uint32(position))
						}
					}
					macro, reduced, problem := s.persistentProblem(context.Background(), want, seen)
					if problem != "" {
						t.Fatalf("groups %v, invariants read %v: %s", groups, seen, problem)
					}
					if set == 0 {
						t.Logf("groups %v: %d states, %d macro states, %d with persistent labels", groups, want.States, macro, reduced)
					}
				}
			}
		})
	}
}

// TestLabelsAreGivenUp searches without persistent labels, and drops what it dropped, where a message is not ignored in a state that only
// labels leave out.
func TestLabelsAreGivenUp(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/scripts.txt") {
		if c.Name != "a message that is not ignored where nothing comes but what is put off" {
			continue
		}
		search := func(persistent bool) (*macro.System, *dbss.Result, *dbss.Progress) {
			script, progress := toy.Read(c.Text), &dbss.Progress{}
			actors := must.Get(model.NewActors(script, model.Decomposition{}))
			system := macro.New(actors, property.NewChecker(script, actors))
			system.Persistent = persistent
			return system, must.Get(system.Search(context.Background(), dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true}, progress)), progress
		}
		_, want, _ := search(false)
		system, got, progress := search(true)
		if system.Persistent || progress.GivenUp.Load() == 0 || got.States != want.States || got.Violations != want.Violations {
			t.Errorf("persistent labels: %v, %d states after %d, %d violations; without, %d and %d", system.Persistent, got.States,
				progress.GivenUp.Load(), got.Violations, want.States, want.Violations)
		}
		return
	}
	t.Error("the program is gone")
}
