package dbss

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/ds/runs"
	"harrier/internal/model"
)

// kept keeps the levels of a breadth-first search in files, from which it goes on. At the end of each level, the states that the workers
// met are put in the order of files and written with the states from which they were met, then what the system came to know and what the
// search counts; then the level is complete. While a level is explored, its states in memory have the places that they have in their file.
//
// When memory is used up, the search goes on from the last complete level in files alone (filed.go), as one does that was killed.
type kept struct {
	breadth *breadth
	system  model.Shared
	space   *space
	order   *levels.Order
	chain   *levels.Chain
	asks    asking                              // the checker; nil if it does not count evaluations
	orbit   func(s model.State) (uint64, error) // nil where states are told apart by all permutations
	failed  bool                                // levels cannot be kept any more
	leaving atomic.Bool                         // the search is to go on in files
	sorter  *levels.Sorter                      // of levels in memory; nil for none
	filed   *filed                              // nil while levels are in memory
	joint   *joint                              // nil where this process searches alone; else there is no chain
	scratch runs.Open
	halves  levels.Halves // of the file that is written

	mu          sync.Mutex
	asked       []model.State // as in Report, of the level that the workers meet
	evaluations atomic.Uint64 // for how many the checker had asked when a state was added to asked
}

// A report is what a search has counted and found: in a manifest, up to the end of its level.
type report struct {
	Counts    Tally
	Bounded   bool       // some run was not followed to its end
	Failed    []string   // as in Result
	Violation *reference // as in Result
}

// A reference is a violation as the files have it: the place of the last state but one of its run, in the level before its last, and the
// last state in portable terms, or none if the last transition fails.
type reference struct {
	Length  int
	From    uint32
	Reached [][]byte
}

// news is what a search that goes on has to know beside states.
type news struct {
	System []byte     // as model.Shared gives it
	Asked  [][][]byte // the states in which the checker had to ask for evaluations
}

func newKept(b *breadth) (*kept, error) {
	e := b.engine
	system, ok := e.system.(model.Shared)
	if !ok {
		return nil, errors.New("levels of a search of this kind cannot be kept")
	}
	k := &kept{breadth: b, system: system, space: newSpace(system, e.store.tree)}
	k.order = levels.NewOrder(k.space)
	k.asks, _ = e.checker.(asking)
	if e.Orbits != nil {
		k.orbit = e.Orbits()
	}
	if e.Share != nil {
		k.scratch, k.joint = e.Share.Scratch, &joint{
			kept: k, member: e.Share.Member(k.order), divider: tasks.NewDivider(k.order), opened: map[string]*levels.Run{}, held: map[int][]tasks.File{},
		}
		return k, nil
	}
	var err error
	if k.chain, err = e.Levels(""); err == nil {
		k.scratch = k.chain.Scratch
	}
	return k, k.refused(err)
}

// again returns the system and the checker, to follow and to test states of files.
func (k *kept) again() Again {
	e := k.breadth.engine
	return Again{k.system, e.checker, e.NoDeadlock}
}

// record is a state as it is written.
func (k *kept) record(s compressed, from uint32) (r levels.Record, err error) {
	r = levels.Record{State: stateOf(s), From: from}
	if k.orbit != nil {
		r.Orbit, err = k.orbit(k.space.state(r.State))
	}
	return r, err
}

func (k *kept) kind() levels.Kind {
	if k.orbit != nil {
		return levels.Orbits | levels.Links
	}
	return levels.Links
}

// keep writes the level that the workers met, and returns it in the order of its file.
func (k *kept) keep(ctx context.Context, met level) (level, error) {
	if k.filed != nil {
		return level{}, k.filed.keep(ctx)
	}
	if k.failed {
		return met, nil
	}
	next, err := k.sorted(met)
	if err == nil {
		err = k.complete(k.contents(next))
	}
	if levels.IsOfFile(err) {
		k.fail(err)
		return met, nil
	}
	return next, err
}

// fail has the search go on without levels that are kept.
func (k *kept) fail(err error) {
	k.failed = true
	if k.breadth.engine.LevelsFailed != nil {
		k.breadth.engine.LevelsFailed(err)
	}
}

