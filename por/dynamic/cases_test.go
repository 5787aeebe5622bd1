package dynamic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/por/dynamic"
)

func search(ctx context.Context, s *toy.Script, o dbss.Options) (*dbss.Result, *space.Actors, error) {
	actors, err := space.NewActors(s, space.Decomposition{})
	if err != nil {
		return nil, nil, err
	}
	r, err := dynamic.Search(ctx, actors, property.NewChecker(s, actors), o, &dbss.Progress{})
	return r, actors, err
}

// found is what a search to the end finds. Its counterexample is executed again.
func found(t *testing.T, s *toy.Script, o dbss.Options) *dbss.Result {
	t.Helper()
	o.KeepGoing = true
	r, actors, err := search(context.Background(), s, o)
	if err != nil || !r.Complete {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Violation != nil {
		if problem := replayed.Problem(s, actors, r.Violation); problem != "" {
			t.Errorf("executing the counterexample again: %s", problem)
		}
	}
	return r
}

// bothWays are a script, and the same one with the names of ann and bob swapped, so that whoever comes first comes last.
func bothWays(text string) []*toy.Script {
	return []*toy.Script{toy.Read(text), toy.Read(strings.NewReplacer("ann", "bob", "bob", "ann").Replace(text))}
}

// TestBothOrdersAreFollowed compares searches with counts made by hand where one order of two steps leads to something that the other
// order does not.
func TestBothOrdersAreFollowed(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/orders.txt") {
		var want [4]uint64
		if _, err := fmt.Sscan(c.Want, &want[0], &want[1], &want[2], &want[3]); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for _, s := range bothWays(c.Text) {
			for _, s.FIFO.All = range []bool{false, len(s.Quorums)+len(s.Faults) == 0} {
				r := found(t, s, dbss.Options{})
				got := [4]uint64{r.Terminal, r.Leftover, r.Violations, max(r.Transitions, want[3])}
				if got != want {
					t.Errorf("%s: %d, want %d", c.Name, got, want)
				}
			}
		}
	}
}

// endless is an actor that goes on for ever.
func endless() *toy.Script {
	return toy.Read("start: ann idle\n mail: ann>ann x\n ann idle x -> idle, send ann x")
}

func TestBoundsEndASearch(t *testing.T) {
	r, _, err := search(context.Background(), endless(), dbss.Options{MaxStates: 5})
	if err != nil || r.Complete || r.States != 5 || r.Reason != "the search ended after 5 states (--max-states)" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, errors.New("time is up"))
	defer cancel()
	r, _, err = search(ctx, endless(), dbss.Options{})
	if err != nil || r.Complete || r.Reason != "time is up" {
		t.Errorf("%+v, %v", r, err)
	}
	var usage *model.UsageError
	if _, _, err = search(context.Background(), endless(), dbss.Options{MaxDepth: 5}); !errors.As(err, &usage) {
		t.Errorf("a bound on the depth: %v", err)
	}
}

// The first violation ends a search, unless it is to keep going; then the shortest is told.
func TestViolationsAreCounted(t *testing.T) {
	s := toy.Read(`
		start: ann idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x
		ann x y -> fail late
		ann idle y -> fail at once`)
	r, _, err := search(context.Background(), s, dbss.Options{})
	if err != nil || r.Complete || r.Violations != 1 || fmt.Sprint(r.Violation.Failure.Text) != "late" || len(r.Violation.Path) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r := found(t, s, dbss.Options{}); r.Violations != 2 || r.Violation.Failure.Text != "at once" || len(r.Violation.Path) != 1 {
		t.Errorf("%+v", r)
	}
	s = toy.Read(`
		start: ann idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x
		final: ann done`)
	if r := found(t, s, dbss.Options{}); r.Violations != 1 || r.Violation.Kind != property.FinalViolation || r.Leftover != 1 {
		t.Errorf("%+v", r)
	}
	if r := found(t, s, dbss.Options{NoDeadlock: true}); r.Violations != 0 {
		t.Errorf("%+v", r)
	}
}
