package dbss_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// counted is what a search comes to.
type counted struct{ states, transitions, terminal, leftover, violations uint64 }

// TestSearchCountsWhatCanBeCountedByHand holds searches, and the twin, to what was counted.
func TestSearchCountsWhatCanBeCountedByHand(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/counted.txt") {
		p := toy.Read(c.Text)
		inM := twin.Explore(p, twin.Options{KeepVectors: true})
		for i, text := range strings.Split(c.Want, "; ") {
			var want counted
			if _, err := fmt.Sscan(text, &want.states, &want.transitions, &want.terminal, &want.leftover, &want.violations); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			p.Delivery = deliveryModels[i]
			found := twin.Explore(p, twin.Options{KeepVectors: true})
			if problem := inequivalence(inM, found); problem != "" {
				t.Errorf("%s, M and %s: %s", c.Name, p.Delivery, problem)
			}
			for _, order := range orders {
				t.Run(fmt.Sprintf("%s/%s/%s", c.Name, p.Delivery, order.name), func(t *testing.T) {
					got := search(context.Background(), p, dbss.Options{Order: order.Order, KeepGoing: true, MaxStates: want.states + 20})
					if got.err != nil {
						t.Fatal(got.err)
					}
					if figures := (counted{got.States, got.Transitions, got.Terminal, got.Leftover, got.Violations}); figures != want {
						t.Errorf("%+v, want %+v", figures, want)
					}
					if problem := counterexampleProblem(got, order.Order, found.Shortest); problem != "" {
						t.Error(problem)
					}
					if problem := got.disagreement(found); problem != "" {
						t.Error(problem)
					}
					first := search(context.Background(), p, dbss.Options{Order: order.Order})
					if first.err != nil || first.Violations != min(want.violations, 1) || first.Complete != (want.violations == 0) {
						t.Errorf("to the first violation: %d violations, complete %v, error %v", first.Violations, first.Complete, first.err)
					}
				})
			}
		}
	}
}

func TestNoDeadlockLeavesTheLastStatesUnchecked(t *testing.T) {
	for _, order := range orders {
		for _, unchecked := range []bool{false, true} {
			got := search(context.Background(), toy.Read("start: ann stuck\n final: ann done"), dbss.Options{Order: order.Order, NoDeadlock: unchecked})
			if got.err != nil || got.Complete != unchecked || (got.Violation == nil) != unchecked || got.Terminal != 1 {
				t.Errorf("%s, unchecked %v: %+v, error %v", order.name, unchecked, got.Result, got.err)
			}
		}
	}
}

// TestANameIsGivenOnce: neither to two actors, nor again to one where another one has stopped.
func TestANameIsGivenOnce(t *testing.T) {
	for _, p := range []*toy.Script{
		toy.Read(`
			start: ann 0
			mail: >ann make, >ann make
			ann 0 make -> 1, create kid new
			ann 1 make -> 2, create kid new`),
		toy.Read(`
			start: ann 0, kid 0
			mail: >kid make
			kid 0 make -> 0, stop, send ann make
			ann 0 make -> 1, create kid new`),
	} {
		for _, order := range orders {
			got := search(context.Background(), p, dbss.Options{Order: order.Order})
			if got.err == nil || !strings.Contains(got.err.Error(), "kid is created twice") || got.Complete || got.States != 2 {
				t.Errorf("%s: %d states, error %v", order.name, got.States, got.err)
			}
		}
		if r := twin.Explore(p, twin.Options{}); r.Err == nil {
			t.Error("the twin does not notice")
		}
		run, err := replay.New(p, space.Decomposition{})
		for err == nil && len(run.Pending()) > 0 {
			m := run.Pending()[0]
			_, err = run.Take(context.Background(), model.Action{Actor: m.Receiver, Event: model.Event{Messages: []model.Message{m}}})
		}
		if err == nil || !strings.Contains(err.Error(), "kid is created twice") {
			t.Errorf("a run: %v", err)
		}
	}
}

