package dbss_test

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"harrier/audit"
	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// methods are the ways to search that must agree.
var methods = []struct {
	name string
	dbss.Options
}{
	{"depth-first", dbss.Options{KeepGoing: true}},
	{"depth-first, all states pushed", dbss.Options{KeepGoing: true, PushAll: true}},
	{"breadth-first", dbss.Options{KeepGoing: true, Order: dbss.BreadthFirst}},
	{"depth-first, three workers", dbss.Options{KeepGoing: true, Workers: 3}},
	{"breadth-first, two workers", dbss.Options{KeepGoing: true, Order: dbss.BreadthFirst, Workers: 2}},
}

// unbounded lets an audit go on to the end.
const unbounded = 1 << 40

// TestSelectiveHashingAgreesWithTwin compares selective and full hashing with the dumb twin on random
// protocols with auxiliary parts: selective hashing must reach exactly the relevant parts of the states
// that there are, and full hashing the states with the messages processed last.
func TestSelectiveHashingAgreesWithTwin(t *testing.T) {
	seeds := taken(160)
	var useful, fewer, audited, recorded atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Decomposed(seed)
		want, full := exploreDecomposed(t, seed, p, 2500, 8000)
		if want.Err != nil || want.TooLarge || want.States < tinyStates {
			return
		}
		useful.Add(1)
		if want.Quotient.States < want.States {
			fewer.Add(1)
		}
		s, compared := agreeDecomposed(t, seed, p, want, full)
		if compared > 0 {
			audited.Add(1)
		}
		if records(s) {
			recorded.Add(1)
		}
	})
	t.Logf("%d protocols; in %d fewer relevant parts than states; %d audits compared steps; %d keep a history",
		useful.Load(), fewer.Load(), audited.Load(), recorded.Load())
	if useful.Load() < seeds/3 || 2*fewer.Load() < useful.Load() || 2*audited.Load() < useful.Load() || 20*recorded.Load() < useful.Load() {
		t.Error("these protocols prove too little")
	}
}

// agreeDecomposed holds selective and full hashing of a protocol to its twins, and its decomposition to an audit
// without bounds. It returns the selective search, and how many steps the audit compared.
func agreeDecomposed(t *testing.T, seed uint64, p *toy.Protocol, want, full twin.Result) (searched, uint64) {
	if problem := selectiveProblem(p, want); problem != "" {
		t.Errorf("seed %d: selective hashing, %s", seed, problem)
	}
	if problem := fullProblem(p, full); problem != "" {
		t.Errorf("seed %d: full hashing, %s", seed, problem)
	}
	s := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: p.Relevant}, methods[0].Options)
	report, err := audit.Decomposition(context.Background(), s.actors, s.checker, unbounded)
	if err != nil || !report.Complete() {
		t.Errorf("seed %d: the audit: %v, %s", seed, err, report.Reason)
	}
	return s, report.Steps
}

// records says whether some step of a search recorded an operation.
func records(s searched) bool {
	answers, err := s.oracle.Steps(context.Background(), s.questions())
	if err != nil {
		return false
	}
	for _, a := range answers {
		for _, o := range a.Outcomes {
			if len(o.Records) > 0 {
				return true
			}
		}
	}
	return false
}

// questions are those that a search asked.
func (s searched) questions() []model.Question {
	var questions []model.Question
	for _, step := range s.actors.LocalSteps() {
		q := model.Question{Local: s.actors.Actor(step.Local).Local, Event: model.Event{Kind: step.Kind}}
		for _, m := range step.Messages {
			q.Event.Messages = append(q.Event.Messages, s.actors.Message(m))
		}
		questions = append(questions, q)
	}
	return questions
}

func selectiveProblem(p *toy.Protocol, want twin.Result) string {
	for _, m := range methods {
		got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: p.Relevant}, m.Options)
		if got.err != nil || !got.Complete {
			return fmt.Sprintf("%s: %v", m.name, got.err)
		}
		if !reflect.DeepEqual(got.figures(), figuresOf(*want.Quotient)) {
			return fmt.Sprintf("%s: the search found\n%+v, the twin\n%+v", m.name, got.figures(), figuresOf(*want.Quotient))
		}
		if got.verdict() != want.Verdict() {
			return fmt.Sprintf("%s: %s, the twin says %s", m.name, got.verdict(), want.Verdict())
		}
		if problem := counterexampleProblem(got, m.Order, want.Shortest); problem != "" {
			return m.name + ": " + problem
		}
	}
	return ""
}

func fullProblem(p *toy.Protocol, want twin.Result) string {
	for _, m := range methods {
		got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: p.Relevant, Hashing: model.Full}, m.Options)
		if problem := got.disagreement(want); problem != "" {
			return m.name + ": " + problem
		}
		if problem := counterexampleProblem(got, m.Order, want.Shortest); problem != "" {
			return m.name + ": " + problem
		}
	}
	return ""
}

