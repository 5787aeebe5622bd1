package por_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/model/space"
	"harrier/internal/testkit/reach"
)

func newGraph(actors *space.Actors, oracle model.Oracle) *graph {
	return &graph{actors: actors, oracle: oracle, states: map[string]int{}}
}

func (g *graph) number(s model.State) int {
	key := reach.Exact(s)
	if n, ok := g.states[key]; ok {
		return n
	}
	g.states[key] = len(g.nodes)
	g.nodes = append(g.nodes, graphNode{state: slices.Clone(s)})
	return len(g.nodes) - 1
}

// from are the transitions that are enabled in a state.
func (g *graph) from(n int) ([]edge, error) {
	if g.nodes[n].open {
		return g.nodes[n].edges, nil
	}
	if len(g.nodes) > graphStates {
		return nil, reach.ErrTooMany
	}
	s := g.nodes[n].state
	offered, err := g.actors.Enabled(context.Background(), s, nil)
	if err != nil {
		return nil, err
	}
	var all []edge
	for _, t := range offered {
		parts := g.actors.StepOf(s, t)
		e := edge{Transition: t, event: eventKey{slot: t.Slot, event: parts.Event}, fault: parts.Kind.IsFault()}
		next, _, err := g.actors.Apply(slices.Clone(s), t, nil)
		var failure *model.StepFailure
		switch {
		case errors.Is(err, model.ErrDisabled):
			continue
		case errors.As(err, &failure):
			e.fails = fmt.Sprint(failure.Failure)
		case err != nil:
			return nil, err
		default:
			e.to = g.number(next)
		}
		if parts.Kind == model.Internal {
			e.event.handler = parts.Handler
		}
		all = append(all, e)
	}
	g.nodes[n].edges, g.nodes[n].open = all, true
	return all, nil
}

// judged is what the invariants say of a state.
func (g *graph) judged(n int) (string, error) {
	if known := g.nodes[n].judged; known != "" {
		return known, nil
	}
	verdicts := "invariants:"
	for i, p := range g.oracle.Program().Properties {
		if !p.Kind.IsOfEachState() {
			continue
		}
		e := model.Evaluation{Property: i, History: g.actors.Globals.History(g.nodes[n].state)}
		for _, id := range g.nodes[n].state[1:] {
			if l := g.actors.Nodes.Parts(id).Local; l != 0 {
				e.Actors = append(e.Actors, g.actors.Values.Actor(l))
			}
		}
		answers, err := g.oracle.Evaluate(context.Background(), []model.Evaluation{e})
		if err != nil {
			return "", err
		}
		verdicts += fmt.Sprint(" ", answers[0].Holds)
	}
	g.nodes[n].judged = verdicts
	return verdicts, nil
}

func (g *graph) tell(n int, follow []edge, why string) string {
	text := "in " + g.text(n) + " this is followed:"
	for _, e := range follow {
		text += " " + g.eventText(e)
	}
	return text + "; but " + why
}

func (g *graph) eventText(e edge) string {
	ev := g.actors.LocalSteps.Question(space.LocalStep{Event: e.event.event}).Event
	text := fmt.Sprintf("[%s of %s", ev.Kind, g.actors.Values.PositionName(int(e.event.slot)+1))
	for _, m := range ev.Messages {
		text += fmt.Sprintf(" %s>%s %s", m.Sender, m.Receiver, differ.Text(g.oracle.Program(), m.Payload))
	}
	return text + "]"
}

// text is a state in words.
func (g *graph) text(n int) string { return "(" + differ.State(g.actors, g.nodes[n].state) + ")" }