// Whether an actor acts by itself tells its local states apart, whatever part of them is relevant.
func TestStatesThatActAreToldFromOthers(t *testing.T) {
	p := toy.Read(`
		start: ann a/1
		mail: >ann go
		ann a/1 go -> a/2
		ann a/2 itself -> b`)
	got := searchDecomposed(context.Background(), p, space.Decomposition{Relevant: toy.BeforeSlash}, dbss.Options{})
	if got.err != nil || !got.Complete || got.States != 3 {
		t.Errorf("%d states, %v", got.States, got.err)
	}
}

// TestWhatMakesNoSenseIsRefused has the whole text, or of errors of usage a part of it.
func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		lines, text string
		by          model.DeliveryModel
	}{
		{"fault: 1 split nobody", `the fault "split" cuts off no actor`, model.M},
		{"fault: 1 heal all", `the fault "heal" is of the kind "heal", which is none of a fault`, model.M},
		// Of a message that may stay any number of times it is not known how many of a quorum stay.
		{"together: yes 0\n fault: any duplicate all\n final: ann 0", `where together may take several messages at once`, model.M},
		{"together: yes 0\n fault: any duplicate kid\n final: ann 0\n ann 0 itself -> 1, create kid 0", `where together may take several`, model.M},
		{"together: yes 0\n fault: any duplicate all\n queues: all", `in a FIFO channel where together may take several`, model.M},
		{"together: yes 0\n fault: 3 duplicate all\n final: ann 0", "", model.M},
		{"together: yes 0\n fault: any duplicate all", "", model.M},
		// A queue of which any message may be delivered once more would grow without end.
		{"queues: ann\n fault: any duplicate all", "", model.M},
		{"queues: ann\n fault: any duplicate all", "under the model MP", model.MP},
		{"queues: all\n fault: any duplicate all", "under the model M-MP", model.MMP},
		{"fault: any duplicate all", "", model.MMP},
	} {
		p := toy.Read("start: ann 0\n" + c.lines)
		p.Delivery = c.by
		err := search(context.Background(), p, dbss.Options{}).err
		var usage *model.UsageError
		switch refused := errors.As(err, &usage); {
		case c.text == "" && err == nil:
		case err == nil || !refused && err.Error() != c.text || refused && !strings.Contains(err.Error(), c.text):
			t.Errorf("%s, %s: %v, want %q", c.lines, c.by, err, c.text)
		}
	}
}

// recording is a program of which there may only be one record.
type recording struct{ *toy.Script }

func (r recording) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	for _, e := range extensions {
		if len(e.History) > 0 {
			return nil, &model.RuleError{Text: "ann begins an operation while it has one"}
		}
	}
	return r.Script.Record(context.Background(), extensions)
}

// What a step records need not make sense where the step is not enabled, so it must not be asked.
func TestRecordsOfStepsThatAreNotEnabledAreNotAsked(t *testing.T) {
	p := recording{toy.Read(`
		start: ann 0
		ann 0 restart -> 0, record up
		fault: 1 restart all`)}
	for _, order := range orders {
		got := search(context.Background(), p, dbss.Options{Order: order.Order})
		if got.err != nil || got.States != 2 || got.Transitions != 1 {
			t.Errorf("%s: %+v, %v", order.name, got.Result, got.err)
		}
	}
}

// Under MP there is no final condition, as what was delivered may be more than a handler takes.
func TestNoFinalConditionUnderMP(t *testing.T) {
	p := toy.Read(`
		start: ann 0
		mail: bob>ann a, cid>ann a
		ann 0 a -> 1
		ann 1 a -> 2
		final: ann 2`)
	for _, p.Delivery = range deliveryModels {
		if r := twin.Explore(p, twin.Options{}); r.Deadlocks > 0 || (r.Leftover > 0) != (p.Delivery == model.MP) {
			t.Errorf("%s: %d deadlocks, %d terminal states with messages", p.Delivery, r.Deadlocks, r.Leftover)
		}
		if got := search(context.Background(), p, dbss.Options{}); got.err != nil || !got.Complete {
			t.Errorf("%s: %+v, %v", p.Delivery, got.Violation, got.err)
		}
	}
}
