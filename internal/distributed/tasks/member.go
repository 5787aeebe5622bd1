package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"harrier/internal/distributed/levels"
)

// A chain is the levels of a search that are complete, as a process has read them.
type chain struct {
	register Register
	search   string // where the register has the search
	levels   []Level
	sum      string // the hash of the last manifest
}

// folder is that of the register for the level after the last complete one.
func (c *chain) folder() string { return folderOf(c.search, len(c.levels)) }

// take takes over the manifest of the next level.
func (c *chain) take(content []byte) error {
	var l Level
	if err := json.Unmarshal(content, &l); err != nil || l.Number != len(c.levels) || l.Before != c.sum || len(l.Parts) != l.Split.Parts {
		return &levels.DamagedError{Name: c.folder() + manifest, Text: "is torn, or of another search"}
	}
	c.levels, c.sum = append(c.levels, l), hashOf(content)
	return nil
}

// last is the last complete level; nil if there is none.
func (c *chain) last() *Level {
	if len(c.levels) == 0 {
		return nil
	}
	return &c.levels[len(c.levels)-1]
}

// outcomes reads those of some tasks, each of which has one.
func (c *chain) outcomes(of []Task, entries map[string][]byte) ([]Outcome, error) {
	all := make([]Outcome, len(of))
	for i := range of {
		if err := json.Unmarshal(entries[of[i].name()], &all[i]); err != nil {
			return nil, &levels.DamagedError{Name: c.folder() + of[i].name(), Text: "is torn"}
		}
	}
	return all, nil
}

// A Member is a member of a search. One goroutine may use it.
type Member struct {
	Files Files
	chain
	self    string
	order   *levels.Order
	sizes   Sizes
	task    *Task         // that was taken last; nil once it was handed in
	begun   time.Time     // when it was
	longest time.Duration // that a task took
	parts   map[int]bool  // that it merged for the last complete level, so that it has their files at hand
	merged  map[int]bool  // that it has merged for the next one
}

// NewMember returns a member with a name. The search is where the register has it, and the order is that of its states.
func NewMember(r Register, f Files, search, self string, o *levels.Order, sizes Sizes) *Member {
	return &Member{Files: f, chain: chain{register: r, search: search}, self: self, order: o, sizes: sizes, merged: map[int]bool{}}
}

// Sizes are the same in all members of a search.
type Sizes struct {
	Parts    int           // of a level at most, a power of two
	Large    int           // states of a part at most, until there are Parts of them
	Tasks    int           // of a level at most
	Least    int           // states of a task at least
	Span     time.Duration // of a task, about, by the pace of the level before
	Patience time.Duration // how long a member waits at least for the outcome of a task before it works it out as well
	Grace    time.Duration // how long a member leaves tasks to those that have merged their parts
}

// Usual are the sizes of searches. A task writes a file for each part, which is little beside half a second of work.
var Usual = Sizes{Parts: 64, Large: 1 << 16, Tasks: 64, Least: 16, Span: time.Second / 2, Patience: time.Second, Grace: time.Second / 20}

// Next returns the next task of this member, to whose outcome the search has come once it returns from Done. It waits for one until the
// context ends, whose cause is then the error. The order must not be in use.
func (m *Member) Next(ctx context.Context) (*Task, error) {
	for since := time.Now(); ctx.Err() == nil; {
		entries, err := m.register.Under(ctx, m.folder())
		if err != nil {
			return nil, err
		}
		if content, complete := entries[manifest]; complete {
			if err := m.take(content); err != nil {
				return nil, err
			}
			if err := readTexts(ctx, m.Files, m.last().Texts, m.order); err != nil {
				return nil, err
			}
			m.parts, m.merged = m.merged, map[int]bool{}
			since = time.Now()
			continue
		}
		waited, most := time.Since(since), m.sizes.Patience
		if waited < m.sizes.Grace {
			most = m.sizes.Grace - waited
		}
		t, err := m.choose(ctx, entries, waited)
		if t != nil || err != nil {
			m.task, m.begun = t, time.Now()
			return t, err
		}
		if err := m.register.Await(ctx, m.folder(), len(entries), most); err != nil {
			return nil, err
		}
	}
	return nil, context.Cause(ctx)
}

