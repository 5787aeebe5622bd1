package dynamic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/mutants"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/por/dynamic"
)

// TestMutantsAreKilled plants defects, and expects the tests that are named for each to show them.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
}

// judged is a script with one invariant, which reads all of an evaluation.
type judged struct {
	*toy.Script
	program *model.Program
	holds   func(at map[string]string, e model.Evaluation) bool
}

// Program implements model.Oracle.
func (j judged) Program() *model.Program { return j.program }

// Evaluate implements model.Oracle.
func (j judged) Evaluate(_ context.Context, evaluations []model.Evaluation) (all []model.Judgement, err error) {
	for _, e := range evaluations {
		at, reads := map[string]string{}, []int{model.ReadHistory}
		if j.program.SeesNetwork() {
			reads = append(reads, model.ReadNetwork)
		}
		for i, a := range e.Actors {
			_, at[a.Name], _ = strings.Cut(string(a.Local), "=")
			reads = append(reads, i)
		}
		all = append(all, model.Judgement{Holds: j.holds(at, e), Reads: reads})
	}
	return all, nil
}

// violated reports whether a search finds a violation of an invariant. Its counterexample is executed again.
func violated(t *testing.T, text string, seesInFlight bool, holds func(at map[string]string, e model.Evaluation) bool) bool {
	t.Helper()
	s := toy.Read(text)
	program := *s.Program()
	program.Properties, program.SeesInFlight = []model.Property{{Name: "invariant"}}, seesInFlight
	j := judged{s, &program, holds}
	actors, err := space.NewActors(j, space.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := dynamic.Search(t.Context(), actors, property.NewChecker(j, actors), dbss.Options{}, &dbss.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Violation == nil {
		return false
	}
	if problem := replayed.Problem(j, actors, r.Violation); problem != "" {
		t.Errorf("executing the counterexample again: %s", problem)
	}
	return true
}

// TestCutsHaveTheirHistory has one actor record an operation, and another one do something by itself. Either is followed first.
func TestCutsHaveTheirHistory(t *testing.T) {
	for _, by := range [][2]string{{"ann", "bob"}, {"bob", "ann"}} {
		one, other := by[0], by[1]
		text := fmt.Sprintf("start: ann 0, bob 0\n mail: ann>ann x, bob>bob x\n %s 0 x -> 1, record op\n %s 0 x -> 1", one, other)
		for name, c := range map[string]struct {
			bad      func(at map[string]string, recorded bool) bool
			violated bool
		}{
			"recorded before it acts":            {func(at map[string]string, recorded bool) bool { return recorded && at[one] == "0" }, false},
			"not recorded though it acts":        {func(at map[string]string, recorded bool) bool { return !recorded && at[one] == "1" }, false},
			"recorded before the other one acts": {func(at map[string]string, recorded bool) bool { return recorded && at[other] == "0" }, true},
			"not recorded when that acts":        {func(at map[string]string, recorded bool) bool { return !recorded && at[other] == "1" }, true},
		} {
			got := violated(t, text, false, func(at map[string]string, e model.Evaluation) bool { return !c.bad(at, len(e.History) > 0) })
			if got != c.violated {
				t.Errorf("%s, %s: violated %v", one, name, got)
			}
		}
	}
}

// TestInvariantsThatSeeMessages has an invariant not hold as long as a message is in flight while an actor goes on that has nothing to
// do with it.
func TestInvariantsThatSeeMessages(t *testing.T) {
	for _, by := range [][3]string{{"ann", "bob", "cid"}, {"cid", "bob", "ann"}, {"ann", "cid", "bob"}, {"bob", "ann", "cid"}} {
		text := fmt.Sprintf("start: ann 0, bob 0, cid 0\n mail: %[1]s>%[1]s x, %[3]s>%[3]s x\n %[1]s 0 x -> 1, send %[2]s y\n %[2]s 0 y -> 1\n %[3]s 0 x -> 1",
			by[0], by[1], by[2])
		if !violated(t, text, true, func(at map[string]string, e model.Evaluation) bool {
			inFlight := func(m model.Message) bool { return m.Receiver == by[1] }
			return at[by[2]] == "0" || !slices.ContainsFunc(e.InFlight, inFlight)
		}) {
			t.Errorf("%v: not violated", by)
		}
	}
}
