package dir_test

import (
	"context"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
)

// byState is a script whose actors have handlers of their own in each state.
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

// TestMessageThatSeveralHandlersIgnore drops a message where one handler ignores it, before a local state where another one does, and
// before one where it is not ignored. It has the handlers found that run.
func TestMessageThatSeveralHandlersIgnore(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		runs map[string]bool
	}{
		"it makes a difference": {`
start: ann 0, bob 0
mail: bob>bob go
bob 0 go -> 1, send ann late, send ann step, send ann leap
ann 0 late -> 0
ann 0 step -> 1
ann 1 late -> 1
ann 1 leap -> 2
ann 2 late -> 2, send bob bad
bob 1 bad -> fail bad
`, map[string]bool{"on late in ann=0": true, "on late in ann=1": true, "on late in ann=2": true}},
		"it waits with what comes before": {`
start: ann 0, bob 0
mail: bob>bob go
bob 0 go -> 1, send ann late, send ann step
ann 0 late -> 0
ann 0 step -> 1
ann 1 late -> 1
`, map[string]bool{"on late in ann=0": true, "on late in ann=1": true}},
		"it never waits with what comes before": {`
start: ann 0, bob 0
mail: bob>bob go
bob 0 go -> 1, send ann late | 1, send ann step
ann 0 late -> 0
ann 0 step -> 1
ann 1 late -> 1
`, map[string]bool{"on late in ann=0": true, "on late in ann=1": false}},
	} {
		t.Run(name, func(t *testing.T) {
			p := byState{toy.Read(c.text)}
			s := subject{Oracle: p}
			s.group(t, nil, false)
			r, err := s.system.Search(context.Background(), property.NewChecker(p, s.actors), dbss.Options{KeepGoing: true}, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			ran := map[string]bool{}
			for number := 1; number <= s.actors.Handlers(); number++ {
				ran[s.actors.HandlerLabel(number)] = number < len(r.HandlerRuns) && r.HandlerRuns[number] > 0
			}
			for handler, want := range c.runs {
				if ran[handler] != want {
					t.Errorf("%s ran: %v", handler, ran[handler])
				}
			}
		})
	}
}
