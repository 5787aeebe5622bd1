package dbss_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

var (
	programs  = flag.Uint64("programs", 0, "how many random programs each test takes; 0 for few")
	firstSeed = flag.Uint64("seed", 0, "the seed of the first of them")
)

// taken is how many random programs a test takes: few, of which a short run takes a quarter, unless -programs sets another number.
func taken(few uint64) uint64 {
	switch {
	case *programs > 0:
		return *programs
	case testing.Short():
		return few / 4
	}
	return few
}

// orders are the search orders that every test goes through.
var orders = []struct {
	name string
	dbss.Order
}{
	{"depth-first", dbss.DepthFirst},
	{"breadth-first", dbss.BreadthFirst},
}

// searched is a program with a search of it that has ended.
type searched struct {
	oracle  model.Oracle
	actors  *space.Actors
	checker *property.Checker
	*dbss.Result
	err error
}

// search explores a program with tables of its own.
func search(ctx context.Context, oracle model.Oracle, o dbss.Options) searched {
	return searchDecomposed(ctx, oracle, space.Decomposition{}, o)
}

// searchDecomposed does so with a decomposition.
func searchDecomposed(ctx context.Context, oracle model.Oracle, d space.Decomposition, o dbss.Options) searched {
	if p, ok := oracle.(*toy.Protocol); ok && d.Visible == nil {
		d.Visible = p.Visible
	}
	actors, err := space.NewActors(oracle, d)
	if err != nil {
		return searched{err: err}
	}
	checker := property.NewChecker(oracle, actors)
	r, err := dbss.Search(ctx, actors, checker, o, &dbss.Progress{})
	return searched{oracle, actors, checker, r, err}
}

// figures are what a search and the twin must agree on.
type figures struct {
	States, Outside, Transitions, Terminal, Leftover, Violations uint64
	Runs                                                         map[string]uint64
	Faults                                                       map[int]uint64
}

func (s searched) figures() figures {
	runs := map[string]uint64{}
	for number, n := range s.HandlerRuns {
		if n > 0 {
			runs[s.actors.Values.HandlerLabel(number)] = n
		}
	}
	faults := map[int]uint64{}
	for fault, n := range s.FaultsTaken {
		if n > 0 {
			faults[fault] = n
		}
	}
	return figures{s.States, s.Outside, s.Transitions, s.Terminal, s.Leftover, s.Violations, runs, faults}
}

func figuresOf(r twin.Result) figures {
	return figures{r.States, r.Outside, r.Transitions, r.Terminal, r.Leftover, r.Violations, r.Runs, r.Faults}
}

func (s searched) verdict() string {
	if s.Violation != nil {
		return "violated"
	}
	return "verified"
}

// disagreement compares a search that kept going with the twin. It is empty if they agree.
func (s searched) disagreement(want twin.Result) string {
	switch {
	case s.err != nil:
		return s.err.Error()
	case !reflect.DeepEqual(s.figures(), figuresOf(want)):
		return fmt.Sprintf("the search found\n%+v, the twin\n%+v", s.figures(), figuresOf(want))
	case s.verdict() != want.Verdict():
		return fmt.Sprintf("%s, want %s", s.verdict(), want.Verdict())
	}
	return ""
}

// replay executes the counterexample of a search again, and says what is wrong with it.
func (s searched) replay() string { return replayed.Problem(s.oracle, s.actors, s.Violation) }

// tinyStates is the number of states under which protocols are only rarely of use.
const tinyStates = 10

// maxPending is how many messages may be in flight: where channels duplicate without bound, there may be no end of them.
const maxPending = 20

// probing are the options of a search that finds out whether there are more states. Where there is no end of messages in flight it
// does not get far: there are soon many, depth-first.
func probing(most int) dbss.Options {
	return dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: uint64(most) + 1}
}

// confirmed is how many programs too large for the twin come to one that it must find too large itself.
const confirmed = 16

// explore is what the twin finds, unless a probe has found out, much sooner than the twin would, that the program has more states than
// the twin is to explore.
func explore(t *testing.T, seed uint64, probe searched, p model.Oracle, o twin.Options) twin.Result {
	large := probe.err == nil && !probe.Complete
	if large && seed%confirmed != 1 {
		return twin.Result{TooLarge: true}
	}
	r := twin.Explore(p, o)
	if errors.Is(r.Err, twin.ErrLeftOut) {
		t.Errorf("seed %d: %v", seed, r.Err)
	}
	if large && r.Err == nil && !r.TooLarge {
		t.Errorf("seed %d: a search finds more than %d states, the twin %d", seed, o.MaxStates, r.States)
	}
	return r
}

// explorePlain explores all that a protocol has. Where many are compared, it first takes something away from one with too many states, as long as there
// is something, unless the twin is to confirm that there are too many.
func explorePlain(t *testing.T, seed uint64, p *toy.Protocol, most int) twin.Result {
	probe := search(context.Background(), p, probing(most))
	for *programs > 0 && probe.err == nil && !probe.Complete && seed%confirmed != 1 && p.Shrink() {
		probe = search(context.Background(), p, probing(most))
	}
	return explore(t, seed, probe, p, twin.Options{MaxStates: most, MaxPending: maxPending})
}

// exploreDecomposed explores a protocol with the relevant parts of its states, and its states with the messages processed
// last. If there are too many of these, or the twin fails there, it says so of the former, too.
func exploreDecomposed(t *testing.T, seed uint64, p *toy.Protocol, most, mostFull int) (parts, full twin.Result) {
	probe := searchDecomposed(context.Background(), p, space.Decomposition{Relevant: p.Relevant, Hashing: space.Full}, probing(mostFull))
	full = explore(t, seed, probe, p, twin.Options{MaxStates: mostFull, MaxPending: maxPending, LastMessages: true})
	if full.TooLarge || full.Err != nil {
		return full, full
	}
	return twin.Explore(p, twin.Options{MaxStates: most, MaxPending: maxPending, Relevant: p.Relevant, UsesSender: p.UsesSender}), full
}

// inParallel calls test with so many seeds, several at a time.
func inParallel(t *testing.T, seeds uint64, test func(seed uint64)) {
	twin.InParallel(t, *firstSeed, func(seed uint64) bool {
		if seed >= *firstSeed+seeds {
			return false
		}
		test(seed)
		return true
	})
}

// counterexampleProblem replays the counterexample. Breadth-first it is a shortest one.
func counterexampleProblem(got searched, order dbss.Order, shortest int) string {
	if got.Violation == nil {
		return ""
	}
	length := len(got.Violation.Path)
	if length < shortest || order == dbss.BreadthFirst && length > shortest || shortest == 0 && length > 0 {
		return fmt.Sprintf("the counterexample has %d transitions, the shortest %d", length, shortest)
	}
	if problem := got.replay(); problem != "" {
		return "replaying the counterexample: " + problem
	}
	return ""
}
