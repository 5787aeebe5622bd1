package dynamic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/model"
	"harrier/property"
)

// Search follows the runs of a program, but of those that only differ in the order of steps that commute as few as it can. It finds
// the same failures, ends and violated invariants as a search of all runs. Of the options MaxStates, KeepGoing and NoDeadlock count,
// and MaxDepth is refused: what is missing on a run that was cut short would not be seen. States are counted as often as
// they are met. As with dbss.Search, ctx ends it, and the error is that of an oracle that could not answer.
func Search(ctx context.Context, actors *model.Actors, checker *property.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	if o.MaxDepth > 0 {
		return nil, &model.UsageError{Text: "--por dynamic needs runs to their ends: leave out --max-depth, or check with --por off"}
	}
	s := &search{Options: o, actors: actors, checker: checker, progress: p, nodes: newNodes(actors), run: newRun(actors)}
	err := s.explore(ctx)
	if reason := model.EndReason(ctx, err); reason != "" {
		s.result.Reason, err = reason, nil
	}
	for i := range s.frames[:cap(s.frames)] {
		s.result.FrontierBytes += s.frames[:cap(s.frames)][i].bytes()
	}
	s.publish()
	s.result.Complete = err == nil && s.result.Reason == "" && !s.isOver
	return &s.result, err
}

// search is a search in progress.
type search struct {
	dbss.Options
	actors   *model.Actors
	checker  *property.Checker
	progress *dbss.Progress
	nodes    *nodes
	run      *run
	frames   []frame // of the initial state, and of the state after each step of the run
	result   dbss.Result
	isOver   bool // a violation ended it, or a bound

	offered []model.Transition // of the state that is being looked at
}

// explore follows runs until there are no more.
func (s *search) explore(ctx context.Context) error {
	if err := s.arrive(ctx, s.actors.Initial(), nil); err != nil {
		return err
	}
	for len(s.frames) > 0 && !s.isOver {
		next := s.frames[len(s.frames)-1].pick()
		if next == nil {
			s.leave()
			continue
		}
		if s.result.Transitions&pollMask == 0 {
			s.publish()
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if s.MaxStates > 0 && s.result.States >= s.MaxStates {
			s.result.Reason = fmt.Sprintf("the search ended after %d states (--max-states)", s.result.States)
			return nil
		}
		if err := s.take(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// pollMask says how many transitions pass between looks at the context: one more than it.
const pollMask = 1<<10 - 1

func (s *search) publish() {
	s.progress.States.Store(s.result.States)
	s.progress.Transitions.Store(s.result.Transitions)
	s.progress.Depth.Store(uint64(s.result.Depth))
	s.progress.Frontier.Store(uint64(len(s.frames)))
}

// take follows an option of the last frame.
func (s *search) take(ctx context.Context, o *option) error {
	top := &s.frames[len(s.frames)-1]
	s.count(o)
	next, _, err := s.actors.Apply(slices.Clone(top.state), o.Transition, nil)
	var failed *model.StepFailure
	switch {
	case errors.As(err, &failed):
		o.isExplored = true
		top.explored++
		return s.violate(dbss.Violation{Kind: property.HandlerFailure, Failure: failed.Failure}, o.Transition)
	case err != nil:
		return err
	}
	asleep := top.asleepAfter(o, nil)
	o.isExplored = true
	top.explored++
	s.run.races(s.run.take(*o), s.frames, s.nodes)
	return s.arrive(ctx, next, asleep)
}

func (s *search) count(o *option) {
	s.result.Transitions++
	count(&s.result.HandlerRuns, o.handler)
	if o.fault != 0 {
		count(&s.result.FaultsTaken, uint32(o.fault)-1)
	}
}

func count(counts *[]uint64, number uint32) {
	for int(number) >= len(*counts) {
		*counts = append(*counts, 0)
	}
	(*counts)[number]++
}

// leave goes back from the last frame.
func (s *search) leave() {
	last := len(s.frames) - 1
	if s.frames[last].explored < len(s.frames[last].options) {
		s.result.Reduced++
	}
	s.frames = s.frames[:last]
	if last > 0 {
		s.run.back()
	}
}

// arrive tests a state that the run leads to, and puts it on the stack.
func (s *search) arrive(ctx context.Context, state model.State, asleep []option) error {
	f := frame{state: state, asleep: asleep, follows: make([]bool, len(state)), hasTolls: make([]bool, len(state))}
	s.result.States++
	s.result.Depth = max(s.result.Depth, len(s.run.taken)-1)
	v, err := s.checker.Invariants(ctx, state)
	if err != nil {
		return err
	}
	if v != nil {
		err = s.violate(dbss.Violation{Kind: property.InvariantViolation, Property: v.Property, Failure: v.Failure})
		if err != nil || s.isOver {
			return err
		}
	}
	if err := s.look(ctx, &f); err != nil {
		return err
	}
	if !slices.ContainsFunc(f.options, func(o option) bool { return o.fault == 0 }) {
		if err := s.testEnd(ctx, state); err != nil || s.isOver {
			return err
		}
	}
	f.sleep()
	f.begin()
	s.frames = append(s.frames, f)
	s.result.Frames = max(s.result.Frames, uint64(len(s.frames)))
	return nil
}

// look finds the options of a state.
func (s *search) look(ctx context.Context, f *frame) error {
	var err error
	if s.offered, err = s.actors.Enabled(ctx, f.state, s.offered[:0]); err != nil {
		return err
	}
	for first := 0; first < len(s.offered); {
		slot, end := s.offered[first].Slot, first
		for end < len(s.offered) && s.offered[end].Slot == slot {
			end++
		}
		n := s.nodes.at(f.state, slot, s.offered[first:end])
		for i, t := range s.offered[first:end] {
			if err := s.offer(f, option{Transition: t, step: &n.steps[i]}); err != nil {
				return err
			}
		}
		first = end
	}
	return nil
}

// offer adds an option to a state, unless what is global refuses it.
func (s *search) offer(f *frame, o option) error {
	isRefused := false
	if o.isRefusable {
		_, _, err := s.actors.Apply(slices.Clone(f.state), o.Transition, nil)
		isRefused = errors.Is(err, model.ErrRefused)
		f.hasTolls[o.Slot] = f.hasTolls[o.Slot] || !isRefused
	}
	if !isRefused {
		f.options = append(f.options, o)
	}
	return nil
}

// testEnd tests a state in which no event is enabled. There may still be faults.
func (s *search) testEnd(ctx context.Context, state model.State) error {
	s.result.Terminal++
	if s.actors.Pending(state) > 0 {
		s.result.Leftover++
	}
	if s.NoDeadlock {
		return nil
	}
	v, err := s.checker.Final(ctx, state)
	if v == nil || err != nil {
		return err
	}
	return s.violate(dbss.Violation{Kind: property.Deadlock, Property: v.Property, Failure: v.Failure})
}

// violate keeps a violation if its run is the shortest so far. It is at the end of the run, or of that and a step more.
func (s *search) violate(v dbss.Violation, further ...model.Transition) error {
	s.result.Violations++
	length := len(s.run.taken) - 1 + len(further)
	if best := s.result.Violation; best == nil || length < len(best.Path) {
		for _, t := range s.run.taken[1:] {
			v.Path = append(v.Path, t.Transition)
		}
		v.Path = append(v.Path, further...)
		s.result.Violation = &v
	}
	s.isOver = !s.KeepGoing
	return nil
}
