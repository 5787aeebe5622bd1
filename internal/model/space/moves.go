package space

import (
	"context"
	"slices"

	"harrier/internal/model"
)

// Moves gives the events that nodes may have, as far as they are known without Java.
type Moves struct {
	values       *Values
	messageLists *messageLists
	nodes        *Nodes
	localSteps   *LocalSteps

	domains   [][]sending    // by fault: the messages that its adversaries may send
	splitters map[int]uint32 // of the program's Split faults: the position whose event it is
}

// A move is an event that may be enabled at a node, with all that is known without asking Java.
type move struct {
	event uint32

	// Of an event that runs Java:
	asks  uint32 // the event that the oracle is asked for; 0 if none runs
	takes []int  // the places of the messages that it takes among those consumable, ascending
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
	return a.LocalSteps.complete(ctx, func(w *requests) (err error) {
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

// collect finds the moves of nodes that are not expanded, and requests the local steps of these moves.
func (a *Actors) collect(nodes []Placed, w *requests) (found []nodeMoves, err error) {
	met := map[model.NodeID]bool{}
	for _, placed := range nodes {
		n := placed.Node
		if met[n] || a.Nodes.list.At(n).expanded() {
			continue
		}
		met[n] = true
		moves, lacking, err := a.Moves.movesOf(n, placed.Position)
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
			a.LocalSteps.request(w, LocalStep{a.Nodes.list.At(n).local, e})
		}
		a.requestTicks(n, w)
	}
	return found, nil
}

// movesOf lists the moves of the node at a position, faults last. The oracle says which of them are enabled. Lacking
// are further events that it has to be asked for before all moves are known.
func (a *Moves) movesOf(id model.NodeID, position uint32) (moves []move, lacking []uint32, err error) {
	n := a.nodes.list.At(id)
	var disconnects []move
	if n.local != 0 && !a.values.locals.At(n.local).down {
		if moves, lacking, err = a.receptions(n); err != nil {
			return nil, nil, err
		}
		moves = append(moves, a.deliveries(n)...)
		disconnects = a.disconnections(n)
		if a.values.locals.At(n.local).acts && (a.values.program.Delivery != model.MP || n.delivered == 0) {
			m := a.move(model.Internal, 0)
			m.asks = m.event
			moves = append(moves, m)
		}
	}
	own := moves
	notices, err := a.notices(n)
	if err != nil {
		return nil, nil, err
	}
	moves = slices.Concat(moves, notices, disconnects, a.refusals(id, position))
	for fault := range a.values.program.Faults {
		moves = append(moves, a.faultMoves(id, position, fault)...)
		moves = append(moves, a.crashesWithin(own, *a.values.names.At(position), fault)...)
	}
	return moves, lacking, nil
}

// move is that of an event.
func (a *Moves) move(kind model.EventKind, fault int, messages ...model.MessageID) move {
	return move{event: a.localSteps.event(event{kind: kind, fault: fault, messages: messages})}
}

// connect makes the steps of a node from the answers to its moves.
func (a *Actors) connect(o nodeMoves) {
	var steps []step
	for _, m := range o.moves {
		if m.asks == 0 {
			steps = append(steps, a.plain(o.position, m))
		} else {
			outcomes := a.LocalSteps.outcomesOf(LocalStep{a.Nodes.list.At(o.node).local, m.asks})
			steps = append(steps, a.stepsOf(o.node, o.position, m, outcomes)...)
			if len(outcomes) == 0 && len(m.takes) > 1 && a.LocalSteps.events.At(m.event).kind == model.Disconnect {
				steps = append(steps, a.plain(o.position, a.Moves.drop(o.node, m)))
			}
		}
	}
	a.Nodes.list.At(o.node).expand(span{a.steps.AddAll(steps), uint32(len(steps))})
}

// plain is the step of a move that runs no Java.
func (a *Actors) plain(position uint32, m move) step {
	effects, e := a.LocalSteps.list(m.effects), a.LocalSteps.events.At(m.event)
	update := globalUpdate{guard: e.guard, links: a.links(position, m.event, false, nil), closes: a.Values.tracks && e.kind.IsCrash()}
	st := stepFacts{event: m.event, outcome: m.outcome, urgent: a.isUrgent(m.event, nil), update: a.Globals.update(update), effects: *a.LocalSteps.spans.At(effects)}
	st.effect = a.effect(effects, st.update)
	return a.newStep(m.next(), st)
}

// newStep is a step to a node with facts, which are interned.
func (a *Actors) newStep(next model.NodeID, facts stepFacts) step {
	id, ok := a.factsIDs[facts]
	if !ok {
		id = a.facts.Add(facts)
		a.factsIDs[facts] = id
	}
	return step{next, id}
}

// stepsOf are the steps of a move for each of the outcomes.
func (a *Actors) stepsOf(id model.NodeID, position uint32, m move, outcomes []outcome) []step {
	if len(outcomes) == 0 {
		return nil
	}
	var steps []step
	before, guard := a.rest(a.Nodes.list.At(id).inbox, m), a.LocalSteps.events.At(m.event).guard
	for k, o := range outcomes {
		if o.repeated {
			continue
		}
		rest, effects, closes := before, o.effects, false
		if a.Values.tracks && o.failure == 0 {
			rest, effects, closes = a.onConnections(position, m.event, before, &o)
		}
		next, st := model.NodeID(0), stepFacts{handler: o.handler, effects: *a.LocalSteps.spans.At(effects), failure: o.failure, event: m.event, outcome: uint32(k), urgent: a.isUrgent(m.event, &o)}
		switch {
		case o.failure != 0:
			if links := a.told(position, m.event); guard != 0 || links != 0 {
				st.update = a.Globals.update(globalUpdate{guard: guard, links: links})
			}
		case o.local == 0:
			next = a.Nodes.stop(position, o.last)
		default:
			next = a.Nodes.node(o.local, rest)
		}
		if o.failure == 0 {
			given := a.LocalSteps.optional.At(o.optional)
			links := a.links(position, m.event, o.local == 0, given.requests)
			st.update = a.Globals.update(globalUpdate{records: a.Globals.recorded(given.records), last: a.last(m), guard: guard, links: links, closes: closes})
		}
		st.effect = a.effect(effects, st.update)
		steps = append(steps, a.newStep(next, st))
	}
	return steps
}

// rest is what a move that runs Java leaves of an inbox.
func (a *Actors) rest(b inbox, m move) inbox {
	switch {
	case len(m.takes) == 0:
	case a.Values.program.Delivery == model.M:
		b.waiting = a.messageLists.without(b.waiting, m.takes...)
	default:
		b.delivered = a.messageLists.without(b.delivered, m.takes...)
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
	if a.Values.Decomposition.Hashing == Full {
		return m.last
	}
	return 0
}
