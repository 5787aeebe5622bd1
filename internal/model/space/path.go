package space

import (
	"fmt"

	"harrier/internal/model"
)

// Actions describes the transitions of a path from the initial state. The last one may fail.
func (a *Actors) Actions(path []model.Transition) ([]model.Action, error) {
	s := a.Initial()
	var actions []model.Action
	for i, t := range path {
		actions = append(actions, a.Action(s, t))
		var err error
		if s, _, err = a.Apply(s, t, nil); err != nil && i < len(path)-1 {
			return nil, fmt.Errorf("following the path to its step %d: %w", i+1, err)
		}
	}
	return actions, nil
}

// Action describes a transition enabled in s.
func (a *Actors) Action(s model.State, t model.Transition) model.Action {
	if t.Slot == model.Rounds {
		return a.roundAction(s, t)
	}
	next, st := a.step(s[t.Slot+1], t.Step)
	do := model.Action{
		Actor: *a.Values.names.At(t.Slot + 1), Event: a.LocalSteps.described(st.event), Outcome: int(st.outcome),
		Expected: a.expected(a.Nodes.list.At(s[t.Slot+1]).local, next, st),
	}
	if do.Event.Kind == model.Byzantine {
		do.Event.Messages[0].Sender = do.Actor // the representative may be another adversary's
	}
	return do
}

// expected is a step from a local state to a node as an outcome, on the representatives of interned values. It is nil if no Java runs.
func (a *Actors) expected(from model.LocalID, next model.NodeID, st *stepFacts) *model.Outcome {
	if st.handler == 0 {
		return nil
	}
	o := &model.Outcome{Handler: a.Values.HandlerLabel(int(st.handler))}
	if st.failure != 0 {
		o.Failure = (*a.Values.failures.At(st.failure)).Failure
		return o
	}
	answer := a.LocalSteps.outcomesOf(LocalStep{from, a.LocalSteps.question(st.event)})[st.outcome]
	given := a.LocalSteps.optional.At(answer.optional)
	o.Fired, o.Renewed = given.fired, given.renewed
	after := a.Values.locals.At(a.Nodes.Visible(next))
	o.Local, o.Acts, o.Stopped = after.bytes, after.acts, a.Nodes.list.At(next).stopped
	o.Creates, o.Sends = a.effectsOf(*a.LocalSteps.spans.At(answer.effects)) // sends that a closed connection loses are among them
	o.Sends = append(o.Sends, given.requests...)
	o.Records = *a.Globals.records.At(a.Globals.updates.At(st.update).records)
	return o
}

// effectsOf gives effects on the representatives of interned values.
func (a *Actors) effectsOf(effects span) (creates []model.Actor, sends []model.Message) {
	for _, e := range a.LocalSteps.effects.Range(effects.first, effects.count) {
		if e.Message != 0 {
			sends = append(sends, a.Values.messages.At(e.Message).Message)
		} else {
			creates = append(creates, a.Values.Actor(e.Local))
		}
	}
	return creates, sends
}
