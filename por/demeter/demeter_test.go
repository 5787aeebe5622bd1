package demeter_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/por/demeter"
)

var (
	programs = flag.Int("programs", 15, "how many random programs of each kind are compared")
	seed0    = flag.Uint64("seed", 0, "the first of them")
)

const (
	mostStates  = 600  // of a program
	mostPending = 10   // messages
	mostGlobal  = 4000 // global skeletons, states of a local explorer, and steps of the naive search
)

// noting is a random program whose properties note the states that they are evaluated in: an invariant that holds, if there is one, all local
// states; a final condition, which may be violated, those at the end.
type noting struct {
	*toy.Protocol
	notes             bool // the invariant notes
	vectors, atTheEnd map[string]bool
}

// note makes a program. Of some kinds there is an invariant of two actors that may be violated, of some one that notes all.
func note(p *toy.Protocol, seed uint64) *noting {
	p.Invariants, p.Final = nil, &toy.Property{}
	fact := func(actor int, value uint64) toy.Fact {
		return toy.Fact{Actor: p.Actors[actor].Name, Test: toy.Test{Field: 0, Is: "==", Value: int(value % 2)}}
	}
	if seed%3 > 0 {
		p.Invariants = []toy.Property{{Facts: []toy.Fact{fact(0, seed/3), fact(1, seed/6)}}}
	}
	if seed%2 == 1 {
		p.Final.Facts = []toy.Fact{fact(0, seed/4)}
	}
	p.Pass(model.DeliveryModel(seed / 3 % 3))
	return &noting{Protocol: p, notes: seed%3 == 2, vectors: map[string]bool{}, atTheEnd: map[string]bool{}}
}

func (n *noting) Evaluate(ctx context.Context, evaluations []model.Evaluation) (judgements []model.Judgement, err error) {
	for _, e := range evaluations {
		isFinal := n.Program().Properties[e.Property].Kind.IsOfTerminalStates()
		switch {
		case isFinal:
			of, err := n.Protocol.Evaluate(ctx, []model.Evaluation{e})
			if err != nil {
				return nil, err
			}
			j := noted(e, n.atTheEnd)
			if len(n.Final.Facts) > 0 {
				j.Holds, j.Failure = of[0].Holds, of[0].Failure
			}
			judgements = append(judgements, j)
		case n.notes:
			judgements = append(judgements, noted(e, n.vectors))
		default:
			of, err := n.Protocol.Evaluate(ctx, []model.Evaluation{e})
			if err != nil {
				return nil, err
			}
			judgements = append(judgements, of...)
		}
	}
	return judgements, nil
}

func noted(e model.Evaluation, into map[string]bool) model.Judgement {
	j := model.Judgement{Holds: true}
	vector := []string{fmt.Sprintf("%x", e.History)}
	for i, a := range e.Actors {
		j.Reads = append(j.Reads, i)
		vector = append(vector, a.Name+" "+string(a.Local))
	}
	slices.Sort(vector[1:]) // positions are in the order in which actors came to be known
	into[slab.Join(vector...)] = true
	j.Reads = append(j.Reads, model.ReadHistory)
	return j
}

// decomposition has all that notes read visible to them.
func (n *noting) decomposition() space.Decomposition {
	return space.Decomposition{Hashing: space.Fields, Visible: func(property int, read map[int]bool) func([]byte) ([]byte, error) {
		if n.notes || n.Program().Properties[property].Kind.IsOfTerminalStates() {
			return func(b []byte) ([]byte, error) { return b, nil }
		}
		return n.Visible(property, read)
	}}
}

// grouped puts some actors into one or two components, for two of three seeds.
func (n *noting) grouped(seed uint64) *noting {
	if seed%3 == 0 {
		return n
	}
	random := rand.New(rand.NewPCG(seed, 48))
	groups := make([][]string, 1+random.IntN(2))
	for _, a := range n.Program().Initial.Actors {
		if g := random.IntN(len(groups) + 1); g < len(groups) {
			groups[g] = append(groups[g], a.Name)
		}
	}
	n.Program().Components = groups
	return n
}

var kinds = []struct {
	name string
	make func(seed uint64) *toy.Protocol
}{{"messages", toy.Messages.Random}, {"histories", toy.Auxiliary.Random}, {"events", toy.Events.Random},
	{"quorums", toy.Quorums.Random}, {"footprints", toy.Footprints.Random}, {"conversations", toy.Conversations}}

// TestAgreesWithTwin holds the search to the dumb twin on random programs whose runs are finite, some actors of which are one
// component: verdicts, failing handlers, terminal states and, where an invariant reads all, reachable local states and
// histories are the same, and counterexamples can be executed again. Complete runs are counted as a search without reductions counts them.
func TestAgreesWithTwin(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			var n tally
			for seed := *seed0; n.Compared < *programs && seed < *seed0+uint64(100**programs); seed++ {
				n.compare(t, seed, k.make)
			}
			t.Logf("%+v", n)
			if *seed0 == 0 && (n.Compared < *programs || n.Violated == 0 || n.Deadlocked == 0 || n.Reduced == 0 || n.Counted == 0) {
				t.Errorf("these programs prove too little: %+v", n)
			}
		})
	}
}

