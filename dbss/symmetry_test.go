package dbss_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/symmetry"
)

// searchOrbits explores one state of each orbit of the program's group.
func searchOrbits(p model.Oracle, d space.Decomposition, o dbss.Options) (s searched, g *symmetry.Group) {
	if s.actors, s.err = space.NewActors(p, d); s.err != nil {
		return s, nil
	}
	if g, s.err = symmetry.Find(s.actors); s.err != nil {
		return s, nil
	}
	o.Canonical = g.Canonicalizer
	s.oracle, s.checker = p, property.NewChecker(p, s.actors)
	s.Result, s.err = dbss.Search(context.Background(), s.actors, s.checker, o, &dbss.Progress{})
	return s, g
}

// byHand are the permutations of a group as the twin takes them.
func byHand(p *toy.Protocol, g *symmetry.Group) []twin.Permutation {
	var all []twin.Permutation
	for _, moves := range g.Elements() {
		of := func(name string) string { return toy.Moved(moves, name) }
		known := map[string][]byte{}
		all = append(all, twin.Permutation{Name: of, Bytes: func(b []byte) (moved []byte, err error) {
			moved, ok := known[string(b)]
			if !ok {
				moved, err = p.Rename(b, of)
				known[string(b)] = moved
			}
			return moved, err
		}})
	}
	return all
}

// symmetricKinds are kinds of random programs in which actors are symmetric.
var symmetricKinds = []func(seed uint64) *toy.Protocol{
	toy.Symmetric.Random, toy.Bounded(toy.Symmetric.Random), toy.Symmetric.Random, toy.Mailboxes(toy.Symmetric.Random),
	toy.Connecting(toy.Symmetric.Random),
}

func drawSymmetric(seed uint64) *toy.Protocol {
	return symmetricKinds[seed%uint64(len(symmetricKinds))](seed)
}

const orbitBound = 250 // the twin tries all permutations of each state

// TestOrbitsAgreeWithTwin holds searches with symmetry to the dumb twin, which tries all permutations of each state, on
// random programs: all orders, pushes, stores, numbers of workers and hashings.
func TestOrbitsAgreeWithTwin(t *testing.T) {
	d := orbitsAgreeWithTwin(t, taken(35), drawSymmetric, orbitBound)
	d.check(t, int(taken(35))/2)
}

// TestOrbitsOfRoundsAgreeWithTwin does so where time goes on.
func TestOrbitsOfRoundsAgreeWithTwin(t *testing.T) {
	timed, connected := toy.Timed(toy.SymmetricTimers.Random), toy.Timed(toy.Connecting(toy.SymmetricTimers.Random))
	d := orbitsAgreeWithTwin(t, taken(50), func(seed uint64) *toy.Protocol {
		if seed%5 == 4 {
			return connected(seed)
		}
		return timed(seed)
	}, 2*orbitBound)
	d.check(t, int(taken(50))/8)
	d.Wants(t, 50, "tick", "drift", "due", "late")
}

// TestForgettingOrbitsChangesNothing does so with workers that forget what they remember all the time.
func TestForgettingOrbitsChangesNothing(t *testing.T) {
	dbss.Forgetful(t)
	d := orbitsAgreeWithTwin(t, taken(20), drawSymmetric, orbitBound)
	d.check(t, int(taken(20))/2)
}

func TestStatelessSearchMergesNothing(t *testing.T) {
	got, _ := searchOrbits(toy.Symmetric.Random(1), space.Decomposition{}, dbss.Options{Order: dbss.Stateless})
	if got.err == nil || !strings.Contains(got.err.Error(), "remembers no states") {
		t.Errorf("a stateless search with canonical vectors: %v", got.err)
	}
}

