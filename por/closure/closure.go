// Package closure is partial-order reduction without static analysis: it reads the memoized local steps. In a state it looks for
// an event that commutes with all that can happen to its actor before it, or for an actor whom nothing that others do can
// give more to do, and lets the search follow only these.
//
// What can happen is over-approximated by a future (future.go). The argument is in docs/soundness.md.
package closure

import (
	"context"
	"sync"
	"sync/atomic"

	"harrier/model"
)

// Options say how to reduce.
type Options struct {
	// After is how many states, of all workers, are left as they are before anything is computed.
	After uint64
}

// Closure reduces the states of a system of actors.
type Closure struct {
	searched      *model.Actors
	steps         *model.Speculation
	program       *model.Program
	hasInvariants bool
	silent        map[string]bool // by class of actors: whether it sends nothing
	after         uint64
	calls         atomic.Uint64

	mu       sync.Mutex
	reducers []*reducer
}

// New makes a reduction of a system.
func New(searched *model.Actors, o Options) (*Closure, error) {
	steps, err := model.NewSpeculation(searched, maxSpeculative)
	if err != nil {
		return nil, err
	}
	program := searched.Program()
	return &Closure{
		searched: searched, steps: steps, program: program, after: o.After,
		silent: silentClasses(program), hasInvariants: program.HasInvariants(),
	}, nil
}

// Reduction is for one worker. It is a dbss.Reduction.
func (c *Closure) Reduction() func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
	r := &reducer{tables: newTables(c)}
	c.mu.Lock()
	c.reducers = append(c.reducers, r)
	c.mu.Unlock()
	return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
		if c.calls.Load() < c.after {
			c.calls.Add(1)
			return into, false, nil
		}
		return r.reduce(ctx, s, into)
	}
}
