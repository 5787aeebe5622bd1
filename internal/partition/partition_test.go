package partition_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/partition"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
	"harrier/symmetry"
)

// A hub carries messages between goroutines. It may lose some and deliver others twice.
type hub struct {
	mu       sync.Mutex
	changed  sync.Cond
	mail     map[string][]partition.Message
	gone     map[string]bool
	sent     int
	random   *rand.Rand
	lossy    bool
	kept     map[string][]byte
	joins    int                            // the number of the message with which one more member may take part; 0 for none
	kill     func(sent int) (member string) // says whom a message ends; "" for nobody
	later    bool                           // that it has ended is known later
	quit     map[string]context.CancelFunc  // by member: ends it
	endsAt   int                            // the number of the message with which the search runs into a limit; 0 for none
	end      func()                         // has it run into that
	logs     map[string]*journal            // by variant; nil if a search that ends is not gone on with
	intruder *intruder                      // nil for none
	fails    func(member, round int) error  // why a member cannot search in a round; nil for none
}

// A journal is in memory.
type journal struct {
	records [][]byte
	read    int
}

func (j *journal) Read() ([]byte, bool) {
	if j.read == len(j.records) {
		return nil, false
	}
	j.read++
	return j.records[j.read-1], true
}

func (j *journal) Append(record []byte) { j.records = append(j.records, record) }

// open opens the journal of a variant of a search, whose last record may be lost, unless a round began with it.
func (h *hub) open(variant []byte) (partition.Journal, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.logs[string(variant)]
	if was == nil {
		was = &journal{}
	}
	records := was.records
	if n := len(records); n > 0 && bytes.Contains(records[n-1], []byte(`"Round":0`)) && h.random.IntN(2) == 0 {
		records = records[:n-1]
	}
	h.logs[string(variant)] = &journal{records: slices.Clone(records)}
	return h.logs[string(variant)], nil
}

func newHub(seed uint64, lossy bool) *hub {
	h := &hub{mail: map[string][]partition.Message{}, gone: map[string]bool{}, kept: map[string][]byte{}, random: rand.New(rand.NewPCG(seed, 1)), lossy: lossy}
	h.changed.L = &h.mu
	h.kill = func(int) string { return "" }
	return h
}

const home, late = "home", "member1"

// A seat is the place of one process at a hub.
type seat struct {
	*hub
	name    string
	members []string
}

// Meet implements partition.Transport.
func (s *seat) Meet(members []string) { s.members = members }

// Put implements partition.Transport.
func (s *seat) Put(_ context.Context, name string, piece []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[name] != nil {
		return fmt.Errorf("%s is kept twice", name)
	}
	s.kept[name] = piece
	return nil
}

// Get implements partition.Transport.
func (s *seat) Get(_ context.Context, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[name] == nil {
		return nil, fmt.Errorf("%s was not kept", name)
	}
	return s.kept[name], nil
}

// Join implements partition.CoordinatorTransport.
func (s *seat) Join(ctx context.Context) (members []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.mail {
		if name != home && !s.gone[name] && (name != late || s.sent >= s.joins) {
			members = append(members, name)
		}
	}
	if members == nil { // nobody comes before the limit
		s.end()
		return nil, context.Cause(ctx)
	}
	slices.Sort(members)
	return members, nil
}

// Send implements partition.Transport.
func (s *seat) Send(m partition.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(m.Body) > partition.MostBody {
		return fmt.Errorf("a message of kind %d has %d bytes", m.Kind, len(m.Body))
	}
	s.sent++
	if s.sent == s.endsAt {
		s.end()
	}
	if victim := s.kill(s.sent); victim != "" && !s.gone[victim] {
		s.lose(victim)
	}
	if s.joins > 0 && s.sent == s.joins {
		s.mail[home] = append(s.mail[home], partition.Message{From: partition.Home, To: partition.Home, Kind: partition.Joined})
	}
	to := home
	if m.To != partition.Home {
		to = s.members[m.To]
	}
	if s.intruder != nil && s.gone[s.name] {
		return nil
	}
	if s.intruder != nil {
		s.intruder.meddle(s.hub, m, to)
	}
	copies := 1
	if s.lossy {
		switch s.random.IntN(8) {
		case 0:
			copies = 0
		case 1:
			copies = 2
		}
	}
	for range copies {
		s.mail[to] = append(s.mail[to], m)
	}
	s.changed.Broadcast()
	return nil
}

