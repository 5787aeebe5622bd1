package dbss

import (
	"cmp"
	"context"
	"os"
	"slices"

	"harrier/internal/model"
)

// A Log records, for each level of a breadth-first search, the transitions that first reached a new state. A search of the same system
// that reads it takes only those, as far as the log has whole levels, and then goes on. It reaches the same states and counts. What is
// read is verified: if a transition does not exist or leads to a state that was met before, or if counts differ, the error is a
// *model.UsageError.
type Log interface {
	// Read returns the counts of the search up to the end of the next level, beginning with that of the initial state; false if there
	// is no more that is whole.
	Read() (counts Counts, ok bool)
	// Next returns further links of the level that was read last, none at its end. They hold until the next call.
	Next() ([]Link, error)
	// Write takes further links of the level after those that were read and written, in order. Nobody changes them any more.
	Write(links []Link)
	// End ends the level that links were written of, with the counts of the search up to there.
	End(counts Counts)
	// Scratch makes an empty file for what does not fit into memory. Nothing is left of it when it is closed or the process ends.
	Scratch() (*os.File, error)
	// Close writes what is not written yet. Nothing is called after it.
	Close()
}

// A Link is how a state was met first: from which state of a level, by which of the actions of its halves, counted as
// successor.number is. States are named by their places in the order in which links meet them, without those from which nothing is
// followed: that does not depend on the workers.
//
// wholeTarget is added where computing the successors of the state that was met changed what the composer remembers, and so perhaps what
// the system does: a search that goes on computes them again. For the same reason a link with wholeParent as its transition follows
// those from a state all of whose successors are to be taken again.
type Link struct {
	Parent, Transition uint32
}

const (
	wholeTarget = 1 << 31
	wholeParent = 1<<32 - 1
)

func (k Link) compare(o Link) int {
	if k.Parent != o.Parent {
		return cmp.Compare(k.Parent, o.Parent)
	}
	return cmp.Compare(k.Transition, o.Transition)
}

// plain is the link as the frontier has it.
func (k Link) plain() Link { return Link{k.Parent, k.Transition &^ wholeTarget} }

var errOtherSearch = &model.UsageError{Text: "the checkpoint is of another search than this one: remove it, and begin anew"}

// logged is what a log says of a successor.
type logged uint8

const (
	unknown   logged = iota // it does not go so far
	metFirst                // it was met first by this transition
	metBefore               // it was met before, or the transition fails
)

// logging is a worker's part in writing or reading a log.
type logging struct {
	fresh []Link // how all new states were met, those without successors too
	whole bool   // the successors of the current state are all to be taken again
	tries uint64 // composer.tries before the current successor was computed

	known  []Link // of the log, for the states that this worker explores
	read   int    // how many of them were read
	count  int    // and of those before
	target bool   // the successors of the state that is met now are to be worked out
}

// consult notes what the log says of the successor that is taken, if it has the level.
func (q *queue) consult(by *successor) {
	q.whole = q.whole || by.fails
	q.tries = q.worker.composer.tries
	if !q.levels.isLogged {
		q.worker.logged = unknown
		return
	}
	q.worker.logged = metBefore
	if known := q.ahead(); known != nil && known.plain() == q.link() {
		q.worker.logged, q.target = metFirst, known.Transition&wholeTarget != 0
		q.read++
		q.count++
	}
}

// ahead returns the next unread link of the level, nil at its end.
func (q *queue) ahead() *Link {
	if q.read == len(q.known) {
		return nil
	}
	return &q.known[q.read]
}

// note writes how a new state was met. A state that the log has is worked out as the log says.
func (q *queue) note(ctx context.Context, at place, from Link) error {
	switch c := q.worker.composer; {
	case q.levels.log == nil:
	case !q.levels.isLogged:
		if c.tries != q.tries {
			from.Transition |= wholeTarget
		}
		q.fresh = append(q.fresh, from)
	case q.target:
		var err error
		c.scratch, err = c.successors(ctx, q.worker.at, at, c.scratch[:0])
		return err
	}
	return nil
}

// leave ends the current state, all of whose successors were taken.
func (q *queue) leave() (err error) {
	if q.levels.log == nil {
		return nil
	}
	end := Link{q.place(), wholeParent}
	switch later := q.worker.later; {
	case !q.whole || q.levels.isLogged:
	case later != nil:
		err = later.whole(end)
	default:
		q.fresh = append(q.fresh, end)
	}
	if known := q.ahead(); q.levels.isLogged && known != nil && *known == end {
		q.read++
		q.count++
	}
	q.whole = false
	return err
}

// skip makes the next state of the worker's share current that the log names, or ends the share.
func (q *queue) skip() error {
	if !q.levels.isLogged {
		return nil
	}
	base, at := q.number<<chunkBits, q.at
	q.at = q.end
	if known := q.ahead(); known != nil && known.Parent < base|uint32(at) {
		return errOtherSearch
	} else if known != nil && known.Parent < base+uint32(q.end) {
		q.at = int(known.Parent - base)
	}
	return nil
}

// isWhole reports whether all successors of the current state are to be taken.
func (q *queue) isWhole() bool {
	end := Link{q.place(), wholeParent}
	for _, k := range q.known[q.read:] {
		if k.Parent != end.Parent || k == end {
			return k == end
		}
	}
	return false
}

