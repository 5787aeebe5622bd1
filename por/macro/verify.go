package macro

import (
	"context"
	"errors"
	"sync"

	"harrier/internal/lts"
	"harrier/internal/model"
)

// A verification compares, between transitions, the messages left out with the graph of local states that the search has seen. If a
// local state that comes later does not ignore a message that was left out, the search begins again, and the handler that ignored
// the message first is excluded.
type verification struct {
	verifying sync.Mutex      // guards the fields below, and what Messages notes of successors
	verified  int             // how many of reached were compared
	tickedAt  int             // how many of ticked were compared
	arrivedAt int             // how many of arrivals were compared
	late      map[uint32]bool // handlers that count as run although perhaps none did
}

// errNotIgnored is the error of a search that left out a message that makes a difference later on.
var errNotIgnored = errors.New("a message that was left out is not ignored later on")

// verify compares the local states found since its last call with the messages left out before. The error is errNotIgnored if
// a message left out is not ignored. It may be called while workers search.
func (d *System) verify(ctx context.Context) error {
	g := d.ignored
	g.verifying.Lock()
	defer g.verifying.Unlock()
	g.mu.Lock()
	reached, arrivals, ticked := g.reached[g.verified:], g.arrivals[g.arrivedAt:], g.ticked[g.tickedAt:]
	g.verified, g.arrivedAt, g.tickedAt = len(g.reached), len(g.arrivals), len(g.ticked)
	g.mu.Unlock()
	for _, a := range arrivals {
		if err := g.LeaveOut(ctx, a); err != nil {
			return err
		}
	}
	for _, in := range reached {
		if err := verifyInside(ctx, in, func(part *inside) *bool { return &part.verified }, d.verifyState); err != nil {
			return err
		}
	}
	for _, in := range ticked {
		if err := verifyInside(ctx, in, func(part *inside) *bool { return &part.verifiedTicks }, d.verifyRounds); err != nil {
			return err
		}
	}
	if len(g.Contrary()) > 0 {
		return errNotIgnored
	}
	return nil
}

// verifyInside verifies the members of In of a component state that a run comes to, but for those of parts that were verified.
func verifyInside(ctx context.Context, in *inside, verified func(*inside) *bool, verify func(context.Context, lts.Vertex) error) error {
	for part := range in.walk(func(part *inside) bool { return *verified(part) }) {
		for _, m := range part.states {
			if err := verify(ctx, lts.Vertex{Component: in.component, State: m}); err != nil {
				return err
			}
		}
		*verified(part) = true
	}
	return nil
}

// verifyRounds verifies the rounds that begin in a component state from which time goes on.
func (d *System) verifyRounds(ctx context.Context, v lts.Vertex) error {
	if _, ok := d.unless(v.Component, v.State); !ok {
		return nil // none begins there
	}
	rounds, err := d.Graph.Rounds(v.Component, v.State)
	if err != nil {
		return err
	}
	for _, r := range rounds {
		if err := d.ignored.Succeed(ctx, v.Component, v.State, r.After); err != nil {
			return err
		}
		if err := d.ignored.LeaveOut(ctx, lts.Vertex{Component: v.Component, State: r.After}); err != nil {
			return model.Doubted(err)
		}
	}
	return nil
}

// verifyState verifies the steps of a component state that a run comes to.
func (d *System) verifyState(ctx context.Context, v lts.Vertex) error {
	for st := range d.Graph.Out(v.Component, v.State) {
		if st.Failure != 0 {
			continue
		}
		if err := d.ignored.Succeed(ctx, v.Component, v.State, st.Next); err != nil {
			return err
		}
		next, err := d.Graph.After(v.Component, v.State, &st)
		if err == nil {
			err = ahead(st.Facts, d.ignored.LeaveOut(ctx, lts.Vertex{Component: v.Component, State: next}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
