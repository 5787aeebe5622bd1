package macro_test

import (
	"context"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/por/macro"
)

// questions are those that a program is asked, each with whether it counts as speculative.
type questions struct {
	model.Oracle
	actors  *model.Actors
	counted uint64
	all     map[string]bool
}

// Steps implements model.Oracle.
func (q *questions) Steps(ctx context.Context, batch []model.Question) ([]model.Answer, error) {
	counted := q.actors.Stats().Speculative
	for _, asked := range batch {
		key := string(asked.Local) + " " + asked.Event.Kind.String()
		for _, m := range asked.Event.Messages {
			key += " " + m.Sender + " " + string(m.Payload)
		}
		q.all[key] = counted > q.counted
	}
	q.counted = counted
	return q.Oracle.Steps(ctx, batch)
}

// asked are the questions of a search of single steps, or of macro steps, without persistent labels or with them.
func (s subject) asked(t *testing.T, reduced, persistent bool) map[string]bool {
	q := &questions{Oracle: s.Oracle, all: map[string]bool{}}
	q.actors = must.Get(model.NewActors(q, s.d))
	checker := property.NewChecker(q, q.actors)
	system := macro.New(q.actors, checker)
	system.Persistent = persistent
	search := system.Search
	if !reduced {
		search = func(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
			return dbss.Search(ctx, q.actors, checker, o, p)
		}
	}
	o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: mostStates}
	if r, err := search(context.Background(), o, &dbss.Progress{}); err != nil || !r.Complete {
		return nil
	}
	return q.all
}

// TestSpeculativeSteps counts as speculative all local steps that are asked for and that no run takes, and few others: without persistent
// labels, where nothing that is global disables steps, hardly any.
func TestSpeculativeSteps(t *testing.T) {
	all, speculative := [2]int{}, [2]int{}
	for _, k := range kinds {
		for seed := *seed0; seed < *seed0+uint64(*programs) && !k.selective; seed++ { // else one of several equal local states stands for them
			s := k.drawn(seed)
			taken := s.asked(t, false, false)
			for i := 0; i < 2 && taken != nil; i++ {
				for question, isSpeculative := range s.asked(t, true, i == 1) {
					if _, ok := taken[question]; !ok && !isSpeculative {
						t.Errorf("%s, seed %d, persistent labels %v: no run takes %q", k.name, seed, i == 1, question)
					}
					if len(s.Program().Faults) == 0 {
						all[i]++
						if isSpeculative {
							speculative[i]++
						}
					}
				}
			}
		}
	}
	if t.Logf("%d of %d questions are speculative", speculative, all); 20*speculative[0] > all[0] || speculative[1] <= speculative[0] {
		t.Error("too much is counted, or these programs prove too little")
	}
}
