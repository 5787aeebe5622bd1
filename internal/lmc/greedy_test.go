package lmc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
)

// mostSequences are tried of each random program: so many that hardly any is missed for want of more.
const mostSequences = 100_000

// greedy is what greedy soundness verification makes of suspicious combinations of random programs: what it confirms, and what it
// misses of those that the twin reaches.
type greedy struct{ confirmed, missed, unreached int }

// compare holds greedy soundness verification to all states.
func (n *greedy) compare(ctx context.Context, p model.Oracle, actors *model.Actors, probe *lmc.Probe, found *reach.Found) string {
	regions, fails, err := probe.Greedy(ctx, mostSequences)
	if err != nil {
		return err.Error()
	}
	for _, run := range fails {
		if problem := replayed.Problem(p, actors, run); problem != "" {
			return problem
		}
	}
	for _, r := range regions {
		reached, err := reaches(ctx, actors, probe, r.Region, found)
		switch {
		case err != nil:
			return err.Error()
		case r.Run == nil && reached:
			n.missed++
		case r.Run == nil:
			n.unreached++
		case !reached:
			return fmt.Sprintf("property %d: a combination is confirmed that no run reaches: %v", r.Property, r.Run)
		default:
			n.confirmed++
			if problem := replayed.Problem(p, actors, r.Run); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func reaches(ctx context.Context, actors *model.Actors, probe *lmc.Probe, r property.Region, found *reach.Found) (bool, error) {
	for _, s := range found.States {
		if !probe.Has(r, s) {
			continue
		}
		if actors.Program().Properties[r.Property].Kind != model.Final {
			return true, nil
		}
		if terminal, err := reach.IsTerminal(ctx, actors, s); terminal || err != nil {
			return terminal, err
		}
	}
	return false, nil
}

// TestGreedy has ann and bob be in local states at once.
func TestGreedy(t *testing.T) {
	asks := map[string][]toy.Then{
		"ann 0 itself":    {{Become: "asks", Send: []string{"bob ask"}}},
		"bob 0 ask":       {{Become: "1", Send: []string{"ann answer"}}},
		"ann asks answer": {{Become: "1"}},
	}
	for _, c := range []struct {
		name      string
		rules     map[string][]toy.Then
		bad       string // local states of ann and bob
		steps     int
		confirmed bool
	}{
		{"what is asked comes before the answer", asks, "1 1", 3, true},
		{"no answer without a question", asks, "0 1", 0, false},
		{"only the second way sends what the other needs", map[string][]toy.Then{
			"ann 0 itself": {{Become: "1"}, {Become: "asks", Send: []string{"bob ask"}}}, "ann asks itself": {{Become: "1"}}, "bob 0 ask": {{Become: "1"}},
		}, "1 1", 3, true},
		{"messages that cross", map[string][]toy.Then{
			"ann 0 itself": {{Become: "2", Send: []string{"bob a"}}}, "ann 0 b": {{Become: "1"}}, "bob 0 a": {{Become: "1", Send: []string{"ann b"}}},
		}, "1 1", 0, false},
		{"an event that changes nothing but the network", map[string][]toy.Then{
			"ann 0 itself": {{Become: "0", Send: []string{"bob ask"}}}, "bob 0 ask": {{Become: "1"}},
		}, "0 1", 2, true},
		{"a gap: the same event twice", map[string][]toy.Then{
			"ann 0 itself": {{Become: "0", Send: []string{"bob ask"}}}, "bob 0 ask": {{Become: "asked"}}, "bob asked ask": {{Become: "1"}},
		}, "0 1", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Rules: c.rules}
			p.Invariants = []toy.Condition{func(at map[string]string) bool { return at["ann"]+" "+at["bob"] != c.bad }}
			actors := actorsOf(t, p)
			r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), lmc.Options{Greedy: true}, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Sequences == 0 && r.Suspicious > 0 && c.confirmed {
				t.Error("no sequences were tried")
			}
			switch {
			case !c.confirmed:
				said := r.Left == r.Suspicious && r.Left > 0 && strings.Contains(r.Reason, "greedy schedules reach none")
				if r.Violation != nil || r.Complete || !said {
					t.Errorf("%+v, %+v", *r.Schedules, r.Result)
				}
			case r.Violation == nil || r.Confirmed != 1 || len(r.Violation.Path) != c.steps:
				t.Errorf("%+v, %+v", *r.Schedules, r.Result)
			default:
				if problem := replayed.Problem(p, actors, r.Violation); problem != "" {
					t.Error(problem)
				}
			}
		})
	}
}