// lose ends a member. The caller holds the lock.
func (h *hub) lose(victim string) {
	h.gone[victim] = true
	tell := func() {
		h.mail[home] = append(h.mail[home], partition.Message{From: partition.Home, To: partition.Home, Kind: partition.Gone, Body: []byte(victim)})
		h.changed.Broadcast()
	}
	if !h.later {
		tell()
		return
	}
	h.quit[victim]()
	time.AfterFunc(time.Second, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		tell()
	})
}

var errKilled = errors.New("killed")

// Receive implements partition.Transport.
func (s *seat) Receive(ctx context.Context) (partition.Message, error) {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.mail[s.name]) == 0 || s.gone[s.name] {
		if ctx.Err() != nil {
			return partition.Message{}, context.Cause(ctx)
		}
		if s.gone[s.name] {
			return partition.Message{}, errKilled
		}
		s.changed.Wait()
	}
	m := s.mail[s.name][0]
	s.mail[s.name] = s.mail[s.name][1:]
	return m, nil
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

// together searches with some members.
func (s subject) together(t *testing.T, o dbss.Options, members int, h *hub) (grounds, *dbss.Result, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	searching, end := context.WithCancelCause(ctx)
	if h.intruder != nil { // what waits for a message that was taken for another one waits until then
		time.AfterFunc(time.Hour, func() { end(&model.LimitError{Text: usedUp}) })
	}
	var serving sync.WaitGroup
	h.mu.Lock()
	h.end = func() { end(&model.LimitError{Text: usedUp}) }
	h.sent, h.gone, h.mail = 0, map[string]bool{}, map[string][]partition.Message{}
	if h.logs == nil {
		h.kept = map[string][]byte{}
	}
	for member := range members {
		h.mail[fmt.Sprint("member", member)] = nil
	}
	h.quit = map[string]context.CancelFunc{}
	h.mu.Unlock()
	for member := range members {
		name := fmt.Sprint("member", member)
		ctx, quit := context.WithCancel(ctx)
		h.mu.Lock()
		h.quit[name] = quit
		h.mu.Unlock()
		rounds := 0
		serving.Go(func() {
			err := partition.Serve(ctx, &seat{hub: h, name: name}, func(ctx context.Context, start partition.Start, p *partition.Member) (*dbss.Result, error) {
				rounds++
				if h.fails != nil && h.fails(member, rounds) != nil {
					return nil, h.fails(member, rounds)
				}
				g := s.grounds(t, o.KeepGoing)
				if err := g.system.Adopt(start.Variant); err != nil {
					return nil, err
				}
				p.System, p.Values = g.system, g.actors.Values
				o := g.options(o)
				o.Partition, o.Workers, o.Between = p, 1, nil
				if !h.lossy && !h.later { // else time passes: not while a worker waits for the lock of another one
					o.Workers += member % 2
				}
				if g.dir != nil {
					return g.dir.Share(ctx, o, &dbss.Progress{})
				}
				return dbss.Search(ctx, g.system, g.checker, o, &dbss.Progress{})
			})
			if h.intruder != nil {
				h.mu.Lock()
				defer h.mu.Unlock()
				h.lose(name) // it believed that the search was over
				return
			}
			if err != nil && ctx.Err() == nil && !errors.Is(err, errKilled) {
				t.Errorf("member %d: %v", member, err)
			}
		})
	}
	g := s.grounds(t, o.KeepGoing)
	c := &partition.Coordinator{CoordinatorTransport: &seat{hub: h, name: home}, Values: g.actors.Values}
	if h.logs != nil {
		c.Journal = h.open
	}
	var r *dbss.Result
	var err error
	if g.dir != nil {
		g.dir.Explore = c.Search
		r, err = g.dir.Search(searching, g.options(o), &dbss.Progress{})
	} else {
		r, err = c.Search(searching, g.system, g.checker, g.options(o), &dbss.Progress{})
	}
	if closed := c.Close(); closed != nil {
		t.Error(closed)
	}
	cancel() // those who took no part wait for a round
	serving.Wait()
	return g, r, err
}

