package symmetry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/model"
	"harrier/property"
	"harrier/symmetry"
)

// all generate all permutations of the voters.
func (p *poll) all() []symmetry.Permutation {
	turn := symmetry.Permutation{}
	for i, n := range p.names() {
		turn[n] = p.names()[(i+1)%p.voters]
	}
	return []symmetry.Permutation{{"v1": "v2", "v2": "v1"}, turn}
}

// checked searches a poll and checks its steps.
func (p *poll) checked(t *testing.T, ctx context.Context, bound uint64) (symmetry.Checked, error) {
	t.Helper()
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(p, actors)
	checker.Exchange(symmetry.Labels(p.all()))
	r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{KeepGoing: true}, &dbss.Progress{})
	if err != nil || !r.Complete {
		t.Fatalf("the search: %+v, %v", r, err)
	}
	return symmetry.Check(ctx, actors, checker, p.all(), bound)
}

func TestSymmetricStepsPass(t *testing.T) {
	p := &poll{voters: 3, holds: func(told, votes []string) bool { return len(told) <= 2 || len(votes) < 2 }}
	checked, err := p.checked(t, context.Background(), 10_000)
	if err != nil || !checked.Complete() || checked.Steps != checked.KnownSteps || checked.Steps == 0 ||
		checked.Evaluations != checked.KnownEvaluations || checked.Evaluations == 0 {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestAsymmetricStepsAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		poll poll
		says string
	}{
		{"another message from one", poll{vote: func(v string) string {
			if v == "v3" {
				return "no"
			}
			return "yes"
		}}, "does different things in Voter.vote with "},
		{"the first name of a set is picked", poll{tell: func(votes []string) []string { return votes[:1] }},
			"box does different things in Box.on(Vote) with "},
		{"one is never told", poll{tell: func(votes []string) []string {
			return slices.DeleteFunc(slices.Clone(votes), func(v string) bool { return v == "v2" })
		}}, "box does different things in Box.on(Vote) with "},
		{"a quorum where one voted", poll{quorum: func(votes []string) []model.Quorum {
			if votes[0] == "v1" {
				return nil
			}
			return []model.Quorum{{Handler: "Box.on(Set<Vote>)", Size: 2}}
		}}, "box does different things in Box.on(Vote) with "},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.poll.voters = 3
			_, err := c.poll.checked(t, context.Background(), 10_000)
			var rule *model.RuleError
			if !errors.As(err, &rule) || !strings.Contains(rule.Text, c.says) || !strings.Contains(rule.Text, "--symmetry off") {
				t.Fatalf("%v", err)
			}
			if text := strings.Join(rule.Detail, "\n"); !strings.Contains(text, "it should be:") {
				t.Errorf("the detail is\n%s", text)
			}
		})
	}
}

// A search that is ended early asks for one pair of votes. The check takes the steps of the whole orbit.
func TestOrbitsAreClosed(t *testing.T) {
	pairs := map[string]bool{}
	p := &poll{voters: 3, tell: func(votes []string) []string {
		pairs[strings.Join(votes, " ")] = true
		return votes
	}}
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(p, actors)
	if _, err := dbss.Search(context.Background(), actors, checker, dbss.Options{MaxStates: 4}, &dbss.Progress{}); err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 1 {
		t.Fatalf("the search asked for %d pairs", len(pairs))
	}
	checked, err := symmetry.Check(context.Background(), actors, checker, p.all()[1:], 10_000)
	if err != nil || !checked.Complete() || len(pairs) != 3 {
		t.Errorf("%+v, %v, %d pairs", checked, err, len(pairs))
	}
}

// The order in which messages are sent means nothing, and neither does that of outcomes.
func TestOrderOfSendsIsNone(t *testing.T) {
	p := &poll{voters: 3, tell: func(votes []string) []string { return []string{votes[1], votes[0]} }}
	if checked, err := p.checked(t, context.Background(), 10_000); err != nil || !checked.Complete() {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestAsymmetricPropertiesAreFound(t *testing.T) {
	always := func([]string, []string) bool { return true }
	for _, c := range []struct {
		name string
		poll poll
	}{
		{"of one voter", poll{holds: func(told, _ []string) bool { return !slices.Contains(told, "v2") }}},
		{"that fails for one voter", poll{holds: func(told, _ []string) bool { return len(told) != 1 },
			fails: func(told []string) bool { return told[0] == "v2" }}},
		{"of the history", poll{holds: always, reads: func([]string, []string) []string { return nil },
			past: func(voted []string) bool { return !slices.Equal(voted, []string{"v2"}) }}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.poll.voters = 3
			_, err := c.poll.checked(t, context.Background(), 10_000)
			var rule *model.RuleError
			if !errors.As(err, &rule) || !strings.Contains(rule.Text, `the property "fair" says different things with `) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A property that looks at one voter is evaluated with each state of that voter once. The states of the others, which
// it would read under other names, are gone through as well.
func TestPropertyThatReadsOneActorIsFound(t *testing.T) {
	evaluations := func(p *poll) uint64 {
		checked, err := p.checked(t, context.Background(), 10_000)
		if err != nil {
			t.Fatal(err)
		}
		return checked.KnownEvaluations
	}
	all := evaluations(&poll{voters: 3, holds: func([]string, []string) bool { return true },
		reads: func(names, _ []string) []string { return names[:3] }})
	one := evaluations(&poll{voters: 3, holds: func([]string, []string) bool { return true },
		reads: func([]string, []string) []string { return []string{"v1"} }})
	if one != all {
		t.Errorf("%d evaluations of a property that reads a voter, %d of one that reads all of them", one, all)
	}
}

// A property that reads more under other names depends on what was not gone through.
func TestPropertyThatReadsMoreIsTold(t *testing.T) {
	p := &poll{voters: 3, holds: func([]string, []string) bool { return true }, reads: func(_, told []string) []string {
		if slices.Equal(told, []string{"v2"}) {
			return []string{"v1", "v2", "v3", "box"}
		}
		return []string{"v1", "v2", "v3"}
	}}
	checked, err := p.checked(t, context.Background(), 10_000)
	if want := `with other names the property "fair" reads actors that it did not read`; err != nil || checked.Reason != want {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestBoundOfCheckIsTold(t *testing.T) {
	checked, err := (&poll{voters: 4}).checked(t, context.Background(), 9)
	if err != nil || checked.Reason != "9 local steps were compared (--symmetry check compares all)" || checked.Steps >= checked.KnownSteps {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestEndOfContextEndsTheCheck(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	checked, err := (&poll{voters: 3}).checked(t, ctx, 10_000)
	if err != nil || checked.Reason != "time is up" {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestLabels(t *testing.T) {
	label := symmetry.Labels([]symmetry.Permutation{{"a": "b", "b": "a"}, {"c": "d", "d": "e", "e": "c"}, {"b": "c", "c": "b"}})
	for _, same := range [][2]string{{"a", "e"}, {"a/x", "d/x"}} {
		if label(same[0]) != label(same[1]) {
			t.Errorf("%s and %s have different labels", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"a", "f"}, {"a/x", "a/y"}, {"a/x", "a"}} {
		if label(other[0]) == label(other[1]) {
			t.Errorf("%s and %s have the same label", other[0], other[1])
		}
	}
}
