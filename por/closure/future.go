package closure

import (
	"context"

	"harrier/model"
)

// A view is a state in the ids of the closure.
type view struct {
	faults *faults
	nodes  []*nodeFacts // by position; nil for an actor that does not exist and has no messages
}

// A future is an over-approximation of what a state can lead to: what was ever available, and a local closure of each actor.
// In the manner of Guerraoui and Yabandeh (Model Checking a Networked System Without the Network, NSDI 2011), local states
// are not combined, and messages are never consumed.
type future struct {
	faults           *faults
	available        setID
	reached          []*reached // by position; nil for actors that do not exist
	limit            string     // why it is not known; "" if it is
	renewable        setID
	renewableIsKnown bool
}

// A restraint is what an actor does not do in a future.
type restraint struct {
	position uint32 // of the actor, 0 for no restraint
	event    uint32 // which it does not take; 0 if it takes none
}

// future computes that of a state. It is given up, with nil, as soon as goesOn says so of what is known so far; goesOn may be nil.
func (t *tables) future(ctx context.Context, v *view, by restraint, goesOn func(*future) (bool, error)) (*future, error) {
	f := &future{faults: v.faults, available: v.faults.forged}
	for _, n := range v.nodes {
		if n != nil && !(by.position != 0 && by.event == 0 && n.position == by.position) {
			f.available = t.union(f.available, n.messages)
		}
	}
	for {
		before := f.available
		for position := uint32(1); position <= uint32(t.steps.Names()); position++ {
			if by.position == position && by.event == 0 {
				continue
			}
			r, err := t.advance(ctx, v, f, position, by)
			if err != nil || f.limit != "" {
				return f, err
			}
			for int(position) >= len(f.reached) {
				f.reached = append(f.reached, nil)
			}
			if f.reached[position] = r; r != nil {
				f.available = t.union(f.available, r.sends)
			}
		}
		if goesOn != nil {
			if ok, err := goesOn(f); !ok || err != nil {
				return nil, err
			}
		}
		if f.available == before {
			return f, nil
		}
	}
}

// advance is the local closure of the actor at a position with what is available so far; nil if there is no such actor.
func (t *tables) advance(ctx context.Context, v *view, f *future, position uint32, by restraint) (*reached, error) {
	k := reachKey{position: position, available: t.to(f.available, position)}
	if int(position) < len(v.nodes) && v.nodes[position] != nil {
		if v.nodes[position].stopped {
			return nil, nil
		}
		k.local = v.nodes[position].local
	}
	if k.local == 0 && k.available == 0 {
		return nil, nil
	}
	k.restarts = t.hazardsOf(v.faults, position).restart
	if by.position == position {
		k.without, k.available = by.event, t.ahead(k.available, by.event)
	}
	r, err := t.reach(ctx, k)
	if err != nil {
		return nil, err
	}
	f.limit = r.limit
	return r, nil
}

// ahead is a set of messages to an actor without those that wait behind an event's in a queue.
func (t *tables) ahead(messages setID, event uint32) setID {
	own := t.steps.Messages(event)
	if len(own) == 0 || !t.channel(t.message(own[0]).receiver).Queues {
		return messages
	}
	var kept []item
	for _, x := range t.items[messages] {
		if _, isCreation := x.creates(); isCreation || !t.isBehind(x.message(), own) {
			kept = append(kept, x)
		}
	}
	return t.of(kept)
}

// isBehind says whether a message is another one of a sender that some of an event's have.
func (t *tables) isBehind(m model.MessageID, own []model.MessageID) bool {
	isBehind := false
	for _, o := range own {
		if o == m {
			return false
		}
		isBehind = isBehind || t.message(o).sender == t.message(m).sender
	}
	return isBehind
}
