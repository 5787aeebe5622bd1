package macro_test

import (
	"context"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
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
