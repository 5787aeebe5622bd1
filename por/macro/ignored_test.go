package macro_test

import (
	"context"
	"math"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/por/macro"
)

// byState is a script whose actors have handlers of their own in each local state.
type byState struct{ *toy.Script }

// Steps implements model.Oracle.
func (b byState) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := b.Script.Steps(ctx, questions)
	for i, a := range answers {
		for k := range a.Outcomes {
			a.Outcomes[k].Handler += " in " + string(questions[i].Local)
		}
	}
	return answers, err
}

// TestHandlersThatIgnore holds macro steps to the dumb twin where several handlers take a message that is left out: searches end, and
// find the handlers that run.
func TestHandlersThatIgnore(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/ignored.txt") {
		t.Run(c.Name, func(t *testing.T) {
			s := subject{Oracle: byState{toy.Read(c.Text)}}
			s.group(t, nil, false)
			if _, problem := s.problem(context.Background(), twin.Explore(s, twin.Options{MaxStates: mostStates})); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// An ending oracle has time be used up when it is asked for the last of some steps.
type ending struct {
	model.Oracle
	left   int
	cancel func(error)
}

// Steps implements model.Oracle.
func (e *ending) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if e.left -= len(questions); e.left <= 0 {
		e.cancel(&model.LimitError{Text: "time is used up"})
		return nil, context.Cause(ctx)
	}
	return e.Oracle.Steps(ctx, questions)
}

// Time that is used up in whatever question is no reason to begin anew.
func TestTimeEndsASearch(t *testing.T) {
	search := func(text string, steps int) (r *dbss.Result, givenUp uint64) {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		oracle := &ending{byState{toy.Read(text)}, steps, cancel}
		actors := must.Get(space.NewActors(oracle, space.Decomposition{}))
		var p dbss.Progress
		r = must.Get(macro.New(actors, property.NewChecker(oracle, actors)).Search(ctx, dbss.Options{KeepGoing: true}, &p))
		return r, p.StatesGivenUp()
	}
	for _, c := range toy.ReadCases(t, "testdata/ignored.txt") {
		t.Run(c.Name, func(t *testing.T) {
			_, most := search(c.Text, math.MaxInt)
			for steps := 1; ; steps++ {
				r, givenUp := search(c.Text, steps)
				if r.Complete {
					break
				}
				if r.Reason != "time is used up" || givenUp > most {
					t.Fatalf("after %d steps: %q, %d states given up, of %d with more time", steps, r.Reason, givenUp, most)
				}
			}
		})
	}
}
