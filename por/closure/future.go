package closure

import (
	"context"
	"slices"

	"harrier/model"
)

// A view is a state in the ids of the closure.
type view struct {
	faults *faults
	nodes  []*nodeFacts // by position; nil for an actor that does not exist and has no messages
}

func (v *view) at(position int) *nodeFacts {
	if position >= len(v.nodes) {
		return nil
	}
	return v.nodes[position]
}

// A future is an over-approximation of what a state can lead to: what was ever available to each actor, and a local closure of
// each. In the manner of Guerraoui and Yabandeh (Model Checking a Networked System Without the Network, NSDI 2011), local states
// are not combined. How often each message may be sent is counted as far as that is bounded.
//
// No run exceeds what is available. If a step were the first to do so, each actor would have consumed no more than that before, so it
// would have gone along a path of its local closure, and sent no more than any path does; and all have together what is available.
// This holds for the beginnings of infinite runs, so for these.
type future struct {
	faults           *faults
	of               *future    // that this is part of; nil if it is by itself
	available        []setID    // by position
	reached          []*reached // by position; nil for actors that do not exist
	given            []setID    // by position: what reached is for
	limit            string     // why it is not known; "" if it is
	renewable        []setID    // by position
	renewableIsKnown bool
	start, next      []setID
}

// A restraint is what an actor does not do in a future.
type restraint struct {
	position uint32 // of the actor, 0 for no restraint
	event    uint32 // which it does not take; 0 if it takes none
}

// future computes that of a state. It is given up, with false, as soon as goesOn says so of what is known so far; goesOn may be nil.
func (t *tables) future(ctx context.Context, f *future, v *view, by restraint, goesOn func(*future) (bool, error)) (bool, error) {
	t.begin(f, v, by)
	for {
		if err := t.advance(ctx, f, v, by); err != nil || f.limit != "" {
			return false, err
		}
		if goesOn != nil {
			if ok, err := goesOn(f); !ok || err != nil {
				return false, err
			}
		}
		if !t.spread(f, by) {
			return true, nil
		}
	}
}

// begin has what is there and what adversaries may send.
func (t *tables) begin(f *future, v *view, by restraint) {
	positions := t.steps.Names() + 1
	f.faults, f.of, f.limit, f.renewableIsKnown = v.faults, nil, "", false
	f.start, f.available, f.next = blank(f.start, positions), blank(f.available, positions), blank(f.next, positions)
	f.reached, f.given = blank(f.reached, positions), blank(f.given, positions)
	for position := range f.start {
		if n := v.at(position); n != nil && !(by.event == 0 && by.position == uint32(position)) {
			f.start[position] = n.messages
		}
	}
	for _, d := range t.split(v.faults.forged) {
		f.start[d.position] = t.sum(f.start[d.position], d.items)
	}
	for position, items := range f.start {
		f.available[position] = t.lift(f, items)
	}
}

// blank is a list of so many zero values, in place of an old one.
func blank[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// advance finds the local closures with what is available so far.
func (t *tables) advance(ctx context.Context, f *future, v *view, by restraint) error {
	for position := 1; position < len(f.available); position++ {
		isRestrained := by.position == uint32(position)
		if isRestrained && by.event == 0 {
			continue
		}
		k := reachKey{position: uint32(position), available: f.available[position]}
		if n := v.at(position); n != nil {
			if n.stopped {
				continue
			}
			k.local = n.local
		}
		if silent, err := t.isSilent(f, k.local, isRestrained); silent || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if k.local == 0 && k.available == 0 {
			continue
		}
		k.available = t.sum(k.available, t.hazardsOf(f.faults, k.position).restarts)
		if f.reached[position] != nil && f.given[position] == k.available {
			continue
		}
		r, err := t.reach(ctx, k)
		if err != nil {
			return err
		}
		if r.limit != "" {
			f.limit, t.limits[k.position] = r.limit, r.limit
			return nil
		}
		f.reached[position], f.given[position] = r, k.available
	}
	return nil
}

// spread makes available what is sent, and says whether that is more than before.
func (t *tables) spread(f *future, by restraint) bool {
	copy(f.next, f.start)
	for position, r := range f.reached {
		if r == nil {
			continue
		}
		sends := t.listed(r).sends
		if by.position == uint32(position) {
			sends = t.sentWithout(r, by.event)
		}
		for _, d := range t.split(sends) {
			for int(d.position) >= len(f.next) { // actors were heard of meanwhile
				f.next, f.start = append(f.next, 0), append(f.start, 0)
				f.available, f.reached, f.given = append(f.available, 0), append(f.reached, nil), append(f.given, 0)
			}
			f.next[d.position] = t.sum(f.next[d.position], d.items)
		}
	}
	grows := false
	for position, items := range f.next {
		// A local closure that is made without counting has more than one that is counted, whatever is available.
		if items = t.most(f.available[position], t.lift(f, items)); items != f.available[position] {
			f.available[position], grows = items, true
		}
	}
	return grows
}

// lift has any number of what comes again by itself.
func (t *tables) lift(f *future, of setID) setID {
	if of == 0 {
		return 0
	}
	key := uint64(f.faults.number)<<32 | uint64(of)
	if id, ok := t.lifts[key]; ok {
		return id
	}
	lifted := slices.Clone(t.entries[of])
	for i, x := range lifted {
		if x.isMessage() && t.comesAgain(f.faults, x.id()) {
			lifted[i].copies = many
		}
	}
	id := t.intern(lifted)
	t.lifts[key] = id
	return id
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