// problem is what differs between a search alone and one with some members, "" if nothing does. Time passes where all processes wait:
// if that never ends, the test fails.
func (s subject) problem(t *testing.T, members int, h *hub) (problem string) {
	synctest.Test(t, func(t *testing.T) { problem = s.difference(t, members, h) })
	return problem
}

func (s subject) difference(t *testing.T, members int, h *hub) string {
	plain := subject{Oracle: s.Oracle, d: s.d}
	if _, r, err := plain.alone(t, dbss.Options{KeepGoing: true, MaxStates: mostStates}); err == nil && r.Reason != "" {
		return "" // too large
	}
	for _, keepGoing := range []bool{true, false} {
		o := dbss.Options{KeepGoing: keepGoing, MaxStates: mostStates}
		_, want, wanted := s.alone(t, o)
		if h.logs != nil {
			h.logs, h.kept = map[string]*journal{}, map[string][]byte{}
		}
		on, got, err := s.together(t, o, members, h)
		for h.logs != nil && err == nil && got.Reason == usedUp {
			h.endsAt += 20
			on, got, err = s.together(t, o, members, h)
		}
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			return fmt.Sprintf("the error is %v, not %v", err, wanted)
		}
		if err != nil {
			return ""
		}
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
			continue
		}
		if s.symmetric { // another state of an orbit may be met first
			for _, r := range []*dbss.Result{got, want} {
				r.Internal, r.HandlerRuns = 0, nil
			}
		}
		if one, other := figures(got), figures(want); one != other {
			return fmt.Sprintf("keep going %v\n%s\nalone\n%s", keepGoing, one, other)
		}
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
				if problem := s.problem(t, members, newHub(seed, seed%5 == 0)); problem != "" {
					t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
				}
			}
		})
	}
}

// TestMembersThatEnd has one of several members end in the middle of searches: those that are left come to the same.
func TestMembersThatEnd(t *testing.T) {
	for seed := range uint64(*programs) {
		p := toy.Conversations(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0}
		members := 2 + int(seed%3)
		h := newHub(seed, seed%5 == 0)
		at := 10 + int(seed*7)%60
		h.kill = func(sent int) string {
			if sent == at {
				return fmt.Sprint("member", seed%2)
			}
			return ""
		}
		if seed%3 == 0 {
			h.joins = 4 + at/2
		}
		h.later = seed%4 == 1
		if problem := s.problem(t, members, h); problem != "" {
			t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
		}
	}
}

// TestSearchesThatGoOn ends searches again and again: those that go on from their journals come to the same.
func TestSearchesThatGoOn(t *testing.T) {
	for seed := range uint64(*programs) {
		p := toy.Friends(seed + *seed0)
		s := subject{Oracle: p, d: p.Decomposition(space.Selective), macro: seed%2 == 0, symmetric: seed%3 == 0}
		members := 1 + int(seed%3)
		h := newHub(seed, seed%5 == 0)
		h.logs, h.endsAt = map[string]*journal{}, 8+int(seed*7)%60
		if problem := s.problem(t, members, h); problem != "" {
			t.Fatalf("seed %d, %d members, macro %v: %s", seed+*seed0, members, s.macro, problem)
		}
	}
}

// TestSearchesThatRunIntoALimit holds what is told of a search that a limit ends: what it came to until then, with the violations that
// it met, also if no member is left.
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
		h := newHub(seed, false)
		h.endsAt = 8 + int(seed*7)%60
		if seed%2 == 0 {
			h.kill = func(sent int) string {
				if sent >= h.endsAt-2 {
					return fmt.Sprint("member", sent%2)
				}
				return ""
			}
		}
		on, r, err := s.together(t, o, 2, h)
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
		_, got, err := s.together(t, o, 2, newHub(seed, false))
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
	}}, 2, newHub(0, false))
	if !errors.Is(err, reason) || r.Complete || len(r.Levels) < 3 || r.States < 3 {
		t.Errorf("error %v, complete %v, levels %v, %d states", err, r.Complete, r.Levels, r.States)
	}
}

const usedUp = "the time is used up"
