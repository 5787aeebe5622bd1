package dynamic

import (
	"context"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// Search follows the runs of a program, of those that differ only in the order of commuting steps as few as it can. It finds
// the same failures, terminal states and violated invariants as a search of all runs. Of the options MaxStates, KeepGoing and
// NoDeadlock count, and MaxDepth is refused: what is missing on a run that was cut short would not be seen. States are counted
// as often as they are met. As with dbss.Search, ctx ends it, and the error is that of an oracle that could not answer.
func Search(ctx context.Context, actors *model.Actors, checker *property.Checker, o dbss.Options,
	p *dbss.Progress) (*dbss.Result, error) {
	if o.MaxDepth > 0 {
		return nil, &model.UsageError{Text: "--por dynamic needs whole runs: leave out --max-depth, or check with --por off"}
	}
	return dbss.Search(ctx, actors, checker, dbss.Options{
		Order: dbss.Stateless, MaxStates: o.MaxStates, KeepGoing: o.KeepGoing, NoDeadlock: o.NoDeadlock, Run: o.Run,
		Explorer: &explorer{nodes: newNodes(actors), run: newRun(actors)},
	}, p)
}

// explorer is a dbss.Explorer.
type explorer struct {
	nodes  *nodes
	run    *run
	frames []frame // of the initial state, and of the state after each step of the run
}

// Push implements dbss.Explorer.
func (x *explorer) Push(s model.State, enabled []model.Transition) {
	f := frame{state: slices.Clone(s), follows: make([]bool, len(s)), guarded: make([]bool, len(s))}
	if len(x.frames) > 0 {
		top := &x.frames[len(x.frames)-1]
		by := &top.options[top.last]
		f.asleep = top.asleepAfter(by, nil)
		x.run.races(x.run.take(*by), x.frames, x.nodes)
	}
	for _, t := range enabled {
		o := option{step: &x.nodes.at(f.state, t.Slot).steps[t.Step]}
		f.guarded[o.Slot] = f.guarded[o.Slot] || o.Guarded
		f.options = append(f.options, o)
	}
	f.sleep()
	f.begin()
	x.frames = append(x.frames, f)
}

// Next implements dbss.Explorer.
func (x *explorer) Next() (int, bool) {
	top := &x.frames[len(x.frames)-1]
	if top.last = top.pick(); top.last < 0 {
		return 0, false
	}
	top.options[top.last].explored = true
	return top.last, true
}

// Pop implements dbss.Explorer.
func (x *explorer) Pop() (reduced bool) {
	last := len(x.frames) - 1
	reduced = slices.ContainsFunc(x.frames[last].options, func(o option) bool { return !o.explored })
	if x.frames = x.frames[:last]; last > 0 {
		x.run.back()
	}
	return reduced
}

// Bytes implements dbss.Explorer.
func (x *explorer) Bytes() (bytes uint64) {
	for i := range x.frames[:cap(x.frames)] {
		bytes += x.frames[:cap(x.frames)][i].bytes()
	}
	return bytes
}
