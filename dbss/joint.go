package dbss

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/ds/runs"
	"harrier/internal/model"
)

// A Share makes a process a member of a search.
type Share struct {
	Member  func(o *levels.Order) *tasks.Member
	Scratch func() (*os.File, error) // as in levels.Place
}

// joint works out one task after another, as filed does whole levels: the outcome of a task depends on its files alone.
type joint struct {
	kept    *kept
	member  *tasks.Member
	divider *tasks.Divider // by the split of the task
	task    *tasks.Task
	done    int                         // pieces of a task to merge that were tested and written
	choice  levels.Choice               // which candidates of the piece are new
	parts   []tasks.Part                // of the outcome
	lists   []*runs.List[levels.Record] // of candidates, by part; nil for none so far
	news    told                        // that no outcome which counts has said

	opened map[string]*levels.Run // by the names of their files
	held   map[int][]tasks.File   // by part: files with the states that were visited when this process merged it last, which stay open
}

// A finding is what the outcome of a task says of the search.
type finding struct {
	report           // of the task alone
	News    string   `json:",omitempty"` // the name of a file with told; "" for none
	Problem *problem `json:",omitempty"` // why the task has no outcome
}

// told is the knowledge of one process that others need.
type told struct {
	System [][]byte   // news, as model.Shared gives it
	Asked  [][][]byte // the states in which the checker had to ask for evaluations
}

// begin goes on with the next task. All workers wait. The search is over when the context ends.
func (j *joint) begin(ctx context.Context) (err error) {
	k := j.kept
	if k.filed == nil {
		if err := k.toFiles(); err != nil {
			return err
		}
	}
	if j.task, err = j.member.Next(ctx); err != nil {
		return err
	}
	j.divider.By(j.task.Split)
	b := k.breadth
	for _, q := range b.queues {
		q.worker.publish()
		q.worker.counts, q.worker.published = Counts{}, figures{}
		q.held = 0
	}
	b.engine.mu.Lock()
	b.engine.result.Violation, b.engine.result.Failed = nil, nil
	b.engine.mu.Unlock()
	j.kept.order.Untold() // drops those of a task that came to no end
	j.done, j.parts, b.all = 0, nil, make([]level, j.task.Level)
	if j.task.Merge {
		return j.merge(ctx)
	}
	return j.expand(ctx)
}

// proceed goes on once the workers have nothing left to do. They wait.
func (j *joint) proceed(ctx context.Context) error {
	f := j.kept.filed
	if !j.task.Merge {
		if err := j.writeCandidates(ctx); err != nil {
			return err
		}
		return j.handIn(ctx)
	}
	if err := j.writePart(ctx); err != nil {
		return err
	}
	if err := f.fresh.Clear(); err != nil {
		return onDisk(err)
	}
	if j.done++; j.done < len(j.task.Pieces) {
		return j.merge(ctx)
	}
	return j.handIn(ctx)
}

// expand has the workers take the transitions of the states of the task.
func (j *joint) expand(ctx context.Context) error {
	f, b := j.kept.filed, j.kept.breadth
	var pieces []source
	states := 0
	for _, p := range j.task.Pieces {
		runs, err := j.openAll(ctx, p.Runs)
		if err != nil {
			return err
		}
		c, err := tasks.OpenChosen(ctx, j.member.Files, p.Chosen, p.States, runs, false)
		if err != nil {
			return err
		}
		left := p.To - p.From
		for range p.From {
			if _, _, err := c.Next(); err != nil {
				return err
			}
		}
		of := placesOf(c, p.First)
		pieces = append(pieces, func() (placed, error) {
			if left--; left < 0 {
				return placed{}, nil
			}
			return of()
		})
		states += left
	}
	f.expand(func() (s placed, err error) {
		for len(pieces) > 0 {
			if s, err = pieces[0](); s.ok || err != nil {
				return s, err
			}
			pieces = pieces[1:]
		}
		return s, nil
	})
	for _, q := range b.queues { // states of another task may be new in this one
		w := q.worker
		share := f.room / uint64(len(b.queues))
		w.composer.recent, w.later.noted = w.composer.recent.emptied(states, 0), w.later.noted.emptied(states, share/2)
	}
	b.given, b.begun, f.merged = 0, 0, false
	b.left.Store(uint64(states))
	return nil
}

// open opens a run, unless it is open. It is closed with the task if it is not held.
func (j *joint) open(ctx context.Context, f tasks.File) (*levels.Run, error) {
	if run := j.opened[f.Name]; run != nil {
		return run, nil
	}
	run, err := tasks.OpenRun(ctx, j.member.Files, f, j.kept.order)
	if err == nil {
		j.opened[f.Name] = run
	}
	return run, err
}

