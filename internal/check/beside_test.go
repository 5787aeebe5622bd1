package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// letters is a program of bob, who keeps the letters that he gets, one of which is sent when the one before it was received. By himself he
// could get them in any order, and become more than a local search goes through.
type letters struct{ *toy.Script }

const alphabet = "abcdefghijkl"

func newLetters() letters {
	s := &toy.Script{Start: map[string]string{"ann": "0", "bob": ""}, Mail: []string{"bob>ann next"}, Rules: map[string][]toy.Then{}}
	for i, letter := range alphabet {
		s.Rules[fmt.Sprintf("ann %d next", i)] = []toy.Then{{Become: fmt.Sprint(i + 1), Send: []string{"bob " + string(letter)}}}
	}
	return letters{s}
}

func (l letters) Steps(ctx context.Context, questions []model.Question) (answers []model.Answer, err error) {
	for _, q := range questions {
		all, err := l.Script.Steps(ctx, []model.Question{q})
		if before, bob := strings.CutPrefix(string(q.Local), "bob="); bob && err == nil {
			letter := q.Event.Messages[0].Payload
			next := model.Message{Sender: "bob", Receiver: "ann", Payload: []byte("next")}
			all[0].Outcomes = []model.Outcome{{Handler: "on letter", Local: []byte("bob=" + before + string(letter)), Sends: []model.Message{next}}}
		}
		if err != nil {
			return nil, err
		}
		answers = append(answers, all...)
	}
	return answers, nil
}

// newQueue is a program of clients that ask a server for a number, in any order: a global search has all permutations before it.
func newQueue(clients int) *toy.Script {
	s := &toy.Script{Start: map[string]string{"server": "0"}, Rules: map[string][]toy.Then{}}
	for i := range clients {
		client := fmt.Sprint("client", i)
		s.Start[client] = "new"
		s.Rules[client+" new itself"] = []toy.Then{{Become: "asked", Send: []string{"server " + client}}}
		for k := range clients {
			s.Rules[fmt.Sprintf("server %d %s", k, client)] = []toy.Then{{Become: fmt.Sprint(k + 1), Send: []string{fmt.Sprint(client, " ", k)}}}
			s.Rules[fmt.Sprintf("%s asked %d", client, k)] = []toy.Then{{Become: fmt.Sprint("has", k)}}
		}
	}
	return s
}

func besideOf(t *testing.T, p *program, change func(*plan.Options)) (*report.Summary, error) {
	o := plan.Default()
	o.Search, o.Workers = search.Local, 2
	change(&o)
	c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
	c.Program = p
	return c.Run(t.Context())
}

// sides are the figures of a local and a global search side by side.
type sides struct {
	First string
	Local *lmc.Figures
}

func beside(t *testing.T, p *program, change func(*plan.Options)) *report.Summary {
	return must.Get(besideOf(t, p, change))
}

// breaking is letters in which ann breaks a rule at the third.
type breaking struct{ letters }

func (b breaking) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	for _, q := range questions {
		if string(q.Local) == "ann=2" {
			return nil, &model.RuleError{Text: "broken"}
		}
	}
	return b.letters.Steps(ctx, questions)
}

// TestBrokenRuleEndsBothSearches has a rule broken on a run, while the local search would go on.
func TestBrokenRuleEndsBothSearches(t *testing.T) {
	var broken *model.RuleError
	if s, err := besideOf(t, loaded(breaking{newLetters()}), func(*plan.Options) {}); !errors.As(err, &broken) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestWhoKnowsFirstEndsTheOther(t *testing.T) {
	third := newQueue(3)
	third.Invariants = []toy.Condition{func(at map[string]string) bool { return at["client1"] != "has2" }}
	records := newQueue(2)
	records.Rules["server 0 client0"][0].Record = "first"
	within := func(states uint64) func(*plan.Options) { return func(o *plan.Options) { o.MaxStates = states } }
	for _, c := range []struct {
		name    string
		program model.Oracle
		change  func(*plan.Options)
		verdict report.Verdict
		first   string // "" if it may be either, "none" if nobody knows
		reason  string
	}{
		{"the local search would go on", newLetters(), within(0), report.Verified, search.Global, ""},
		{"the local search gave up", newLetters(), within(100), report.Verified, search.Global, ""},
		{"the local search does not judge the program", records, within(0), report.Verified, search.Global, ""},
		{"the global search would go on", newQueue(10), within(0), report.Verified, search.Local, ""},
		{"the global search gave up", newQueue(5), within(300), report.Verified, search.Local, ""},
		{"both find it", third, within(0), report.Violated, "", ""},
		{"none knows", newQueue(8), within(20), report.Inconclusive, "none", "neither search knows: the abstract sets ended after 20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := beside(t, loaded(c.program), c.change)
			f := figures[sides](s)
			if s.Verdict != c.verdict || c.first == "none" != (f.First == "") || c.first != "" && c.first != "none" && f.First != c.first {
				t.Errorf("%s, first %q: %s", s.Verdict, f.First, s.Reason)
			}
			if !strings.HasPrefix(s.Reason, c.reason) || f.First == search.Global && f.Local != nil || f.First == search.Local && f.Local == nil {
				t.Errorf("reason %q, figures %v", s.Reason, f.Local)
			}
			if tally, ok := c.program.(interface{ Asked() (different, most int) }); ok {
				if different, most := tally.Asked(); most > 1 && c.verdict == report.Verified { // else some are asked again for a run
					t.Errorf("of %d questions one was asked %d times", different, most)
				}
			}
		})
	}
}

// TestSearchesSideBySideAgreeWithTwin has random programs searched by both.
func TestSearchesSideBySideAgreeWithTwin(t *testing.T) {
	verdicts := map[report.Verdict]int{}
	for seed := range uint64(60) {
		p := loaded(toy.Messages.Random(seed))
		want := twin.Explore(p, twin.Options{MaxStates: 1000})
		if want.TooLarge || want.Err != nil {
			continue
		}
		s := beside(t, p, func(*plan.Options) {})
		first := figures[sides](s).First
		if violated := s.Verdict == report.Violated; first == "" || violated != (want.Violations > 0) {
			t.Errorf("seed %d: %s, first %q; the twin met %d violations", seed, s.Verdict, first, want.Violations)
		}
		verdicts[s.Verdict]++
	}
	if t.Log(verdicts); verdicts[report.Verified] < 5 || verdicts[report.Violated] < 5 {
		t.Error("these programs prove too little")
	}
}
