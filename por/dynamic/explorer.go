package dynamic

import (
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// An Explorer is a dbss.Explorer that follows, of runs that differ only in the order of commuting steps, as few as it can.
type Explorer struct {
	nodes  *nodes
	run    *run
	frames []frame // of the initial state, and of the state after each step of the run
	cuts   bool    // invariants are evaluated after all cuts of a run, so that visible steps are independent
}

func newExplorer(n *nodes, initial model.State) *Explorer {
	return &Explorer{nodes: n, run: newRun(n.actors, initial)}
}

// Alone makes the explorer of the runs of some actors by themselves, from a state that has no others. The order of their steps matters
// only for messages to each other, not for the global or the observations of invariants. The caller may leave out a step of those it
// allows as long as that depends on nothing but the steps that come before it.
func Alone(actors *space.Actors, initial model.State) *Explorer {
	n := newNodes(actors)
	n.alone = true
	return newExplorer(n, initial)
}

// Push implements dbss.Explorer.
func (x *Explorer) Push(s model.State, enabled []model.Transition) {
	x.Enter(s)
	x.Allow(enabled)
}

// Enter is the first half of Push: the transition of the last Next led to s.
func (x *Explorer) Enter(s model.State) {
	f := frame{state: slices.Clone(s), follows: make([]bool, len(s)), guarded: make([]bool, len(s))}
	if len(x.frames) > 0 {
		top := &x.frames[len(x.frames)-1]
		by := &top.options[top.last]
		f.asleep = top.asleepAfter(by)
		x.run.races(x.run.take(*by), x.frames, x.nodes)
	}
	x.frames = append(x.frames, f)
}

// Allow is the second half of Push: these transitions may be taken in the last state.
func (x *Explorer) Allow(transitions []model.Transition) {
	f := &x.frames[len(x.frames)-1]
	for _, t := range transitions {
		o := x.option(t)
		f.guarded[o.Slot] = f.guarded[o.Slot] || o.Guarded
		f.options = append(f.options, o)
	}
	f.sleep()
	f.begin()
}

func (x *Explorer) option(t model.Transition) option {
	return option{step: &x.nodes.at(x.frames[len(x.frames)-1].state, t.Slot).steps[t.Step]}
}

// Past returns which steps of the run come before a transition that is enabled in the last state: by slot, the number of the last of
// the actor's, 0 for none. The steps of a run count from 1.
func (x *Explorer) Past(t model.Transition) []int {
	o := x.option(t)
	clock := x.run.taken[x.run.take(o)].clock
	x.run.back()
	clock[t.Slot] = at(x.run.last, t.Slot)
	return clock
}

// Next implements dbss.Explorer.
func (x *Explorer) Next() (int, bool) {
	top := &x.frames[len(x.frames)-1]
	if top.last = top.pick(); top.last < 0 {
		return 0, false
	}
	top.options[top.last].explored = true
	return top.last, true
}

// Pop implements dbss.Explorer.
func (x *Explorer) Pop() (reduced bool) {
	last := len(x.frames) - 1
	reduced = slices.ContainsFunc(x.frames[last].options, func(o option) bool { return !o.explored })
	if x.frames = x.frames[:last]; last > 0 {
		x.run.back()
	}
	return reduced
}

// Bytes implements dbss.Explorer.
func (x *Explorer) Bytes() (bytes uint64) {
	for i := range x.frames[:cap(x.frames)] {
		bytes += x.frames[:cap(x.frames)][i].bytes()
	}
	return bytes
}
