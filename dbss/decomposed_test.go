package dbss_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// TestWrongDecompositionIsCaught makes auxiliary parts matter. Wherever the verdict of selective hashing
// is then another one than the twin's, second executions must show it, or the counterexample must not come about.
func TestWrongDecompositionIsCaught(t *testing.T) {
	seeds := taken(65)
	var useful, caught, missed, unreal atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Auxiliary.Random(seed)
		leak := p.Leak(seed)
		want := explorePlain(t, seed, p, 2500)
		if want.TooLarge || want.States < tinyStates {
			return
		}
		useful.Add(1)
		order := orders[seed%2]
		relevant := func(int, map[int]bool) func([]byte) ([]byte, error) { return p.Relevant } // nothing else is said not to be read
		got := searchDecomposed(context.Background(), toy.Twice{Oracle: p}, space.Decomposition{Relevant: p.Relevant, Visible: relevant},
			dbss.Options{Order: order.Order, MaxStates: 4 * 2500}) // representatives may go on where no run does
		var ofStep *space.VariationError
		var ofProperty *property.VariationError
		if errors.As(got.err, &ofStep) || errors.As(got.err, &ofProperty) {
			caught.Add(1)
			return
		}
		if got.err != nil {
			t.Errorf("seed %d: %v", seed, got.err)
			return
		}
		if got.Violation == nil && !got.Complete {
			return
		}
		err := space.Retry(context.Background(), got.actors.LocalSteps)
		if err == nil {
			_, err = got.checker.Retry(context.Background())
		}
		if err != nil {
			caught.Add(1)
		}
		switch {
		case got.verdict() == want.Verdict():
		case got.Violation == nil:
			missed.Add(1)
			if err == nil {
				t.Errorf("seed %d: verified, but the twin says violated, and second executions saw nothing (%s)", seed, leak)
			}
		default:
			unreal.Add(1)
			if got.replay() == "" {
				t.Errorf("seed %d: violated, but the twin says verified, and the counterexample replays (%s)", seed, leak)
			}
		}
	})
	t.Logf("%d protocols, %d caught by second executions; %d violations missed, %d not real", useful.Load(), caught.Load(), missed.Load(), unreal.Load())
	if missed.Load() < seeds/100 || caught.Load() < seeds/20 {
		t.Error("these protocols prove too little")
	}
}

// TestAViolationOfRepresentativesOnlyIsNotReal: ann is in state m either by p, after which nobody checks,
// or by q, after which the check is passed. What stands for m is met by p, and fails the check of q.
func TestAViolationOfRepresentativesOnlyIsNotReal(t *testing.T) {
	p := toy.Read(`
		start: ann start/
		mail: ann>ann p, ann>ann q
		ann start/ p -> m/1
		ann start/ q -> m/2, send ann check
		ann m/1 check -> bad/
		ann m/2 check -> good/
		never: ann bad/`)
	for _, order := range orders {
		d, o := space.Decomposition{Relevant: toy.BeforeSlash}, dbss.Options{Order: order.Order}
		got := searchDecomposed(context.Background(), p, d, o)
		if got.Violation == nil {
			t.Fatalf("%s: the representatives violate nothing", order.name)
		}
		if problem := got.replay(); !strings.Contains(problem, replay.ErrDiffers.Error()) {
			t.Errorf("%s: replaying the counterexample: %q", order.name, problem)
		}
		again := searchDecomposed(context.Background(), toy.Twice{Oracle: p}, d, o)
		if again.err == nil && space.Retry(context.Background(), again.actors.LocalSteps) == nil {
			t.Errorf("%s: second executions show nothing", order.name)
		}
	}
}

// TestStatelessSearchFollowsEveryRun compares it with a count of all runs.
func TestStatelessSearchFollowsEveryRun(t *testing.T) {
	for name, draw := range map[string]func(uint64) *toy.Protocol{"messages": toy.Messages.Random, "events": toy.Events.Random, "quorums": drawDelivery} {
		followed := 0
		for seed := *firstSeed; seed < *firstSeed+taken(130); seed++ {
			if isFollowed, problem := statelessProblem(t, draw(seed)); problem != "" {
				t.Errorf("%s, seed %d: %s", name, seed, problem)
			} else if isFollowed {
				followed++
			}
		}
		if followed < 20 {
			t.Errorf("%s: only %d protocols", name, followed)
		}
	}
}

// statelessProblem compares stateless search of a protocol with a count of all runs, if there are not too many.
func statelessProblem(t *testing.T, p *toy.Protocol) (followed bool, problem string) {
	want := twin.Explore(p, twin.Options{MaxStates: 300, MaxPending: maxPending})
	if want.Err != nil || want.TooLarge || want.Cycle || want.States < tinyStates {
		return false, ""
	}
	all := search(context.Background(), p, dbss.Options{KeepGoing: true})
	runs := countRuns(t, all, all.actors.Initial(), 100_000)
	if runs > 100_000 {
		return false, ""
	}
	for _, pushAll := range []bool{false, true} {
		got := search(context.Background(), p, dbss.Options{Order: dbss.Stateless, KeepGoing: true, PushAll: pushAll})
		if got.err != nil || !got.Complete || got.States != runs || got.verdict() != want.Verdict() {
			return true, fmt.Sprintf("%d states on all runs, want %d; %s, want %s (%v)", got.States, runs, got.verdict(), want.Verdict(), got.err)
		}
		if problem := counterexampleProblem(got, dbss.DepthFirst, want.Shortest); problem != "" {
			return true, problem
		}
	}
	return true, ""
}

// countRuns counts the states on all runs from a state, each as often as it is met.
func countRuns(t *testing.T, s searched, from model.State, most uint64) uint64 {
	enabled := must.Get(s.actors.Enabled(context.Background(), from, nil))
	n := uint64(1)
	for _, tr := range enabled {
		next, _, err := s.actors.Apply(append(model.State{}, from...), tr, nil)
		if err == nil && n <= most {
			n += countRuns(t, s, next, most)
		}
	}
	return n
}

// A chain of single enabled transitions needs no frames, and its end is reached all the same.
func TestSinglyEnabledStatesAreNotPushed(t *testing.T) {
	chain := toy.Read("start: ann 0\n mail: ann>ann go\n ann 50 go -> end")
	for i := range 50 {
		chain.Rules[fmt.Sprintf("ann %d go", i)] = []toy.Then{{Become: fmt.Sprint(i + 1), Send: []string{"ann go"}}}
	}
	all := search(context.Background(), chain, dbss.Options{PushAll: true})
	few := search(context.Background(), chain, dbss.Options{})
	if all.States != 52 || few.States != 52 || few.Terminal != 1 || few.Depth != 51 {
		t.Errorf("%d and %d states, %d terminal states, depth %d", all.States, few.States, few.Terminal, few.Depth)
	}
	if few.Frames != 0 || all.Frames != 52 {
		t.Errorf("%d frames at most with selective push-on-stack, %d without; want 0 and 52", few.Frames, all.Frames)
	}
}
