package liveness

import (
	"context"
	"iter"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// An inner is the internal graph of a component state: its members with their edges.
type inner struct {
	*system
	*local
	places map[uint32]int // by member
	edges  [][]innerEdge  // by place of a member
	needs  []bitset.Set   // by place of a member: constraints that are enabled there
	all    bitset.Set     // those that are enabled somewhere
}

// An innerEdge is a step of a member that does not fail.
type innerEdge struct {
	lts.Edge
	to       uint32 // the component state after it
	internal bool
	meets    []uint32 // the constraints that it takes, or disables in between
}

// inner reads the internal graph of a component state whose members are known.
func (s *system) inner(ctx context.Context, l *local) (*inner, error) {
	in := &inner{system: s, local: l, places: map[uint32]int{}}
	for place, m := range l.members {
		in.places[m] = place
	}
	for _, m := range l.members {
		var edges []innerEdge
		var enabled bitset.Set
		for e := range s.graph.Out(l.component, m) {
			takes, err := s.taken(&e.NodeStep, nil)
			if err != nil {
				return nil, err
			}
			for _, c := range takes {
				enabled.Put(int(c))
				in.all.Put(int(c))
			}
			if e.Failure != 0 {
				continue
			}
			to, err := s.after(ctx, lts.Vertex{Component: l.component, State: m}, &e)
			if err == nil && s.ignored != nil {
				err = s.ignored.Succeed(ctx, l.component, m, e.Next)
			}
			if err != nil {
				return nil, err
			}
			meets, err := s.constraints.met(&e.NodeStep)
			if err != nil {
				return nil, err
			}
			edges = append(edges, innerEdge{e, to, s.isInternal(l.component, &e), meets})
		}
		in.edges, in.needs = append(in.edges, edges), append(in.needs, enabled)
	}
	for _, edges := range in.edges { // constraints that are enabled nowhere are met by that
		for i := range edges {
			edges[i].meets = slices.DeleteFunc(edges[i].meets, func(c uint32) bool { return !in.all.Has(int(c)) })
		}
	}
	return in, in.checkStrong()
}

// isDisabled reports whether a weak constraint is met in a member, as it is disabled there. A strong one is not met by that.
func (in *inner) isDisabled(place int, constraint uint32) bool {
	return !in.needs[place].Has(int(constraint)) && !in.table.At(constraint).strong
}

// complete works out the macro steps of a component state, and whether the component may be quiet.
func (s *system) complete(ctx context.Context, l *local) error {
	in, err := s.inner(ctx, l)
	if err != nil {
		return err
	}
	l.quiet = in.quietPart(nil) != nil
	l.steps, err = in.macroSteps(ctx)
	return err
}

// quietPart is a strongly connected part of the internal graph that is fair by itself, though some messages arrive again and again; or
// nil. They arrive over channels that are sets, and are there in each of its members, so that they change nothing. A single member may stand still.
func (in *inner) quietPart(arrivals []arrival) []int {
	parts, of := lts.Parts(len(in.members), func(v int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for _, e := range in.edges[v] {
				if to := in.places[e.to]; e.internal && in.hasAll(to, arrivals) && !yield(to) {
					return
				}
			}
		}
	})
	for number, part := range parts {
		if !in.hasAll(part[0], arrivals) {
			continue
		}
		unmet := slices.Clone(in.needs[part[0]])
		for _, v := range part {
			keepOnly(unmet, in.needs[v])
			for _, e := range in.edges[v] {
				if e.internal && of[in.places[e.to]] == number {
					remove(unmet, e.meets)
				}
			}
		}
		if unmet.IsEmpty() {
			return part
		}
	}
	return nil
}

// keepOnly takes the numbers out of a set that another one does not have.
func keepOnly(s, other bitset.Set) {
	for i := range s {
		if i < len(other) {
			s[i] &= other[i]
		} else {
			s[i] = 0
		}
	}
}

