package runs

// A source is a sorted part of a list, or records in memory, that is read from its beginning to its end.
type source[T any] struct {
	records  []T // the next records; none at the end
	list     *List[T]
	from, to int // the part of the list that is not read yet
	room     []T
}

// partOf is the source of a part of a list.
func partOf[T any](l *List[T], from, to int) *source[T] {
	return &source[T]{list: l, from: from, to: to, room: make([]T, min(to-from, perBuffer[T]()))}
}

// load reads the next records from the list, if none are in memory.
func (s *source[T]) load() error {
	if len(s.records) > 0 || s.from == s.to {
		return nil
	}
	s.records = s.room[:min(len(s.room), s.to-s.from)]
	err := s.list.Read(s.records, s.from)
	s.from += len(s.records)
	return err
}

// A Merger yields the records of several sorted sources in order.
type Merger[T any] struct {
	compare func(a, b T) int
	sources []*source[T] // a heap: the next record of source i does not come after those of sources 2i+1 and 2i+2
}

func newMerger[T any](compare func(a, b T) int, sources []*source[T]) (*Merger[T], error) {
	m := &Merger[T]{compare: compare}
	for _, s := range sources {
		if err := s.load(); err != nil {
			return nil, err
		}
		if len(s.records) > 0 {
			m.sources = append(m.sources, s)
		}
	}
	for i := len(m.sources)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m, nil
}

// Next returns the next record. ok is false at the end.
func (m *Merger[T]) Next() (record T, ok bool, err error) {
	if len(m.sources) == 0 {
		return record, false, nil
	}
	s := m.sources[0]
	record, s.records = s.records[0], s.records[1:]
	if err := s.load(); err != nil {
		return record, false, err
	}
	if len(s.records) == 0 {
		last := len(m.sources) - 1
		m.sources[0] = m.sources[last]
		m.sources = m.sources[:last]
	}
	m.sink(0)
	return record, true, nil
}

// sink moves a source down to where none after it in the heap comes before it.
func (m *Merger[T]) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.sources); child++ {
			if m.compare(m.sources[child].records[0], m.sources[least].records[0]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		m.sources[i], m.sources[least] = m.sources[least], m.sources[i]
		i = least
	}
}
