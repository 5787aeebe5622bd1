package demeter

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/por/dynamic"
)

// A local is what the local explorer of a component found for a local skeleton.
type local struct {
	shown      *trace      // one with the skeleton, which looks to invariants as all do
	branchings []branching // the next events at the interface, each after some trace with the skeleton
	ends       []end       // one for each trace with the skeleton after which nothing but faults need happen
}

// A branching is an interface event that makes a skeleton a longer one.
type branching struct {
	taken
	steps []taken // of a trace with it, if it fails: no trace with a longer skeleton has it
}

// An end is a trace after which all events that are no faults are such that budgets or cuts may disable them: those that consume these.
type end struct {
	trace    trace    // of traces with the same state, the first alone has its steps
	guards   []uint32 // their global updates
	explored bool     // it ends a run of the program
}

// A trace is a local trace of a component, in one of the orders in which its steps may come.
type trace struct {
	state uint32 // of the component at its end
	steps []taken
}

// taken is a step of a trace.
type taken struct {
	space.EventID
	slot   uint32
	event  uint32 // the interface event that it is, 0 for an internal one
	label  uint32
	facts  model.Facts // the effect is the label
	number int         // of the step in the run of the explorer
	past   []int       // by slot: the number of the last of the actor's steps that comes before this one
	isLast bool        // it is beyond the skeleton, so the actor stops there
}

// An EndError is the reason why a local explorer gave up.
type EndError struct{ Text string }

func (e EndError) Error() string { return e.Text }

// explorer is the local explorer of one local skeleton: it runs the partial-replay local system.
type explorer struct {
	*System
	*skeleton
	inner  *dynamic.Explorer
	stack  []frame
	run    []taken
	states uint64 // entered
	local  local
	met    map[uint32]bool // events of local.branchings
	ended  map[uint32]bool // states of local.ends
}

// A frame is a state of the component on the run.
type frame struct {
	state   uint32
	options []option // that may be taken
	number  int      // of steps of the run that lead to it
}

// An option is an edge that may be taken.
type option struct {
	lts.Edge
	event  uint32
	past   []int // as taken has it
	isLast bool
}

// explore finds what there is to know of a local skeleton. Messages from outside are there from the beginning, and taken where the
// skeleton has it, so the explorer asks for steps of states in which they have not yet arrived on any run perhaps.
func (d *System) explore(ctx context.Context, k *skeleton) (*local, error) {
	if k.local != nil {
		return k.local, nil
	}
	state, err := d.begin(k)
	if err != nil {
		return nil, err
	}
	x := &explorer{System: d, skeleton: k, met: map[uint32]bool{}, ended: map[uint32]bool{}}
	x.inner = dynamic.Alone(d.actors, x.unfold(state))
	if err := x.enter(ctx, state); err != nil {
		return nil, model.Doubted(err)
	}
	for len(x.stack) > 0 {
		top := &x.stack[len(x.stack)-1]
		n, ok := x.inner.Next()
		if !ok {
			x.inner.Pop()
			x.stack = x.stack[:len(x.stack)-1]
			continue
		}
		if err := x.take(ctx, top, top.options[n]); err != nil {
			return nil, model.Doubted(err)
		}
	}
	if x.local.shown == nil {
		return nil, fmt.Errorf("%s has no trace with a skeleton that was composed", d.componentName(k.component))
	}
	k.local = &x.local
	return k.local, nil
}

// begin is the state of a component before its first step, with all that others send to it.
func (d *System) begin(k *skeleton) (state uint32, err error) {
	state = d.Graph.Fold(d.actors.Initial()).At(k.component + 1)
	for _, e := range k.arrivals {
		if state, err = d.Graph.Arrive(state, d.Graph.Spot(e.Position), e); err != nil {
			return 0, err
		}
	}
	return state, nil
}

// unfold returns the state in which only the actors of the component exist.
func (x *explorer) unfold(state uint32) model.State {
	s := make(model.State, x.actors.Values.Positions()+1)
	var one [1]model.NodeID
	for place, n := range x.Graph.Nodes(state, &one) {
		s[x.Graph.Positions()[x.component][place]] = n
	}
	return s
}

// take takes an edge. One beyond the skeleton changes nothing but that its actor stops, so that the others go on to the skeleton's end.
func (x *explorer) take(ctx context.Context, top *frame, o option) error {
	x.run = append(x.run[:top.number], taken{
		EventID: o.EventID, slot: o.Slot, event: o.event, label: o.Label, facts: o.Facts,
		number: top.number + 1, past: o.past, isLast: o.isLast,
	})
	x.run[top.number].facts.Effect = o.Label
	if o.isLast {
		return x.enter(ctx, top.state)
	}
	next, err := x.Graph.After(x.component, top.state, &o.Edge)
	if err != nil {
		return err
	}
	if o.event == 0 && x.repeats(next) {
		return EndError{x.componentName(x.component) + " can go on for ever by itself, so that its local traces have no end; " +
			"--reduction macro remembers states in place of traces"}
	}
	return x.enter(ctx, next)
}

