// Package closure is partial-order reduction without static analysis: it reads the memoized local steps. In a state it looks for
// an event that commutes with all that can happen to its actor before it, or for an actor whom nothing that others do can
// give more to do, and lets the search follow only these.
//
// What can happen is over-approximated by a future (future.go), which has a local closure of each actor (local.go): a part of a graph
// (graph.go). find.go has the ways to find a choice, from the cheapest to the dearest, commute.go and cycle.go what they ask for. The
// argument is in docs/soundness.md.
package closure

import (
	"sync"

	"harrier/model"
)

// Closure reduces the states of a system of actors.
type Closure struct {
	searched      *model.Actors
	steps         *model.Speculation
	program       *model.Program
	hasInvariants bool
	silent        map[string]bool // by class of actors: whether it sends nothing

	mu       sync.Mutex
	reducers []*reducer
}

// New makes a reduction of a system.
func New(searched *model.Actors) (*Closure, error) {
	steps, err := model.NewSpeculation(searched, maxSpeculative)
	if err != nil {
		return nil, err
	}
	program := searched.Program()
	return &Closure{
		searched: searched, steps: steps, program: program,
		silent: silentClasses(program), hasInvariants: program.HasInvariants(),
	}, nil
}

// Reduction is for one worker.
func (c *Closure) Reduction() model.Reduction {
	r := newReducer(c)
	c.mu.Lock()
	c.reducers = append(c.reducers, r)
	c.mu.Unlock()
	return r.reduce
}
