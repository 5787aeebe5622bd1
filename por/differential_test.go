package por_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/twin"
	"harrier/por/static"
)

var (
	programs  = flag.Uint64("programs", 0, "how many random programs reductions are compared on; 0 for few")
	firstSeed = flag.Uint64("seed", 0, "the seed of the first of them")
)

// fewPrograms is how many are compared unless -programs says so.
const fewPrograms = 100

// Bounds of the programs that are compared.
const (
	mostStates  = 1200
	mostPending = 14
	fewStates   = 40 // of programs with fewer, one in eight is of use
)

// TestReducedStatesAgreeWithTwin compares the reduced states of random programs with all states, one by one, and these with the dumb
// twin: terminal states, violated properties and failing handlers, with all hashings, with symmetry and without it. Searches find
// the reduced states, in all orders, and some with several workers, other stores, and all states pushed.
func TestReducedStatesAgreeWithTwin(t *testing.T) {
	n := *programs
	if n == 0 {
		n = fewPrograms
	}
	var d saving
	twin.InParallel(t, *firstSeed, func(seed uint64) bool {
		if d.Size() >= int(n) {
			return false
		}
		s := drawn(seed)
		if problem := s.compareWith(byAnalysis, seed, &d); problem != "" {
			t.Errorf("seed %d: %s%s", seed, problem, smallest(s, subject.different))
		}
		return true
	})
	d.check(t)
}

// byAnalysis reduces by footprints.
func byAnalysis(actors *space.Actors) (func() model.Reduction, error) {
	r, err := static.New(actors, static.Options{OnlyTimers: true})
	return func() model.Reduction { return r.Reduction() }, err
}

// compareWith returns the error of a reduction of a program. Seeds choose searches that not every program has.
// Most small programs are left out.
func (s subject) compareWith(r reducer, seed uint64, d *saving) string {
	whole, err := s.whole()
	if err != nil {
		d.Skip(err.Error()[:min(30, len(err.Error()))])
		return ""
	}
	n := len(whole[0].States)
	if n < 10 || n < fewStates && seed%8 > 0 {
		d.Skip("small")
		return ""
	}
	want := s.explored()
	if want.Err != nil || want.TooLarge {
		d.Skip("large or wrong for the twin")
		return ""
	}
	problem, left := s.compare(r, seed, whole, want)
	if problem == "" {
		d.add(want, uint64(n), left)
	}
	return problem
}

// whole is all that there is in a program: by relevant parts first, without symmetry.
func (s subject) whole() (whole []*system, err error) {
	for _, h := range []space.Hashing{space.Fields, space.Full} {
		for _, symmetric := range []bool{false, true} {
			if symmetric && len(s.Roles) == 0 {
				continue
			}
			sys, err := s.system(h, symmetric)
			if err == nil {
				sys.Judged, err = sys.reach(nil)
			}
			if err != nil {
				return nil, err
			}
			whole = append(whole, sys)
		}
	}
	return whole, nil
}

func (s subject) explored() twin.Result {
	return twin.Explore(s, twin.Options{MaxStates: 6 * mostStates, MaxPending: mostPending, Relevant: s.Relevant})
}

// compare returns the error of a reduction, or how many states are left.
func (s subject) compare(r reducer, seed uint64, whole []*system, want twin.Result) (problem string, left uint64) {
	if all := whole[0]; uint64(len(all.States)) != want.Quotient.States || uint64(len(all.Terminal)) != want.Quotient.Terminal ||
		!maps.Equal(all.Broken, want.Broken) {
		return fmt.Sprintf("%d states, %d terminal, broken are %v; the twin has %d, %d, %v", len(all.States), len(all.Terminal), keys(all.Broken),
			want.Quotient.States, want.Quotient.Terminal, keys(want.Broken)), 0
	}
	for _, sys := range whole {
		got, problem := sys.compare(r, seed)
		if problem != "" {
			return fmt.Sprintf("full hashing %v, symmetry %v: %s", sys.hashing == space.Full, sys.canonical != nil, problem), 0
		}
		if sys == whole[0] {
			left = uint64(len(got.States))
		}
	}
	return "", left
}

// compare returns the reduced states of a system, or the error in them.
func (s *system) compare(r reducer, seed uint64) (got *reach.Judged, problem string) {
	reduction, err := r(s.actors)
	if err == nil {
		got, err = s.reach(reduction())
	}
	switch {
	case err != nil:
		return nil, err.Error()
	case !maps.Equal(got.Broken, s.Broken):
		return nil, fmt.Sprintf("broken are %v, not %v", keys(got.Broken), keys(s.Broken))
	case !maps.Equal(s.terminal(got), s.terminal(s.Judged)):
		return nil, fmt.Sprintf("%d terminal states, not %d", len(got.Terminal), len(s.Terminal))
	case len(got.States) > len(s.States):
		return nil, fmt.Sprintf("%d states, without reduction %d", len(got.States), len(s.States))
	}
	return got, s.searchProblem(reduction, seed, got)
}

// searchProblem compares reduced searches with the reduced states.
func (s *system) searchProblem(reduction func() model.Reduction, seed uint64, left *reach.Judged) string {
	options := []dbss.Options{{}, {Order: dbss.BreadthFirst}}
	if seed/10%4 == 0 {
		options = append(options, []dbss.Options{{Workers: 3}, {Store: dbss.Compact}, {PushAll: true}, {Order: dbss.BreadthFirst, Workers: 3}}[seed%4])
	}
	for _, o := range options {
		o.KeepGoing, o.Reduction, o.Canonical = true, reduction, s.canonical
		r, err := dbss.Search(context.Background(), s.actors, s.checker, o, &dbss.Progress{})
		// Which state of an orbit is met first may make a difference.
		if err != nil || !r.Complete || (r.Violation != nil) != (len(left.Broken) > 0) || s.canonical == nil && r.States != uint64(len(left.States)) ||
			r.States > uint64(len(s.States)) || s.hashing == space.Fields && r.Terminal != uint64(len(s.Terminal)) {
			return fmt.Sprintf("order %d, %d workers: %+v, %v; %d of %d states are left, %d terminal", o.Order, o.Workers, r, err,
				len(left.States), len(s.States), len(left.Terminal))
		}
	}
	return ""
}

func keys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "; ") }

// define holds what a reduction chooses in a program to the definition (graph), and says in how many states.
func (s subject) define(r reducer) (problem string, compared int) {
	sys, err := s.system(space.Fields, false)
	if err != nil {
		return "", 0
	}
	reduction, err := r(sys.actors)
	if err != nil {
		return "", 0
	}
	var chosen []choice
	reduce := reduction()
	noting := func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
		into, reduced, err := reduce(ctx, s, into)
		if reduced {
			chosen = append(chosen, choice{slices.Clone(s), slices.Clone(into)})
		}
		return into, reduced, err
	}
	if _, err = (reach.Walk{System: sys.actors, Key: reach.Exact, Most: graphStates, Reduction: noting}).States(context.Background()); err != nil {
		return "", 0
	}
	return newGraph(sys.actors, s).problem(chosen)
}
