package dbss_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// untroubled finds random protocols without violations in a range of sizes.
func untroubled(t *testing.T, draw func(seed uint64) *toy.Protocol, count int, least, most uint64) []*toy.Protocol {
	var found []*toy.Protocol
	for seed := uint64(0); len(found) < count; seed++ {
		if seed == uint64(500+50*count) {
			t.Fatalf("only %d protocols of that size", len(found))
		}
		p := draw(seed)
		r := search(context.Background(), p, probing(int(most)))
		if r.err == nil && r.Complete && r.States >= least && r.Violations == 0 {
			p.Forget()
			found = append(found, p)
		}
	}
	return found
}

// untroubledOfBoth finds as many with messages only and with events of all kinds.
func untroubledOfBoth(t *testing.T, count int, least, most uint64) []*toy.Protocol {
	return append(untroubled(t, toy.Messages.Random, count, least, most), untroubled(t, toy.Events.Random, count, least, most)...)
}

func TestBreadthFirstToADepthReachesWhatIsThatFar(t *testing.T) {
	for i, p := range untroubledOfBoth(t, int(taken(1200)/100), 30, 600) {
		for depth, cut := 1, true; cut; depth++ {
			want := twin.Explore(p, twin.Options{MaxDepth: depth})
			cut = want.Cut
			got := search(context.Background(), p, dbss.Options{Order: dbss.BreadthFirst, MaxDepth: depth, KeepGoing: true})
			if problem := got.disagreement(want); problem != "" {
				t.Fatalf("protocol %d to depth %d: %s", i, depth, problem)
			}
			if got.Complete == cut || (got.Reason != "") != cut || got.Depth != want.Depth {
				t.Fatalf("protocol %d to depth %d: complete %v (%q), depth %d; the twin was cut off: %v, depth %d",
					i, depth, got.Complete, got.Reason, got.Depth, cut, want.Depth)
			}
		}
	}
}

func TestDepthFirstDoesNotFollowLongerRuns(t *testing.T) {
	for i, p := range untroubledOfBoth(t, int(taken(1200)/100), 30, 600) {
		all := twin.Explore(p, twin.Options{})
		for depth, complete := 1, false; !complete; depth++ {
			got := search(context.Background(), p, dbss.Options{MaxDepth: depth, KeepGoing: true})
			if complete = got.Complete; complete {
				if problem := got.disagreement(all); problem != "" {
					t.Fatalf("protocol %d to depth %d: %s", i, depth, problem)
				}
				break
			}
			near := all
			if depth < all.Depth {
				near = twin.Explore(p, twin.Options{MaxDepth: depth})
			}
			if got.err != nil || got.Depth != depth || got.States > near.States || !strings.Contains(got.Reason, "--max-depth") {
				t.Fatalf("protocol %d to depth %d: depth %d, %d states of %d, reason %q, error %v",
					i, depth, got.Depth, got.States, near.States, got.Reason, got.err)
			}
		}
	}
}

func TestSearchEndsAtTheBoundOnStates(t *testing.T) {
	for i, p := range untroubled(t, toy.Messages.Random, 10, 50, 600) {
		all := twin.Explore(p, twin.Options{})
		for _, order := range orders {
			for n, bound := range []uint64{1, 2, all.States / 2, all.States - 1, all.States, all.States + 1} {
				o := dbss.Options{Order: order.Order, MaxStates: bound, Workers: 1 + (i+n)%2}
				got := search(context.Background(), p, o)
				cut := bound < all.States
				if got.err != nil || got.Complete == cut || got.States != min(bound, all.States) ||
					strings.Contains(got.Reason, "--max-states") != cut {
					t.Errorf("protocol %d, %s, %d workers, at most %d states: %d of %d states, complete %v, reason %q, error %v",
						i, order.name, o.Workers, bound, got.States, all.States, got.Complete, got.Reason, got.err)
				}
			}
		}
	}
}

// An interruption is an oracle to which something happens at its n-th call.
type interruption struct {
	model.Oracle
	calls  int
	at     int
	happen func(ctx context.Context) error
}

func (o *interruption) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if err := o.call(ctx); err != nil {
		return nil, err
	}
	return o.Oracle.Steps(ctx, questions)
}

func (o *interruption) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	if err := o.call(ctx); err != nil {
		return nil, err
	}
	return o.Oracle.Evaluate(ctx, evaluations)
}

func (o *interruption) call(ctx context.Context) error {
	if o.calls++; o.calls < o.at {
		return nil
	}
	return o.happen(ctx)
}

