package dbss_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// methods are the ways to search that must agree. The first ones are for all hashings.
var methods = []struct {
	name string
	dbss.Options
}{
	{"depth-first", dbss.Options{}},
	{"depth-first, all states pushed", dbss.Options{PushAll: true}},
	{"breadth-first", dbss.Options{Order: dbss.BreadthFirst}},
	{"depth-first, three workers", dbss.Options{Workers: 3}},
	{"breadth-first, two workers", dbss.Options{Order: dbss.BreadthFirst, Workers: 2}},
	{"depth-first, compact", dbss.Options{Store: dbss.Compact}},
	{"depth-first, compact, three workers", dbss.Options{Store: dbss.Compact, Workers: 3}},
	{"breadth-first, eight workers", dbss.Options{Order: dbss.BreadthFirst, Workers: 8}},
}

const allHashings = 5

// passings are the models of message passing.
var deliveryModels = []model.DeliveryModel{model.M, model.MP, model.MMP}

// A kind is a kind of random programs, with how many states they may have and what a fair part of them must have, a few of which
// many must have.
type kind struct {
	name           string
	draw           func(seed uint64) *toy.Protocol
	most, mostFull int
	few, selective uint64 // how many programs
	often, seldom  []string
}

var kinds = []kind{
	{"messages", toy.Messages.Random, 2000, 8000, 30, 0, []string{
		"cycles", "duplicates in flight", "creation", "early messages", "guards", "guards that open", "failures", "violations",
		"violated invariants", "violated in initial state", "messages left over", "no violation",
	}, []string{"deadlocks"}},
	{"auxiliary", toy.Auxiliary.Random, 2500, 8000, 0, 20, nil, nil},
	{"events", toy.Events.Random, 1500, 4000, 45, 15, nil, features},
	{"watching", toy.Watching(toy.Events.Random), 1500, 4000, 25, 12, []string{"notify"}, nil},
	{"bounded", toy.Bounded(toy.Events.Random), 1500, 4000, 25, 10, []string{"outside"}, nil},
	{"mailboxes", toy.Mailboxes(toy.Events.Random), 1500, 4000, 25, 10, []string{"mailboxes that are not full", "mailboxes that drop"}, nil},
	{"clocks", drawTimed, 4000, 8000, 35, 12, []string{"tick", "drift", "due", "late"}, []string{"clocks of who is down"}},
	{"clocks and timers", toy.Timed(toy.Timers.Random), 1500, 4000, 20, 0, []string{"tick", "drift", "due", "late"}, nil},
	{"connections", toy.Connecting(toy.Events.Random), 2500, 6000, 40, 15, []string{
		"disconnect", "break", "refuse", "messages lost with a connection", "messages after a connection",
	}, []string{"closed connections", "closed connections that had closed", "messages on half-open connections", "notify"}},
	{"connections and clocks", toy.Timed(toy.Connecting(toy.Timers.Random)), 4000, 6000, 8, 0, []string{"tick", "disconnect"}, nil},
	{"timers held back", toy.Held(toy.Timers.Random), 1500, 4000, 8, 0, nil, nil},
	{"mixed", toy.Mixed, 2500, 6000, 16, 0, []string{"tick", "disconnect", "mailboxes that drop"}, []string{"notify", "outside"}},
	{"connections and quorums", toy.Connecting(toy.Quorums.Random), 1500, 3000, 15, 0, nil, nil},
	{"quorums", drawDelivery, 1000, 1500, 40, 20, nil, slices.Concat(features, quorumFeatures, []string{"deliver"})},
}

var features = []string{
	"receive", "internal", "restart", "stop", "lose", "duplicate", "split", "heal", "stopped actors",
	"messages to stopped actors", "messages that are in the set", "queues", "losses in the middle",
	"faults that spare messages", "disabled events", "terminal states with faults", "restart-within", "stop-within",
	"crashes that come to the same",
}

