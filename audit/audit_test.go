package audit_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/audit"
	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
)

// Random protocols are audited in package dbss, beside the searches whose decomposition they break.

// relevant cuts off what follows a slash.
func relevant(b []byte) ([]byte, error) {
	part, _, _ := bytes.Cut(b, []byte("/"))
	return part, nil
}

// audited searches a script by the relevant parts, and audits that.
func audited(t *testing.T, ctx context.Context, s *toy.Script, bound uint64) (audit.Report, error) {
	t.Helper()
	actors, err := model.NewActors(s, model.Decomposition{Relevant: relevant})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(s, actors)
	r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{}, &dbss.Progress{})
	if err != nil || !r.Complete {
		t.Fatalf("the search: %+v, %v", r, err)
	}
	return audit.Decomposition(ctx, actors, checker, bound)
}

// counting is an actor with an auxiliary count of what it received, which goes on to its end.
func counting(end string, invariants ...toy.Condition) *toy.Script {
	return &toy.Script{
		Start: map[string]string{"ann": "a/0"},
		Mail:  []string{"ann>ann x", "ann>ann y", "ann>ann z"},
		Rules: map[string][]toy.Then{
			"ann a/0 x": {{Become: "a/1"}}, "ann a/1 x": {{Become: "a/2"}}, "ann a/2 x": {{Become: "a/2"}},
			"ann a/0 y": {{Become: "b/0"}}, "ann a/1 y": {{Become: "b/1"}}, "ann a/2 y": {{Become: "b/2"}},
			"ann b/0 z": {{Become: "c/0"}}, "ann b/1 z": {{Become: "c/1"}}, "ann b/2 z": {{Become: end}},
			"ann b/0 x": {{Become: "b/0"}}, "ann b/1 x": {{Become: "b/1"}}, "ann b/2 x": {{Become: "b/2"}},
			"ann c/0 x": {{Become: "c/0"}}, "ann c/1 x": {{Become: "c/1"}}, "ann c/2 x": {{Become: "c/2"}},
		},
		Invariants: invariants,
	}
}

func TestSoundDecompositionPasses(t *testing.T) {
	report, err := audited(t, context.Background(), counting("c/2"), 1000)
	if err != nil || !report.Complete() || report.Forms != 6 || report.Steps != 12 {
		t.Errorf("%+v, %v", report, err)
	}
}

// The count matters only after two more steps, from a count that only steps on variants lead to.
func TestCountThatMattersLateIsFound(t *testing.T) {
	_, err := audited(t, context.Background(), counting("d/2"), 1000)
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, "ann does different things in on z") {
		t.Errorf("%v", err)
	}
}

func TestPropertyOfAuxiliaryPartIsFound(t *testing.T) {
	never := func(states map[string]string) bool { return states["ann"] != "c/2" }
	_, err := audited(t, context.Background(), counting("c/2", never), 1000)
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, `the property "invariant" depends on it`) {
		t.Errorf("%v", err)
	}
}

func TestBoundIsTold(t *testing.T) {
	report, err := audited(t, context.Background(), counting("d/2"), 2)
	if err != nil || report.Complete() || report.Steps != 2 || report.Reason != "2 local steps were compared" {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestEndOfContextIsTold(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	report, err := audited(t, ctx, counting("d/2"), 1000)
	if err != nil || report.Reason != "time is up" {
		t.Errorf("%+v, %v", report, err)
	}
}

// waiting is an actor that waits after either x or y, and then goes on by itself or after a crash.
func waiting(event string, afterX, afterY toy.Then) *toy.Script {
	return &toy.Script{
		Start: map[string]string{"ann": "start/0"},
		Mail:  []string{"ann>ann x", "ann>ann y"},
		Rules: map[string][]toy.Then{
			"ann start/0 x": {{Become: "waits/1"}}, "ann start/0 y": {{Become: "waits/2"}},
			"ann waits/1 " + event: {afterX}, "ann waits/2 " + event: {afterY},
		},
		Faults: []model.Fault{{Kind: model.Restart, Scope: model.Scope{All: true}, Budget: 1, Label: "crash"}},
	}
}

// What actors do by themselves and after crashes is audited as well.
func TestEventsWithoutMessagesAreAudited(t *testing.T) {
	for _, event := range []string{"itself", "restart"} {
		_, err := audited(t, context.Background(), waiting(event, toy.Then{Become: "good"}, toy.Then{Become: "bad"}), 1000)
		var rule *model.RuleError
		if !errors.As(err, &rule) || !strings.Contains(rule.Text, "ann does different things in on "+event) {
			t.Errorf("%s: %v", event, err)
		}
	}
}

// What an actor is last does not matter once it has stopped; that it stops does.
func TestStopsAreAudited(t *testing.T) {
	stops := toy.Then{Stop: true, Become: "x"}
	report, err := audited(t, context.Background(), waiting("itself", stops, toy.Then{Stop: true, Become: "y"}), 1000)
	if err != nil || !report.Complete() || report.Steps != 4 {
		t.Errorf("%+v, %v", report, err)
	}
	_, err = audited(t, context.Background(), waiting("itself", stops, toy.Then{Become: "x"}), 1000)
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(strings.Join(rule.Detail, "\n"), "stops") {
		t.Errorf("%v", err)
	}
}
