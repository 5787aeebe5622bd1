package space

import (
	"context"

	"harrier/internal/model"
)

// moves finds what may happen at nodes, as far as that is known without Java.
type moves struct {
	localSteps
	domains   [][]sending    // by fault: what its adversaries may send
	splitters map[int]uint32 // of the program's Split faults: the position whose event it is
}

// A move is an event that may be enabled at a node, with what is known of it without Java.
type move struct {
	event uint32

	// Of an event that runs Java:
	asks  uint32 // the event that the oracle is asked for; 0 if none runs
	takes []int  // the places of the messages that it takes out of what handlers consume, ascending
	last  uint32 // an event that stands for the messages that it processes

	// Of one that does not:
	next    func() model.NodeID // the node that it leads to
	outcome uint32
	effects []Effect
}

// expand finds the steps of all nodes that are not expanded yet. It asks the oracle for all local steps that are missing in
// one batch. Answers may lead to further questions.
func (a *Actors) expand(ctx context.Context, nodes []Placed) error {
	var found []nodeMoves
	return a.complete(ctx, func(w *requests) (err error) {
		found, err = a.collect(nodes, w)
		return err
	}, func() {
		for _, n := range found {
			a.connect(n)
		}
	})
}

// nodeMoves are the moves of a node at a position.
type nodeMoves struct {
	node     model.NodeID
	position uint32
	moves    []move
}

// collect finds the moves of nodes that are not expanded, and requests what has to be known of them.
func (a *Actors) collect(nodes []Placed, w *requests) (found []nodeMoves, err error) {
	met := map[model.NodeID]bool{}
	for _, placed := range nodes {
		n := placed.Node
		if met[n] || a.nodes.list.At(n).expanded() {
			continue
		}
		met[n] = true
		moves, lacking, err := a.movesOf(n, placed.Position)
		if err != nil {
			return nil, err
		}
		found = append(found, nodeMoves{n, placed.Position, moves})
		for _, m := range moves {
			if m.asks != 0 {
				lacking = append(lacking, m.asks)
			}
		}
		for _, e := range lacking {
			a.request(w, LocalStep{a.nodes.list.At(n).local, e})
		}
	}
	return found, nil
}

// movesOf lists the moves of the node at a position, faults last. The oracle says which of them are enabled. Lacking
// are further events that it has to be asked for before all moves are known.
func (a *moves) movesOf(id model.NodeID, position uint32) (moves []move, lacking []uint32, err error) {
	n := a.nodes.list.At(id)
	if n.local != 0 {
		if moves, lacking, err = a.receptions(n); err != nil {
			return nil, nil, err
		}
		moves = append(moves, a.deliveries(n)...)
		if a.locals.At(n.local).acts && (a.program.Delivery != model.MP || n.delivered == 0) {
			m := a.move(model.Internal, 0)
			m.asks = m.event
			moves = append(moves, m)
		}
	}
	own := moves
	for fault := range a.program.Faults {
		moves = append(moves, a.faultMoves(id, position, fault)...)
		moves = append(moves, a.crashesWithin(own, *a.names.At(position), fault)...)
	}
	return moves, lacking, nil
}

// move is that of an event.
func (a *moves) move(kind model.EventKind, fault int, messages ...model.MessageID) move {
	return move{event: a.event(event{kind: kind, fault: fault, messages: messages})}
}

// connect makes the steps of a node from the answers to its moves.
func (a *Actors) connect(o nodeMoves) {
	var steps []step
	for _, m := range o.moves {
		if m.asks == 0 {
			steps = append(steps, a.plain(m))
		} else {
			outcomes := a.outcomesOf(LocalStep{a.nodes.list.At(o.node).local, m.asks})
			steps = append(steps, a.stepsOf(o.node, o.position, m, outcomes)...)
		}
	}
	a.nodes.list.At(o.node).expand(span{a.steps.AddAll(steps), uint32(len(steps))})
}

// plain is the step of a move that runs no Java.
func (a *Actors) plain(m move) step {
	effects := a.list(m.effects)
	st := step{next: m.next(), event: m.event, outcome: m.outcome,
		update: a.update(globalUpdate{guard: a.events.At(m.event).guard}), effects: *a.spans.At(effects)}
	st.effect = a.effect(effects, st.update)
	return st
}

// stepsOf are the steps of a move for each of the outcomes.
func (a *Actors) stepsOf(id model.NodeID, position uint32, m move, outcomes []outcome) []step {
	if len(outcomes) == 0 {
		return nil
	}
	var steps []step
	rest, guard := a.rest(a.nodes.list.At(id).inbox, m), a.events.At(m.event).guard
	for k, o := range outcomes {
		if o.repeated {
			continue
		}
		st := step{handler: o.handler, effects: *a.spans.At(o.effects), failure: o.failure, event: m.event, outcome: uint32(k)}
		switch {
		case o.failure != 0:
			if guard != 0 {
				st.update = a.update(globalUpdate{guard: guard})
			}
		case o.local == 0:
			st.next = a.stop(position, o.last)
		default:
			st.next = a.node(o.local, rest)
		}
		if o.failure == 0 {
			st.update = a.update(globalUpdate{a.globals.recorded(a.optional.At(o.optional).records), a.last(m), guard})
		}
		st.effect = a.effect(o.effects, st.update)
		steps = append(steps, st)
	}
	return steps
}

// rest is what a move that runs Java leaves of an inbox.
func (a *Actors) rest(b inbox, m move) inbox {
	switch {
	case len(m.takes) == 0:
	case a.program.Delivery == model.M:
		b.waiting = a.without(b.waiting, m.takes...)
	default:
		b.delivered = a.without(b.delivered, m.takes...)
	}
	return b
}

// effect identifies effects with a global update.
func (a *Actors) effect(effects, update uint32) uint32 {
	id, _ := a.affected.GetOrPut(effects, update, func() (uint32, error) { return uint32(a.affected.Len() + 1), nil })
	return id
}

// last is what a state remembers of the move that led to it.
func (a *Actors) last(m move) uint32 {
	if a.Decomposition.Hashing == Full {
		return m.last
	}
	return 0
}