var quorumFeatures = []string{
	"quorums", "quorums of equal messages", "byzantine", "losses inside", "copies", "quorums in queues",
	"quorums from sets", "messages to adversaries",
}

// draw makes a program, with quorums but in one of four cases.
func draw(seed uint64) *toy.Protocol {
	if seed%4 == 3 {
		return toy.Events.Random(seed)
	}
	return toy.Quorums.Random(seed)
}

// drawDelivery makes one under one of the models of message passing.
func drawDelivery(seed uint64) *toy.Protocol { return draw(seed).Under(deliveryModels[seed%3]) }

// drawTimed makes one in which time goes on.
func drawTimed(seed uint64) *toy.Protocol {
	return toy.Timed(toy.Events.Random)(seed).Under(deliveryModels[seed%3])
}

// TestSearchesAgreeWithTwin holds searches of random programs to the dumb twin: all orders, pushes, stores and numbers of workers.
func TestSearchesAgreeWithTwin(t *testing.T) { searchesAgreeWithTwin(t, 1) }

// TestForgettingChangesNothing does so with workers that forget what they remember all the time.
func TestForgettingChangesNothing(t *testing.T) {
	dbss.Forgetful(t)
	searchesAgreeWithTwin(t, 5)
}

// searchesAgreeWithTwin takes one of so many programs.
func searchesAgreeWithTwin(t *testing.T, part uint64) {
	for _, k := range kinds {
		seeds := taken(k.few / part)
		if seeds == 0 {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			var d twin.Sample
			inParallel(t, seeds, func(seed uint64) {
				p := k.draw(seed)
				want := explorePlain(t, seed, p, k.bound(seed))
				if !d.Takes(want, leastStates(seed)) {
					return
				}
				if problem := plainProblem(p, want); problem != "" {
					t.Errorf("seed %d, %s: %s", seed, p.Delivery, problem)
				}
			})
			d.Check(t, int(seeds)/4)
			if part == 1 {
				d.Wants(t, 50, k.often...)
				d.Wants(t, 10, k.seldom...)
				d.Wants(t, 300, "over 100 states")
			}
		})
	}
}

// bound is how many states a program may have. A few may have more: their states fill more than one of the visited set's chunks.
func (k *kind) bound(seed uint64) int {
	if seed%50 == 0 {
		return 4 * k.most
	}
	return k.most
}

// leastStates is how many states a program must have: those with fewer are seldom of use.
func leastStates(seed uint64) uint64 {
	if seed%4 == 0 {
		return 0
	}
	return tinyStates
}

// plainProblem compares searches of all that a program has.
func plainProblem(p *toy.Protocol, want twin.Result) string {
	for i, m := range methods {
		p.Forget()
		m.KeepGoing = true
		m.MaxStates = want.States + 1 // so that a search that is wrong ends, too
		got := search(context.Background(), p, m.Options)
		if problem := cmp.Or(asksOnce(p, got, want), got.problem(want, m.Order)); problem != "" {
			return m.name + ": " + problem
		}
		if want.Violations == 0 && i > 0 {
			continue // a search to the first violation does the same
		}
		m.KeepGoing = false
		got = search(context.Background(), p, m.Options)
		if got.err != nil || got.verdict() != want.Verdict() || (got.Violation != nil) == got.Complete {
			return fmt.Sprintf("%s, to the first violation: %s, want %s (%v)", m.name, got.verdict(), want.Verdict(), got.err)
		}
		if problem := counterexampleProblem(got, m.Order, want.Shortest); problem != "" {
			return m.name + ", to the first violation: " + problem
		}
	}
	return ""
}

// problem compares a search that kept going with the twin.
func (s searched) problem(want twin.Result, order dbss.Order) string {
	if problem := s.disagreement(want); problem != "" {
		return problem
	}
	switch {
	case !s.Complete || s.Reason != "":
		return fmt.Sprintf("the search is not complete: %q", s.Reason)
	case s.Depth < want.Depth || order == dbss.BreadthFirst && s.Depth != want.Depth:
		return fmt.Sprintf("depth %d, and the farthest state is %d transitions away", s.Depth, want.Depth)
	}
	return counterexampleProblem(s, order, want.Shortest)
}

