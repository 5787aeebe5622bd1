package levels

import (
	"errors"
	"os"
)

// Subtract calls take for the states of a merger that are not in any of some runs, in their order. If states count as one whose class is
// the same, it does so for one of each class that no state of the runs is in: the one that was met from the least place, and of those from
// that place the first. Then class is not nil, and states of one class have the same orbit.
func Subtract(from *Merger, visited []*Run, class func(State) (State, error), take func(Record, RecordAt) error) error {
	if class != nil {
		old, err := MergeRuns(from.order, visited, false)
		if err != nil {
			return err
		}
		return subtractClasses(from, old, class, take)
	}
	var old []*lookup
	for _, r := range visited {
		old = append(old, r.lookup())
	}
next:
	for {
		k, at, ok, err := from.next()
		if !ok || err != nil {
			return err
		}
		for _, l := range old {
			has, err := l.has(from.order.ranks(k.State))
			if err != nil {
				return err
			}
			if has {
				continue next
			}
		}
		if err := take(k.Record, at); err != nil {
			return err
		}
	}
}

// subtractClasses does so for the states of one orbit after another.
func subtractClasses(from, old *Merger, class func(State) (State, error), take func(Record, RecordAt) error) error {
	k, at, ok, err := from.next()
	was, _, more, failed := old.next()
	for err = errors.Join(err, failed); ok && err == nil; {
		orbit := k.Orbit
		known := map[State]int{} // by class: which of the new states is of it, -1 for none
		for ; more && err == nil && was.Orbit <= orbit; was, _, more, err = old.next() {
			if was.Orbit < orbit {
				continue
			}
			c, err := class(was.State)
			if err != nil {
				return err
			}
			known[c] = -1
		}
		var fresh []keyed
		places := map[uint64]RecordAt{} // of those, by their keys
		for ; ok && err == nil && k.Orbit == orbit; k, at, ok, err = from.next() {
			c, err := class(k.State)
			if err != nil {
				return err
			}
			switch of, met := known[c]; {
			case !met:
				known[c], fresh, places[k.key] = len(fresh), append(fresh, k), at
			case of >= 0 && k.From < fresh[of].From:
				fresh[of], places[k.key] = k, at
			}
		}
		sortRecords(fresh) // in the order of the merger
		for _, k := range fresh {
			if err := take(k.Record, places[k.key]); err != nil {
				return err
			}
		}
	}
	return err
}

// Union writes a run file with the states of runs, none of which is in two of them.
func Union(to *os.File, o *Order, of []*Run) (*Run, error) {
	name, err := Write(to, o, UnionOf(o, of))
	if err != nil {
		return nil, err
	}
	return Open(to, name, o)
}

// UnionOf is the contents of a run file without links with the states of runs, none of which is in two of them.
func UnionOf(o *Order, of []*Run) Contents {
	c := Contents{Kind: of[0].Kind &^ Links, Halves: &Halves{}, Each: union(o, of)}
	for _, r := range of {
		c.States += r.States
		for side, ids := range r.halves {
			for _, id := range ids {
				c.Halves.add(side, id)
			}
		}
	}
	return c
}

// union yields the states of runs in their order.
func union(o *Order, of []*Run) func(yield func(Record) error) error {
	return func(yield func(Record) error) error {
		m, err := MergeRuns(o, of, false)
		for err == nil {
			var r Record
			var ok bool
			if r, ok, err = m.Next(); !ok || err != nil {
				break
			}
			err = yield(r)
		}
		return err
	}
}
