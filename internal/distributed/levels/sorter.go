package levels

import "harrier/internal/ds/runs"

// A Sorter takes records in any order. It has some of them in memory, and the others in scratch files, sorted. One goroutine may use it at
// a time.
type Sorter struct {
	order   *Order
	open    runs.Open
	records []keyed
	most    int // of records in memory
	list    *runs.List[Record]
	ends    []int // of the sorted parts of the list
}

const (
	recordBytes  = 32
	leastRecords = 1 << 10 // there is room for
)

// NewSorter makes a sorter that has at most so many bytes of records in memory.
func NewSorter(o *Order, open runs.Open, bytes uint64) *Sorter {
	return &Sorter{order: o, open: open, most: int(max(1, bytes/recordBytes))}
}

// Add adds a record.
func (s *Sorter) Add(r Record) error {
	switch n := len(s.records); {
	case n == s.most:
		if err := s.spill(); err != nil {
			return err
		}
	case n == cap(s.records):
		s.records = append(make([]keyed, 0, min(s.most, max(2*n, leastRecords))), s.records...)
	}
	s.records = append(s.records, keyed{Record: r})
	return nil
}

// spill writes the records in memory to a scratch file.
func (s *Sorter) spill() error {
	if s.list == nil {
		s.list = runs.NewList[Record](s.open)
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
	of := &Halves{}
	for i := range s.records {
		of.Add(s.records[i].State)
	}
	s.order.include(of.ids)
	if err := s.order.settle(); err != nil {
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
func (s *Sorter) Bytes() uint64 { return uint64(cap(s.records)) * recordBytes }

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
