package dbss

import (
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"

	"harrier/internal/ds/vectors"
	"harrier/internal/ds/wordset"
	"harrier/internal/model"
)

// Store is how a search remembers the states it has met.
type Store uint8

const (
	// Exact keeps every state, compressed.
	Exact Store = iota
	// Compact keeps a 64-bit hash of every state: two states with one hash count as one, so that some may
	// be left out (hash compaction). Result.Omission is how likely that is.
	Compact
)

// store is the set of states met (reached in Algorithm 1).
type store struct {
	// set is of states' keys; nil in a stateless search, to which all that comes is new, and where a disk has them.
	set  *wordset.Set
	tree *vectors.Tree        // that all workers compress their states in; nil if each has its own
	memo atomic.Pointer[memo] // what they remember of halves in the tree
	// canonical says that states are known by vectors that stand for several, not by their own.
	canonical bool
	forgets   bool // that is, stateless
}

func (o Options) newStore() (*store, error) {
	if o.Order == Stateless && o.Canonical != nil {
		return nil, errors.New("a stateless search remembers no states, so it cannot merge those that differ in a permutation of actors")
	}
	if o.Order == Stateless {
		return &store{forgets: true}, nil
	}
	if o.Store == Compact && o.Order == BreadthFirst {
		return nil, errors.New("breadth-first search takes states from its store, which a compact one does not give back")
	}
	set, err := wordset.New(max(1, o.Workers))
	if err != nil {
		return nil, &model.LimitError{Text: err.Error()}
	}
	s := &store{set: set, canonical: o.Canonical != nil}
	if o.Store != Compact {
		s.tree = &vectors.Tree{}
	}
	return s, nil
}

// key identifies a state of c: by it the set knows it unless there are canonical vectors: its two
// halves where these are kept to the end, otherwise a hash.
func (s *store) key(c *composer, state compressed) uint64 {
	switch {
	case s.tree != nil:
		return uint64(state.lower)<<32 | uint64(state.upper)
	case s.forgets:
		return 0
	}
	return c.hash(state)
}

// add puts a key in the set and reports whether it is new.
func (s *store) add(key uint64) (fresh bool, err error) {
	if s.forgets {
		return true, nil
	}
	if fresh, err = s.set.Add(key); err != nil {
		return false, &model.LimitError{Text: err.Error()}
	}
	return fresh, nil
}

// prefetch says that a state with a key will be added before long.
func (s *store) prefetch(key uint64) {
	if s.set != nil && !s.canonical {
		s.set.Prefetch(key)
	}
}

// bytes is the memory of all, treeBytes that of the tree.
func (s *store) bytes() uint64 {
	if s.set == nil {
		return s.treeBytes()
	}
	return s.set.Bytes() + s.treeBytes()
}

func (s *store) treeBytes() uint64 {
	if s.tree == nil {
		return 0
	}
	return s.tree.Bytes()
}

func (s *store) close() error {
	if s.set == nil {
		return nil
	}
	return s.set.Close()
}

// recent remembers some of the states that a worker has met lately, by their keys, one for each slot. Many states are met again
// soon, on the way round by another order of the same steps: examples/paxos finds two thirds of its
// transitions here, and need not look into the large memory of the set.
type recent struct {
	keys  []uint64
	shift uint8 // how many bits of a hash do not count
}

const (
	recentBits = 15 // a quarter of a megabyte, which caches hold
	// Where a state that is not found here is made canonical, or sent to another process: 8 megabytes, as finding it saves much more.
	costlyBits = 20
)

// emptied is a cache that remembers no states yet, large enough for a number of them, but of at most some bytes.
func (r recent) emptied(states int, most uint64) recent {
	wanted := min(max(recentBits, bits.Len(uint(states))+2), bitsOf(most))
	return recentIn(slices.Grow(r.keys[:0], 1<<wanted), wanted)
}

// newRecent remembers 2^bits states.
func newRecent(bits int) recent { return recentIn(make([]uint64, 0, 1<<bits), bits) }

// recentIn remembers 2^bits states, in some memory.
func recentIn(keys []uint64, bits int) recent {
	r := recent{keys[:1<<bits], uint8(64 - bits)}
	for i := range r.keys {
		r.keys[i] = wordset.Invalid
	}
	return r
}

// grown is r, or a larger one if it is small for so many transitions, which forgets what r remembers.
func (r recent) grown(transitions uint64) recent {
	if bits := 64 - int(r.shift); bits < costlyBits && transitions > 8<<bits {
		return newRecent(costlyBits)
	}
	return r
}

// bitsOf returns the largest argument of newRecent whose cache takes at most the given number of bytes.
func bitsOf(bytes uint64) int { return max(recentBits, bits.Len64(bytes/8)-1) }

func (r *recent) slot(key uint64) *uint64 { return &r.keys[key*0x9e3779b97f4a7c15>>(r.shift&63)] }
func (r *recent) has(key uint64) bool     { return *r.slot(key) == key }
func (r *recent) note(key uint64)         { *r.slot(key) = key }

// replace notes a key, and returns 0 if it was there already, else 1.
func (r *recent) replace(key uint64) int {
	slot := r.slot(key)
	differs := *slot ^ key
	*slot = key
	return int((differs | -differs) >> 63)
}

// Omission is how likely it is that a search with the Compact store left states out: the number of states
// times the number of look-ups that found one, by 2^64. It is the estimate that TLC prints as
// "calculated (optimistic)".
func (r *Result) Omission() float64 {
	const hashes = 1 << 64
	return float64(r.States) * float64(r.Transitions-min(r.States, r.Transitions)) / hashes
}
