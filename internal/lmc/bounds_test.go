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
	"harrier/internal/testkit/mutants"
	"harrier/internal/testkit/toy"
)

// TestMutantsAreKilled plants defects, and expects the tests that are named for each to show them.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + strings.ReplaceAll(m.Killer, "/", "$/^") + "$" })
}

// ticking is a program of ann, who counts to a number by herself.
func ticking(most int) *toy.Script {
	s := &toy.Script{Start: map[string]string{"ann": "0"}, Rules: map[string][]toy.Then{}}
	for i := range most {
		s.Rules[fmt.Sprintf("ann %d itself", i)] = []toy.Then{{Become: fmt.Sprint(i + 1)}}
	}
	s.Invariants = []toy.Condition{func(at map[string]string) bool { return at["ann"] != "7" }}
	return s
}

// bouncing has two actors send a message to and fro, so often.
func bouncing(most int) *toy.Script {
	s := ticking(0)
	s.Start["bob"] = "0"
	s.Mail = []string{"bob>ann ball"}
	for i := range most {
		s.Rules[fmt.Sprintf("ann %d ball", i)] = []toy.Then{{Become: fmt.Sprint(i + 1), Send: []string{"bob ball"}}}
		s.Rules[fmt.Sprintf("bob %d ball", i)] = []toy.Then{{Become: fmt.Sprint(i + 1), Send: []string{"ann ball"}}}
	}
	return s
}

func TestBoundsAreTold(t *testing.T) {
	for _, c := range []struct {
		name             string
		program          *toy.Script
		options          lmc.Options
		turns            bool // with a search of all states
		violated, proved bool
	}{
		{"proved", ticking(5), lmc.Options{}, false, false, true},
		{"proved within a bound on its own events", ticking(5), lmc.Options{LocalEvents: 9}, false, false, true},
		{"found within it", ticking(9), lmc.Options{LocalEvents: 9}, false, true, false},
		{"beyond it", ticking(9), lmc.Options{LocalEvents: 6}, false, false, false},
		{"beyond a bound on states", bouncing(9), lmc.Options{Options: dbss.Options{MaxStates: 5}}, true, false, false},
		{"found within it by a search of all", bouncing(9), lmc.Options{Options: dbss.Options{MaxStates: 20}}, true, true, false},
		{"proved within it by a search of all", bouncing(5), lmc.Options{Options: dbss.Options{MaxStates: 20}}, true, false, true},
		{"beyond it, by the sets alone", bouncing(9), lmc.Options{Options: dbss.Options{MaxStates: 5}}, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			actors := actorsOf(t, c.program)
			var progress dbss.Progress
			checker := property.NewChecker(c.program, actors)
			if c.turns {
				c.options.Global = global(actors, checker, &progress)
			}
			r, err := lmc.Check(t.Context(), actors, checker, c.options, &progress)
			if err != nil {
				t.Fatal(err)
			}
			if progress.States.Load() == 0 {
				t.Error("no progress is shown")
			}
			said := r.Complete || r.Violation != nil || r.Reason != ""
			if (r.Violation != nil) != c.violated || r.Complete != c.proved || !said {
				t.Errorf("violation %v, complete %v, because %q", r.Violation, r.Complete, r.Reason)
			}
		})
	}
}

// TestShallowViolations has a violation after few steps end a check, though the sets have 4,000 members.
func TestShallowViolations(t *testing.T) {
	for _, o := range []lmc.Options{{}, {General: true}} {
		p := bouncing(2000)
		actors := actorsOf(t, p)
		r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), o, &dbss.Progress{})
		if err != nil || r.Violation == nil || r.LocalSteps > 1000 {
			t.Errorf("%+v: %+v, %v", o, r.Figures, err)
		}
	}
}

// TestEndlessActors has actors count without end, and one of them come to a number.
func TestEndlessActors(t *testing.T) {
	p := ticking(1 << 20)
	p.Start["bob"], p.Rules["bob 0 itself"] = "0", []toy.Then{{Become: "1"}}
	p.Rules["bob 1 itself"] = []toy.Then{{Become: "0"}}
	p.Invariants = []toy.Condition{func(at map[string]string) bool { return at["ann"] != "60" || at["bob"] == "0" }}
	actors := actorsOf(t, p)
	r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), lmc.Options{}, &dbss.Progress{})
	if err != nil || r.Violation == nil || r.LocalSteps > 1000 {
		t.Errorf("%+v, %v", r.Figures, err)
	}
}

// TestEarlyRoundsSuspectNoTerminalStates has a check prove a final condition without a search: no actor is suspected of having
// nothing to do before it was asked.
func TestEarlyRoundsSuspectNoTerminalStates(t *testing.T) {
	p := ticking(500)
	p.Invariants, p.Final = nil, func(at map[string]string) bool { return at["ann"] == "500" }
	actors := actorsOf(t, p)
	r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), lmc.Options{}, &dbss.Progress{})
	if err != nil || !r.Complete || r.Suspicious > 0 {
		t.Errorf("%+v, %v", r.Figures, err)
	}
}

// TestCopiesThatComeLate has a message be sent once, and then, on another path that is found later, twice.
func TestCopiesThatComeLate(t *testing.T) {
	p := &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Rules: map[string][]toy.Then{
		"ann 0 itself": {{Become: "once", Send: []string{"bob m"}}},
		"ann 0 go":     {{Become: "twice", Send: []string{"bob m", "bob m"}}},
		"bob 0 m":      {{Become: "1"}},
		"bob 1 m":      {{Become: "2"}},
		"cid 0 itself": {{Become: "1"}},
		"cid 1 itself": {{Become: "2"}},
		"cid 2 itself": {{Become: "3", Send: []string{"ann go"}}},
	}}
	p.Invariants = []toy.Condition{func(at map[string]string) bool { return at["bob"] != "2" }}
	actors := actorsOf(t, p)
	r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), lmc.Options{}, &dbss.Progress{})
	if err != nil || r.Violation == nil {
		t.Errorf("bob gets both copies, and that is not found: %v, %v", r.Result, err)
	}
}

// stuck is a program whose steps do not return.
type stuck struct{ *toy.Script }

func (stuck) Steps(context.Context, []model.Question) ([]model.Answer, error) {
	return nil, &model.LimitError{Text: "ann did not return", Ends: true}
}

// TestAStepThatDoesNotReturn has a step that perhaps no run takes; the reason says how to go on.
func TestAStepThatDoesNotReturn(t *testing.T) {
	p := stuck{ticking(1)}
	actors := actorsOf(t, p)
	r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), lmc.Options{}, &dbss.Progress{})
	if err != nil || !strings.HasSuffix(r.Reason, "without --search local, asks for none") {
		t.Errorf("%+v, %v", r.Result, err)
	}
}
