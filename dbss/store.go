package dbss

import (
	"errors"
	"fmt"

	"harrier/internal/wordset"
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

// A store is the set of states met (reached in Algorithm 1).
type store interface {
	// tree is what folds the states of a worker.
	tree() *tree
	// isTreeKept says whether all workers have the same tree, which is kept to the end.
	isTreeKept() bool
	// add puts a state in the set and says whether it is new. It must be one that c knows.
	add(c *composer, s folded) (isNew bool, err error)
	// prefetch says that a state will be added before long.
	prefetch(c *composer, s folded)
	bytes() uint64
	close() error
}

func (o Options) newStore() (store, error) {
	if o.Order == Stateless {
		return forgetful{}, nil
	}
	if o.Store == Compact && o.Order == BreadthFirst {
		return nil, errors.New("breadth-first search takes states from its store, which a compact one does not give back")
	}
	words, err := wordset.New()
	if err != nil {
		return nil, fmt.Errorf("making the visited set: %w", err)
	}
	if o.Store == Compact {
		return &compact{words}, nil
	}
	return &exact{words: words}, nil
}

// exact keeps the two halves of each state as one word.
type exact struct {
	words *wordset.Set
	all   tree
}

func (s folded) word() uint64 { return uint64(s.lower)<<32 | uint64(s.upper) }

func (x *exact) tree() *tree                             { return &x.all }
func (x *exact) isTreeKept() bool                        { return true }
func (x *exact) add(_ *composer, s folded) (bool, error) { return x.words.Add(s.word()) }
func (x *exact) prefetch(_ *composer, s folded)          { x.words.Prefetch(s.word()) }
func (x *exact) bytes() uint64                           { return x.words.Bytes() + x.all.bytes() }
func (x *exact) close() error                            { return x.words.Close() }

// compact keeps a hash of each state. Trees are only for the states that workers have at hand.
type compact struct{ words *wordset.Set }

func (*compact) tree() *tree                               { return &tree{} }
func (*compact) isTreeKept() bool                          { return false }
func (k *compact) add(c *composer, s folded) (bool, error) { return k.words.Add(c.hash(s)) }
func (k *compact) prefetch(c *composer, s folded)          { k.words.Prefetch(c.hash(s)) }
func (k *compact) bytes() uint64                           { return k.words.Bytes() }
func (k *compact) close() error                            { return k.words.Close() }

// forgetful is the store of a stateless search: all that comes is new.
type forgetful struct{}

func (forgetful) tree() *tree                         { return &tree{} }
func (forgetful) isTreeKept() bool                    { return false }
func (forgetful) add(*composer, folded) (bool, error) { return true, nil }
func (forgetful) prefetch(*composer, folded)          {}
func (forgetful) bytes() uint64                       { return 0 }
func (forgetful) close() error                        { return nil }

// Omission is how likely it is that a search with the Compact store left states out: the number of states
// times the number of look-ups that found one, by 2^64. It is the estimate that TLC prints as
// "calculated (optimistic)".
func (r *Result) Omission() float64 {
	const hashes = 1 << 64
	return float64(r.States) * float64(r.Transitions-min(r.States, r.Transitions)) / hashes
}
