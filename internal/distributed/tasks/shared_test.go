package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/internal/testkit/entries"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
	"harrier/symmetry"
)

// small has levels of few states have several parts and tasks, and members soon do what others do.
var small = tasks.Sizes{Parts: 4, Large: 8, Tasks: 8, Least: 3, Patience: time.Millisecond}

// A mortal is a store whose user ends with one of its calls that change something, before it or after it.
type mortal struct {
	tasks.Files
	tasks.Register
	left   atomic.Int64 // calls until then
	end    func()
	meddle func() // called after an entry was made; nil for nothing
}

func (m *mortal) count() {
	if m.left.Add(-1) == 0 {
		m.end()
	}
}

func (m *mortal) Keep(ctx context.Context, write func(io.Writer) (string, error)) (string, error) {
	m.count()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	defer m.count()
	return m.Files.Keep(ctx, write)
}

func (m *mortal) Make(ctx context.Context, key string, content []byte) (bool, error) {
	m.count()
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	defer m.count()
	made, err := m.Register.Make(ctx, key, content)
	if m.meddle != nil {
		m.meddle()
	}
	return made, err
}

// Under counts as well, as those who only watch change nothing.
func (m *mortal) Under(ctx context.Context, folder string) (map[string][]byte, error) {
	m.count()
	return m.Register.Under(ctx, folder)
}

// A group is members that share a search, and the check.
type group struct {
	members  int
	files    *tasks.Folder
	register *entries.Register
	random   *rand.Rand
	die      bool   // members end in the middle of searches, and others begin
	key      string // by which entries are sealed; "" for none
	patient  bool   // members that cannot go on wait for the end, and the check for a second only
	meddle   func() // as in mortal
	endsAt   int    // the number of the call of the store with which the check runs into a limit; 0 for none
}

func newGroup(t *testing.T, members int, seed uint64) *group {
	return &group{members: members, files: must.Get(tasks.OpenFolder(t.TempDir())), register: entries.New(), random: rand.New(rand.NewPCG(seed, 1))}
}

// A subject is a program and how it is searched.
type subject struct {
	model.Oracle
	d         space.Decomposition
	macro     bool
	symmetric bool
}

// grounds are what a process makes of a subject.
type grounds struct {
	actors  *space.Actors
	checker *property.Checker
	system  model.Shared
	dir     *macro.System // nil for single steps
	group   *symmetry.Group
}

func (s subject) grounds(t *testing.T, keepGoing bool) grounds {
	actors := must.Get(space.NewActors(s.Oracle, s.d))
	g := grounds{actors: actors, checker: property.NewChecker(s.Oracle, actors)}
	if keepGoing {
		g.checker.KeepGoing()
	}
	g.system = &space.SharedActors{Actors: actors}
	if s.symmetric {
		var err error
		if g.group, err = symmetry.Find(actors); err != nil {
			t.Fatal(err)
		}
		if g.group.IsTrivial() {
			g.group = nil
		} else {
			g.checker.Permute(symmetry.Labels(g.group.Generators))
			g.checker.Combine(g.group)
		}
	}
	if s.macro {
		g.dir = macro.New(actors, g.checker)
		if g.group != nil {
			g.dir.Permute(g.group.Permutations())
		}
		g.system = g.dir
	}
	return g
}

func (g grounds) options(o dbss.Options) dbss.Options {
	o.Order = dbss.BreadthFirst
	if g.group != nil {
		o.Canonical, o.Orbits = g.group.Canonicalizer, g.group.Numbers
	}
	return o
}

// alone searches in one process.
func (s subject) alone(t *testing.T, o dbss.Options) (grounds, *dbss.Result, error) {
	g := s.grounds(t, o.KeepGoing)
	var r *dbss.Result
	var err error
	if g.dir != nil {
		r, err = g.dir.Search(context.Background(), g.options(o), &dbss.Progress{})
	} else {
		r, err = dbss.Search(context.Background(), g.actors, g.checker, g.options(o), &dbss.Progress{})
	}
	return g, r, err
}

