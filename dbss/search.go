// Package dbss is decomposition-based stateful search (Saissi, Bokor, Muftuoglu, Suri, Serafini: Efficient Verification of
// Distributed Protocols Using Stateful Model Checking), with the searches that it is compared with.
//
// There is one way to take a transition (worker.take): look the successor up in the visited set and, if it is new, test it
// and hand it to the frontier (worker.arrive). Where levels are in files, what comes between is done for all states that a level leads to at
// its end. What searches differ in are values:
//
//	model.System   what its states tell apart: their relevant parts (selective hashing), or all; single or macro steps
//	frontier       a stack (depth-first, stateless), with or without selective push-on-stack, or a queue (breadth-first)
//	store          keeps states (tree compression), hashes (hash compaction), or nothing (stateless)
//	Canonical      which states count as one, with symmetry
//	Reduction      which transitions are followed
//
// Several workers share the system, the checker and the store; each has a current state and a frontier of its own, and
// frontiers share out the work.
//
// Under selective hashing a search is one of the relevant system of the paper's Definition 2. If the decomposition is one
// (Definition 1), which package audit checks, it misses no violation (Theorem 1), a violation that it finds is real
// (Theorem 2), and it ends if there are finitely many relevant states (Theorem 3).
package dbss

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/property"
)

// Search explores the states of a system until all are tested, a violation is found, a bound is reached or ctx ends;
// Result.Reason is then the context's cause. The error is that of an oracle that could not answer; the result has the
// figures so far. Progress may be read meanwhile.
func Search(ctx context.Context, system model.System, checker Checker, o Options, p *Progress) (*Result, error) {
	store, err := o.newStore()
	if err != nil {
		return nil, err
	}
	if o.Run == nil {
		o.Run = func(ctx context.Context, worker func(context.Context)) { worker(ctx) }
	}
	e := &engine{Options: o, system: system, checker: checker, store: store, progress: p}
	if e.shared, err = e.newShared(); err != nil {
		return nil, errors.Join(err, store.close())
	}
	e.run(ctx)
	e.finish(ctx)
	if err := store.close(); err != nil {
		e.fail(ctx, fmt.Errorf("giving back the memory of the visited set: %w", err))
	}
	return &e.result, e.err
}

// Options say how to search. The zero value searches depth-first, with one worker and an exact store, to the end or the
// first violation.
type Options struct {
	Order Order
	Store Store // BreadthFirst takes states from it, so it must be Exact there; Stateless has none
	// Workers is how many workers search at once; 0 means one. With any number of them a complete search comes to the
	// same figures, but for Depth and Frames.
	Workers int
	// MaxDepth is the longest run that is followed, in transitions; 0 means no bound. Breadth-first search reaches exactly
	// the states within that distance. Depth-first search may miss some: a state visited at the bound is not expanded when
	// it is reached again on a shorter run.
	MaxDepth   int
	MaxStates  uint64 // the search ends where there is one state more; 0 means no bound
	KeepGoing  bool   // count violations, and do not end at the first
	NoDeadlock bool   // leave out final conditions
	PushAll    bool   // give every state a frame on the search stack: no selective push-on-stack

	// What follows is optional. A function that makes something makes it for each worker.

	// Canonical makes what gives states that differ in a permutation of actors only one key in the visited set. Frontiers
	// and paths have the states themselves, so paths are runs of the system. Whatever else is set, one state of each orbit
	// is explored. Not for Stateless.
	Canonical func() Canonical
	// Orbits makes what gives states that count as one the same number, in all processes. It goes with Canonical.
	Orbits func() func(s model.State) (uint64, error)
	// Reduction makes what chooses the transitions that are followed from a state.
	Reduction func() model.Reduction
	// Between is called after 1,024 transitions, whenever there are twice as many, and at the end of a search that nothing has
	// stopped. A worker calls it while others go on, and perhaps call it too. An error ends the search.
	Between func(ctx context.Context) error
	// Beside is called by each worker after every 1,024 transitions that it takes. An error ends the search.
	Beside func(ctx context.Context) error
	// Explorer decides which transitions are followed. For Stateless with one worker only.
	Explorer Explorer
	// Levels opens the chain that keeps the levels of the search, for BreadthFirst over a model.Shared only. A search goes on from the
	// levels in the chain. Systems that leave out different things are different variants, and each variant has a chain of its own.
	Levels func(variant string) (*levels.Chain, error)
	// LevelsFailed is called when levels cannot be kept any more. The search goes on without.
	LevelsFailed func(error)
	// Handlers are those of the program. They go with Levels.
	Handlers Handlers
	// Left is how much memory is left, in bytes. When that is less than the visited set takes, a search with Levels goes on from the last
	// complete one in files. nil if there is no limit.
	Left func() uint64
	// Share has this process take tasks of a search that several processes share. For BreadthFirst over a model.Shared only, without
	// Levels and bounds, and with KeepGoing. The search goes on until its context ends, and comes to no result.
	Share *Share
	// Run calls what each worker does, on a thread that is fast at asking Java.
	Run func(ctx context.Context, worker func(context.Context))
}