// sorted puts a level in order.
func (k *kept) sorted(met level) (sorted level, err error) {
	if k.sorter == nil {
		k.sorter = levels.NewSorter(k.order, k.scratch, roomOf(0))
	}
	by := k.sorter
	for _, c := range met.chunks {
		for i, s := range c.states {
			r, err := k.record(s, c.links[i].parent)
			if err == nil {
				err = by.Add(r)
			}
			if err != nil {
				return met, err
			}
		}
	}
	if err := by.Sort(); err != nil {
		return met, err
	}
	m, err := levels.Merge(k.order, by)
	for err == nil {
		var r levels.Record
		var ok bool
		if r, ok, err = m.Next(); !ok {
			break
		}
		sorted.chunks = pushed(sorted.chunks, compressedOf(r.State), link{parent: r.From})
	}
	return sorted, errors.Join(err, by.Clear())
}

// contents are those of the file of a level.
func (k *kept) contents(of level) levels.Contents {
	c := levels.Contents{Kind: k.kind(), Halves: &levels.Halves{}}
	for _, chunk := range of.chunks {
		c.States += len(chunk.states)
		for _, s := range chunk.states {
			c.Halves.Add(stateOf(s))
		}
	}
	c.Each = func(yield func(levels.Record) error) error {
		for _, chunk := range of.chunks {
			for i, s := range chunk.states {
				r, err := k.record(s, chunk.links[i].parent)
				if err == nil {
					err = yield(r)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	return c
}

// complete writes a level with its manifest.
func (k *kept) complete(c levels.Contents) (err error) {
	if before := k.chain.Levels(); len(before) > 0 {
		c.Before = uint64(before[len(before)-1].States)
	}
	m := levels.Manifest{States: c.States}
	if m.Run, m.Texts, err = k.chain.WriteRun(k.order, c); err != nil {
		return err
	}
	if k.filed == nil {
		k.order.ForgetFile(m.Run) // it is not read
	}
	told := news{}
	if told.System, err = k.system.News(); err != nil {
		return err
	}
	for _, s := range k.asked {
		state, err := write(k.system, s)
		if err != nil {
			return err
		}
		told.Asked = append(told.Asked, state)
	}
	k.asked = nil
	text, err := json.Marshal(told)
	if err == nil {
		m.News, err = k.chain.WriteNews(text)
	}
	if err == nil {
		m.Search, err = json.Marshal(k.report())
	}
	if err == nil {
		err = k.chain.Add(m)
	}
	return err
}

func (k *kept) report() report {
	e := k.breadth.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	r := report{Counts: TallyOf(k.breadth.counts(), e.Handlers), Bounded: e.bounded.Load(), Failed: slices.Clone(e.result.Failed)}
	if v := e.result.Violation; v != nil {
		r.Violation = v.reference
	}
	return r
}

// noteAsked notes a state that was tested if the checker has asked for evaluations since the last call.
func (k *kept) noteAsked(s model.State) {
	if k.asks == nil || k.asks.Asked() == k.evaluations.Load() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.evaluations.Store(k.asks.Asked())
	k.asked = append(k.asked, slices.Clone(s))
}

// resume goes on from the levels that are complete, if there are any. Nothing is explored meanwhile.
func (k *kept) resume(ctx context.Context) (bool, error) {
	if k.joint != nil {
		return true, k.joint.begin(ctx)
	}
	all := k.chain.Levels()
	if len(all) == 0 {
		return false, nil
	}
	for n := range all {
		if err := k.load(ctx, n); err != nil {
			return true, k.refused(err)
		}
	}
	if _, err := k.system.News(); err != nil { // they are in the files
		return true, err
	}
	return true, k.goOn(ctx)
}

// refused is the error of files that a search cannot go on from.
func (k *kept) refused(err error) error {
	var damaged *levels.DamagedError
	if k.joint == nil && errors.As(err, &damaged) {
		return &model.UsageError{Text: fmt.Sprintf("the search cannot go on: %v; --checkpoint with a new folder begins anew", damaged)}
	}
	return err
}

// load takes over a level, and has the system know what it knew at its end.
func (k *kept) load(ctx context.Context, n int) error {
	run, err := k.chain.OpenRun(n, k.order)
	if err != nil {
		return err
	}
	defer run.Close()
	text, err := k.chain.News(n)
	if err != nil {
		return err
	}
	var told news
	if err := json.Unmarshal(text, &told); err != nil {
		return &levels.DamagedError{Name: k.chain.Levels()[n].News, Text: "is not what a search wrote"}
	}
	if err := k.system.Learn(ctx, told.System); err != nil {
		return err
	}
	if err := k.again().Ask(ctx, told.Asked); err != nil {
		return err
	}
	if k.filed != nil {
		return nil
	}
	return k.visit(run, n)
}

// visit puts the states of a level into the visited set, and if it is the last one, into memory. If there is no room for the set, the
// search goes on in files.
func (k *kept) visit(run *levels.Run, n int) error {
	b := k.breadth
	w, last := b.queues[0].worker, n == len(k.chain.Levels())-1
	c, at := run.Cursor(true), 0
	for ; ; at++ {
		r, ok, err := c.Next()
		if !ok || err != nil {
			return err
		}
		s := compressedOf(r.State)
		key, err := w.class(s, w.store.key(w.composer, s))
		if err == nil {
			_, err = w.store.add(key)
		}
		if err != nil {
			return err
		}
		if last {
			b.queues[0].met = pushed(b.queues[0].met, s, link{parent: r.From})
		}
		if at%(16<<10) == 0 && b.engine.Left != nil && b.engine.Left() < b.engine.store.set.Bytes() {
			return k.toFiles()
		}
	}
}

// goOn has the workers explore the last complete level, with the figures at its end.
func (k *kept) goOn(ctx context.Context) (err error) {
	all := k.chain.Levels()
	var found report
	if err := json.Unmarshal(all[len(all)-1].Search, &found); err != nil {
		return &levels.DamagedError{Name: "a manifest", Text: "is not what a search wrote"}
	}
	b := k.breadth
	for _, q := range b.queues {
		q.worker.counts, q.held = Counts{}, 0
	}
	b.queues[0].worker.counts = found.Counts.In(b.engine.Handlers)
	b.engine.states.Store(found.Counts.States)
	b.engine.bounded.Store(found.Bounded)
	b.all, b.reached = make([]level, len(all)), nil
	states := uint64(0)
	for _, m := range all {
		states += uint64(m.States)
		b.reached = append(b.reached, states)
	}
	if states != found.Counts.States {
		return &model.UsageError{Text: "the search cannot go on: the levels of the checkpoint have another number of states than were counted"}
	}
	if k.filed == nil {
		b.all[len(all)-1] = level{b.queues[0].met}
		b.queues[0].met = nil
	}
	b.given, b.begun = 0, 0
	b.left.Store(uint64(all[len(all)-1].States))
	b.over = b.left.Load() == 0
	for _, name := range found.Failed {
		b.engine.result.fails(name)
	}
	return k.restore(ctx, found.Violation)
}

// restore finds again the run to a violation.
func (k *kept) restore(ctx context.Context, v *reference) error {
	e := k.breadth.engine
	if v == nil || e.result.Violation != nil {
		return nil
	}
	found, err := k.again().trace(ctx, v, k.at)
	if err == nil {
		e.result.Violation = found
	}
	return err
}

// canLeave reports whether there is a level to go on from in files.
func (k *kept) canLeave() bool { return k.joint == nil && !k.failed && len(k.chain.Levels()) > 0 }

// leave has the search go on in files from the last complete level. All workers wait.
func (k *kept) leave(ctx context.Context) error {
	k.leaving.Store(false)
	k.asked = nil
	for _, q := range k.breadth.queues { // these have met states that are to be met again
		q.worker.composer.recent = newRecent(recentBits)
	}
	if err := k.toFiles(); err != nil {
		return err
	}
	return k.goOn(ctx)
}

// prove puts into a result the levels that it rests on. One of another number of states than these have is not complete.
func (k *kept) prove(r *Result) {
	if k.joint != nil {
		return // the check proves what its members come to
	}
	r.Manifest = k.chain.Sum()
	states := uint64(0)
	for _, m := range k.chain.Levels() {
		states += uint64(m.States)
	}
	if r.Complete && states != r.States {
		r.Complete, r.Reason = false, fmt.Sprintf("the levels of the checkpoint have %d states, and %d were counted", states, r.States)
	}
}

// bytes returns the memory of what is in files, and the size of these.
func (k *kept) bytes() (memory, disk uint64) {
	if k.filed == nil {
		return 0, 0
	}
	return k.filed.bytes()
}

func (k *kept) close() (err error) {
	if k.sorter != nil {
		err = k.sorter.Close()
	}
	if k.joint != nil {
		clear(k.joint.held)
		err = errors.Join(err, k.joint.close())
	}
	if k.filed != nil {
		err = errors.Join(err, k.filed.close())
	}
	if k.joint == nil && !k.failed {
		if failed := k.chain.Sync(); failed != nil {
			k.fail(failed)
		}
	}
	return err
}
