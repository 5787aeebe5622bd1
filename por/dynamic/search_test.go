package dynamic_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/por/dynamic"
)

// observed is a random program with properties that observe it: an invariant of two actors, and a final condition that holds,
// and notes the ends that it is asked about. Failing steps are disabled, but for one.
type observed struct {
	*toy.Protocol
	fails    string // the step left to fail
	terminal map[string]bool
}

func observe(p *toy.Protocol, seed uint64, facts []toy.Fact, fails string) *observed {
	p.Invariants, p.Final = nil, &toy.Property{}
	if facts != nil {
		p.Invariants = []toy.Property{{Facts: facts}}
	}
	p.Pass(model.DeliveryModel(seed % 3))
	return &observed{Protocol: p, fails: fails, terminal: map[string]bool{}}
}

func (o *observed) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := o.Protocol.Steps(ctx, questions)
	for i := range answers {
		answers[i].Outcomes = slices.DeleteFunc(slices.Clone(answers[i].Outcomes), func(out model.Outcome) bool {
			return out.Failure != nil && out.Failure.Text != o.fails
		})
	}
	return answers, err
}

func (o *observed) Evaluate(ctx context.Context, evaluations []model.Evaluation) (judgements []model.Judgement, err error) {
	for _, e := range evaluations {
		if o.Program().Properties[e.Property].Kind.IsOfTerminalStates() {
			judgements = append(judgements, o.end(e))
			continue
		}
		j, err := o.Protocol.Evaluate(ctx, []model.Evaluation{e})
		if err != nil {
			return nil, err
		}
		judgements = append(judgements, j...)
	}
	return judgements, nil
}

func (o *observed) end(e model.Evaluation) model.Judgement {
	j := model.Judgement{Holds: true}
	vector := []string{fmt.Sprintf("%x", e.History)}
	for i, a := range e.Actors {
		j.Reads = append(j.Reads, i)
		vector = append(vector, string(a.Local))
	}
	slices.Sort(vector[1:]) // positions are in the order in which actors came to be known
	if o.Delivery != model.MP {
		o.terminal[fmt.Sprint(vector)] = true
	}
	j.Reads = append(j.Reads, model.ReadHistory)
	return j
}

// decomposition has all that the final condition reads visible to it.
func (o *observed) decomposition(h space.Hashing) space.Decomposition {
	return space.Decomposition{Hashing: h, Visible: func(property int, read map[int]bool) func([]byte) ([]byte, error) {
		if o.Program().Properties[property].Kind.IsOfTerminalStates() {
			return func(b []byte) ([]byte, error) { return b, nil }
		}
		return o.Visible(property, read)
	}}
}

// stateless searches with or without the reduction. It returns nil for a program that is refused.
func stateless(t *testing.T, oracle *observed, h space.Hashing, reduced bool) *dbss.Result {
	t.Helper()
	actors, err := space.NewActors(oracle, oracle.decomposition(h))
	var refused *model.UsageError
	if errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	options := dbss.Options{Order: dbss.Stateless, KeepGoing: true, MaxStates: maxStates}
	checker, progress := property.NewChecker(oracle, actors), &dbss.Progress{}
	var r *dbss.Result
	if reduced {
		r, err = dynamic.Search(context.Background(), actors, checker, options, progress)
	} else {
		r, err = dbss.Search(context.Background(), actors, checker, options, progress)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.Violation != nil {
		if problem := replayed.Problem(oracle, actors, r.Violation); problem != "" {
			t.Errorf("executing the counterexample again: %s", problem)
		}
	}
	return r
}

// generators of random protocols, by their subject.
var generators = []struct {
	name string
	make func(seed uint64) *toy.Protocol
}{{"messages", toy.Messages.Random}, {"histories", toy.Auxiliary.Random}, {"events", toy.Events.Random}, {"watching", toy.Watching(toy.Events.Random)}, {"quorums", toy.Quorums.Random}}

const (
	maxTwinStates = 1000
	maxStates     = 10000
)

// The reduced search finds what the dumb twin finds, on random protocols whose runs are finite: the same ends, whether the invariant
// holds, and which handlers fail.
func TestReducedSearchAgreesWithTwin(t *testing.T) {
	for _, g := range generators {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			var tl tally
			for seed := range uint64(*programs) {
				tl.compare(t, seed, g.make)
			}
			t.Logf("%+v", tl)
			if tl.Compared < *programs/10 || tl.Reduced >= tl.All || tl.Violated == 0 {
				t.Errorf("the protocols are of little use: %+v", tl)
			}
		})
	}
}

var programs = flag.Int("programs", 80, "how many random programs of each kind are compared")

// tally counts compared programs.
type tally struct {
	Compared, Violated, Failing int
	Larger                      int    // with at least 100 states
	All, Reduced                uint64 // transitions of complete searches
}

func (tl *tally) compare(t *testing.T, seed uint64, make func(uint64) *toy.Protocol) {
	p := make(seed)
	fails := failureOf(p, seed)
	inControl := func(actor int, control uint64) toy.Fact {
		return toy.Fact{Actor: p.Actors[actor].Name, Test: toy.Test{Field: 0, Is: "==", Value: int(control % 2)}}
	}
	h := space.Hashing(seed / 12 % 2)
	for _, facts := range [][]toy.Fact{nil, {inControl(0, seed/3), inControl(1, seed/6)}} {
		twins, found := observe(make(seed), seed, facts, fails), observe(make(seed), seed, facts, fails)
		want := twin.Explore(twins, twin.Options{MaxStates: maxTwinStates, MaxPending: 12})
		if want.TooLarge || want.Cycle || want.Err != nil {
			return
		}
		got := stateless(t, found, h, true)
		if got == nil || !got.Complete {
			return
		}
		tl.Compared++
		if want.States >= 100 {
			tl.Larger++
		}
		if want.Violations > 0 {
			tl.Violated++
		}
		if want.Failures > 0 {
			tl.Failing++
		}
		if (want.Violations > 0) != (got.Violations > 0) || !maps.Equal(twins.terminal, found.terminal) {
			t.Errorf("seed %d, model %s, facts %+v, failing %q: %d violations and %d ends, the twin has %d and %d",
				seed, found.Delivery, facts, fails, got.Violations, len(found.terminal), want.Violations, len(twins.terminal))
		}
		if all := stateless(t, observe(make(seed), seed, facts, fails), h, false); all.Complete && found.Delivery == model.M {
			tl.All, tl.Reduced = tl.All+all.Transitions, tl.Reduced+got.Transitions
			if got.Transitions > all.Transitions {
				t.Errorf("seed %d: %d transitions with the reduction, %d without", seed, got.Transitions, all.Transitions)
			}
		}
	}
}

// failureOf is one of the failures of a protocol, for some seeds.
func failureOf(p *toy.Protocol, seed uint64) string {
	if seed%2 == 0 {
		return ""
	}
	probe := &noting{Protocol: p, failures: map[string]bool{}}
	twin.Explore(probe, twin.Options{MaxStates: 500, MaxPending: 12})
	failures := slices.Sorted(maps.Keys(probe.failures))
	if len(failures) == 0 {
		return ""
	}
	return failures[seed/2%uint64(len(failures))]
}

// noting notes how a protocol fails.
type noting struct {
	*toy.Protocol
	failures map[string]bool
}

func (n *noting) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := n.Protocol.Steps(ctx, questions)
	for _, a := range answers {
		for _, o := range a.Outcomes {
			if o.Failure != nil {
				n.failures[o.Failure.Text] = true
			}
		}
	}
	return answers, err
}
