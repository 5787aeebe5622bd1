package levels

import (
	"cmp"
	"errors"
	"os"

	"harrier/internal/ds/runs"
)

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

// A head is the next record of a source.
type head struct {
	keyed
	from source
}

func newMerger(o *Order, sources []source) (*Merger, error) {
	m := &Merger{order: o}
	for _, s := range sources {
		h := head{from: s}
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

// MergeRuns yields the states of runs.
func MergeRuns(o *Order, of []*Run) (*Merger, error) {
	var sources []source
	for _, r := range of {
		sources = append(sources, r.Cursor(false))
	}
	return newMerger(o, sources)
}

// load reads the next record of a source.
func (m *Merger) load(h *head) (ok bool, err error) {
	if h.Record, ok, err = h.from.Next(); ok && err == nil {
		h.key = m.order.key(h.State)
	}
	return ok, err
}

// Next returns the next state.
func (m *Merger) Next() (r Record, ok bool, err error) {
	k, ok, err := m.next()
	return k.Record, ok, err
}

func (m *Merger) next() (k keyed, ok bool, err error) {
	if len(m.heads) == 0 {
		return k, false, nil
	}
	for k = m.heads[0].keyed; len(m.heads) > 0 && m.heads[0].isSame(&k); {
		ok, err := m.load(&m.heads[0])
		if err != nil {
			return k, false, err
		}
		if !ok {
			last := len(m.heads) - 1
			m.heads[0] = m.heads[last]
			m.heads = m.heads[:last]
		}
		m.sink(0)
	}
	return k, true, nil
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

// A Sorter takes records in any order. It has some of them in memory, and the others in scratch files, sorted. One goroutine may use it at
// a time.
type Sorter struct {
	order   *Order
	open    runs.Open
	records []keyed
	list    *runs.List[Record]
	ends    []int // of the sorted parts of the list
}

// NewSorter makes a sorter that has at most so many bytes of records in memory.
func NewSorter(o *Order, open runs.Open, bytes uint64) *Sorter {
	const recordBytes = 32
	return &Sorter{order: o, open: open, records: make([]keyed, 0, max(1, bytes/recordBytes))}
}

// Add adds a record.
func (s *Sorter) Add(r Record) error {
	if len(s.records) == cap(s.records) {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.records = append(s.records, keyed{Record: r})
	return nil
}

// spill writes the records in memory to a scratch file.
func (s *Sorter) spill() (err error) {
	if s.list == nil {
		if s.list, err = runs.NewList[Record](s.open); err != nil {
			return err
		}
	}
	if err := s.Sort(); err != nil {
		return err
	}
	for _, k := range s.records {
		if err := s.list.Append(k.Record); err != nil {
			return err
		}
	}
	s.ends, s.records = append(s.ends, s.list.Len()), s.records[:0]
	return nil
}

// Sort puts the records in memory in order, of each state one. It is called once all were added, and allows several goroutines to sort a
// sorter each.
func (s *Sorter) Sort() error {
	of := &halves{}
	for i := range s.records {
		of.add(s.records[i].State)
	}
	if err := s.order.include(of); err != nil {
		return err
	}
	s.order.mu.Lock()
	for i := range s.records {
		s.records[i].key = s.order.key(s.records[i].State)
	}
	s.order.mu.Unlock()
	sortRecords(s.records)
	kept := s.records[:0]
	for _, k := range s.records {
		if n := len(kept); n == 0 || !kept[n-1].isSame(&k) {
			kept = append(kept, k)
		}
	}
	s.records = kept
	return nil
}

// Clear removes all records.
func (s *Sorter) Clear() error {
	s.records, s.ends = s.records[:0], nil
	if s.list == nil {
		return nil
	}
	return s.list.Clear()
}

// Bytes is the memory for records.
func (s *Sorter) Bytes() uint64 { return uint64(cap(s.records)) * 32 }

// Close removes the scratch file.
func (s *Sorter) Close() error {
	if s.list == nil {
		return nil
	}
	return s.list.Close()
}

// sorted are records in memory.
type sorted []keyed

func (s *sorted) Next() (r Record, ok bool, err error) {
	if len(*s) == 0 {
		return r, false, nil
	}
	r, *s = (*s)[0].Record, (*s)[1:]
	return r, true, nil
}

// Merge yields the records of sorters, which are sorted and do not change meanwhile.
func Merge(o *Order, sorters ...*Sorter) (*Merger, error) {
	var sources []source
	for _, s := range sorters {
		from := 0
		for _, end := range s.ends {
			sources = append(sources, s.list.From(from, end))
			from = end
		}
		in := sorted(s.records)
		sources = append(sources, &in)
	}
	return newMerger(o, sources)
}

// Subtract calls take for the states of a merger that are not in any of some runs, in their order. If states count as one whose class is
// the same, it does so for one of each class that no state of the runs is in: the one that was met from the least place, and of those from
// that place the first. Then class is not nil, and states of one class have the same orbit.
func Subtract(from *Merger, visited []*Run, class func(State) (State, error), take func(Record) error) error {
	if class != nil {
		old, err := MergeRuns(from.order, visited)
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
		k, ok, err := from.next()
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
		if err := take(k.Record); err != nil {
			return err
		}
	}
}

// subtractClasses does so for the states of one orbit after another.
func subtractClasses(from, old *Merger, class func(State) (State, error), take func(Record) error) error {
	k, ok, err := from.next()
	was, more, failed := old.next()
	for err = errors.Join(err, failed); ok && err == nil; {
		orbit := k.Orbit
		known := map[State]int{} // by class: which of the new states is of it, -1 for none
		for ; more && err == nil && was.Orbit <= orbit; was, more, err = old.next() {
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
		for ; ok && err == nil && k.Orbit == orbit; k, ok, err = from.next() {
			c, err := class(k.State)
			if err != nil {
				return err
			}
			switch at, met := known[c]; {
			case !met:
				known[c], fresh = len(fresh), append(fresh, k)
			case at >= 0 && k.From < fresh[at].From:
				fresh[at] = k
			}
		}
		sortRecords(fresh)
		for _, k := range fresh {
			if err := take(k.Record); err != nil {
				return err
			}
		}
	}
	return err
}

// Union writes a run file without links with the states of runs, none of which is in two of them.
func Union(to *os.File, o *Order, of []*Run) (*Run, error) {
	c := Contents{Kind: of[0].Kind &^ Links, Halves: &halves{}}
	for _, r := range of {
		c.States += r.States
		for side, ids := range r.halves {
			for _, id := range ids {
				c.Halves.addTo(side, id)
			}
		}
	}
	c.Each = func(yield func(Record) error) error {
		m, err := MergeRuns(o, of)
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
	name, err := Write(to, o, c)
	if err != nil {
		return nil, err
	}
	return Open(to, name, o, func(Component) {})
}