// member takes tasks until the context ends, or for some calls of the store; 0 for any number.
func (s subject) member(ctx context.Context, t *testing.T, o dbss.Options, store *mortal, start tasks.Start, self string) error {
	g := s.grounds(t, o.KeepGoing)
	must.Do(g.system.Adopt(start.Variant))
	var m *tasks.Member
	o = g.options(o)
	o.KeepGoing, o.MaxStates, o.Between, o.Handlers, o.Workers = true, 0, nil, g.actors.Values, 1+len(self)%2
	o.Share = &dbss.Share{
		Scratch: func() (*os.File, error) { return files.Scratch("", "scratch-") },
		Member: func(of *levels.Order) *tasks.Member {
			m = tasks.NewMember(store, store, start.Search, self, of, small)
			return m
		},
	}
	var err error
	if g.dir != nil {
		_, err = g.dir.Share(ctx, o, &dbss.Progress{})
	} else {
		_, err = dbss.Search(ctx, g.system, g.checker, o, &dbss.Progress{})
	}
	if told, failed := dbss.Forgo(ctx, m, err); told || failed != nil {
		<-ctx.Done()
		return nil
	}
	return err
}

// entries is the register as a process sees it.
func (g *group) entries() tasks.Register {
	if g.key == "" {
		return g.register
	}
	return tasks.Sealed(g.register, []byte(g.key))
}

// serve has a member take part in searches, again and again where it dies.
func (s subject) serve(ctx context.Context, t *testing.T, o dbss.Options, g *group, number int, random *rand.Rand) {
	for life := 0; ctx.Err() == nil; life++ {
		ctx, end := context.WithCancel(ctx)
		store := &mortal{Files: g.files, Register: g.entries(), end: end, meddle: g.meddle}
		if g.die {
			store.left.Store(random.Int64N(int64(16*life + 16)))
		}
		self := fmt.Sprintf("%d-%d", number, life)
		err := tasks.Serve(ctx, store, func(ctx context.Context, start tasks.Start) error { return s.member(ctx, t, o, store, start, self) })
		if err != nil && ctx.Err() == nil && g.patient {
			<-ctx.Done()
		} else if err != nil && ctx.Err() == nil {
			t.Errorf("member %s: %v", self, err)
			end()
			return
		}
		end()
	}
}

// together searches with the members of a group.
func (s subject) together(t *testing.T, o dbss.Options, with *group) (grounds, *dbss.Result, error) {
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	defer serving.Wait()
	defer cancel()
	for member := range with.members {
		random := rand.New(rand.NewPCG(with.random.Uint64(), 1))
		serving.Go(func() { s.serve(ctx, t, o, with, member, random) })
	}
	searching, end := context.WithCancelCause(ctx)
	defer end(nil)
	store := &mortal{Files: with.files, Register: with.entries(), end: func() { end(&model.LimitError{Text: usedUp}) }}
	store.left.Store(int64(with.endsAt))
	if with.patient {
		defer time.AfterFunc(time.Second, func() { end(&model.LimitError{Text: usedUp}) }).Stop()
	}
	g := s.grounds(t, o.KeepGoing)
	watch := func(ctx context.Context, system model.System, checker dbss.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
		o.Handlers = g.actors.Values
		search, err := tasks.Begin(ctx, store, "options", system.(model.Shared).Variant())
		if err != nil {
			return &dbss.Result{Reason: model.EndReason(ctx, err)}, nil
		}
		return dbss.Watch(ctx, system, checker, o, p, tasks.NewFollower(store, store, search))
	}
	if g.dir == nil {
		r, err := watch(searching, g.system, g.checker, g.options(o), &dbss.Progress{})
		return g, r, err
	}
	g.dir.Explore = watch
	r, err := g.dir.Search(searching, g.options(o), &dbss.Progress{})
	return g, r, err
}

