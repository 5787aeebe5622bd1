package dbss

import (
	"errors"

	"harrier/internal/wordset"
	"harrier/model"
)

// Store is how a search remembers the states it has met.
type Store uint8

const (
	// Exact keeps every state, compressed.
	Exact Store = iota
	// Compact keeps a 64-bit hash of every state: two states with one hash count as one, so that some may
	// be left out (hash compaction). Result.Omission tells how likely that is.
	Compact
)

// A store is the set of states met (reached in Algorithm 1). It knows states by 64-bit keys.
type store interface {
	// keyer makes a keyer of this store's keys, for states of about that width.
	keyer(width int) keyer
	// add puts a key in the set and says whether it is new.
	add(key uint64) (isNew bool, err error)
	// prefetch says that a key will be added before long.
	prefetch(key uint64)
	bytes() uint64
	close() error
}

// A keyer finds the key of one state, which changes. The state belongs to the search.
type keyer interface {
	// reset makes s the state.
	reset(s model.State) error
	// move says that the changes in undo, from there on, were made to the state. It appends changes
	// of its own.
	move(s model.State, undo []model.Change, from int) ([]model.Change, error)
	// undo takes changes back, those of the state and those of the keyer.
	undo(s model.State, changes []model.Change)
	key() (uint64, error)
}

func (o Options) newStore() (store, error) {
	if o.Order == Stateless {
		return forgetful{}, nil
	}
	if o.Store == Compact && o.Order == BreadthFirst {
		return nil, errors.New("breadth-first search takes states from its store, which a compact one does not give back")
	}
	keys, err := wordset.New()
	if err != nil {
		return nil, err
	}
	if o.Store == Compact {
		return &compact{words{keys}}, nil
	}
	return &exact{words{keys}, tree{}}, nil
}

// words is the part of the stores that keeps keys.
type words struct{ keys *wordset.Set }

func (w words) add(key uint64) (bool, error) { return w.keys.Add(key) }
func (w words) prefetch(key uint64)          { w.keys.Prefetch(key) }
func (w words) bytes() uint64                { return w.keys.Bytes() }
func (w words) close() error                 { return w.keys.Close() }

// exact keeps the keys of a tree.
type exact struct {
	words
	tree tree
}

func (x *exact) keyer(width int) keyer { return newFolded(&x.tree, width) }
func (x *exact) bytes() uint64         { return x.words.bytes() + x.tree.bytes() }

// compact keeps hashes.
type compact struct{ words }

func (*compact) keyer(int) keyer { return &hashed{} }

// hashed is a keyer whose keys are hashes: the sum of a mix of each id with its position, so that a change of
// one id is a matter of one difference. Zeros add nothing.
type hashed struct{ sum uint64 }

func (h *hashed) reset(s model.State) error {
	h.sum = 0
	for i, id := range s {
		h.sum += mix(uint32(i), id)
	}
	return nil
}

func (h *hashed) move(s model.State, undo []model.Change, from int) ([]model.Change, error) {
	h.sum += difference(s, undo[from:])
	return undo, nil
}

func (h *hashed) undo(s model.State, changes []model.Change) {
	for i := len(changes) - 1; i >= 0; i-- {
		c := changes[i]
		h.sum += mix(c.Position, c.Old) - mix(c.Position, s[c.Position])
		s[c.Position] = c.Old
	}
}

func (h *hashed) key() (uint64, error) {
	if h.sum == wordset.Invalid {
		return 0, nil
	}
	return h.sum, nil
}

// difference is what the changes of one step, already made, add to the sum. The first change of a
// position tells what was there before all.
func difference(s model.State, changes []model.Change) uint64 {
	sum := uint64(0)
next:
	for i, c := range changes {
		for _, before := range changes[:i] {
			if before.Position == c.Position {
				continue next
			}
		}
		sum += mix(c.Position, s[c.Position]) - mix(c.Position, c.Old)
	}
	return sum
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
func mix(position, id uint32) uint64 {
	if id == 0 {
		return 0
	}
	x := uint64(position)<<32 | uint64(id)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// forgetful is the store of a stateless search: all that comes is new.
type forgetful struct{}

func (forgetful) keyer(int) keyer                            { return forgetful{} }
func (forgetful) add(uint64) (bool, error)                   { return true, nil }
func (forgetful) prefetch(uint64)                            {}
func (forgetful) bytes() uint64                              { return 0 }
func (forgetful) close() error                               { return nil }
func (forgetful) reset(model.State) error                    { return nil }
func (forgetful) key() (uint64, error)                       { return 0, nil }
func (forgetful) undo(s model.State, changes []model.Change) { s.Undo(changes) }
func (forgetful) move(_ model.State, undo []model.Change, _ int) ([]model.Change, error) {
	return undo, nil
}

// Omission is how likely it is that a search with the Compact store left states out: the number of states
// times the number of look-ups that found one, by 2^64. It is the estimate that TLC prints as
// "calculated (optimistic)".
func (r *Result) Omission() float64 {
	const hashes = 1 << 64
	return float64(r.States) * float64(r.Transitions-min(r.States, r.Transitions)) / hashes
}