// Order is the order in which a search explores.
type Order uint8

const (
	// DepthFirst follows one run as far as it goes before it turns to the next alternative.
	DepthFirst Order = iota
	// BreadthFirst explores by distance from the initial state, so its counterexamples are shortest.
	BreadthFirst
	// Stateless is depth-first search that remembers no states, and so follows every run. It ends only if all runs are
	// finite, or bounded by MaxDepth.
	Stateless
)

// A Checker decides whether the properties of a program hold in states. Several goroutines may use it at once.
type Checker interface {
	// IsBounded reports whether IsWithin may be false.
	IsBounded() bool
	// IsWithin reports whether s is one of the states that the search is about. Others are neither tested nor explored.
	IsWithin(ctx context.Context, s model.State) (bool, error)
	// Invariants returns the first invariant that does not hold in s, nil if all do.
	Invariants(ctx context.Context, s model.State) (*property.Violation, error)
	// Terminal returns a terminal state that s stands for, nil if there is none, and, if asksFinal, a violation if a final
	// condition does not hold in one. terminal reports whether no event of the system is enabled in s.
	Terminal(ctx context.Context, s model.State, terminal, asksFinal bool) (model.State, *property.Violation, error)
}

// A Canonical appends to into, which is empty, a vector that is equal for states that count as one.
type Canonical = func(s model.State, into []uint32) ([]uint32, error)

// An Explorer decides which transitions are followed from the states of the current run.
type Explorer interface {
	// Push adds the state that the transition of the last Next leads to, with the transitions that are enabled there.
	Push(s model.State, enabled []model.Transition)
	// Next returns which transition of the last state is to be followed; false if none is.
	Next() (number int, ok bool)
	// Pop removes the last state, and reports whether some of its transitions were not followed.
	Pop() (reduced bool)
	// Bytes returns the memory that the states take.
	Bytes() uint64
}

// A Result is what a search found, also if it ended early.
type Result struct {
	Complete  bool            // every reachable state was visited and tested
	Reason    string          // why not, if not and no violation ended the search
	Violation *Counterexample // the one with the shortest run of those that were found
	Failed    []string        // the properties that steps violate which fail: step invariants, and property.NoFailure
	Counts
	Levels   []uint64      // of breadth-first search: new states at each distance, of the last perhaps not all
	Manifest string        // with Options.Levels: identifies the complete levels that it rests on (levels.Chain.Sum)
	Phases   []tasks.Phase // of a shared search (Watch)
	Busy     int           // workers that took a transition

	Memory
}

// fails adds a property to those that steps violate.
func (r *Result) fails(property string) {
	if !slices.Contains(r.Failed, property) {
		r.Failed = append(r.Failed, property)
	}
}

