package property_test

import (
	"context"
	"testing"

	"harrier/audit"
	"harrier/dbss"
	"harrier/model"
	"harrier/property"
)

// ann goes through states of two bytes. The first invariant reads the first of them, the second the second.
type ann []string

func (a ann) Program() *model.Program {
	return &model.Program{
		Scenario: "ann", Initial: model.Initial{Actors: []model.Actor{{Name: "ann", Class: "Ann", Local: []byte(a[0]), Acts: true}}},
		Properties: []model.Property{{Name: "the first"}, {Name: "the second"}},
	}
}

func (a ann) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	answers := make([]model.Answer, len(questions))
	for i, q := range questions {
		for at := range len(a) - 1 {
			if a[at] == string(q.Local) {
				answers[i].Outcomes = []model.Outcome{{Handler: "next", Local: []byte(a[at+1]), Acts: at+2 < len(a)}}
			}
		}
	}
	return answers, nil
}

func (a ann) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		judgements = append(judgements, model.Judgement{Holds: e.Actors[0].Local[e.Property] != 'x', Reads: []int{0}})
	}
	return judgements, nil
}

func (a ann) Record(context.Context, []model.Extension) ([][]byte, error) { return nil, nil }

func (a ann) Visible(property int, b []byte) ([]byte, error) { return b[property : property+1], nil }

// blind is ann with nothing that a property is said to read.
type blind struct{ ann }

func (b blind) Visible(int, []byte) ([]byte, error) { return nil, nil }

// Answers are given once more in states of which a property can read the same, so that one that reads more is found out.
func TestWhatAPropertyReadsBesideIsFoundOut(t *testing.T) {
	path := ann{"aa", "ba", "bb", "xx"}
	for _, c := range []struct {
		name     string
		program  model.Oracle
		visible  func(property int, b []byte) ([]byte, error)
		compared int
		isFound  bool
	}{
		{"it reads what it can", path[:3], path.Visible, 2, false},
		{"it reads more", path, blind{}.Visible, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			actors, err := model.NewActors(c.program, model.Decomposition{Visible: c.visible})
			if err != nil {
				t.Fatal(err)
			}
			checker := property.NewChecker(c.program, actors)
			if _, err := dbss.Search(t.Context(), actors, checker, dbss.Options{}, &dbss.Progress{}); err != nil {
				t.Fatal(err)
			}
			compared, err := audit.Observations(t.Context(), actors, checker, 100)
			if compared != c.compared || (err != nil) != c.isFound {
				t.Errorf("%d evaluations were compared, %v", compared, err)
			}
		})
	}
}

// Answers are remembered by what the property can read: no more, so that few are asked for, and no less.
func TestAnswersAreRememberedByObservation(t *testing.T) {
	for _, c := range []struct {
		name             string
		program          ann
		hashing          model.Hashing
		violations, asks uint64
	}{
		{"each property by itself", ann{"aa", "ba", "bb", "ab"}, model.Selective, 0, 4},
		{"one is violated, of which another reads nothing", ann{"aa", "ab", "ax", "ba"}, model.Selective, 1, 5},
		{"with full hashing, which trusts no analysis", ann{"aa", "ba", "bb", "ab"}, model.Full, 0, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			actors, err := model.NewActors(c.program, model.Decomposition{Visible: c.program.Visible, Hashing: c.hashing})
			if err != nil {
				t.Fatal(err)
			}
			checker := property.NewChecker(c.program, actors)
			r, err := dbss.Search(t.Context(), actors, checker, dbss.Options{KeepGoing: true}, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			asked, _ := checker.Evaluations(r.States, r.Terminal)
			if r.States != 4 || r.Violations != c.violations || asked != c.asks {
				t.Errorf("%d states, %d violations, %d evaluations, want 4, %d and %d", r.States, r.Violations, asked, c.violations, c.asks)
			}
		})
	}
}
