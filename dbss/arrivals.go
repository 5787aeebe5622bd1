package dbss

import (
	"context"
	"errors"
)

// An arrival is a candidate that was looked up, with what is to be done with it.
type arrival struct {
	link  Link
	state compressed
	is    arrivalKind
}

type arrivalKind uint32

const (
	isNew     arrivalKind = iota // test the state, and put it into the next level
	isTested                     // put the state into the next level: it was tested before there was a disk
	isDone                       // log the link: its state was tested before there was a disk, or it has none
	isFailing                    // report the transition, which fails
)

func (a arrival) compare(o arrival) int { return a.link.plain().compare(o.link.plain()) }

// pieceSize is how many arrivals a worker takes at once. It is a variable for tests.
var pieceSize = 4096

// arriveSome has a worker treat some arrivals, outside of the lock, and puts their states into the next level in the order of links.
func (d *disk) arriveSome(ctx context.Context, q *queue) error {
	l := d.levels
	for q.piece = q.piece[:0]; len(q.piece) < pieceSize; {
		a, ok, err := d.arrives.Next()
		if err != nil {
			return onDisk(err)
		}
		if !ok {
			d.arrives = nil
			break
		}
		q.piece = append(q.piece, a)
	}
	number := d.given
	d.given++
	q.worker.depth = len(l.all) - 1
	l.mu.Unlock()
	err := q.arrive(ctx)
	l.mu.Lock()
	for err == nil && d.delivered != number && !l.engine.stopped.Load() {
		l.changed.Wait()
	}
	if err != nil || l.engine.stopped.Load() {
		return err
	}
	d.delivered++
	l.changed.Broadcast()
	return onDisk(d.deliver(q))
}

// deliver puts the states that a worker met into the next level, and their links into the log.
func (d *disk) deliver(q *queue) error {
	for _, c := range q.met {
		for i, k := range c.links {
			if err := errors.Join(d.states[1].Append(c.states[i]), d.links.Append(k)); err != nil {
				return err
			}
		}
	}
	if len(q.fresh) > 0 {
		d.levels.log.Write(q.fresh)
	}
	q.met, q.fresh = nil, nil
	return nil
}

// arrive treats the arrivals that this worker took.
func (q *queue) arrive(ctx context.Context) error {
	w := q.worker
	if err := w.economize(); err != nil {
		return err
	}
	w.publish()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, a := range q.piece {
		if w.stopped.Load() || a.is == isNew && w.full() {
			break
		}
		link := a.link.plain()
		q.arriving = &link
		if err := q.arriveOne(ctx, a); err != nil {
			return err
		}
	}
	q.arriving = nil
	return nil
}

// arriveOne treats one arrival.
func (q *queue) arriveOne(ctx context.Context, a arrival) error {
	w := q.worker
	w.at = a.state
	switch a.is {
	case isNew:
		q.tries, q.target = w.composer.tries, a.link.Transition&wholeTarget != 0
		return w.arrive(ctx, &successor{to: a.state, number: q.arriving.Transition})
	case isFailing:
		by, err := w.composer.byNumber(ctx, a.state, q.arriving.Transition)
		if err != nil {
			return err
		}
		return w.takeFailing(ctx, &by)
	case isTested:
		q.met = pushed(q.met, a.state, *q.arriving)
	}
	if !q.levels.isLogged {
		q.fresh = append(q.fresh, a.link)
	}
	return nil
}
