package dbss_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

// memory is a log of some levels, to which a search adds further ones.
type memory struct {
	levels []logged
	read   int
	links  []dbss.Link // of the level that was read last, which were not given yet
	fresh  []dbss.Link // of the level that is written
	closed bool
	full   bool // there is no room for scratch files
}

// A logged level has its links in order.
type logged struct {
	Links  []dbss.Link
	Counts dbss.Counts
}

func (m *memory) Read() (dbss.Counts, bool) {
	if m.read == len(m.levels) {
		return dbss.Counts{}, false
	}
	m.read++
	m.links = m.levels[m.read-1].Links
	return m.levels[m.read-1].Counts, true
}

func (m *memory) Next() ([]dbss.Link, error) {
	n := min(len(m.links), 7)
	next := m.links[:n]
	m.links = m.links[n:]
	return next, nil
}

func (m *memory) Write(links []dbss.Link) { m.fresh = append(m.fresh, links...) }

func (m *memory) End(counts dbss.Counts) {
	m.levels = append(m.levels, logged{m.fresh, counts})
	m.fresh = nil
	m.read++
}

func (m *memory) Scratch() (*os.File, error) {
	if m.full {
		return os.OpenFile("/dev/full", os.O_RDWR, 0)
	}
	f, err := os.CreateTemp("", "scratch")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func (m *memory) Close() { m.closed = true }

// A logged search has what it knows numbered as another one had.
type loggedSearch struct {
	program   *toy.Protocol
	symmetric bool
	options   dbss.Options
	numbering space.Numbering
}

func (l loggedSearch) run(m *memory) searched {
	l.program.Forget()
	actors, err := space.NewActors(l.program, space.Decomposition{Visible: l.program.Visible})
	if err != nil {
		return searched{err: err}
	}
	o := l.options
	if l.symmetric {
		group, err := symmetry.Find(actors)
		if err != nil {
			return searched{err: err}
		}
		o.Canonical = group.Canonicalizer
	}
	o.Log = func(string) (dbss.Log, error) {
		if !l.numbering.Restore(actors.Values) {
			return nil, errors.New("the numbers differ")
		}
		return m, nil
	}
	checker := property.NewChecker(l.program, actors)
	r, err := dbss.Search(context.Background(), actors, checker, o, &dbss.Progress{})
	return searched{l.program, actors, checker, r, err}
}

// TestSearchesGoOn has searches of random programs go on from the log of each of their levels, by as many workers or others, and
// demands what the search finds that was not interrupted.
func TestSearchesGoOn(t *testing.T) { searchesGoOn(t, 60) }

// TestForgetfulSearchesGoOn does so with workers that forget what they remember all the time.
func TestForgetfulSearchesGoOn(t *testing.T) {
	dbss.Forgetful(t)
	searchesGoOn(t, 20)
}

func searchesGoOn(t *testing.T, programs uint64) {
	var resumed, violated atomic.Uint64
	inParallel(t, taken(programs), func(seed uint64) {
		kind := kinds[seed%uint64(len(kinds))]
		p, symmetric := kind.draw(seed), false
		if seed%3 == 0 {
			p, symmetric = toy.Symmetric.Random(seed), true
		}
		o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: seed%4 != 1, MaxDepth: int(seed%2) * 6, MaxStates: 3000, Workers: 1 + int(seed/2%2)}
		whole := &memory{}
		l := loggedSearch{p, symmetric, o, space.Numbering{}}
		want := l.run(whole)
		if want.err != nil || !whole.closed {
			t.Errorf("seed %d: closed %v, %v", seed, whole.closed, want.err)
			return
		}
		if want.States >= o.MaxStates {
			return
		}
		l.numbering = space.NumberingOf(want.actors.Values)
		for n := range len(whole.levels) + 1 {
			l.options.Workers = 1 + (n+int(seed))%2*2
			log := &memory{levels: slices.Clone(whole.levels[:n])}
			got := l.run(log)
			resumed.Add(1)
			if want.Violation != nil {
				violated.Add(1)
			}
			if problem := difference(got, want, whole, log, o); problem != "" {
				t.Errorf("seed %d, from level %d of %d, by %d workers and then %d: %s", seed, n, len(whole.levels), o.Workers, l.options.Workers, problem)
			}
		}
	})
	if resumed.Load() < 5*taken(programs) || violated.Load() < taken(programs) {
		t.Errorf("%d searches went on, %d of them to a violation", resumed.Load(), violated.Load())
	}
}

