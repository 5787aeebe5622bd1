// Package minimal makes counterexamples shorter: events without which a run still ends in the violation are left out, and threads are
// preempted where they have to be.
package minimal

import (
	"context"
	"errors"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// Path leaves events out of a path from a state that ends in a violation, and with each of them those that are not
// enabled without it, until none can be left out or ctx ends. The result ends in the same violation, or, of a failing handler, in a
// failure of that handler.
//
// Large parts are tried first, as most of a long run has nothing to do with its end (Zeller, Hildebrandt: "Simplifying and
// Isolating Failure-Inducing Input", 2002).
func Path(ctx context.Context, actors *space.Actors, checker *property.Checker, v property.Violation, from model.State,
	path []model.Transition) ([]model.Transition, error) {
	m := &minimizer{actors: actors, checker: checker, violation: v, from: from}
	events, err := m.events(path)
	if err != nil {
		return nil, err
	}
	for before := len(events) + 1; len(events) < before && ctx.Err() == nil; {
		before = len(events)
		for size := (len(events) + 1) / 2; size > 0 && ctx.Err() == nil; size /= 2 {
			if events, err = m.without(ctx, events, size); err != nil {
				return nil, err
			}
		}
		rest, err := m.withoutFaults(ctx, events)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		events = rest
	}
	if events, err = m.withFewerSwitches(ctx, events); err != nil {
		return nil, err
	}
	for i, e := range events {
		path[i] = e.Transition
	}
	return path[:len(events)], nil
}

type minimizer struct {
	actors    *space.Actors
	checker   *property.Checker
	violation property.Violation
	from      model.State
	failed    *model.StepFailure // of a HandlerFailure
}

// events are the transitions of a path as steps of nodes, which mean the same in any state.
func (m *minimizer) events(path []model.Transition) ([]space.NodeStep, error) {
	s := slices.Clone(m.from)
	var events []space.NodeStep
	for _, t := range path {
		events = append(events, m.actors.StepOf(s, t))
		var err error
		s, _, err = m.actors.Apply(s, t, nil)
		if errors.As(err, &m.failed) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// without tries to leave out each part of a size, the last one first.
func (m *minimizer) without(ctx context.Context, events []space.NodeStep, size int) ([]space.NodeStep, error) {
	states, err := m.states(events)
	for end := len(events); end > 0 && err == nil; end = min(end-size, len(events)) {
		first := max(0, end-size)
		var rest []space.NodeStep
		if rest, err = m.run(ctx, states[first], events[end:]); rest != nil && err == nil {
			events = slices.Concat(events[:first], rest)
		}
	}
	if ctx.Err() != nil {
		return events, nil
	}
	return events, err
}

// withoutFaults tries to leave out two faults of which neither can be left out alone, such as a duplicate and its loss. What a handler
// does in the first stays: a message that is received and stays in flight, to be lost later, is just received.
func (m *minimizer) withoutFaults(ctx context.Context, events []space.NodeStep) ([]space.NodeStep, error) {
	isFault := func(e space.NodeStep) bool { return e.Fault != 0 }
	states, err := m.states(events)
	for i := 0; i < len(events) && err == nil; i++ {
		if !isFault(events[i]) || !slices.ContainsFunc(events[i+1:], isFault) {
			continue
		}
		var instead []space.NodeStep
		if instead, err = m.withoutFault(ctx, states[i], events[i]); err != nil {
			break
		}
		for j := i + 1; j < len(events); j++ {
			if !isFault(events[j]) {
				continue
			}
			rest, err := m.run(ctx, m.from, slices.Concat(events[:i], instead, events[i+1:j], events[j+1:]))
			if rest != nil || err != nil {
				return rest, err
			}
		}
	}
	if ctx.Err() != nil {
		return events, nil
	}
	return events, err
}

// withoutFault is the event of a state that does what a fault does to its actor, if there is one.
func (m *minimizer) withoutFault(ctx context.Context, s model.State, fault space.NodeStep) ([]space.NodeStep, error) {
	enabled, err := m.actors.Enabled(ctx, s, nil)
	for _, t := range enabled {
		e := m.actors.StepOf(s, t)
		if e.Fault == 0 && e.Slot == fault.Slot && e.Local == fault.Local && slices.Equal(e.Messages, fault.Messages) {
			return []space.NodeStep{e}, err
		}
	}
	return nil, err
}

// withFewerSwitches has threads go on for as long as they can: what a thread does next, up to where another one of its actor goes on, comes
// right behind what it did last, where the run still ends in the violation and an actor goes on with another thread less often.
func (m *minimizer) withFewerSwitches(ctx context.Context, events []space.NodeStep) ([]space.NodeStep, error) {
	for i := 0; i < len(events) && ctx.Err() == nil; i++ {
		next, others := m.nextOfThread(events[i:])
		if len(next) == 0 {
			continue
		}
		run, err := m.run(ctx, m.from, slices.Concat(events[:i+1], next, others))
		if ctx.Err() != nil {
			break
		} else if err != nil {
			return nil, err
		}
		if run != nil && len(run) <= len(events) && m.switches(run) < m.switches(events) {
			events = run
		}
	}
	return events, nil
}

// nextOfThread divides the events after the first one into the next events of the same thread, which other events of its actor come before, and the rest.
// There are none of the former if no thread takes it, or nothing of the actor comes in between.
func (m *minimizer) nextOfThread(events []space.NodeStep) (next, others []space.NodeStep) {
	if !m.isOfThread(events[0]) {
		return nil, nil
	}
	isBetween, isOver := false, false // others of the actor before its next events, and behind these
	for _, e := range events[1:] {
		isOfActor, isOwn := e.Slot == events[0].Slot, e.Slot == events[0].Slot && e.Handler == events[0].Handler
		if isOwn && !isBetween {
			return nil, nil
		}
		isBetween = isBetween || isOfActor
		isOver = isOver || isOfActor && !isOwn && len(next) > 0
		if isOwn && !isOver {
			next = append(next, e)
		} else {
			others = append(others, e)
		}
	}
	return next, others
}

// switches counts how often an actor goes on with another thread than before.
func (m *minimizer) switches(events []space.NodeStep) int {
	n, last := 0, map[uint32]uint32{}
	for _, e := range events {
		if before, ok := last[e.Slot]; ok && before != e.Handler {
			n++
		}
		last[e.Slot] = e.Handler
	}
	return n
}

// isOfThread reports whether a thread takes an event, by the label of what it does.
func (m *minimizer) isOfThread(e space.NodeStep) bool {
	if e.Kind != model.Internal {
		return false
	}
	label := m.actors.Values.HandlerLabel(int(e.Handler))
	return strings.HasPrefix(label, "thread ") || strings.HasPrefix(label, "task ")
}

// states are those before each event of a run.
func (m *minimizer) states(events []space.NodeStep) ([]model.State, error) {
	states := []model.State{m.from}
	for i := range len(events) - 1 {
		s, _, err := m.actors.Apply(slices.Clone(states[i]), events[i].Transition, nil)
		if err != nil {
			return nil, err
		}
		states = append(states, s)
	}
	return states, nil
}

// run takes some events in turn, leaving out disabled ones, from s up to the violation. It returns nil if they do not lead there,
// or leave the bound (@Within).
func (m *minimizer) run(ctx context.Context, s model.State, events []space.NodeStep) ([]space.NodeStep, error) {
	taken := []space.NodeStep{}
	var enabled []model.Transition
	var steps []space.NodeStep // of enabled
	for next, at := 0, -1; ; next++ {
		if next == 0 || at >= 0 { // s is another state than before
			within, err := m.checker.IsWithin(ctx, s)
			if !within || err != nil {
				return nil, err
			}
			if enabled, err = m.actors.Enabled(ctx, s, enabled[:0]); err != nil {
				return nil, err
			}
			if violated, err := m.isViolated(ctx, s, enabled); violated || err != nil {
				return taken, err
			}
			steps = steps[:0]
			for _, t := range enabled {
				steps = append(steps, m.actors.StepOf(s, t))
			}
		}
		if next == len(events) {
			return nil, nil
		}
		event := &events[next]
		at = slices.IndexFunc(steps, func(st space.NodeStep) bool {
			return st.Slot == event.Slot && st.EventID == event.EventID && isSame(st, *event)
		})
		if at < 0 && event.Kind == model.Internal {
			at = slices.IndexFunc(steps, func(st space.NodeStep) bool {
				return st.Slot == event.Slot && st.Kind == event.Kind && isSame(st, *event)
			})
		}
		if at < 0 {
			continue
		}
		e := steps[at]
		after, _, err := m.actors.Apply(slices.Clone(s), e.Transition, nil)
		var failed *model.StepFailure
		switch {
		case errors.As(err, &failed):
			if m.violation.Kind == property.HandlerFailure && failed.Handler == m.failed.Handler &&
				failed.Failure.Property == m.failed.Failure.Property {
				return append(taken, e), nil
			}
		case errors.Is(err, model.ErrDisabled):
		case err != nil:
			return nil, err
		default:
			s, taken = after, append(taken, e)
		}
	}
}

// isSame reports whether two events of an actor that consume the same may be one and the same: internal ones are numbered in each state.
func isSame(a, b space.NodeStep) bool { return a.Kind != model.Internal || a.Handler == b.Handler }

// isViolated reports whether a state is one in which the run may end. Final conditions are violated where no event but faults is
// enabled.
func (m *minimizer) isViolated(ctx context.Context, s model.State, enabled []model.Transition) (bool, error) {
	switch {
	case m.violation.Kind == property.HandlerFailure:
		return false, nil
	case m.violation.Kind.IsFinal():
		if terminal, err := model.IsTerminal(m.actors, s, enabled); !terminal || err != nil {
			return false, err
		}
	}
	holds, err := m.checker.Holds(ctx, m.violation.Property, s)
	return !holds, err
}