// TestWrongDecompositionIsCaught makes auxiliary parts matter. Wherever the verdict of selective hashing
// is then another one than the twin's, the audit must say so, or the counterexample must not come about.
func TestWrongDecompositionIsCaught(t *testing.T) {
	seeds := taken(600)
	var useful, caught, missed, unreal atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Decomposed(seed)
		leak := p.Leak(seed)
		want := explorePlain(t, seed, p, 2500)
		if want.TooLarge || want.States < tinyStates {
			return
		}
		useful.Add(1)
		order := orders[seed%2]
		got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: p.Relevant}, dbss.Options{Order: order.Order})
		if got.err != nil {
			t.Errorf("seed %d: %v", seed, got.err)
			return
		}
		_, err := audit.Decomposition(context.Background(), got.actors, got.checker, unbounded)
		if err != nil {
			caught.Add(1)
		}
		switch {
		case got.verdict() == want.Verdict():
		case got.Violation == nil:
			missed.Add(1)
			if err == nil {
				t.Errorf("seed %d: verified, but the twin says violated, and the audit saw nothing (%s)", seed, leak)
			}
		default:
			unreal.Add(1)
			if got.replay() == "" {
				t.Errorf("seed %d: violated, but the twin says verified, and the counterexample replays (%s)", seed, leak)
			}
		}
	})
	t.Logf("%d protocols, %d caught by the audit; %d violations missed, %d not real", useful.Load(), caught.Load(), missed.Load(), unreal.Load())
	if missed.Load() < seeds/100 || caught.Load() < seeds/20 {
		t.Error("these protocols prove too little")
	}
}

// TestAViolationOfRepresentativesOnlyIsNotReal: ann is in state m either by p, after which nobody checks,
// or by q, after which the check is passed. What stands for m is met by p, and fails the check of q.
func TestAViolationOfRepresentativesOnlyIsNotReal(t *testing.T) {
	p := &toy.Script{
		Start: map[string]string{"ann": "start/"},
		Mail:  []string{"ann>ann p", "ann>ann q"},
		Rules: map[string][]toy.Then{
			"ann start/ p":  {{Become: "m/1"}},
			"ann start/ q":  {{Become: "m/2", Send: []string{"ann check"}}},
			"ann m/1 check": {{Become: "bad/"}},
			"ann m/2 check": {{Become: "good/"}},
		},
		Invariants: []toy.Condition{func(states map[string]string) bool { return states["ann"] != "bad/" }},
	}
	relevant := func(b []byte) ([]byte, error) {
		part, _, _ := bytes.Cut(b, []byte("/"))
		return part, nil
	}
	for _, order := range orders {
		got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: relevant}, dbss.Options{Order: order.Order})
		if got.Violation == nil {
			t.Fatalf("%s: the representatives violate nothing", order.name)
		}
		if problem := got.replay(); !strings.Contains(problem, model.ErrDiffers.Error()) {
			t.Errorf("%s: replaying the counterexample: %q", order.name, problem)
		}
		if _, err := audit.Decomposition(context.Background(), got.actors, got.checker, unbounded); err == nil {
			t.Errorf("%s: the audit sees nothing", order.name)
		}
	}
}

// TestStatelessSearchFollowsEveryRun compares it with a count of all runs.
func TestStatelessSearchFollowsEveryRun(t *testing.T) {
	for name, draw := range map[string]func(uint64) *toy.Protocol{"messages": toy.Random, "events": toy.Eventful, "quorums": drawPassing} {
		followed := 0
		for seed := *firstSeed; seed < *firstSeed+taken(200); seed++ {
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
func statelessProblem(t *testing.T, p *toy.Protocol) (isFollowed bool, problem string) {
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
	enabled, err := s.actors.Enabled(context.Background(), from, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	chain := &toy.Script{
		Start: map[string]string{"ann": "0"},
		Mail:  []string{"ann>ann go"},
		Rules: map[string][]toy.Then{},
	}
	for i := range 50 {
		chain.Rules[fmt.Sprintf("ann %d go", i)] = []toy.Then{{Become: fmt.Sprint(i + 1), Send: []string{"ann go"}}}
	}
	chain.Rules["ann 50 go"] = []toy.Then{{Become: "end"}}
	all := search(context.Background(), chain, dbss.Options{PushAll: true})
	few := search(context.Background(), chain, dbss.Options{})
	if all.States != 52 || few.States != 52 || few.Terminal != 1 || few.Depth != 51 {
		t.Errorf("%d and %d states, %d ends, depth %d", all.States, few.States, few.Terminal, few.Depth)
	}
	if few.Frames != 0 || all.Frames != 52 {
		t.Errorf("%d frames at most with selective push-on-stack, %d without; want 0 and 52", few.Frames, all.Frames)
	}
}