// A Counterexample is a violation with the run that leads to it.
type Counterexample struct {
	property.Violation
	Path   []model.Transition // from the initial state; the last one fails of a HandlerFailure
	Length int

	reference *reference // with Levels
}

// Counts are what workers count.
type Counts struct {
	States      uint64   `json:"states"`
	Transitions uint64   `json:"transitions"`
	Depth       int      `json:"depth"`      // longest run followed, in transitions
	Terminal    uint64   `json:"terminal"`   // terminal states
	Violations  uint64   `json:"violations"` // that were found; more than one only with KeepGoing, or with several workers
	Leftover    uint64   `json:"-"`          // of the terminal states, how many have messages left that nobody accepts
	Reduced     uint64   `json:"-"`          // states from which some transitions were not followed
	Internal    uint64   `json:"-"`          // internal steps that macro steps took along, each once; 0 without macro steps
	Frames      uint64   `json:"-"`          // most states held by the frontier at once, added up over the workers
	HandlerRuns []uint64 `json:"-"`          // by the number of the handler; the first is of transitions that run none
	FaultsTaken []uint64 `json:"-"`          // by index in Program.Faults; those at the end may be left out if they are 0

	Outside uint64 `json:"outside,omitempty"` // states outside of a bound (@Within), which are neither tested nor explored further
}

// Count counts a transition's handler and fault.
func (c *Counts) Count(f model.Facts) { c.count(f.Handler, f.Fault, 1) }

func (c *Counts) count(handler uint32, fault uint16, n uint64) {
	count(&c.HandlerRuns, handler, n)
	if fault != 0 {
		count(&c.FaultsTaken, uint32(fault)-1, n)
	}
}

// Has reports whether a transition with the same handler and fault was counted.
func (c *Counts) Has(f model.Facts) bool {
	has := func(counts []uint64, number uint32) bool { return int(number) < len(counts) && counts[number] > 0 }
	return has(c.HandlerRuns, f.Handler) && (f.Fault == 0 || has(c.FaultsTaken, uint32(f.Fault)-1))
}

// Runs returns how many transitions ran a handler, by its number.
func (c *Counts) Runs(handler int) uint64 { return at(c.HandlerRuns, handler) }

// Taken returns how many transitions are a fault, by its index.
func (c *Counts) Taken(fault int) uint64 { return at(c.FaultsTaken, fault) }

// RanHandler reports whether some transition ran a handler.
func (c *Counts) RanHandler() bool {
	return len(c.HandlerRuns) > 1 && slices.ContainsFunc(c.HandlerRuns[1:], func(runs uint64) bool { return runs > 0 })
}

// at is one of several counts, of which those at the end may be left out.
func at(counts []uint64, i int) uint64 {
	if i < len(counts) {
		return counts[i]
	}
	return 0
}

// Add adds what another worker counted.
func (c *Counts) Add(o Counts) {
	c.States += o.States
	c.Transitions += o.Transitions
	c.Terminal += o.Terminal
	c.Leftover += o.Leftover
	c.Outside += o.Outside
	c.Violations += o.Violations
	c.Reduced += o.Reduced
	c.Depth = max(c.Depth, o.Depth)
	c.Frames += o.Frames
	for number, runs := range o.HandlerRuns {
		count(&c.HandlerRuns, uint32(number), runs)
	}
	for fault, taken := range o.FaultsTaken {
		count(&c.FaultsTaken, uint32(fault), taken)
	}
}

// count adds to one of several counts, of which there are as many as were needed so far.
func count(counts *[]uint64, number uint32, n uint64) {
	if int(number) >= len(*counts) {
		*counts = append(*counts, make([]uint64, int(number)+1-len(*counts))...)
	}
	(*counts)[number] += n
}