// interruptedAt searches with an interruption at each of several calls.
func interruptedAt(t *testing.T, happen func(ctx context.Context) error, check func(t *testing.T, s searched)) {
	p := untroubled(t, toy.Messages.Random, 1, 500, 2000)[0]
	for _, order := range orders {
		for _, at := range []int{1, 2, 5, 12, 17} {
			o := &interruption{Oracle: p, at: at, happen: happen}
			got := search(context.Background(), o, dbss.Options{Order: order.Order})
			if o.calls < at {
				t.Fatalf("%s: only %d calls, so call %d was not interrupted", order.name, o.calls, at)
			}
			if got.Complete || at > 10 && got.Transitions == 0 {
				t.Errorf("%s, at call %d: complete %v, %d transitions", order.name, at, got.Complete, got.Transitions)
			}
			check(t, got)
		}
	}
}

func TestAStepThatTakesTooLongIsTheReason(t *testing.T) {
	limit := &model.LimitError{Text: "handler on0 ran longer than 10 s"}
	interruptedAt(t, func(context.Context) error { return limit }, func(t *testing.T, s searched) {
		if s.err != nil || s.Reason != limit.Text {
			t.Errorf("reason %q, error %v", s.Reason, s.err)
		}
	})
}

func TestABrokenOracleIsAnErrorWithTheFiguresSoFar(t *testing.T) {
	broken := &model.RuleError{Text: "field x differs when the step is executed again"}
	interruptedAt(t, func(context.Context) error { return broken }, func(t *testing.T, s searched) {
		if !errors.Is(s.err, broken) || s.Reason != "" || s.States == 0 {
			t.Errorf("reason %q, error %v, %d states", s.Reason, s.err, s.States)
		}
	})
}

var errInterrupted = errors.New("interrupted by the user")

func TestACancelledSearchEndsBeforeItStarts(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	p := untroubled(t, toy.Messages.Random, 1, 300, 1000)[0]
	for _, order := range orders {
		got := search(ctx, p, dbss.Options{Order: order.Order})
		if got.err != nil || got.Complete || got.Reason != errInterrupted.Error() || got.Transitions > 0 {
			t.Errorf("%s: %d transitions, complete %v, reason %q, error %v",
				order.name, got.Transitions, got.Complete, got.Reason, got.err)
		}
	}
}

// The oracle notices the end of the context, or does not and the search does.
func TestACancelledSearchEndsSoon(t *testing.T) {
	p := untroubled(t, toy.Messages.Random, 1, 2000, 6000)[0]
	all := twin.Explore(p, twin.Options{})
	for _, order := range orders {
		for _, notices := range []bool{true, false} {
			ctx, cancel := context.WithCancelCause(context.Background())
			o := &interruption{Oracle: p, at: 8, happen: func(ctx context.Context) error {
				cancel(errInterrupted)
				if notices {
					return context.Cause(ctx)
				}
				return nil
			}}
			got := search(ctx, o, dbss.Options{Order: order.Order})
			if got.err != nil || got.Complete || got.Reason != errInterrupted.Error() || got.Transitions*2 > all.Transitions {
				t.Errorf("%s, the oracle notices: %v: %d of %d transitions, complete %v, reason %q, error %v", order.name,
					notices, got.Transitions, all.Transitions, got.Complete, got.Reason, got.err)
			}
		}
	}
}

// TestBetweenEndsASearch calls Between whenever there are twice as many transitions, and at the end; its error is that of the search.
func TestBetweenEndsASearch(t *testing.T) {
	dbss.Forgetful(t) // which has it be called after 8 transitions, not 1,024
	refused := errors.New("refused")
	for _, p := range untroubledOfBoth(t, 3, 30, 600) {
		for _, o := range orders {
			calls := 0
			got := search(context.Background(), p, dbss.Options{Order: o.Order, Between: func(context.Context) error { calls++; return nil }})
			want := 1 // at the end
			for n := uint64(8); n < got.Transitions; n *= 2 {
				want++
			}
			if !got.Complete || calls != want {
				t.Errorf("%s: %d calls in %d transitions, not %d", o.name, calls, got.Transitions, want)
			}
			for last := 1; last <= want; last++ {
				calls = 0
				got := search(context.Background(), p, dbss.Options{Order: o.Order, Between: func(context.Context) error {
					if calls++; calls == last {
						return refused
					}
					return nil
				}})
				if !errors.Is(got.err, refused) || calls != last {
					t.Errorf("%s: %v after %d calls, to be refused in the call %d", o.name, got.err, calls, last)
				}
			}
		}
	}
}