// problem is what differs between a search alone and one with a group, "" if nothing does.
func (s subject) problem(t *testing.T, with func() *group) string {
	plain := subject{Oracle: s.Oracle, d: s.d}
	if _, r, err := plain.alone(t, dbss.Options{KeepGoing: true, MaxStates: mostStates}); err == nil && r.Reason != "" {
		return "" // too large
	}
	for _, keepGoing := range []bool{true, false} {
		o := dbss.Options{KeepGoing: keepGoing, MaxStates: mostStates}
		_, want, wanted := s.alone(t, o)
		by := with()
		on, got, err := s.together(t, o, by)
		for err == nil && got.Reason == usedUp {
			by.endsAt += 40
			on, got, err = s.together(t, o, by)
		}
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			return fmt.Sprintf("the error is %v, not %v", err, wanted)
		}
		if err != nil {
			return ""
		}
		if problem := s.difference(on, got, want, keepGoing); problem != "" {
			return problem
		}
	}
	return ""
}

// difference is what differs between the results of a shared search and of one alone, "" if nothing does.
func (s subject) difference(on grounds, got, want *dbss.Result, keepGoing bool) string {
	if (got.Violation == nil) != (want.Violation == nil) || got.Complete != want.Complete {
		return fmt.Sprintf("complete %v, reason %q, violated %v; alone %v, %v", got.Complete, got.Reason, got.Violation != nil, want.Complete, want.Violation != nil)
	}
	if got.Violation != nil {
		if len(got.Violation.Path) != len(want.Violation.Path) && !s.macro {
			return fmt.Sprintf("the run has %d transitions, not %d", len(got.Violation.Path), len(want.Violation.Path))
		}
		if problem := replayed.Problem(s.Oracle, on.actors, got.Violation); problem != "" {
			return problem
		}
	}
	if !keepGoing && want.Violation != nil {
		return ""
	}
	if s.symmetric { // another state of an orbit may be met first
		for _, r := range []*dbss.Result{got, want} {
			r.Internal, r.HandlerRuns = 0, nil
		}
	}
	if one, other := figures(got), figures(want); one != other {
		return fmt.Sprintf("keep going %v\n%s\nalone\n%s", keepGoing, one, other)
	}
	return ""
}

const mostStates = 3000

// figures are what must not depend on who searches.
func figures(r *dbss.Result) string {
	runs := slices.Clone(r.HandlerRuns)
	for len(runs) > 0 && runs[len(runs)-1] == 0 {
		runs = runs[:len(runs)-1]
	}
	slices.Sort(runs) // numbers of handlers are of one process
	return fmt.Sprintf("%d states, %d transitions, depth %d, %d terminal, %d leftover, %d violations, %d internal, levels %v, failed %v, runs %v, faults %v",
		r.States, r.Transitions, r.Depth, r.Terminal, r.Leftover, r.Violations, r.Internal, r.Levels, r.Failed, runs, r.FaultsTaken)
}

// TestMembersAgreeWithOneProcess holds searches with one to four members to those of one process, on random programs.
func TestMembersAgreeWithOneProcess(t *testing.T) {
	for _, k := range []struct {
		name      string
		draw      func(seed uint64) *toy.Protocol
		symmetric bool
	}{
		{"messages", toy.Messages.Random, false},
		{"events", toy.Events.Random, false},
		{"quorums", func(seed uint64) *toy.Protocol { return toy.Quorums.Random(seed).Under(model.DeliveryModel(seed % 3)) }, false},
		{"auxiliary", toy.Auxiliary.Random, false},
		{"conversations", toy.Conversations, false},
		{"symmetric", toy.Symmetric.Random, true},
		{"friends", toy.Friends, true},
	} {
		t.Run(k.name, func(t *testing.T) {
			for seed := range uint64(*programs) {
				p := k.draw(seed + *seed0)
				s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0, symmetric: k.symmetric}
				members := 1 + int(seed%4)
				if problem := s.problem(t, func() *group { return newGroup(t, members, seed) }); problem != "" {
					t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
				}
			}
		})
	}
}

// TestMembersThatEnd has members end in the middle of searches and others begin: they come to the same.
func TestMembersThatEnd(t *testing.T) {
	for seed := range uint64(*programs) {
		p := toy.Conversations(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0}
		members := 1 + int(seed%3)
		if problem := s.problem(t, func() *group {
			g := newGroup(t, members, seed)
			g.die = true
			return g
		}); problem != "" {
			t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
		}
	}
}