// choose claims a task of the next level, or makes its manifest. It returns nil if it is too early, by how long the member has waited, for
// tasks that others have claimed or whose parts others have merged, or if entries were made meanwhile.
func (m *Member) choose(ctx context.Context, entries map[string][]byte, waited time.Duration) (*Task, error) {
	all, level, err := m.open(ctx, entries)
	switch {
	case err != nil:
		return nil, err
	case level != nil:
		content, err := json.Marshal(level)
		if err == nil {
			_, err = m.register.Make(ctx, m.folder()+manifest, content)
		}
		return nil, err
	}
	best, claims, own := m.best(all, entries)
	isEarly := own == 0 && waited < m.sizes.Grace || claims > 0 && waited <= max(m.sizes.Patience, m.longest)
	if best == nil || isEarly {
		return nil, nil
	}
	made, err := m.register.Make(ctx, fmt.Sprintf("%sclaim-%s-%d", m.folder(), best.name(), claims), []byte(m.self))
	if !made || err != nil {
		return nil, err
	}
	return best, nil
}

// best is the task that fewest members have claimed, and of those the one with most states of parts that this member has merged, or else
// the first, which is the largest; nil if there is none. own is how many states of such parts it has.
func (m *Member) best(all []Task, entries map[string][]byte) (best *Task, claims, own int) {
	for i := range all {
		t, n, of := &all[i], claimsOf(&all[i], entries), 0
		for _, p := range t.Pieces {
			if m.parts[p.Part] {
				of += p.states()
			}
		}
		if best == nil || n < claims || n == claims && of > own {
			best, claims, own = t, n, of
		}
	}
	return best, claims, own
}

// claimsOf is how many members have claimed a task.
func claimsOf(t *Task, entries map[string][]byte) (n int) {
	for {
		if _, claimed := entries[fmt.Sprintf("claim-%s-%d", t.name(), n)]; !claimed {
			return n
		}
		n++
	}
}

// open returns the tasks that have no outcome, or if all have one, the manifest of the level; neither if there are no more levels.
func (m *Member) open(ctx context.Context, entries map[string][]byte) (all []Task, level *Level, err error) {
	expand := m.expanding()
	if left := without(expand, entries); len(left) > 0 {
		return left, nil, nil
	}
	candidates, err := m.outcomes(expand, entries)
	if err != nil {
		return nil, nil, err
	}
	if last := m.last(); last != nil && last.States() == 0 {
		return nil, nil, nil
	}
	merge := m.merging(candidates)
	texts := textsOf(candidates)
	if err := readTexts(ctx, m.Files, texts, m.order); err != nil {
		return nil, nil, err
	}
	if left := without(merge, entries); len(left) > 0 {
		return left, nil, nil
	}
	merged, err := m.outcomes(merge, entries)
	if err != nil {
		return nil, nil, err
	}
	if level, err = m.complete(ctx, append(expand, merge...), merged, entries); err == nil {
		level.Texts = append(texts, textsOf(merged)...)
		level.Pace = Pace{pace(candidates, level.Pace.Expand), pace(merged, level.Pace.Merge)}
	}
	return nil, level, err
}

// textsOf are the files of texts of outcomes.
func textsOf(all []Outcome) (names []string) {
	for _, o := range all {
		if o.Texts != "" && !slices.Contains(names, o.Texts) {
			names = append(names, o.Texts)
		}
	}
	return names
}

// pace is how many states tasks got through in a second, or was if they had none.
func pace(of []Outcome, was float64) float64 {
	states, seconds := 0, 0.0
	for _, o := range of {
		states, seconds = states+o.States, seconds+o.Seconds
	}
	if states == 0 || seconds == 0 {
		return was
	}
	return float64(states) / seconds
}

