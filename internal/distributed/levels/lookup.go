package levels

// A lookup looks up ascending states in a run without orbits. It passes those whose lower halves are not looked up without reading them.
type lookup struct {
	run    *Run
	ranks  [2][]uint32 // of the halves, by place in the file
	states *blockReader
	lower  int   // how many groups were begun
	end    int64 // where the group ends
	left   int   // states of the group that were not read
	after  int   // the least place of the next upper half of the group
	at     int   // the place of the upper half that was read last
	isRead bool  // there is such a one, and it was not passed
}

// lookup begins to look up states. The order is settled. While there is a lookup, no halves must be included in it.
func (r *Run) lookup() *lookup {
	l := &lookup{run: r, states: r.blocks.from(r.states, r.links)}
	for side, ids := range r.halves {
		l.ranks[side] = make([]uint32, len(ids))
		for place, id := range ids {
			l.ranks[side][place] = r.order.rank(side, id)
		}
	}
	return l
}

// has reports whether the state whose halves have some ranks is in the run. It is not less than those asked for before.
func (l *lookup) has(ranks [2]uint32) (bool, error) {
	for {
		if !l.isRead && l.left == 0 {
			if l.lower == len(l.ranks[0]) {
				return false, l.states.err
			}
			l.begin()
		}
		switch lower := l.ranks[0][l.lower-1]; {
		case l.states.err != nil || lower > ranks[0]:
			return false, l.states.err
		case lower < ranks[0]:
			l.skip()
			continue
		}
		for l.isRead || l.left > 0 {
			if !l.isRead {
				l.read()
			}
			if l.states.err != nil {
				return false, l.states.err
			}
			if upper := l.ranks[1][l.at]; upper >= ranks[1] {
				return upper == ranks[1], nil
			}
			l.isRead = false
		}
	}
}

// begin begins the next group.
func (l *lookup) begin() {
	n := l.states.number()
	if n == 0 || n > uint64(len(l.ranks[1])) {
		l.states.refuse("has a group of no states, or of too many")
		n = 0
	}
	size := l.states.number()
	l.end = l.states.offset() + int64(min(size, uint64(l.states.size)))
	l.lower, l.left, l.after = l.lower+1, int(n), 0
}

// read reads the next state of the group.
func (l *lookup) read() {
	n := l.states.number()
	if n >= uint64(len(l.ranks[1])-l.after) {
		l.states.refuse("has states of halves that it has not")
		n = 0
	}
	l.at = min(l.after+int(n), len(l.ranks[1])-1)
	l.after, l.left, l.isRead = l.at+1, l.left-1, true
}

// skip passes the rest of the group.
func (l *lookup) skip() {
	l.isRead, l.left = false, 0
	if n := l.end - l.states.offset(); n < 0 {
		l.states.refuse("has a group of another length")
	} else {
		l.states.skip(uint64(n))
	}
}