// Memory is the memory that a search takes, at its end.
type Memory struct {
	VisitedBytes  uint64 `json:"visitedBytes"`
	TreeBytes     uint64 `json:"treeBytes"`           // the part of VisitedBytes that the pairs of the compressed states take
	FrontierBytes uint64 `json:"frontierBytes"`       // the most that it took at any time
	MemoBytes     uint64 `json:"memoBytes"`           // of what workers remember to be faster, and can do without
	DiskBytes     uint64 `json:"diskBytes,omitempty"` // of the run files of levels and of visited states; 0 if memory was enough
}

// A Progress is filled in while a search runs, and may be read at any time.
type Progress struct {
	States, Transitions, Depth, Frontier atomic.Uint64

	mu      sync.Mutex
	givenUp []GivenUp
}

// A GivenUp is a search that was given up for another one, which leaves less out.
type GivenUp struct {
	States      uint64 `json:"states"`
	Transitions uint64 `json:"transitions"`
	Reason      string `json:"reason"` // what turned out, such as that some actors are not symmetric
}

// GiveUp notes that the search is given up, and begins anew.
func (p *Progress) GiveUp(reason string) {
	p.mu.Lock()
	p.givenUp = append(p.givenUp, GivenUp{p.States.Load(), p.Transitions.Load(), reason})
	p.mu.Unlock()
	p.Reset()
}

// GivenUp are the searches that were given up, in their order.
func (p *Progress) GivenUp() []GivenUp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.givenUp)
}

// StatesGivenUp are the states of all searches that were given up.
func (p *Progress) StatesGivenUp() (states uint64) {
	for _, g := range p.GivenUp() {
		states += g.States
	}
	return states
}

// TransitionsInAll are those of the search and of all searches that were given up.
func (p *Progress) TransitionsInAll() uint64 {
	transitions := p.Transitions.Load()
	for _, g := range p.GivenUp() {
		transitions += g.Transitions
	}
	return transitions
}

// Reset is for another search with the same progress.
func (p *Progress) Reset() {
	for _, n := range []*atomic.Uint64{&p.States, &p.Transitions, &p.Depth, &p.Frontier} {
		n.Store(0)
	}
}

// An engine is a search in progress: what its workers share.
type engine struct {
	Options
	system   model.System
	checker  Checker
	store    *store
	shared   shared
	progress *Progress
	workers  []*worker

	polls   atomic.Uint64 // how often 1,024 transitions were taken, by any worker
	states  atomic.Uint64 // counted only where there is a bound on them
	bounded atomic.Bool   // some run was not followed to its end
	stopped atomic.Bool   // the workers are to stop; set under mu
	cancel  func()        // ends the questions of workers that wait for Java

	mu     sync.Mutex // guards what follows
	result Result
	err    error
}

// shared is what the frontiers of several workers have in common.
type shared interface {
	// frontier is that of a worker that begins.
	frontier(w *worker) frontier
	// wake lets workers that wait see that the search is stopped.
	wake()
	// bytes is the largest memory that was taken, without that of the frontiers, and what is on disk.
	bytes() (memory, disk uint64)
	// look is called by a worker after every 1,024 transitions, of which it is the nth time in all.
	look(w *worker, n uint64) error
	// resume goes on from what an earlier search kept, and reports whether there is such.
	resume(ctx context.Context) (bool, error)
	// close gives back what is on disk.
	close() error
}

// A frontier holds the states that a worker has visited and is not done with, and decides which transition is next.
type frontier interface {
	// push takes over the worker's current state, which is new and expanded. by is what was taken to it, nil
	// for the initial state. If the state is not expandable, its successors do not count.
	push(ctx context.Context, at place, by *successor, expandable bool) error
	// next makes current the state to go on from and returns the successor to go to, which holds until push. It is counted; those to states
	// that the worker met lately are counted and passed over.
	// It waits while other workers may still have something to share, and returns nil when nothing is left.
	next(ctx context.Context) (*successor, error)
	// uncount is called when the worker ends before next returned nil, to take back what was counted of transitions that were not taken.
	// untaken is what next returned last if that was not, nil if it was.
	uncount(ctx context.Context, untaken *successor) error
	// path is the path from the initial state to where by leads: a successor that next returned, or that push is to be called with.
	path(ctx context.Context, by *successor) ([]model.Transition, error)
	// recompress replaces all states that are held.
	recompress(by func(compressed) (compressed, error)) error
	// size is the number of states held, bytes the largest memory they took.
	size() uint64
	bytes() uint64
}

