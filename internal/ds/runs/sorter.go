package runs

import "slices"

// A Sorter takes records in any order and gives them back sorted. It has some of them in memory, and the others in sorted runs in a
// file. One goroutine may use it at a time.
type Sorter[T any] struct {
	open    Open
	compare func(a, b T) int
	records []T // in memory
	sorted  int // how many of these, from the first one on, are sorted
	list    *List[T]
	ends    []int // of the runs in the list
}

// NewSorter makes a sorter that has at most so many bytes of records in memory, and at least one record.
func NewSorter[T any](open Open, bytes uint64, compare func(a, b T) int) *Sorter[T] {
	return &Sorter[T]{open: open, compare: compare, records: make([]T, 0, max(1, bytes/uint64(size[T]())))}
}

// Add adds a record.
func (s *Sorter[T]) Add(record T) error {
	if len(s.records) == cap(s.records) {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.records = append(s.records, record)
	return nil
}

// spill writes the records in memory to the file, as a run.
func (s *Sorter[T]) spill() (err error) {
	if s.list == nil {
		if s.list, err = NewList[T](s.open); err != nil {
			return err
		}
	}
	s.Sort()
	err = s.list.AppendAll(s.records)
	s.ends = append(s.ends, s.list.Len())
	s.records, s.sorted = s.records[:0], 0
	return err
}

// Sort sorts the records in memory, which Merge does otherwise. It allows several goroutines to sort a sorter each.
func (s *Sorter[T]) Sort() {
	if s.sorted < len(s.records) {
		slices.SortFunc(s.records, s.compare)
		s.sorted = len(s.records)
	}
}

// IsSorted reports whether Sort has nothing to do.
func (s *Sorter[T]) IsSorted() bool { return s.sorted == len(s.records) }

// Merge yields the records of sorters that have the same order. They must not change until the last record has been read.
func Merge[T any](sorters ...*Sorter[T]) (*Merger[T], error) {
	var sources []*source[T]
	for _, s := range sorters {
		from := 0
		for _, end := range s.ends {
			sources = append(sources, partOf(s.list, from, end))
			from = end
		}
		s.Sort()
		sources = append(sources, &source[T]{records: s.records})
	}
	return newMerger(sorters[0].compare, sources)
}

// Clear removes all records.
func (s *Sorter[T]) Clear() error {
	s.records, s.sorted, s.ends = s.records[:0], 0, nil
	if s.list == nil {
		return nil
	}
	return s.list.Clear()
}

// Bytes is the memory for records.
func (s *Sorter[T]) Bytes() uint64 { return uint64(cap(s.records) * size[T]()) }

// Close closes the file, if there is one.
func (s *Sorter[T]) Close() error {
	if s.list == nil {
		return nil
	}
	return s.list.Close()
}
