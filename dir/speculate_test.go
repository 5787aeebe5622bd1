package dir_test

import (
	"context"
	"testing"

	"harrier/dbss"
	"harrier/dir"
	"harrier/model"
	"harrier/property"
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

// questionsOf are those of a search of a program, none if it is not complete.
func questionsOf(t *testing.T, s subject, isMacro, isPersistent bool) map[string]bool {
	q := &questions{Oracle: s.Oracle, all: map[string]bool{}}
	q.actors = newActors(t, q, s.d)
	checker, o := property.NewChecker(q, q.actors), dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: mostStates}
	search := func() (*dbss.Result, error) {
		return dbss.Search(context.Background(), q.actors, checker, o, &dbss.Progress{})
	}
	if isMacro {
		system := dir.New(q.actors)
		system.Persistent = isPersistent
		search = func() (*dbss.Result, error) { return system.Search(context.Background(), checker, o, &dbss.Progress{}) }
	}
	if r, err := search(); err != nil || !r.Complete {
		return nil
	}
	return q.all
}

// TestSpeculativeSteps counts as speculative all local steps that are asked for and that no run takes, and few others: without persistent
// labels, where nothing that is global refuses steps, hardly any.
func TestSpeculativeSteps(t *testing.T) {
	all, speculative, untaken := [2]int{}, [2]int{}, 0
	for _, k := range kinds {
		for seed := *seed0; seed < *seed0+uint64(*programs) && !k.isSelective; seed++ { // else one of several equal local states stands for them
			s := k.drawn(seed)
			taken := questionsOf(t, s, false, false)
			if taken == nil {
				continue
			}
			for i, isPersistent := range []bool{false, true} {
				for question, isSpeculative := range questionsOf(t, s, true, isPersistent) {
					_, isTaken := taken[question]
					if !isTaken {
						untaken++
					}
					if !isTaken && !isSpeculative {
						t.Errorf("%s, seed %d, persistent labels %v: no run takes %q", k.name, seed, isPersistent, question)
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
	t.Logf("of %d questions %d are speculative, %d of no run", all, speculative, untaken)
	if untaken < 50 || 20*speculative[0] > all[0] {
		t.Error("these programs prove too little, or too much is counted")
	}
}
