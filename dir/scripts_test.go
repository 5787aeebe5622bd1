package dir_test

import (
	"context"
	"slices"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
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

// InGroups is a program with components of several actors.
type inGroups struct {
	model.Oracle
	groups [][]string
}

// Program implements model.Oracle.
func (g inGroups) Program() *model.Program {
	p := *g.Oracle.Program()
	p.Components = g.groups
	return &p
}

// TestScriptsAgreeWithTwin holds persistent labels to the dumb twin on programs written by hand, whatever invariants read.
func TestScriptsAgreeWithTwin(t *testing.T) {
	cases, err := toy.ReadCases("testdata/scripts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var p model.Oracle = toy.Read(c.Text)
			if c.Name == "who exists in a component" {
				p = knower{toy.Read(c.Text), func(bob string, kidExists bool) bool { return bob == "bob=1" && !kidExists }}
			}
			want := twin.Explore(p, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for _, groups := range [][][]string{nil, {{"ann"}}, {{"ann", "bob"}}} {
				s := subject{Oracle: inGroups{p, groups}}
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
