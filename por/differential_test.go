package por_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/por/static"
)

var (
	programs  = flag.Uint64("programs", 0, "how many random programs reduced searches are compared on; 0 for few")
	firstSeed = flag.Uint64("seed", 0, "the seed of the first of them")
)

// fewPrograms is how many are compared unless -programs says so.
const fewPrograms = 150

// Bounds of the programs that are compared.
const (
	mostStates  = 1200
	mostPending = 14
	fewStates   = 40 // of programs with fewer, one in eight is of use
)

// TestReducedSearchesAgreeWithTwin holds reduced searches to the dumb twin on random programs: all hashings, orders, with symmetry and
// without it, and some with several workers, other stores, and all states pushed.
func TestReducedSearchesAgreeWithTwin(t *testing.T) {
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

// byAnalysis reduces by what footprints say.
func byAnalysis(actors *model.Actors) (func() model.Reduction, error) {
	r, err := static.New(actors, static.Options{OnlyTimers: true})
	return func() model.Reduction { return r.Reduction() }, err
}

// compareWith compares searches of a program with the twin, and says what is wrong. Seeds choose ways that not every program is searched.
// Most small programs are left out.
func (s subject) compareWith(r reducer, seed uint64, d *saving) string {
	full, why := s.unreduced()
	if states := full[0][0]; why == "" && (states.States < 10 || states.States < fewStates && seed%8 > 0) {
		why = "small"
	}
	if why != "" {
		d.Skip(why)
		return ""
	}
	want := s.explored()
	if want.Err != nil || want.TooLarge {
		d.Skip("large or wrong for the twin")
		return ""
	}
	problem, left := s.compare(r, seed, full, want)
	if problem == "" {
		d.add(want, full[0][0].States, left)
	}
	return problem
}

// references are searches without reduction, by hashing and symmetry.
type references [2][2]*found

// unreduced makes the references, and says why there are none.
func (s subject) unreduced() (full references, why string) {
	for h := range full {
		for o := range full[h] {
			if o == 1 && len(s.Roles) == 0 {
				continue
			}
			// Breadth-first, since a program that is too large may send more on each step of a long run.
			options := dbss.Options{MaxStates: mostStates, KeepGoing: true, Order: dbss.BreadthFirst}
			w := way{hashing: model.Hashing(h), orbits: o == 1, Options: options}
			if h == 1 {
				w.MaxStates *= 6 // other messages processed last, other states
			}
			f, err := s.search(w)
			switch {
			case err != nil:
				return full, "refused: " + err.Error()[:min(30, len(err.Error()))]
			case !f.Complete:
				return full, "large"
			}
			full[h][o] = f
		}
	}
	return full, ""
}

func (s subject) explored() twin.Result {
	return twin.Explore(s, twin.Options{MaxStates: 6 * mostStates, MaxPending: mostPending, KeepVectors: true, Relevant: s.Relevant})
}

// compare says what is wrong, or how many states are left.
func (s subject) compare(r reducer, seed uint64, full references, want twin.Result) (problem string, left uint64) {
	if problem := s.problem(way{}, full[0][0], want); problem != "" {
		return "without reduction: " + problem, 0
	}
	for _, w := range ways(r, s, seed) {
		f, err := s.search(w)
		if err != nil {
			return fmt.Sprintf("%s: %v", w.name, err), 0
		}
		orbits := 0
		if w.orbits {
			orbits = 1
		}
		if problem := s.difference(w, f, full[w.hashing][orbits], want); problem != "" {
			return w.name + ": " + problem, 0
		}
		if w.hashing == model.Selective && !w.orbits {
			left = f.States
		}
	}
	return "", left
}

// ways are all combinations, and for some programs one that is rare.
func ways(r reducer, s subject, seed uint64) []way {
	var all []way
	options := []dbss.Options{{}, {Order: dbss.BreadthFirst}}
	if seed/10%4 == 0 {
		options = append(options, []dbss.Options{{Workers: 3}, {Store: dbss.Compact}, {PushAll: true}, {Order: dbss.BreadthFirst, Workers: 3}}[seed%4])
	}
	for _, h := range []model.Hashing{model.Selective, model.Full} {
		for _, orbits := range []bool{false, true} {
			if orbits && len(s.Roles) == 0 {
				continue
			}
			for _, o := range options {
				o.KeepGoing = true
				name := fmt.Sprintf("full hashing %v, symmetry %v, order %d, workers %d", h == model.Full, orbits, o.Order, o.Workers)
				all = append(all, way{name: name, hashing: h, orbits: orbits, reducer: r, Options: o})
			}
		}
	}
	return all
}

// difference says how a reduced search differs from the twin, or from the search without reduction where it must not.
func (s subject) difference(w way, got, full *found, want twin.Result) string {
	if problem := s.problem(w, got, want); problem != "" {
		return problem
	}
	isExact := w.hashing == model.Selective // with full hashing ends differ by what is auxiliary, and what was processed last
	switch {
	case got.States > full.States:
		return fmt.Sprintf("%d states, without reduction %d", got.States, full.States)
	case isExact && (got.Terminal != full.Terminal || got.Leftover != full.Leftover):
		return fmt.Sprintf("%d ends, %d with messages left; without reduction %d, %d", got.Terminal, got.Leftover, full.Terminal, full.Leftover)
	}
	return ""
}

// problem says how a search differs from the twin in what it found.
func (s subject) problem(w way, got *found, want twin.Result) string {
	verdict := "verified"
	if got.Violation != nil {
		verdict = "violated"
	}
	switch {
	case !got.Complete:
		return "not complete: " + got.Reason
	case !maps.Equal(got.broken, want.Broken):
		return fmt.Sprintf("what does not hold: %v, the twin says %v", keys(got.broken), keys(want.Broken))
	case verdict != want.Verdict():
		return fmt.Sprintf("%s, the twin says %s", verdict, want.Verdict())
	case !w.orbits && !maps.Equal(got.ends, want.EndParts):
		return fmt.Sprintf("%d ends, the twin has %d", len(got.ends), len(want.EndParts))
	}
	return ""
}

func keys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "; ") }