// TestChecksThatGoOn ends checks again and again: those that go on come to the same.
func TestChecksThatGoOn(t *testing.T) {
	for seed := range uint64(*programs) {
		p := toy.Friends(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0, symmetric: seed%3 == 0}
		members := 1 + int(seed%3)
		if problem := s.problem(t, func() *group {
			g := newGroup(t, members, seed)
			g.endsAt = 4 + int(seed*7)%60
			return g
		}); problem != "" {
			t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
		}
	}
}

// TestSearchesThatRunIntoALimit holds what is told of a search that a limit ends: what it came to until then, with the violations that
// it met.
func TestSearchesThatRunIntoALimit(t *testing.T) {
	parts := false // whether some search came to a part of the states
	for seed := range uint64(*programs) {
		p := toy.Conversations(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective)}
		o := dbss.Options{KeepGoing: true, MaxStates: mostStates}
		_, all, err := s.alone(t, o)
		if err != nil || all.Reason != "" {
			continue
		}
		levels := 0
		o.Between = func(context.Context) error {
			if levels++; levels > 1+int(seed%3) {
				return &model.LimitError{Text: usedUp}
			}
			return nil
		}
		on, r, err := s.together(t, o, newGroup(t, 2, seed))
		if err != nil {
			t.Fatalf("seed %d: %v", seed+*seed0, err)
		}
		states := uint64(0)
		for _, level := range r.Levels {
			states += level
		}
		isOver := r.Reason == "" && r.States == all.States // before the limit
		if isOver != r.Complete || !isOver && r.Reason != usedUp || r.States > all.States || states != r.States {
			t.Fatalf("seed %d: %d states of %d, %d in levels, for the reason %q", seed+*seed0, r.States, all.States, states, r.Reason)
		}
		parts = parts || !isOver && r.States > 0
		if r.Violations > 0 != (r.Violation != nil) {
			t.Fatalf("seed %d: %d violations, and a run is %v", seed+*seed0, r.Violations, r.Violation != nil)
		}
		if r.Violation != nil {
			if problem := replayed.Problem(s.Oracle, on.actors, r.Violation); problem != "" {
				t.Fatalf("seed %d: %s", seed+*seed0, problem)
			}
		}
	}
	if !parts {
		t.Error("no search came to a part of the states")
	}
}

// TestViolationsDoNotHideALimit has members count violations up to a bound: that runs were cut off there is told all the same.
func TestViolationsDoNotHideALimit(t *testing.T) {
	violated := 0
	for seed := range uint64(*programs) {
		p := toy.Conversations(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective)}
		o := dbss.Options{KeepGoing: true, MaxDepth: 4, MaxStates: mostStates}
		_, want, err := s.alone(t, o)
		must.Do(err)
		if want.Violation != nil && want.Reason != "" {
			violated++
		}
		_, got, err := s.together(t, o, newGroup(t, 2, seed))
		if err != nil || got.Complete != want.Complete || got.Reason != want.Reason {
			t.Errorf("seed %d: complete %v, reason %q, error %v; alone %v, %q", seed, got.Complete, got.Reason, err, want.Complete, want.Reason)
		}
	}
	if violated == 0 {
		t.Error("no search met a violation and the bound")
	}
}

// TestSearchesThatEndBetweenLevels holds what is told of a search that ends for a reason of its own, such as a property of runs.
func TestSearchesThatEndBetweenLevels(t *testing.T) {
	p := toy.Conversations(0)
	s := subject{Oracle: p, d: p.Decomposition(space.Selective)}
	reason, levels := errors.New("a run violates a property"), 0
	_, r, err := s.together(t, dbss.Options{Between: func(context.Context) error {
		if levels++; levels == 3 {
			return reason
		}
		return nil
	}}, newGroup(t, 2, 0))
	if !errors.Is(err, reason) || r.Complete || len(r.Levels) < 3 || r.States < 3 {
		t.Errorf("error %v, complete %v, levels %v, %d states", err, r.Complete, r.Levels, r.States)
	}
}

// asLimit reports whether an error is that of a limit.
func asLimit(err error) (limit *model.LimitError, ok bool) { return limit, errors.As(err, &limit) }

const usedUp = "the time is used up"