// orbitsAgreeWithTwin compares searches with symmetry to the twin on as many programs as there are seeds, without those that have more than most orbits.
func orbitsAgreeWithTwin(t *testing.T, seeds uint64, draw func(seed uint64) *toy.Protocol, most int) *orbits {
	var d orbits
	inParallel(t, seeds, func(seed uint64) {
		p := draw(seed)
		h := []struct {
			name          string
			program       *toy.Protocol // of which the twin explores all
			decomposition space.Decomposition
			last          bool
		}{
			{"all is relevant", p, space.Decomposition{}, false},
			{"selective hashing", p.Bare(), space.Decomposition{Relevant: p.Relevant}, false},
			{"full hashing", p, space.Decomposition{Relevant: p.Relevant, Hashing: space.Full}, true},
			{"without senders", p, p.Relevance(), false},
		}[seed%4]
		probe, g := searchOrbits(p, h.decomposition, probing(most))
		if g == nil {
			t.Errorf("seed %d, %s: %v", seed, h.name, probe.err)
			return
		}
		o := twin.Options{MaxStates: most, MaxPending: 12, LastMessages: h.last, Permutations: byHand(h.program, g)}
		if h.decomposition.Sender != nil {
			o.Relevant, o.UsesSender = p.Relevant, p.UsesSender
		}
		want := explore(t, seed, probe, h.program, o)
		if want.Err != nil {
			t.Errorf("seed %d, %s: the twin: %v", seed, h.name, want.Err)
			return
		}
		if !d.Takes(want, 0) {
			return
		}
		if want.Quotient != nil {
			want.Quotient.Depth, want.Quotient.Shortest = want.Depth, want.Shortest
			want = *want.Quotient
		}
		if problem := orbitProblem(p, h.decomposition, want); problem != "" {
			t.Errorf("seed %d, %s, group of %s: %s", seed, h.name, g.Order, problem)
			return
		}
		d.add(t, seed, h.program, g, want, h.last)
	})
	return &d
}

// check fails if fewer programs than expected were of use, or if they prove too little.
func (d *orbits) check(t *testing.T, atLeast int) {
	d.Check(t, atLeast)
	if t.Logf("%d orbits of %d states; orders of the groups: %v", d.orbits, d.states, d.orders); 3*d.orbits > 2*d.states {
		t.Error("these programs prove too little")
	}
}

// orbitProblem compares searches of all kinds.
func orbitProblem(p *toy.Protocol, decomposition space.Decomposition, want twin.Result) string {
	for _, m := range methods {
		m.KeepGoing, m.MaxStates = true, want.States+1
		got, _ := searchOrbits(p, decomposition, m.Options)
		if problem := got.disagreement(want); problem != "" {
			return m.name + ": " + problem
		}
		if problem := counterexampleProblem(got, m.Order, want.Shortest); problem != "" {
			return m.name + ": " + problem
		}
	}
	return ""
}

// orbits says what random symmetric programs were like.
type orbits struct {
	twin.Sample
	sync.Mutex
	orders         map[string]int
	states, orbits uint64 // of some of the programs
}

func (d *orbits) add(t *testing.T, seed uint64, p *toy.Protocol, g *symmetry.Group, want twin.Result, last bool) {
	all := twin.Result{TooLarge: true}
	if seed%4 == 1 {
		all = twin.Explore(p, twin.Options{MaxStates: 24 * orbitBound, MaxPending: 12, LastMessages: last})
	}
	d.Lock()
	defer d.Unlock()
	if d.orders == nil {
		d.orders = map[string]int{}
	}
	d.orders[g.Order.String()]++
	if all.TooLarge || all.Err != nil {
		return
	}
	d.states, d.orbits = d.states+all.States, d.orbits+want.States
	if all.States < want.States || all.Verdict() != want.Verdict() || all.Shortest != want.Shortest {
		t.Errorf("seed %d: %d orbits, %s in %d, of %d states, %s in %d",
			seed, want.States, want.Verdict(), want.Shortest, all.States, all.Verdict(), all.Shortest)
	}
}
