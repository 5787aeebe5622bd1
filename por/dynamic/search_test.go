package dynamic_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/por/dynamic"
	"harrier/property"
)

// observed is a random protocol with properties that observe it: an invariant of two actors, and a final condition that holds,
// and notes the ends that it is asked about. What fails is not enabled, but for one failure.
type observed struct {
	*toy.Protocol
	program model.Program
	x, y    reading
	fails   string // what is left to fail
	ends    map[string]bool
}

// A reading is an actor in a control state.
type reading struct {
	name    string
	control byte
}

// In bytes of local states of random protocols.
const (
	controlAt = 1
	nameAt    = 6
)

func observe(p *toy.Protocol, x, y reading, fails string) *observed {
	o := &observed{Protocol: p, program: *p.Program(), x: x, y: y, fails: fails, ends: map[string]bool{}}
	o.program.Properties = []model.Property{{Name: "never"}, {Name: "end", Kind: model.Final}}
	if x.name == "" {
		o.program.Properties = o.program.Properties[1:]
	}
	return o
}

func (o *observed) Program() *model.Program { return &o.program }

func (o *observed) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := o.Protocol.Steps(ctx, questions)
	for i := range answers {
		answers[i].Outcomes = slices.DeleteFunc(answers[i].Outcomes, func(out model.Outcome) bool {
			return out.Failure != nil && out.Failure.Text != o.fails
		})
	}
	return answers, err
}

func (o *observed) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		if o.program.Properties[e.Property].Kind == model.Final {
			judgements = append(judgements, o.end(e))
			continue
		}
		j, met := model.Judgement{}, 0
		for i, a := range e.Actors {
			name, control := string(a.Local[nameAt:]), a.Local[controlAt]
			if name == o.x.name || name == o.y.name {
				j.Reads = append(j.Reads, i)
			}
			if (reading{name, control}) == o.x || (reading{name, control}) == o.y {
				met++
			}
		}
		j.Holds = met < 2
		judgements = append(judgements, j)
	}
	return judgements, nil
}

func (o *observed) end(e model.Evaluation) model.Judgement {
	j := model.Judgement{Holds: true}
	vector := []string{fmt.Sprintf("%x", e.History)}
	for i, a := range e.Actors {
		j.Reads = append(j.Reads, i)
		vector = append(vector, fmt.Sprintf("%s %x", a.Local[nameAt:], a.Local[:nameAt]))
	}
	slices.Sort(vector[1:]) // positions are in the order in which actors came to be known
	if o.program.Passing != model.MP {
		o.ends[fmt.Sprint(vector)] = true
	}
	j.Reads = append(j.Reads, model.ReadHistory)
	return j
}

// visible is what a property reads.
func (o *observed) visible(property int, b []byte) ([]byte, error) {
	if o.program.Properties[property].Kind == model.Final {
		return b, nil
	}
	if name := string(b[nameAt:]); name == o.x.name || name == o.y.name {
		return b[:controlAt+1], nil
	}
	return nil, nil
}

// stateless searches with or without the reduction. It returns nil for a program that is refused.
func stateless(t *testing.T, oracle model.Oracle, d model.Decomposition, maxStates uint64, isReduced bool) *dbss.Result {
	t.Helper()
	actors, err := model.NewActors(oracle, d)
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
	if isReduced {
		r, err = dynamic.Search(context.Background(), actors, checker, options, progress)
	} else {
		r, err = dbss.Search(context.Background(), actors, checker, options, progress)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// generators of random protocols, by what they are about.
var generators = []struct {
	name string
	make func(seed uint64) *toy.Protocol
}{{"messages", toy.Random}, {"histories", toy.Decomposed}, {"events", toy.Eventful}, {"quorums", toy.Quorums}}

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
			for seed := range uint64(seeds) {
				tl.compare(t, seed, g.make)
			}
			t.Logf("%+v", tl)
			if tl.Compared < seeds/10 || tl.Reduced >= tl.All || tl.Violated == 0 {
				t.Errorf("the protocols are of little use: %+v", tl)
			}
		})
	}
}

const seeds = 120

// tally says what was compared.
type tally struct {
	Compared, Violated, Failing int
	Larger                      int    // with at least 100 states
	All, Reduced                uint64 // transitions of complete searches
}

func (tl *tally) compare(t *testing.T, seed uint64, make func(uint64) *toy.Protocol) {
	p := make(seed)
	p.Pass(model.Passing(seed % 3))
	fails := failureOf(p, seed)
	for _, x := range []reading{{}, {p.Program().Initial.Actors[0].Name, byte(seed/3) % 2}} {
		y := reading{p.Program().Initial.Actors[1].Name, byte(seed/6) % 2}
		twins, found := observe(p, x, y, fails), observe(make(seed), x, y, fails)
		found.program.Passing = p.Program().Passing
		want := twin.Explore(twins, twin.Options{MaxStates: maxTwinStates, MaxPending: 12})
		if want.TooLarge || want.Cycle || want.Err != nil {
			return
		}
		d := model.Decomposition{Visible: found.visible, Hashing: model.Hashing(seed / 12 % 2)}
		got := stateless(t, found, d, maxStates, true)
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
		if (want.Violations > 0) != (got.Violations > 0) || !maps.Equal(twins.ends, found.ends) {
			t.Errorf("seed %d, model %s, invariant of %+v and %+v, failing %q: %d violations and %d ends, the twin has %d and %d",
				seed, p.Program().Passing, x, y, fails, got.Violations, len(found.ends), want.Violations, len(twins.ends))
		}
		if all := stateless(t, observe(make(seed), x, y, fails), d, maxStates, false); all.Complete && p.Program().Passing == model.M {
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