// without leaves out the tasks that have an outcome.
func without(all []Task, entries map[string][]byte) (left []Task) {
	for _, t := range all {
		if _, done := entries[t.name()]; !done {
			left = append(left, t)
		}
	}
	return left
}

// task is the number of states of each task of a level with some states, of which a member gets through pace in a second.
func (s Sizes) task(states int, pace float64) int {
	return max(s.Least, (states+s.Tasks-1)/s.Tasks, int(pace*s.Span.Seconds()))
}

// expanding are the tasks that expand the last complete level, the largest first.
func (m *Member) expanding() (all []Task) {
	last := m.last()
	if last == nil {
		return nil
	}
	var pieces []Piece
	size, first := m.sizes.task(last.States(), last.Pace.Expand), 0
	for _, p := range last.Parts {
		for from := 0; from < p.States; from += size {
			to := min(from+size, p.States)
			pieces = append(pieces, Piece{Part: p.Number, Runs: p.Runs, Chosen: p.Chosen, States: p.States, From: from, To: to, First: uint32(first + from)})
		}
		first += p.States
	}
	return m.grouped(false, pieces, size)
}

// merging are the tasks that merge candidates, the largest first.
func (m *Member) merging(candidates []Outcome) []Task {
	last := m.last()
	if last == nil { // the only candidate is the initial state
		return []Task{{Merge: true, Pieces: []Piece{{}}, Split: whole}}
	}
	parts := map[int]*Piece{}
	total := 0
	for _, o := range candidates {
		for _, p := range o.Parts {
			if parts[p.Number] == nil {
				parts[p.Number] = &Piece{Part: p.Number, Visited: last.visited(p.Number)}
			}
			parts[p.Number].Runs = append(parts[p.Number].Runs, p.Runs...)
			total += p.States
		}
	}
	var pieces []Piece
	for _, number := range slices.Sorted(maps.Keys(parts)) {
		pieces = append(pieces, *parts[number])
	}
	return m.grouped(true, pieces, m.sizes.task(total, last.Pace.Merge))
}

// grouped makes tasks of pieces, in the order of their parts, so that small ones are of one task. Parts next to each other mostly stay in one
// task from level to level, and so with one member.
func (m *Member) grouped(merge bool, pieces []Piece, size int) (all []Task) {
	last, room := m.last(), 0
	for i, p := range pieces {
		if i == 0 || room < p.states()/2 {
			all = append(all, Task{Level: len(m.levels), Merge: merge, Before: uint64(last.States()), Split: last.Next})
			room = size
		}
		t := &all[len(all)-1]
		t.Pieces, room = append(t.Pieces, p), room-p.states()
	}
	slices.SortStableFunc(all, func(a, b Task) int { return cmp.Compare(b.states(), a.states()) })
	for i := range all {
		all[i].Number = i
	}
	return all
}

// complete is the manifest of the level that tasks came to.
func (m *Member) complete(ctx context.Context, of []Task, merged []Outcome, entries map[string][]byte) (*Level, error) {
	l := &Level{Number: len(m.levels), Before: m.sum, Split: whole, Results: map[string]string{}}
	last := m.last()
	if last != nil {
		l.Split, l.Pace = last.Next, last.Pace
	}
	l.Parts = make([]Part, l.Split.Parts)
	for i := range l.Parts {
		l.Parts[i].Number = i
		if last != nil {
			l.Parts[i].Visited = last.visited(i)
		}
	}
	for _, o := range merged {
		for _, p := range o.Parts {
			if p.Number < 0 || p.Number >= len(l.Parts) {
				return nil, &levels.DamagedError{Name: m.folder(), Text: "has an outcome about a part that does not exist"}
			}
			l.Parts[p.Number] = p
		}
	}
	for i := range of {
		l.Results[of[i].name()] = hashOf(entries[of[i].name()])
	}
	var err error
	l.Next, err = m.next(ctx, l, last)
	return l, err
}