func remove(s bitset.Set, numbers []uint32) {
	for _, n := range numbers {
		if s.Has(int(n)) {
			s[n>>6] &^= 1 << (n & 63)
		}
	}
}

// met are, by place of a member, the constraints that are disabled in a state of, or met by a step of, some internal path to it. As a cycle
// of macro steps is taken again and again, by another path each time, all paths count.
func (in *inner) met() []bitset.Set {
	met := make([]bitset.Set, len(in.members))
	for place := range met {
		met[place] = make(bitset.Set, len(in.all))
	}
	disabled := func(place int) bitset.Set {
		s := make(bitset.Set, len(in.all))
		for c := range in.all.All {
			if in.isDisabled(place, uint32(c)) {
				s.Put(c)
			}
		}
		return s
	}
	met[0].Add(disabled(0))
	for todo := []int{0}; len(todo) > 0; {
		place := todo[0]
		todo = todo[1:]
		for _, e := range in.edges[place] {
			if !e.internal {
				continue
			}
			to := in.places[e.to]
			isMore := met[to].Add(met[place])
			isMore = met[to].Add(disabled(to)) || isMore
			for _, c := range e.meets {
				isMore = isMore || !met[to].Has(int(c))
				met[to].Put(int(c))
			}
			if isMore {
				todo = append(todo, to)
			}
		}
	}
	return met
}

// macroSteps are the labelled steps of all members, without those that are less than another one.
func (in *inner) macroSteps(ctx context.Context) ([]step, error) {
	met := in.met()
	var steps []step
	for place, edges := range in.edges {
		for _, e := range edges {
			if e.internal {
				continue
			}
			meets := slices.Clone(met[place])
			for _, c := range e.meets {
				meets.Put(int(c))
			}
			steps = add(steps, step{label: e.Label, fault: e.Fault != 0, target: e.to, meets: numbers(meets)})
		}
	}
	return in.greatest(ctx, steps)
}

// add adds a step, or its met constraints to another step with the same label and target. Steps by faults are kept apart.
func add(steps []step, st step) []step {
	for i := range steps {
		if same := &steps[i]; same.label == st.label && same.target == st.target && same.fault == st.fault {
			same.meets = slices.Compact(slices.Sorted(slices.Values(slices.Concat(same.meets, st.meets))))
			return steps
		}
	}
	return append(steps, st)
}

func numbers(s bitset.Set) []uint32 {
	var all []uint32
	for n := range s.All {
		all = append(all, uint32(n))
	}
	return all
}

// greatest leaves out the steps whose target is in In of that of another one with the same label that meets all that they meet.
func (in *inner) greatest(ctx context.Context, steps []step) ([]step, error) {
	if len(steps) < 2 {
		return steps, nil
	}
	var states []lts.Vertex
	for _, st := range steps {
		states = append(states, lts.Vertex{Component: in.component, State: st.target})
	}
	insides, err := in.in(ctx, states...)
	if err != nil {
		if model.IsOfStep(ctx, err) { // perhaps no run takes it
			return steps, nil
		}
		return nil, model.Doubted(err)
	}
	strong := make([][]uint32, len(steps))
	for i := range steps {
		if strong[i], err = in.strongIn(steps[i].target); err != nil {
			return nil, err
		}
	}
	isWithin := func(i, j int) bool { // step i is no more than step j
		if steps[i].label != steps[j].label || !slices.Contains(insides[j], steps[i].target) || !slices.Equal(strong[i], strong[j]) {
			return false
		}
		return !slices.ContainsFunc(steps[i].meets, func(c uint32) bool { return !slices.Contains(steps[j].meets, c) })
	}
	var greatest []step
	for i, st := range steps {
		isLess := false
		for j := range steps {
			isLess = isLess || j != i && isWithin(i, j) && (!isWithin(j, i) || j < i)
		}
		if !isLess {
			greatest = append(greatest, st)
		}
	}
	return greatest, nil
}
