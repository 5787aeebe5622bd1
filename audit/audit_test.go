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
func audited(t *testing.T, ctx context.Context, s model.Oracle, bound uint64) (audit.Report, error) {
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

// breaksRule holds an error to say that the program breaks a rule, with some text.
func breaksRule(t *testing.T, err error, want string) {
	t.Helper()
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, want) || strings.Contains(rule.Text, "\n") {
		t.Errorf("%v\nshould say: %s", err, want)
	}
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
	breaksRule(t, err, "ann does different things in on z")
}

func TestPropertyOfAuxiliaryPartIsFound(t *testing.T) {
	never := func(states map[string]string) bool { return states["ann"] != "c/2" }
	_, err := audited(t, context.Background(), counting("c/2", never), 1000)
	breaksRule(t, err, `the property "invariant" depends on it`)
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
		breaksRule(t, err, "ann does different things in on "+event)
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

// collector is a script with one handler, whatever the messages.
type collector struct{ *toy.Script }

func (c collector) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := c.Script.Steps(ctx, questions)
	for _, a := range answers {
		for i := range a.Outcomes {
			a.Outcomes[i].Handler = "together"
		}
	}
	return answers, err
}

// collecting is an actor that takes two messages together. They differ in their auxiliary parts only.
func collecting(mixed string) collector {
	quorum := []model.Quorum{{Handler: "together"}}
	return collector{&toy.Script{
		Start:   map[string]string{"ann": "waits", "bob": "waits"},
		Mail:    []string{"ann>bob x/1", "ann>bob x/2"},
		Quorums: map[string][]model.Quorum{"x/1": quorum, "x/2": quorum},
		Rules: map[string][]toy.Then{
			"bob waits x/1+x/1": {{Become: "has"}}, "bob waits x/1+x/2": {{Become: mixed}}, "bob waits x/2+x/2": {{Become: "has"}},
		},
	}}
}

// Of two equal messages without order it makes no difference which one has which form.
func TestQuorumsOfEqualMessagesAreAudited(t *testing.T) {
	report, err := audited(t, context.Background(), collecting("has"), 1000)
	// The single message, and the pairs of two forms but for that of the representative.
	if err != nil || !report.Complete() || report.Forms != 1 || report.Steps != 1+2 {
		t.Errorf("%+v, %v", report, err)
	}
	queue := collecting("has")
	queue.FIFO = model.Scope{All: true}
	if report, err = audited(t, context.Background(), queue, 1000); err != nil || report.Steps != 1+3 {
		t.Errorf("in a queue, where their order counts: %+v, %v", report, err)
	}
	_, err = audited(t, context.Background(), collecting("lacks"), 1000)
	breaksRule(t, err, "bob does different things in")
}

// Who may be taken together is part of what a step does.
func TestFormsThatOtherQuorumsTakeAreFound(t *testing.T) {
	s := collecting("has")
	s.Quorums["x/2"] = []model.Quorum{{Handler: "together", Size: 2}}
	_, err := audited(t, context.Background(), s, 1000)
	var rule *model.RuleError
	if !errors.As(err, &rule) {
		t.Fatalf("%v", err)
	}
	if got := strings.Join(rule.Detail, "\n"); !strings.Contains(got, "together may take it with others") {
		t.Error(got)
	}
}

// What is delivered is no step of an actor.
func TestDeliveriesAreNotAudited(t *testing.T) {
	s := collecting("has")
	s.Passing = model.MMP
	if report, err := audited(t, context.Background(), s, 1000); err != nil || report.Steps != 1+2 {
		t.Errorf("%+v, %v", report, err)
	}
}