// asksOnce reports whether each distinct local step was asked for exactly once. What is asked to find out which messages may be
// received together is up to the search, so how many these are is not known there. Local states that differ in whom the actor watches, and in
// whether it is down, are asked about apart.
func asksOnce(p *toy.Protocol, got searched, want twin.Result) string {
	if got.err != nil {
		return got.err.Error()
	}
	mayBe := func(k model.EventKind) bool {
		return slices.ContainsFunc(p.Faults, func(f toy.Fault) bool { return f.Kind == k })
	}
	if p.Program().Watches() || p.Program().Clocks.Run() || mayBe(model.Restart) && mayBe(model.Crash) {
		return ""
	}
	different, most := p.Asked()
	steps := want.LocalSteps
	if p.Delivery != model.M || slices.ContainsFunc(p.Program().Handlers, func(h model.Handler) bool { return h.Quorum }) {
		steps = uint64(different)
	}
	if uint64(different) != steps || got.actors.LocalSteps.Stats().LocalSteps != steps || most > 1 {
		return fmt.Sprintf("%d distinct local steps asked, at most %d times, Stats says %d; want %d, once",
			different, most, got.actors.LocalSteps.Stats().LocalSteps, steps)
	}
	return ""
}

// TestSelectiveHashingAgreesWithTwin compares selective and full hashing with the dumb twin on random programs with auxiliary parts:
// selective hashing must reach exactly the relevant parts of the states that there are, and full hashing the states with the messages
// processed last. Second executions show nothing wrong with the decomposition.
func TestSelectiveHashingAgreesWithTwin(t *testing.T) {
	for _, k := range kinds {
		seeds := taken(k.selective)
		if k.selective == 0 { // it has no auxiliary parts
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			var d twin.Sample
			var fewer, varied, recorded atomic.Uint64
			inParallel(t, seeds, func(seed uint64) {
				p := k.draw(seed)
				want, full := exploreDecomposed(t, seed, p, k.most, k.mostFull)
				if !d.Takes(want, tinyStates) {
					return
				}
				if want.Quotient.States < want.States {
					fewer.Add(1)
				}
				s, isVaried := agreeDecomposed(t, seed, p, want, full)
				if isVaried {
					varied.Add(1)
				}
				if records(s) {
					recorded.Add(1)
				}
			})
			t.Logf("in %d fewer relevant parts than states; of %d second executions are varied; %d keep a history", fewer.Load(), varied.Load(), recorded.Load())
			d.Check(t, int(seeds)/6)
			d.Wants(t, 10, k.seldom...)
			if n := uint64(d.Size()); !testing.Short() && (4*fewer.Load() < n || 4*varied.Load() < n || 50*recorded.Load() < n) {
				t.Error("these programs prove too little")
			}
		})
	}
}

// agreeDecomposed holds selective and full hashing of a program to its twins, and its decomposition to second executions. It returns the
// selective search, and whether any of them was varied.
func agreeDecomposed(t *testing.T, seed uint64, p *toy.Protocol, want, full twin.Result) (searched, bool) {
	for _, m := range methods[:allHashings] {
		m.KeepGoing = true
		got := searchDecomposed(context.Background(), p, p.Relevance(), m.Options)
		if problem := got.selectiveProblem(want, m.Order); problem != "" {
			t.Errorf("seed %d, %s: selective hashing, %s: %s", seed, p.Delivery, m.name, problem)
		}
		got = searchDecomposed(context.Background(), p, space.Decomposition{Relevant: p.Relevant, Hashing: space.Full}, m.Options)
		if problem := got.problem(full, m.Order); problem != "" {
			t.Errorf("seed %d, %s: full hashing, %s: %s", seed, p.Delivery, m.name, problem)
		}
	}
	d, again := p.Relevance(), toy.Twice{Oracle: p, Varied: new(atomic.Uint64)}
	d.Visible = p.Visible
	s := searchDecomposed(context.Background(), again, d, dbss.Options{KeepGoing: true})
	if s.err != nil {
		t.Errorf("seed %d, %s: %v", seed, p.Delivery, s.err)
	} else if err := space.Retry(context.Background(), s.actors.LocalSteps); err != nil {
		t.Errorf("seed %d, %s: %v", seed, p.Delivery, err)
	}
	return s, again.Varied.Load() > 0
}

