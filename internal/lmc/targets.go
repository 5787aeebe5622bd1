package lmc

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/internal/property"
)

// mostRegions is with how many regions a search is restricted by each of them.
const mostRegions = 1024

// targets are the suspicious combinations, in which a property does not hold, and the members in which a handler fails or
// breaks a rule. For each member, they say which targets its actor does not rule out.
type targets struct {
	sets  *sets
	of    []bitset.Set // by the number of the member; nil if all can be reached from everywhere
	width int
}

func newTargets(s *sets, regions []property.Region) *targets {
	t := &targets{sets: s}
	var failing []*member
	for _, of := range s.sets {
		for _, m := range of.members {
			if m.fails {
				failing = append(failing, m)
			}
		}
	}
	if t.width = len(failing) + len(regions); t.width > mostRegions {
		return t
	}
	t.of = make([]bitset.Set, len(s.members))
	for _, of := range s.sets {
		t.spread(of, failing, regions)
	}
	return t
}

// own are the targets that a member is in.
func (t *targets) own(m *member, failing []*member, regions []property.Region) bitset.Set {
	own := bitset.New(t.width)
	for i, f := range failing {
		if f == m || f.set != m.set {
			own.Put(i)
		}
	}
	n := t.sets.node(m)
	for i, r := range regions {
		if r.Has(t.sets.actors, m.set.position, n) {
			own.Put(len(failing) + i)
		}
	}
	return own
}

// spread gives each member of a set its own targets and those of the members that it leads to.
func (t *targets) spread(of *set, failing []*member, regions []property.Region) {
	parts, _ := t.sets.parts(of)
	for _, places := range parts { // those that it leads to were before
		all := bitset.New(t.width)
		for _, place := range places {
			all.Add(t.own(of.members[place], failing, regions))
			for to := range t.sets.after(of.members[place]) {
				if after := t.of[of.members[to].number]; after != nil {
					all.Add(after)
				}
			}
		}
		for _, place := range places {
			t.of[of.members[place].number] = all
		}
	}
}

// isOpen reports whether each actor, in a state of the actors, can still reach its member of some target.
func (t *targets) isOpen(nodes model.State) (bool, error) {
	if t.of == nil {
		return true, nil
	}
	left := bitset.Full(t.width)
	for _, of := range t.sets.sets {
		m := t.sets.find(of, nodes.At(of.position))
		if m == nil {
			if t.sets.isCut() {
				return false, nil
			}
			return false, fmt.Errorf("a run reaches a local state of %s that is not in its abstract reachable set",
				t.sets.actors.Values.PositionName(int(of.position)))
		}
		for i := range left {
			left[i] &= t.of[m.number][i]
		}
	}
	return slices.ContainsFunc(left, func(word uint64) bool { return word != 0 }), nil
}

// find is the member with the local state of a node.
func (s *sets) find(of *set, n model.NodeID) *member {
	parts := s.actors.Nodes.Parts(n)
	switch {
	case parts.Stopped:
		return of.stopped
	case parts.Local == 0:
		return of.absent
	}
	return of.locals[parts.Local]
}

// reduction follows no transition from states from which no target can be reached.
func (t *targets) reduction(unfold func(model.State) model.State) func() model.Reduction {
	return func() model.Reduction {
		return func(_ context.Context, s model.State, _ []model.Transition) ([]model.Transition, bool, error) {
			open, err := t.isOpen(unfold(s))
			return nil, !open, err
		}
	}
}
