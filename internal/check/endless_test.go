package check

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// counting is a program of ann, who counts without end, and bob, who has nothing to do with it.
type counting struct{ *toy.Script }

func newCounting() counting {
	return counting{&toy.Script{
		Start:      map[string]string{"ann": "0", "bob": "0"},
		Rules:      map[string][]toy.Then{"ann 0 itself": {{Become: "1"}}, "bob 0 itself": {{Become: "1"}}},
		Invariants: []toy.Condition{func(at map[string]string) bool { return at["ann"] != "7" }},
	}}
}

func (c counting) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := c.Script.Steps(ctx, questions)
	for i, q := range questions {
		if number, ann := strings.CutPrefix(string(q.Local), "ann="); ann && err == nil {
			next := strconv.Itoa(must.Get(strconv.Atoi(number)) + 1)
			answers[i].Outcomes = []model.Outcome{{Handler: "count", Local: []byte("ann=" + next), Acts: true}}
		}
	}
	return answers, err
}

// TestActorWithoutEnd has searches take the steps of an actor one by one where macro steps would not end.
func TestActorWithoutEnd(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*plan.Options)
		verdict report.Verdict
		says    string // in the reason or a remark
	}{
		{"breadth-first", func(*plan.Options) {}, report.Violated, "ann can become very many states by itself, perhaps without end: its steps were taken one by one"},
		{"several workers", func(o *plan.Options) { o.Workers = 2 }, report.Violated, "one by one"},
		{"within a bound", func(o *plan.Options) { o.MaxStates = 3 }, report.Inconclusive, "--max-states"},
		{"locally, which finds it in small sets", func(o *plan.Options) { o.Search, o.MaxStates = search.Local, 1<<10 }, report.Violated, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := plan.Default()
			c.change(&o)
			check := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
			check.Program = loaded(newCounting())
			s := must.Get(check.Run(t.Context()))
			if said := s.Reason + strings.Join(s.Remarks, "\n"); s.Verdict != c.verdict || !strings.Contains(said, c.says) {
				t.Errorf("%s: %s", s.Verdict, said)
			}
		})
	}
}