// selectiveProblem compares a search of relevant parts with the twin.
func (s searched) selectiveProblem(want twin.Result, order dbss.Order) string {
	if s.err != nil {
		return s.err.Error()
	}
	if !s.Complete || s.verdict() != want.Verdict() {
		return fmt.Sprintf("%s, complete: %v; the twin says %s", s.verdict(), s.Complete, want.Verdict())
	}
	return cmp.Or(s.disagreement(*want.Quotient), counterexampleProblem(s, order, want.Shortest))
}

// records reports whether some step of a search recorded an operation.
func records(s searched) bool {
	answers, err := s.oracle.Steps(context.Background(), s.questions())
	return err == nil && slices.ContainsFunc(answers, func(a model.Answer) bool {
		return slices.ContainsFunc(a.Outcomes, func(o model.Outcome) bool { return len(o.Records) > 0 })
	})
}

// questions are those that a search asked.
func (s searched) questions() []model.Question {
	var questions []model.Question
	for _, step := range s.actors.LocalSteps.Since(0) {
		questions = append(questions, s.actors.LocalSteps.Question(step))
	}
	return questions
}

// TestModelsReachTheSameLocalStates explores random programs with the dumb twin under each of the models: they reach
// the same local states and histories, have the same failures and violations. M and M-MP have the same terminal states, too.
func TestModelsReachTheSameLocalStates(t *testing.T) {
	seeds := taken(40)
	var d twin.Sample
	var endings atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := draw(seed)
		got := map[model.DeliveryModel]twin.Result{}
		for _, by := range deliveryModels {
			p.Pass(by)
			most := 1500
			if by == model.M { // which has fewer states
				most = 300
			}
			probe := search(context.Background(), p, probing(most))
			got[by] = explore(t, seed, probe, p, twin.Options{MaxStates: most, MaxPending: maxPending, KeepVectors: true})
			if got[by].Err != nil || got[by].TooLarge || got[by].States < tinyStates {
				d.Skip("too large or tiny")
				return
			}
		}
		d.Add(got[model.M], got[model.M].States)
		for _, by := range []model.DeliveryModel{model.MP, model.MMP} {
			if problem := inequivalence(got[model.M], got[by]); problem != "" {
				t.Errorf("seed %d, %s: %s", seed, by, problem)
			}
		}
		if p.IsEndless() {
			return
		}
		endings.Add(1)
		a, b := got[model.M], got[model.MMP]
		if !maps.Equal(a.Terminals, b.Terminals) || (a.Deadlocks > 0) != (b.Deadlocks > 0) {
			t.Errorf("seed %d: %d and %d terminal vectors, %d and %d deadlocks", seed, len(a.Terminals), len(b.Terminals), a.Deadlocks, b.Deadlocks)
		}
	})
	t.Logf("of %d the terminal states were compared", endings.Load())
	d.Check(t, int(seeds/4))
	d.Wants(t, 10, slices.Concat(features, quorumFeatures, []string{"copies inside"})...)
}

// inequivalence says how two models differ where they must not.
func inequivalence(a, b twin.Result) string {
	switch {
	case !maps.Equal(a.Vectors, b.Vectors):
		return fmt.Sprintf("%d and %d local states, not the same", len(a.Vectors), len(b.Vectors))
	case (a.Failures > 0) != (b.Failures > 0):
		return "in one a handler fails"
	case (a.Violations-a.Deadlocks > 0) != (b.Violations-b.Deadlocks > 0):
		return "in one an invariant is violated"
	}
	return ""
}