func (j *joint) openAll(ctx context.Context, of []tasks.File) (runs []*levels.Run, err error) {
	for _, file := range of {
		run, err := j.open(ctx, file)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// writeCandidates writes to where the transitions of the task lead.
func (j *joint) writeCandidates(ctx context.Context) error {
	k := j.kept
	if err := k.filed.consume(j.divide); err != nil {
		return err
	}
	for part, of := range j.lists {
		if of == nil || of.Len() == 0 {
			continue
		}
		run, err := j.writeStates(ctx, of, k.kind())
		if err == nil {
			err = of.Clear()
		}
		if err != nil {
			return onDisk(err)
		}
		j.parts = append(j.parts, tasks.Part{Number: part, States: run.States, Runs: []tasks.File{run}})
	}
	return nil
}

// divide adds candidates to those of their parts.
func (j *joint) divide(from *levels.Merger) error {
	for {
		r, ok, err := from.Next()
		if !ok || err != nil {
			return err
		}
		part, err := j.divider.Part(r)
		if err == nil {
			err = j.add(part, r)
		}
		if err != nil {
			return err
		}
	}
}

// add adds a candidate of a part.
func (j *joint) add(part int, r levels.Record) error {
	for part >= len(j.lists) {
		j.lists = append(j.lists, nil)
	}
	if j.lists[part] == nil {
		j.lists[part] = runs.NewList[levels.Record](j.kept.scratch)
	}
	return j.lists[part].Append(r)
}

// writeStates writes a run file for all processes, with links or without as its kind says.
func (j *joint) writeStates(ctx context.Context, of *runs.List[levels.Record], kind levels.Kind) (tasks.File, error) {
	c, err := j.kept.contentsOf(of)
	if err != nil {
		return tasks.File{}, err
	}
	if c.Kind = kind; kind&levels.Links != 0 {
		c.Before = j.task.Before
	}
	name, err := j.member.Files.Keep(ctx, func(to io.Writer) (string, error) { return levels.Write(to, j.kept.order, c) })
	return tasks.File{Name: name, States: c.States, Parts: j.task.Split.Parts}, err
}

// merge finds the new states of the next part of the task, which workers then test.
func (j *joint) merge(ctx context.Context) error {
	f := j.kept.filed
	j.choice = levels.Choice{}
	if j.task.Level == 0 {
		return j.first()
	}
	piece := j.task.Pieces[j.done]
	candidates, err := j.openAll(ctx, piece.Runs)
	if err == nil {
		f.visited, err = j.openAll(ctx, piece.Visited)
	}
	if err != nil {
		return err
	}
	from, err := levels.MergeRuns(j.kept.order, candidates, true)
	if err == nil {
		err = f.subtract(ctx, from)
	}
	return onDisk(err)
}

// first has the initial state be new.
func (j *joint) first() error {
	k, f := j.kept, j.kept.filed
	s, err := k.breadth.queues[0].worker.composer.compress(k.system.Initial())
	if err != nil {
		return err
	}
	r, err := k.record(s, 0)
	if err != nil {
		return err
	}
	f.merged, f.given, f.visited = true, 0, nil
	j.choice.Add(levels.RecordAt{})
	return onDisk(f.fresh.Append(r))
}

// writePart writes which candidates of a part are new, which were tested, and names the files of visited states as they are then.
func (j *joint) writePart(ctx context.Context) (err error) {
	f := j.kept.filed
	piece := j.task.Pieces[j.done]
	part := tasks.Part{Number: piece.Part, States: f.fresh.Len(), Visited: piece.Visited}
	if part.States > 0 {
		if part.Runs = piece.Runs; j.task.Level == 0 {
			run, err := j.writeStates(ctx, f.fresh, j.kept.kind())
			if err != nil {
				return onDisk(err)
			}
			part.Runs = []tasks.File{run}
		}
		choose := func(to io.Writer) (string, error) { return j.choice.Write(to, len(part.Runs)) }
		if part.Chosen, err = j.member.Files.Keep(ctx, choose); err == nil {
			part.Visited, err = j.settle(ctx, &part)
		}
		if err != nil {
			return onDisk(err)
		}
	}
	j.parts = append(j.parts, part)
	j.held[part.Number] = slices.Concat(part.Runs, part.Visited)
	return j.close()
}

// settle returns the files of visited states with the candidates of a part, the largest first, of which one file takes the place of several
// as in filed.settle. A candidate that is no state of the level was visited before, or counts as one with a state of the level, so it may be
// among the visited states.
func (j *joint) settle(ctx context.Context, part *tasks.Part) ([]tasks.File, error) {
	visited := slices.Concat(part.Visited, part.Runs)
	size := func(of tasks.File) int { return of.States * of.Parts / j.task.Split.Parts } // about, where it has states of several parts
	slices.SortStableFunc(visited, func(a, b tasks.File) int { return size(b) - size(a) })
	sizes := make([]int, len(visited))
	for i, of := range visited {
		sizes[i] = size(of)
	}
	first := toMerge(sizes)
	if first == len(visited) {
		return visited, nil
	}
	of, err := j.openAll(ctx, visited[first:])
	if err != nil {
		return nil, err
	}
	own := runs.NewList[levels.Record](j.kept.scratch)
	defer own.Close()
	if err := j.own(part.Number, of, own); err != nil {
		return nil, err
	}
	whole, err := j.writeStates(ctx, own, j.kept.kind()&^levels.Links)
	return append(visited[:first:first], whole), err
}

// own appends the states of a part that are among those of some runs.
func (j *joint) own(part int, of []*levels.Run, to *runs.List[levels.Record]) error {
	from, err := levels.MergeRuns(j.kept.order, of, false)
	for err == nil {
		r, ok, failed := from.Next()
		if !ok || failed != nil {
			return failed
		}
		var is int
		if is, err = j.divider.Part(r); is == part && err == nil {
			err = to.Append(r)
		}
	}
	return err
}

// close closes the runs that are not held; all, if the halves in them take much of the memory.
func (j *joint) close() (err error) {
	f := j.kept.filed
	if f == nil {
		return nil // there was no task
	}
	f.visited = nil
	isFull := j.kept.order.Bytes() > f.room/8
	if isFull {
		clear(j.held)
	}
	isHeld := map[string]bool{}
	for _, files := range j.held {
		for _, of := range files {
			isHeld[of.Name] = true
		}
	}
	for name, run := range j.opened {
		if !isHeld[name] {
			err = errors.Join(err, run.Close())
			delete(j.opened, name)
		}
	}
	if isFull {
		j.kept.order.Forget()
	}
	return err
}

// handIn hands in the outcome of the task, and goes on with the next one.
func (j *joint) handIn(ctx context.Context) error {
	k := j.kept
	if err := j.close(); err != nil {
		return err
	}
	found := finding{report: k.report()}
	if err := j.tell(ctx, &found); err != nil {
		return err
	}
	outcome := tasks.Outcome{Parts: j.parts}
	var err error
	if outcome.Search, err = json.Marshal(found); err != nil {
		return err
	}
	if fresh := k.order.Untold(); len(fresh) > 0 {
		outcome.Texts, err = j.member.Files.Keep(ctx, func(to io.Writer) (string, error) { return k.order.WriteTexts(to, fresh) })
		if err != nil {
			return onDisk(err)
		}
	}
	counts, err := j.member.Done(ctx, outcome)
	if err != nil {
		return err
	}
	if counts {
		j.news, k.asked = told{}, nil
	}
	return j.begin(ctx)
}

// tell adds to the outcome of a task the knowledge that this process gained.
func (j *joint) tell(ctx context.Context, found *finding) error {
	k := j.kept
	news, err := k.system.News()
	if err != nil {
		return err
	}
	if news != nil {
		j.news.System = append(j.news.System, news)
	}
	j.news.Asked = nil
	for _, s := range k.asked {
		state, err := write(k.system, s)
		if err != nil {
			return err
		}
		j.news.Asked = append(j.news.Asked, state)
	}
	if len(j.news.System)+len(j.news.Asked) == 0 {
		return nil
	}
	text, err := json.Marshal(j.news)
	if err != nil {
		return err
	}
	found.News, err = j.member.Files.Keep(ctx, func(to io.Writer) (string, error) { return levels.WriteBytes(to, text) })
	return err
}

// Forgo hands in, as the outcome of the task that a member has taken, that it cannot be worked out, if that is so in every process: of an
// error of the program or of its use, or of a file, or because the search has to begin anew. A process that fails for another reason just
// ends, as other ones take its task. Forgo reports whether it has handed in something.
func Forgo(ctx context.Context, m *tasks.Member, err error) (bool, error) {
	p := problemOf(err)
	if p == nil || m == nil || m.Task() == nil {
		return false, nil
	}
	content, err := json.Marshal(finding{Problem: p})
	if err == nil {
		_, err = m.Done(ctx, tasks.Outcome{Search: content})
	}
	return err == nil, err
}

// A problem is why a task cannot be worked out, by the kind of the error.
type problem struct {
	Rule  *model.RuleError  `json:",omitempty"`
	Usage *model.UsageError `json:",omitempty"`
	Anew  *BeginAnew        `json:",omitempty"`
	// Damaged is a file or an entry that no member has written so.
	Damaged *levels.DamagedError `json:",omitempty"`
}

// problemOf is nil if an error is of no kind that every process would have.
func problemOf(err error) *problem {
	p := &problem{}
	if errors.As(err, &p.Rule) || errors.As(err, &p.Usage) || errors.As(err, &p.Anew) || errors.As(err, &p.Damaged) {
		return p
	}
	return nil
}

func (p *problem) err() error {
	switch {
	case p.Rule != nil:
		return p.Rule
	case p.Usage != nil:
		return p.Usage
	case p.Anew != nil:
		return p.Anew
	case p.Damaged != nil:
		return p.Damaged
	}
	return errors.New("the outcome of a task has an error of no kind")
}

// BeginAnew is the error of a process whose system turned out to leave out too much: the search has to begin anew, with another variant of
// the system (model.Shared).
type BeginAnew struct{ Variant []byte }

func (*BeginAnew) Error() string { return "the search is to begin anew, with less left out" }
