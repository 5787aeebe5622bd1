package levels

import "cmp"

// keyed is a record with the key of its state, by which it is compared.
type keyed struct {
	key uint64
	Record
}

// compare orders by state, and of one state by the place from which it was met.
func (k *keyed) compare(o *keyed) int {
	switch {
	case k.Orbit != o.Orbit:
		return cmp.Compare(k.Orbit, o.Orbit)
	case k.key != o.key:
		return cmp.Compare(k.key, o.key)
	}
	return cmp.Compare(k.From, o.From)
}

// isSame reports whether it is the same state.
func (k *keyed) isSame(o *keyed) bool { return k.key == o.key && k.Orbit == o.Orbit }

// A source yields records in their order.
type source interface {
	Next() (r Record, ok bool, err error)
}

// A Merger yields the states of several sources in order, each once, with the least place from which it was met. While there is a
// merger, no halves must be included in the order.
type Merger struct {
	order *Order
	heads []head // a heap: the next record of i does not come after those of 2i+1 and 2i+2
}

// A RecordAt is where a record of a merger is.
type RecordAt struct {
	Source int // by number
	At     int // how many records of the source come before
}

// A head is the next record of a source.
type head struct {
	keyed
	RecordAt
	from source
}

func newMerger(o *Order, sources []source) (*Merger, error) {
	m := &Merger{order: o}
	if err := o.settle(); err != nil {
		return nil, err
	}
	for i, s := range sources {
		h := head{from: s, RecordAt: RecordAt{i, -1}}
		ok, err := m.load(&h)
		if err != nil {
			return nil, err
		}
		if ok {
			m.heads = append(m.heads, h)
		}
	}
	for i := len(m.heads)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m, nil
}

// MergeRuns yields the states of runs, with the places from which they were met or without.
func MergeRuns(o *Order, of []*Run, links bool) (*Merger, error) {
	var sources []source
	for _, r := range of {
		sources = append(sources, r.Cursor(links))
	}
	return newMerger(o, sources)
}

// load reads the next record of a source.
func (m *Merger) load(h *head) (ok bool, err error) {
	if h.Record, ok, err = h.from.Next(); ok && err == nil {
		h.key = m.order.key(h.State)
		h.At++
	}
	return ok, err
}

// Next returns the next state.
func (m *Merger) Next() (r Record, ok bool, err error) {
	k, _, ok, err := m.next()
	return k.Record, ok, err
}

// next returns the next state, and where the record is that has the least place from which it was met.
func (m *Merger) next() (k keyed, at RecordAt, ok bool, err error) {
	if len(m.heads) == 0 {
		return k, at, false, nil
	}
	for k, at = m.heads[0].keyed, m.heads[0].RecordAt; len(m.heads) > 0 && m.heads[0].isSame(&k); {
		ok, err := m.load(&m.heads[0])
		if err != nil {
			return k, at, false, err
		}
		if !ok {
			last := len(m.heads) - 1
			m.heads[0] = m.heads[last]
			m.heads = m.heads[:last]
		}
		m.sink(0)
	}
	return k, at, true, nil
}

// sink moves a head down to where none after it in the heap comes before it.
func (m *Merger) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heads); child++ {
			if m.heads[child].compare(&m.heads[least].keyed) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heads[i], m.heads[least] = m.heads[least], m.heads[i]
		i = least
	}
}