// repeats reports whether internal steps at the end of the run can be repeated for ever: they lead back to the state that they began
// in or, if they end with the step before them, to one with more messages.
func (x *explorer) repeats(state uint32) bool {
	last := x.run[len(x.run)-1]
	for i := len(x.stack) - 1; i >= 0; i-- {
		f := &x.stack[i]
		if x.run[f.number].event != 0 {
			return false
		}
		isAgain := f.number > 0 && x.run[f.number-1].slot == last.slot && x.run[f.number-1].EventID == last.EventID
		if f.state == state || isAgain && x.Graph.HasMore(x.component, state, f.state) {
			return true
		}
	}
	return false
}

// enter comes to a state, and notes the run to it.
func (x *explorer) enter(ctx context.Context, state uint32) error {
	if err := ctx.Err(); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	if x.states++; x.maxStates > 0 && x.states > x.maxStates {
		return EndError{fmt.Sprintf("the local explorer of %s met %d states (--max-states)", x.componentName(x.component), x.maxStates)}
	}
	if err := x.Graph.Expand(ctx, lts.Vertex{Component: x.component, State: state}); err != nil {
		return err
	}
	number := 0
	if len(x.stack) > 0 {
		number = x.stack[len(x.stack)-1].number + 1
	}
	f := frame{state: state, number: number}
	x.run = x.run[:number]
	x.inner.Enter(x.unfold(state))
	var all []option
	for e := range x.Graph.Out(x.component, state) {
		all = append(all, x.option(e))
	}
	var transitions []model.Transition
	for _, o := range all {
		if x.follows(&o) {
			f.options, transitions = append(f.options, o), append(transitions, o.Transition)
		}
	}
	x.inner.Allow(transitions)
	x.stack = append(x.stack, f)
	x.note(state, all)
	return nil
}

// option is an edge as an option: which interface event it is here, and whether that is one of the skeleton's.
func (x *explorer) option(e lts.Edge) option {
	clock := x.inner.Past(e.Transition)
	past := make([]uint32, len(x.Graph.Positions()[x.component]))
	for _, t := range x.run {
		if t.event != 0 && int(t.slot) < len(clock) && t.number <= clock[t.slot] {
			past[x.Graph.Spot(t.slot+1).Place] = t.event
		}
	}
	event := x.skeletons.event(x.component, &e, past)
	return option{e, event, clock, event != 0 && !x.has(event)}
}

// follows reports whether an option is taken: not if its actor has gone beyond the skeleton, or does now without having taken all of its
// events there.
func (x *explorer) follows(o *option) bool {
	left := 0
	if o.isLast {
		for _, e := range x.events {
			if x.skeletons.events.At(e).slot == o.Slot {
				left++
			}
		}
	}
	for _, t := range x.run {
		if t.slot == o.Slot && t.isLast {
			return false
		}
		if t.slot == o.Slot && t.event != 0 {
			left--
		}
	}
	return !o.isLast || left == 0
}

// note notes what a run with the whole skeleton, whose last state has some options, shows.
func (x *explorer) note(state uint32, options []option) {
	executed, beyond := 0, 0
	for _, t := range x.run {
		switch {
		case t.isLast:
			beyond++
		case t.event != 0:
			executed++
		}
	}
	if executed < len(x.events) {
		return
	}
	if x.local.shown == nil {
		shown := x.trace(state, 0)
		x.local.shown = &shown
	}
	for _, t := range x.run {
		x.ran[ran{t.EventID, t.slot, t.facts, t.event == 0}] = true
		if t.isLast && !x.met[t.event] {
			x.met[t.event] = true
			b := branching{taken: t}
			if x.Graph.Label(t.label).Failure != 0 {
				b.steps = x.trace(state, t.event).steps
			}
			x.local.branchings = append(x.local.branchings, b)
		}
	}
	if beyond == 0 {
		x.end(state, options)
	}
}

// end notes a run that may be at its end. No two such runs differ only in the order of commuting steps: a step that was
// followed in the one order sleeps in the other.
func (x *explorer) end(state uint32, options []option) {
	e := end{}
	for _, o := range options {
		switch {
		case o.Fault != 0:
		case !o.Guarded:
			return
		default:
			e.guards = append(e.guards, o.Update)
		}
	}
	e.trace.state = state
	if !x.ended[state] {
		x.ended[state] = true
		e.trace = x.trace(state, 0)
	}
	x.local.ends = append(x.local.ends, e)
}

// trace is the run without the events beyond the skeleton, but for one if that is not 0.
func (x *explorer) trace(state, beyond uint32) trace {
	steps := slices.DeleteFunc(slices.Clone(x.run), func(t taken) bool { return t.isLast && t.event != beyond })
	return trace{state, steps}
}