// next is the split of the level after one, which may have more parts than that.
func (m *Member) next(ctx context.Context, l, before *Level) (s Split, err error) {
	s = l.Split
	for s.Parts < m.sizes.Parts && l.States() > s.Parts*m.sizes.Large {
		s.Parts *= 2
	}
	if before == nil || s.Parts == 1 || l.Split.Parts > 1 {
		return s, nil
	}
	s.Positions, err = m.positions(ctx, l, before)
	return s, err
}

// positions are those by which the states of the levels after one are of parts.
func (m *Member) positions(ctx context.Context, l, before *Level) ([]uint32, error) {
	states, err := m.records(ctx, l.Parts[0], true)
	if err != nil {
		return nil, err
	}
	from, err := m.records(ctx, before.Parts[0], false)
	if err != nil {
		return nil, err
	}
	return changing(m.order, m.sizes.Parts, states, from), nil
}

// records reads a part.
func (m *Member) records(ctx context.Context, p Part, links bool) (all []levels.Record, err error) {
	err = readPart(ctx, m.Files, p, m.order, links, func(r levels.Record) bool {
		all = append(all, r)
		return true
	})
	return all, err
}

// readPart calls take with the states of a part, until it returns false.
func readPart(ctx context.Context, files Files, p Part, o *levels.Order, links bool, take func(levels.Record) bool) (err error) {
	if p.States == 0 {
		return nil
	}
	var runs []*levels.Run
	defer func() {
		for _, r := range runs {
			err = errors.Join(err, r.Close())
		}
	}()
	for _, f := range p.Runs {
		run, err := OpenRun(ctx, files, f, o)
		if err != nil {
			return err
		}
		runs = append(runs, run)
	}
	chosen, err := OpenChosen(ctx, files, p.Chosen, p.States, runs, links)
	for err == nil {
		r, ok, failed := chosen.Next()
		if err = failed; !ok || err == nil && !take(r) {
			break
		}
	}
	return err
}

// OpenChosen opens the states of a part, whose runs are open.
func OpenChosen(ctx context.Context, files Files, name string, states int, runs []*levels.Run, links bool) (*levels.Chosen, error) {
	file, err := files.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return levels.ReadChoice(runs, links, file, name, states)
}

// readTexts reads the files of texts that an order has not read yet.
func readTexts(ctx context.Context, files Files, names []string, o *levels.Order) error {
	for _, name := range names {
		if o.Knows(name) {
			continue
		}
		file, err := files.Open(ctx, name)
		if err == nil {
			err = errors.Join(o.ReadTexts(file, name), file.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// OpenRun opens a run file. The order has the texts of its components.
func OpenRun(ctx context.Context, files Files, f File, o *levels.Order) (*levels.Run, error) {
	file, err := files.Open(ctx, f.Name)
	if err != nil {
		return nil, err
	}
	run, err := levels.Open(file, f.Name, o)
	if err == nil && run.States != f.States {
		err = &levels.DamagedError{Name: f.Name, Text: "has another number of states than is said of it"}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return run, nil
}

// Task is the task that was taken last; nil once it was handed in.
func (m *Member) Task() *Task { return m.task }

// Done hands in the outcome of the task that was taken last. It reports whether it counts: another member may have been first.
func (m *Member) Done(ctx context.Context, o Outcome) (bool, error) {
	took := time.Since(m.begun)
	m.longest, o.Seconds = max(m.longest, took), took.Seconds()
	o.States = m.task.states()
	for _, p := range m.task.Pieces {
		if m.task.Merge {
			m.merged[p.Part] = true
		}
	}
	content, err := json.Marshal(o)
	if err != nil {
		return false, err
	}
	name := m.task.name()
	m.task = nil
	return m.register.Make(ctx, m.folder()+name, content)
}

// isOutcome reports whether an entry is the outcome of a task.
func isOutcome(name string) bool {
	return strings.HasPrefix(name, "expand-") || isMerge(name)
}

// isMerge reports whether it is that of a task that merges.
func isMerge(name string) bool { return strings.HasPrefix(name, "merge-") }