// difference says in what a search that went on differs from the one that was not interrupted.
func difference(got, want searched, whole, log *memory, o dbss.Options) string {
	switch {
	case got.err != nil:
		return got.err.Error()
	case got.verdict() != want.verdict() || got.Complete != want.Complete || got.Reason != want.Reason:
		return fmt.Sprintf("%s, %v, %q, want %s, %v, %q", got.verdict(), got.Complete, got.Reason, want.verdict(), want.Complete, want.Reason)
	case want.Violation != nil && len(got.Violation.Path) != len(want.Violation.Path):
		return fmt.Sprintf("a run of %d, want %d", len(got.Violation.Path), len(want.Violation.Path))
	case want.Violation != nil && got.replay() != "":
		return got.replay()
	case want.Violation != nil && !o.KeepGoing:
		return "" // several workers end at different states of a level
	case !reflect.DeepEqual(got.figures(), want.figures()) || got.Depth != want.Depth || got.Reduced != want.Reduced:
		return fmt.Sprintf("it found\n%+v, want\n%+v", got.figures(), want.figures())
	case len(log.levels) != len(whole.levels):
		return fmt.Sprintf("the log has %d levels, want %d", len(log.levels), len(whole.levels))
	}
	return ""
}

// An observed system notes what transitions did at each position: what systems may remember of them.
type observed struct {
	model.System
	mu   sync.Mutex
	seen map[string]bool
}

func (r *observed) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	f := r.Facts(s, t)
	own := s[t.Slot+1]
	after, undo, err := r.System.Apply(s, t, undo)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !errors.Is(err, model.ErrDisabled) {
		r.seen[fmt.Sprint(t.Slot, own, t.Step, err)] = true
	}
	for _, c := range undo {
		if c.Position != t.Slot+1 {
			r.seen[fmt.Sprint(f.Effect, c.Position, c.Old, after[c.Position])] = true
		}
	}
	return after, undo, err
}

// TestSystemsComeToKnowTheSame has searches go on from the logs of others, and compares what their systems saw.
func TestSystemsComeToKnowTheSame(t *testing.T) {
	compared := 0
	for seed := range taken(60) {
		kind := kinds[seed%uint64(len(kinds))]
		p := kind.draw(seed)
		p.Forget()
		actors, err := space.NewActors(p, space.Decomposition{Visible: p.Visible})
		if err != nil {
			t.Fatal(err)
		}
		checker := property.NewChecker(p, actors)
		run := func(workers int, m *memory) map[string]bool {
			r := &observed{System: actors, seen: map[string]bool{}}
			o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: 3000, Workers: workers}
			o.Log = func(string) (dbss.Log, error) { return m, nil }
			if got, err := dbss.Search(context.Background(), r, checker, o, &dbss.Progress{}); err != nil || !got.Complete && got.Reason != "" {
				return nil
			}
			return r.seen
		}
		whole := &memory{}
		want := run(3, whole)
		if len(want) < 20 {
			continue
		}
		compared++
		for n := range len(whole.levels) + 1 {
			if got := run(1+n%2*2, &memory{levels: slices.Clone(whole.levels[:n])}); !maps.Equal(got, want) {
				t.Errorf("seed %d, from level %d of %d: %d are seen, want %d", seed, n, len(whole.levels), len(got), len(want))
			}
		}
	}
	if compared < int(taken(60))/5 {
		t.Errorf("%d programs were compared", compared)
	}
}

// TestLogsOfOtherSearchesAreRefused has a search go on from logs that were changed: it ends with an error, or as without one.
func TestLogsOfOtherSearchesAreRefused(t *testing.T) {
	var l loggedSearch
	var whole *memory
	for seed := uint64(1); whole == nil || len(whole.levels) < 4 || len(whole.levels[2].Links) < 3; seed++ {
		whole = &memory{}
		l = loggedSearch{options: dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: 3000}, program: toy.Messages.Random(seed)}
		if got := l.run(whole); got.err != nil {
			t.Fatal(got.err)
		}
	}
	for name, change := range map[string]func(l *logged){
		"a link less":        func(l *logged) { l.Links = l.Links[1:] },
		"a link twice":       func(l *logged) { l.Links = slices.Insert(l.Links, 1, l.Links[0]) },
		"another order":      func(l *logged) { slices.Reverse(l.Links) },
		"another parent":     func(l *logged) { l.Links[0].Parent += 1000 },
		"another transition": func(l *logged) { l.Links[0].Transition += 1000 },
		"states":             func(l *logged) { l.Counts.States++ },
		"terminal states":    func(l *logged) { l.Counts.Terminal++ },
	} {
		log := &memory{levels: slices.Clone(whole.levels)}
		log.levels[2].Links = slices.Clone(log.levels[2].Links)
		change(&log.levels[2])
		var refused *model.UsageError
		if got := l.run(log); !errors.As(got.err, &refused) {
			t.Errorf("%s: %v", name, got.err)
		}
	}
}
