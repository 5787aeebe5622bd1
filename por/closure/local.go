package closure

import (
	"context"
	"fmt"

	"harrier/model"
)

// maxLocals is how many local states one actor may have in a closure.
const maxLocals = 2000

// A reachKey asks for a local closure: what an actor can do from a local state when messages are available any number of times.
type reachKey struct {
	position  uint32
	local     model.LocalID // 0 if the actor does not exist yet
	available setID         // messages to it and, if it does not exist yet, creations of it
	restarts  bool          // a fault may restart it
	without   uint32        // an event that it does not take, 0 for none
}

// reached is a local closure.
type reached struct {
	number    uint32 // of local closures, in the order in which they were made
	key       reachKey
	locals    []model.LocalID
	sends     setID  // what is sent and created
	limit     string // why it is not known; "" if it is
	commuting verdict
	graph     *graph // once it was asked for
}

type verdict uint8

const (
	unasked verdict = iota
	yes
	no
)

// reach gives a local closure.
func (t *tables) reach(ctx context.Context, k reachKey) (*reached, error) {
	if r, ok := t.reaches[k]; ok {
		return r, nil
	}
	r := &reached{number: uint32(len(t.reaches)) + 1, key: k}
	if err := t.explore(ctx, r); err != nil {
		return nil, err
	}
	t.reaches[k] = r
	return r, nil
}

func (t *tables) explore(ctx context.Context, r *reached) error {
	met := map[model.LocalID]bool{}
	meet := func(l model.LocalID) {
		if !met[l] {
			met[l] = true
			r.locals = append(r.locals, l)
		}
	}
	if r.key.local != 0 {
		meet(r.key.local)
	} else {
		for _, x := range t.items[r.key.available] {
			if l, ok := x.creates(); ok {
				meet(l)
			}
		}
	}
	var sends []item
	for i := 0; i < len(r.locals); i++ {
		if len(r.locals) > maxLocals {
			r.limit = fmt.Sprintf("%s has more than %d local states in it", t.steps.Name(r.key.position), maxLocals)
			return nil
		}
		l := r.locals[i]
		p, err := t.possible(ctx, possibleKey{l, r.key.available, r.key.restarts})
		if err != nil {
			return err
		}
		if p.limit != "" {
			r.limit = p.limit
			return nil
		}
		for _, event := range p.events {
			if event == r.key.without {
				continue
			}
			st, _ := t.steps.Step(l, event)
			for j := range st.Outcomes {
				o := &st.Outcomes[j]
				if o.Local != 0 {
					meet(o.Local)
				}
				sends = appendItems(sends, o.Effects)
			}
		}
		sends = compacted(sends)
	}
	r.sends = t.of(sends)
	return nil
}
