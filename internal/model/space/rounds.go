package space

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/model"
)

// Time goes on in rounds. A round is one transition of all actors, so there is no state within one, and a System with rounds is no local
// one. Which steps have to come before a round depends on their nodes alone: they are urgent.

// IsWhole implements model.Whole.
func (a *Actors) IsWhole() bool { return a.Values.program.Clocks.Run() }

// requestTicks requests the local steps in which the clock of a node's actor goes on.
func (a *Actors) requestTicks(n model.NodeID, w *requests) {
	if l := a.Nodes.list.At(n).local; l != 0 && a.IsWhole() {
		a.LocalSteps.request(w, LocalStep{l, a.clockEvent})
	}
}

// mayBoundDelays refuses programs in which a message that has to arrive may never do so: it stays in flight when it is received, or is taken
// together with others only.
func mayBoundDelays(p *model.Program) error {
	if !p.Clocks.BoundsDelays() {
		return nil
	}
	for _, f := range p.Faults {
		if f.Repeats() {
			return &model.UsageError{Text: fmt.Sprintf("%q without a bound does not go together with network().delay: what is received stays in flight, and no time would go on: give it a budget", f.Label)}
		}
	}
	for _, h := range p.Handlers {
		if h.Quorum {
			return &model.UsageError{Text: fmt.Sprintf("%s takes several messages, which does not go together with network().delay: when the first of them has to arrive is not known: leave one of them out", h.Label)}
		}
	}
	return nil
}

// isUrgent reports whether a step comes before the next round: a timer that has to fire, a task, or the reception or delivery of a message
// that may not be in flight any longer.
func (a *Actors) isUrgent(by uint32, o *outcome) bool {
	e := a.LocalSteps.events.At(by)
	switch e.kind {
	case model.Internal:
		return o != nil && o.due
	case model.Receive, model.Deliver, model.Disconnect:
		return slices.ContainsFunc(e.messages, func(m model.MessageID) bool {
			return a.Values.program.Clocks.IsOverdue(a.Values.messages.At(m).Age)
		})
	}
	return false
}

// rounds appends the rounds that may come next, given all other transitions: none if one of these is urgent.
func (a *Actors) rounds(s model.State, into []model.Transition) ([]model.Transition, error) {
	clocks := a.Values.program.Clocks
	if !TimeOf(a).MayTick(s[0]) {
		return into, nil
	}
	for _, t := range into {
		if _, st := a.step(s[t.Slot+1], t.Step); st.urgent && !a.Globals.Disables(s[0], st.update) {
			return into, nil
		}
	}
	if err := TimeOf(a).CheckChoices(s); err != nil {
		return into, err
	}
	ticks := [][]int{nil}
	for _, n := range a.ticking(s) {
		ticks = product(ticks, TimeOf(a).TicksOf(n.Node))
	}
	for _, of := range ticks {
		into = append(into, model.Transition{Slot: model.Rounds, Step: clocks.EncodeRound(of)})
	}
	return into, nil
}

// Time is how the clocks of actors go on, for those who combine the nodes of a state themselves.
type Time struct{ a *Actors }

// TimeOf returns the time of actors.
func TimeOf(a *Actors) Time { return Time{a} }

// MayTick reports whether a global is below the horizon.
func (t Time) MayTick(global uint32) bool {
	return int(t.a.Globals.interned.At(global).round) < t.a.Values.program.Clocks.Rounds
}

// GlobalAfter returns the global after a round.
func (t Time) GlobalAfter(global uint32) (uint32, error) {
	return t.a.Globals.After(global, t.a.round)
}

// Ticks say by how many ticks the clock of the actor at a position goes on in a round.
type Ticks struct {
	Position uint32
	By       int
}

// Round returns the round with the ticks of all clocks.
func (t Time) Round(of []Ticks) model.Transition {
	var ticks []int
	for _, t := range slices.SortedFunc(slices.Values(of), func(x, y Ticks) int { return cmp.Compare(x.Position, y.Position) }) {
		ticks = append(ticks, t.By)
	}
	return model.Transition{Slot: model.Rounds, Step: t.a.Values.program.Clocks.EncodeRound(ticks)}
}

// CheckChoices refuses a state with more clocks that drift than its rounds can be listed of.
func (t Time) CheckChoices(s model.State) error {
	if err := t.a.Values.program.Clocks.CheckChoices(len(t.a.ticking(s))); err != nil {
		return &model.UsageError{Text: err.Error()}
	}
	return nil
}

// Facts are the facts of each round.
func (t Time) Facts() model.Facts { return t.a.roundFacts }