// tally counts compared programs: those of them that are violated, fail, or violate the final condition, those with fewer local
// traces than global ones, and those whose runs were counted.
type tally struct{ Compared, Violated, Failing, Deadlocked, Reduced, Counted int }

func (n *tally) compare(t *testing.T, seed uint64, make func(uint64) *toy.Protocol) {
	of := note(make(seed), seed)
	want := twin.Explore(of, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
	if want.TooLarge || want.Cycle || want.Err != nil || want.States < 4 {
		return
	}
	found, actors, got, f := search(t, seed, make, true)
	if got == nil || !got.Complete {
		return
	}
	n.Compared++
	if want.Deadlocks > 0 {
		n.Deadlocked++
	}
	if want.Violations > 0 {
		n.Violated++
	}
	if want.Failures > 0 {
		n.Failing++
	}
	if f.ReductionRatio > 1 {
		n.Reduced++
	}
	if (want.Violations > 0) != (got.Violations > 0) || !maps.Equal(of.atTheEnd, found.atTheEnd) || !maps.Equal(of.vectors, found.vectors) {
		t.Fatalf("seed %d, model %s, components %q: %d violations, %d terminal states, %d of local states and histories, the twin has %d, %d and %d",
			seed, found.Delivery, found.Program().Components, got.Violations, len(found.atTheEnd), len(found.vectors),
			want.Violations, len(of.atTheEnd), len(of.vectors))
	}
	for handler, runs := range got.HandlerRuns[min(1, len(got.HandlerRuns)):] {
		if label := actors.Values.HandlerLabel(handler + 1); (runs > 0) != (want.Runs[label] > 0) {
			t.Errorf("seed %d: %s runs %d times, for the twin %d times", seed, label, runs, want.Runs[label])
		}
	}
	_, firstActors, first, again := search(t, seed, make, false)
	if (first.Violation != nil) != (want.Violations > 0) || first.Violation == nil && (!first.Complete || again != f) {
		t.Fatalf("seed %d: the search that ends at the first violation: %v, complete %v, %+v; the twin has %d, the search that goes on %+v",
			seed, first.Violation, first.Complete, again, want.Violations, f)
	}
	isReplayed(t, seed, make, actors, got.Violation)
	isReplayed(t, seed, make, firstActors, first.Violation)
	if traces, ok := naive(t.Context(), actors); ok {
		n.Counted++
		if float64(traces) != f.GlobalTraces {
			t.Fatalf("seed %d, model %s, components %q: %v traces, the naive search has %d", seed, found.Delivery, found.Program().Components, f, traces)
		}
	}
}

// search searches a program in which some actors are one component. The result is nil for a program that is refused.
func search(t *testing.T, seed uint64, make func(uint64) *toy.Protocol, keepGoing bool) (*noting, *space.Actors, *dbss.Result, demeter.Figures) {
	found := note(make(seed), seed).grouped(seed)
	actors, err := space.NewActors(found, found.decomposition())
	var refused *model.UsageError
	if errors.As(err, &refused) {
		return nil, nil, nil, demeter.Figures{}
	}
	must.Do(err)
	checker := property.NewChecker(found, actors)
	if keepGoing {
		checker.KeepGoing()
	}
	system, err := demeter.New(actors, checker)
	if errors.As(err, &refused) {
		return nil, nil, nil, demeter.Figures{}
	}
	must.Do(err)
	o := dbss.Options{KeepGoing: keepGoing, MaxStates: mostGlobal, NoDeadlock: found.Delivery == model.MP}
	r, err := system.Search(t.Context(), o, &dbss.Progress{})
	if err != nil {
		t.Fatalf("seed %d, components %q: %v", seed, found.Program().Components, err)
	}
	return found, actors, r, system.Figures()
}

func isReplayed(t *testing.T, seed uint64, make func(uint64) *toy.Protocol, actors *space.Actors, v *dbss.Counterexample) {
	if v == nil {
		return
	}
	if problem := replayed.Problem(note(make(seed), seed), actors, v); problem != "" {
		t.Fatalf("seed %d: executing the counterexample again: %s", seed, problem)
	}
}

// naive counts complete runs that differ in more than the order of commuting steps: in the steps of an actor, in their order, or in the
// global at the end. It follows each run.
func naive(ctx context.Context, actors *space.Actors) (traces int, ok bool) {
	ends := map[string]bool{}
	steps := 0
	words := map[uint32][]uint32{}
	var walk func(s model.State)
	walk = func(s model.State) {
		if steps++; steps > mostGlobal {
			return
		}
		isEnd := true
		for _, by := range must.Get(actors.Enabled(ctx, s, nil)) {
			st := actors.StepOf(s, by)
			next, _, err := actors.Apply(slices.Clone(s), by, nil)
			isEnd = isEnd && (err == model.ErrDisabled || st.Fault != 0)
			if err != nil {
				continue
			}
			before := words[by.Slot]
			words[by.Slot] = append(before[:len(before):len(before)], st.Event, st.Outcome)
			walk(next)
			words[by.Slot] = before
		}
		if isEnd {
			var ids []uint32
			for position := range s {
				ids = append(append(ids, uint32(len(words[uint32(position)]))), words[uint32(position)]...)
			}
			ends[slab.Key(append(ids, s[0])...)] = true
		}
	}
	walk(actors.Initial())
	return len(ends), steps <= mostGlobal
}
