package closure

import (
	"context"
	"slices"

	"harrier/model"
)

// The cycle proviso. On a cycle of states each actor's local state recurs, so each step of it stays within a strongly connected
// component of the actor's local graph; and what is consumed is sent again, by such steps. A cycle of reduced states would
// consist of steps that are all like that. So one that is not is on no cycle, and a set of transitions without one may be followed alone.

// A graph is a local closure with its strongly connected components.
type graph struct {
	component map[model.LocalID]int
	inside    []insideStep
}

// An insideStep is an outcome that stays within its component.
type insideStep struct {
	consumes []model.MessageID
	sends    []item
}

// graphOf gives the graph of a local closure that is known.
func (t *tables) graphOf(ctx context.Context, r *reached) (*graph, error) {
	if r.graph != nil {
		return r.graph, nil
	}
	edges := map[model.LocalID][]model.LocalID{}
	each := func(do func(l model.LocalID, event uint32, o *model.PossibleOutcome)) error {
		for _, l := range r.locals {
			p, err := t.possible(ctx, possibleKey{l, r.key.available, r.key.restarts})
			if err != nil {
				return err
			}
			for _, event := range p.events {
				st, _ := t.steps.Step(l, event)
				for i := range st.Outcomes {
					if o := &st.Outcomes[i]; o.Local != 0 {
						do(l, event, o)
					}
				}
			}
		}
		return nil
	}
	if err := each(func(l model.LocalID, _ uint32, o *model.PossibleOutcome) { edges[l] = append(edges[l], o.Local) }); err != nil {
		return nil, err
	}
	g := &graph{component: components(r.locals, edges)}
	err := each(func(l model.LocalID, event uint32, o *model.PossibleOutcome) {
		if g.component[l] == g.component[o.Local] && len(o.Effects) > 0 {
			g.inside = append(g.inside, insideStep{t.steps.Messages(event), appendItems(nil, o.Effects)})
		}
	})
	if err != nil {
		return nil, err
	}
	r.graph = g
	return g, nil
}

// components numbers the strongly connected components (Tarjan: Depth-First Search and Linear Graph Algorithms, 1972).
func components(nodes []model.LocalID, edges map[model.LocalID][]model.LocalID) map[model.LocalID]int {
	component := map[model.LocalID]int{}
	index, low := map[model.LocalID]int{}, map[model.LocalID]int{}
	var stack []model.LocalID
	var visit func(n model.LocalID)
	visit = func(n model.LocalID) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		for _, next := range edges[n] {
			if index[next] == 0 {
				visit(next)
				low[n] = min(low[n], low[next])
			} else if _, isDone := component[next]; !isDone {
				low[n] = min(low[n], index[next])
			}
		}
		if low[n] != index[n] {
			return
		}
		for number := len(component); ; {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			component[last] = number
			if last == n {
				return
			}
		}
	}
	for _, n := range nodes {
		if index[n] == 0 {
			visit(n)
		}
	}
	return component
}

// resent is what steps inside the components of a local closure send if they may consume some messages.
func (t *tables) resent(ctx context.Context, r *reached, messages setID) (setID, error) {
	if id, ok := t.insides.Get(r.number, messages); ok {
		return id, nil
	}
	g, err := t.graphOf(ctx, r)
	if err != nil {
		return 0, err
	}
	var sends []item
	for i := range g.inside {
		if step := &g.inside[i]; t.hasAll(messages, step.consumes) {
			sends = append(sends, step.sends...)
		}
	}
	id := t.of(sends)
	t.insides.Put(r.number, messages, id)
	return id, nil
}

func (t *tables) hasAll(set setID, messages []model.MessageID) bool {
	for _, m := range messages {
		if !t.has(set, messageItem(m)) {
			return false
		}
	}
	return true
}

// renewable is the greatest set of messages of a closure each of which is sent by a step inside a component that consumes
// only messages of the set, or comes about without any step.
func (t *tables) renewable(ctx context.Context, f *future) (setID, error) {
	if f.renewableIsKnown {
		return f.renewable, nil
	}
	always := t.everNew(f)
	messages := f.available
	for {
		next := always
		for _, r := range f.reached {
			if r == nil {
				continue
			}
			sends, err := t.resent(ctx, r, t.to(messages, r.key.position))
			if err != nil {
				return 0, err
			}
			next = t.union(next, sends)
		}
		if next == messages {
			f.renewable, f.renewableIsKnown = messages, true
			return messages, nil
		}
		messages = next
	}
}

// everNew are the messages of a closure that come again by themselves: forged, or duplicated.
func (t *tables) everNew(f *future) setID {
	key := uint64(f.faults.number)<<32 | uint64(f.available)
	if id, ok := t.everNews[key]; ok {
		return id
	}
	var found []item
	for _, x := range t.items[f.available] {
		if _, isCreation := x.creates(); isCreation {
			continue
		}
		receiver := t.message(x.message()).receiver
		if t.channel(receiver).Repeats || t.hazardsOf(f.faults, receiver).duplicate {
			found = append(found, x)
		}
	}
	id := t.union(t.of(found), f.faults.forged)
	t.everNews[key] = id
	return id
}

// isOnNoCycle says whether an event of an actor is on no cycle of states that have the same future: each outcome leaves its
// component, or something that it takes out of the mailbox does not come again.
func (t *tables) isOnNoCycle(ctx context.Context, n *nodeFacts, e *eventFacts, f *future) (bool, error) {
	leaves := false
	if e.kind != model.Deliver && e.kind != model.Lose && e.kind != model.Forge {
		g, err := t.graphOf(ctx, f.reached[n.position])
		if err != nil {
			return false, err
		}
		leaves = !slices.ContainsFunc(e.parts, func(o outcomeFacts) bool { return !g.leaves(n.local, o.local) })
	}
	if leaves || e.kind == model.Duplicate {
		return leaves, nil
	}
	renewable, err := t.renewable(ctx, f)
	return err == nil && !t.hasAll(renewable, e.messages), err
}

// leaves says whether a step from one local state to another leaves a component.
func (g *graph) leaves(from, to model.LocalID) bool {
	before, isMet := g.component[from]
	after, isNextMet := g.component[to]
	return to == 0 || isMet && isNextMet && before != after
}