// TicksOf lists by how many ticks the clock of a node's actor may go on in the next round; nothing for a node without an actor, which has no clock.
func (t Time) TicksOf(n model.NodeID) []int {
	local := t.a.Nodes.Local(n)
	if local == 0 {
		return nil
	}
	return t.a.Values.program.Clocks.Ticks(t.a.Values.locals.At(local).ahead)
}

// product extends each list by each of some numbers.
func product(lists [][]int, by []int) (longer [][]int) {
	for _, n := range by {
		for _, l := range lists {
			longer = append(longer, append(slices.Clip(l), n))
		}
	}
	return longer
}

// ticking returns the nodes whose actors exist, also those that are down: each has a clock.
func (a *Actors) ticking(s model.State) []Placed {
	return slices.DeleteFunc(NodesOf(s), func(p Placed) bool { return a.Nodes.Local(p.Node) == 0 })
}

// tick takes a round.
func (a *Actors) tick(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	ticks := a.Values.program.Clocks.DecodeRound(t.Step, len(a.ticking(s)))
	for _, p := range NodesOf(s) {
		by := 0
		if a.Nodes.Local(p.Node) != 0 {
			by, ticks = ticks[0], ticks[1:]
		}
		next, err := TimeOf(a).Ticked(p.Node, by)
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(p.Position, next, undo)
	}
	next, err := a.Globals.After(s[0], a.round)
	if err != nil {
		return s, undo, err
	}
	s, undo = s.Put(0, next, undo)
	return s, undo, nil
}

// Ticked returns the node that another one, which is expanded, becomes in a round in which its clock goes on by some ticks.
func (t Time) Ticked(of model.NodeID, by int) (model.NodeID, error) {
	if next, ok := t.a.afterRound.Get(of, uint32(by)); ok {
		return next, nil
	}
	t.a.Values.mu.Lock()
	defer t.a.Values.mu.Unlock()
	n, next := t.a.Nodes.list.At(of), of
	if !n.stopped {
		local, err := t.a.localAfterTicks(n.local, by)
		if err != nil {
			return 0, err
		}
		in := inbox{open: n.open}
		if in.waiting, err = t.a.older(n.waiting); err != nil {
			return 0, err
		}
		if in.delivered, err = t.a.older(n.delivered); err != nil {
			return 0, err
		}
		next = t.a.Nodes.node(local, in)
	}
	t.a.afterRound.Put(of, uint32(by), next)
	return next, nil
}

// localAfterTicks returns the local state of an actor after a round in which its clock goes on by some ticks.
func (a *Actors) localAfterTicks(l model.LocalID, by int) (model.LocalID, error) {
	if l == 0 {
		return 0, nil
	}
	of, position := a.Values.Actor(l), a.Values.locals.At(l).position
	if by > 0 {
		outcomes := a.LocalSteps.outcomesOf(LocalStep{l, a.clockEvent})
		if by > len(outcomes) || outcomes[by-1].local == 0 {
			return 0, fmt.Errorf("the clock of %s does not go on by %d ticks", of.Name, by)
		}
		ahead := of.Ahead
		of = a.Values.Actor(outcomes[by-1].local)
		of.Ahead = ahead
	}
	of.Ahead += by - 1
	return a.Values.internLocal(position, of)
}

// older returns a list of messages as it is after a round: each of them is older.
func (a *Actors) older(list model.ListID) (model.ListID, error) {
	if !a.Values.program.Clocks.BoundsDelays() {
		return list, nil
	}
	var after model.ListID
	for _, id := range a.messageLists.at(list) {
		m := a.Values.messages.At(id).Message
		m.Age = a.Values.program.Clocks.Older(m.Age)
		aged, err := a.Values.internMessage(m)
		if err != nil {
			return 0, err
		}
		after = a.messageLists.with(after, aged)
	}
	return after, nil
}

// roundAction describes a round, as an action of the first actor: its outcome has the ticks of all clocks in the order of their actors' names.
func (a *Actors) roundAction(s model.State, t model.Transition) model.Action {
	nodes := a.ticking(s)
	clocks := a.Values.program.Clocks
	ticks := map[string]int{}
	for i, n := range clocks.DecodeRound(t.Step, len(nodes)) {
		ticks[*a.Values.names.At(nodes[i].Position)] = n
	}
	do, sorted := model.Action{Event: model.Event{Kind: model.Tick}}, []int{}
	for i, name := range slices.Sorted(maps.Keys(ticks)) {
		if i == 0 {
			do.Actor = name
		}
		sorted = append(sorted, ticks[name])
	}
	do.Outcome = int(clocks.EncodeRound(sorted))
	return do
}