// followLogged follows the transitions of the current state that the log has.
func (q *queue) followLogged(ctx context.Context) error {
	q.successors = q.successors[:0]
	for _, k := range q.known[q.read:] {
		if k.Parent != q.place() {
			break
		}
		by, err := q.worker.composer.byNumber(ctx, q.worker.at, k.plain().Transition)
		if err != nil {
			return err
		}
		q.chosen = append(q.chosen, uint32(len(q.successors)))
		q.successors = append(q.successors, by)
	}
	return nil
}

// gather returns the states that the workers met. For a log they are in the order of their links; each worker met its own in
// that order.
func (l *levels) gather() (level []*chunk) {
	if l.log == nil || len(l.queues) == 1 {
		for _, q := range l.queues {
			level = append(level, q.met...)
		}
		return level
	}
	l.merge(func(q *queue, at int) (Link, bool) {
		number := at >> chunkBits
		if number >= len(q.met) || at&(chunkStates-1) >= len(q.met[number].links) {
			return Link{}, false
		}
		return q.met[number].links[at&(chunkStates-1)], true
	}, func(q *queue, at int, by Link) {
		level = pushed(level, q.met[at>>chunkBits].states[at&(chunkStates-1)], by)
	})
	return level
}

// freshLinks are those of all workers, in order.
func (l *levels) freshLinks() (links []Link) {
	if len(l.queues) == 1 {
		return l.queues[0].fresh
	}
	l.merge(func(q *queue, at int) (Link, bool) {
		if at == len(q.fresh) {
			return Link{}, false
		}
		return q.fresh[at], true
	}, func(_ *queue, _ int, k Link) { links = append(links, k) })
	return links
}

// merge calls take for the links of all workers in their order. get is the link at a place of a worker's.
func (l *levels) merge(get func(q *queue, at int) (Link, bool), take func(q *queue, at int, k Link)) {
	at := make([]int, len(l.queues))
	for {
		least, from := Link{}, -1
		for i, q := range l.queues {
			if k, ok := get(q, at[i]); ok && (from < 0 || k.plain().compare(least.plain()) < 0) {
				least, from = k, i
			}
		}
		if from < 0 {
			return
		}
		take(l.queues[from], at[from], least)
		at[from]++
	}
}

// keep writes the results of the level that is explored, or holds the search to what the log has of it. Then it reads what the log
// has of the next level.
func (l *levels) keep() error {
	if l.log == nil {
		return nil
	}
	var fresh []Link
	switch {
	case l.isLogged:
		if err := l.compare(); err != nil {
			return err
		}
	case len(l.all) > 0:
		if fresh = l.freshLinks(); len(fresh) > 0 { // a disk has written them
			l.log.Write(fresh)
		}
		l.log.End(l.counts())
	}
	if l.isLogged || len(l.all) == 0 {
		l.known, l.isLogged = l.log.Read()
		l.named = 0
	}
	l.logs = uint64(len(fresh)) * linkBytes
	for _, q := range l.queues {
		q.logging = logging{known: q.known[:0]}
	}
	return nil
}

// inform gives a worker what the log has of the states that it is to explore, which follow those of all workers before.
func (l *levels) inform(q *queue) (err error) {
	q.known, q.read = q.known[:0], 0
	if !l.isLogged {
		return nil
	}
	last := q.number<<chunkBits | uint32(q.end-1)
	for {
		if len(l.unread) == 0 {
			if l.unread, err = l.log.Next(); len(l.unread) == 0 || err != nil {
				return err
			}
		}
		n := slices.IndexFunc(l.unread, func(k Link) bool { return k.Parent > last })
		more := n < 0
		if more {
			n = len(l.unread)
		}
		q.known, l.unread, l.named = append(q.known, l.unread[:n]...), l.unread[n:], l.named+n
		if !more {
			return nil
		}
	}
}

// counts are those of all workers, which wait.
func (l *levels) counts() (all Counts) {
	for _, q := range l.queues {
		all.Add(q.worker.counts)
	}
	return all
}

// compare holds the search to what the log has of a level that was explored. The transitions that nothing came of were not taken:
// what counts them is the log's.
func (l *levels) compare() error {
	more, err := l.log.Next()
	if err != nil {
		return err
	}
	found, known, read := l.counts(), l.known, 0
	for _, q := range l.queues {
		read += q.count
		c := &q.worker.counts
		c.Transitions, c.Reduced, c.HandlerRuns, c.FaultsTaken = 0, 0, nil, nil
	}
	if len(l.unread) > 0 || len(more) > 0 || read != l.named || found.States != known.States || found.Terminal != known.Terminal ||
		found.Leftover != known.Leftover || found.Violations != known.Violations || found.Depth != known.Depth {
		return errOtherSearch
	}
	c := &l.queues[0].worker.counts
	c.Transitions, c.Reduced = known.Transitions, known.Reduced
	c.HandlerRuns, c.FaultsTaken = slices.Clone(known.HandlerRuns), slices.Clone(known.FaultsTaken)
	return nil
}

func (l *levels) close() (err error) {
	if d := l.disk.Load(); d != nil {
		err = d.close() // before the log is, which may need the room
	}
	if l.log != nil {
		l.log.Close()
	}
	return err
}