func (e *engine) newShared() (shared, error) {
	if e.Order == BreadthFirst {
		return newBreadth(e)
	}
	return newPool(e), nil
}

// run searches with all workers. The first of them begins with the initial state.
func (e *engine) run(ctx context.Context) {
	ctx, e.cancel = context.WithCancel(ctx)
	defer e.cancel()
	for range max(1, e.Workers) {
		e.workers = append(e.workers, newWorker(e))
	}
	if resumed, err := e.shared.resume(ctx); err != nil {
		e.fail(ctx, err)
	} else if !resumed {
		e.workers[0].begin(ctx)
	}
	var all sync.WaitGroup
	for _, w := range e.workers {
		all.Go(func() { e.Run(ctx, w.run) })
	}
	all.Wait()
	if e.Between != nil && !e.stopped.Load() {
		if err := e.Between(ctx); err != nil {
			e.fail(ctx, err)
		}
	}
}

// finish adds up what the workers found.
func (e *engine) finish(ctx context.Context) {
	r := &e.result
	r.FrontierBytes, r.DiskBytes = e.shared.bytes()
	if err := e.shared.close(); err != nil {
		e.fail(ctx, err)
	}
	for _, w := range e.workers {
		w.publish()
		r.Add(w.counts)
		if w.taken > 0 {
			r.Busy++
		}
		r.FrontierBytes += w.frontier.bytes()
		r.MemoBytes += w.composer.bytes()
	}
	if m := e.store.memo.Load(); m != nil {
		r.MemoBytes += m.bytes()
	}
	l, isBreadth := e.shared.(*breadth)
	if isBreadth {
		r.Levels = l.sizes(r.States)
	}
	r.VisitedBytes = e.store.bytes()
	r.TreeBytes = e.store.treeBytes()
	if r.Reason == "" && e.bounded.Load() {
		r.Reason = fmt.Sprintf("runs longer than %d transitions were not followed (--max-depth)", e.MaxDepth)
	}
	r.Complete = e.err == nil && r.Reason == "" && !e.stopped.Load()
	if isBreadth && l.kept != nil && !l.kept.failed {
		l.kept.prove(r)
	}
}

// stop makes the workers stop, after note has noted why, unless they are to stop already: of an error and a
// reason to end that workers come to at the same time, the first counts.
func (e *engine) stop(note func()) {
	e.mu.Lock()
	first := !e.stopped.Swap(true)
	if first {
		note()
	}
	e.mu.Unlock()
	if first {
		e.cancel()
		e.shared.wake()
	}
}

// end stops the search for a reason.
func (e *engine) end(reason string) { e.stop(func() { e.result.Reason = reason }) }

// fail stops the search because of an error.
func (e *engine) fail(ctx context.Context, err error) {
	if reason := model.EndReason(ctx, err); reason != "" {
		e.end(reason)
		return
	}
	e.stop(func() { e.err = err })
}

// violated keeps a violation if its run is the shortest so far, unless an error came first. trace adds the run.
func (e *engine) violated(v property.Violation, length int, trace func(*Counterexample) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v.Kind == property.HandlerFailure {
		e.result.fails(cmp.Or(v.Failure.Property, property.NoFailure))
	}
	if best := e.result.Violation; e.err != nil || best != nil && best.Length <= length {
		return nil
	}
	found := &Counterexample{Violation: v, Length: length}
	if length > 0 || e.Levels != nil || e.Share != nil {
		if err := trace(found); err != nil {
			return fmt.Errorf("following the run to the violation: %w", err)
		}
	}
	e.result.Violation = found
	return nil
}
