package por_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/toy"
	"harrier/por/footprint"
	"harrier/symmetry"
)

// A subject is a program that reductions are compared on. It has footprints: without them nothing is reduced.
type subject struct{ *toy.Protocol }

// deliveryModels are those that programs are drawn for; most are for the first.
var deliveryModels = []model.DeliveryModel{model.M, model.M, model.M, model.MMP, model.MP}

// drawn makes a program from a seed.
func drawn(seed uint64) subject {
	p := toy.Footprints.Random(seed)
	for i := range p.Faults {
		f := &p.Faults[i]
		if f.Within = false; f.Kind == model.Crash { // which static reduction refuses
			f.Kind, f.Losing = model.Restart, false
		}
	}
	p.Pass(deliveryModels[seed/3%uint64(len(deliveryModels))])
	return subject{p}
}

// A reducer makes the reductions for searches of a system.
type reducer func(actors *space.Actors) (func() model.Reduction, error)

// A choice is what a reduction chose.
type choice struct {
	state  model.State
	follow []model.Transition
}

// A system is a program as searches of it see it, with all that there is.
type system struct {
	subject
	hashing   space.Hashing
	actors    *space.Actors
	checker   *property.Checker
	canonical func() dbss.Canonical // nil without symmetry
	*reach.Judged
}

func (s subject) system(h space.Hashing, symmetric bool) (*system, error) {
	actors, err := space.NewActors(footprint.Watch(s), s.Decomposition(h))
	if err != nil {
		return nil, err
	}
	sys := &system{subject: s, hashing: h, actors: actors, checker: property.NewChecker(s, actors)}
	if symmetric {
		g, err := symmetry.Find(actors)
		if err != nil {
			return nil, err
		}
		sys.canonical = g.Canonicalizer
	}
	return sys, nil
}

// reach finds what there is, or what a reduction leaves of it.
func (s *system) reach(reduction model.Reduction) (*reach.Judged, error) {
	w := reach.Walk{System: s.actors, Key: reach.Exact, Most: mostStates, Reduction: reduction}
	if s.canonical != nil {
		w.Key = reach.Orbits(s.canonical())
	}
	if s.hashing == space.Full {
		w.Most *= 6 // other messages processed last, other states
	}
	return w.Judge(context.Background(), s.actors, s.checker)
}

// terminal are the terminal states. With full hashing they also differ in auxiliary parts and in the last event processed, and are compared by
// their relevant parts.
func (s *system) terminal(of *reach.Judged) map[string]bool {
	terminal := map[string]bool{}
	for k, state := range of.Terminal {
		switch {
		case s.hashing == space.Fields:
			terminal[k] = true
		case s.canonical == nil:
			terminal[s.relevantText(state)] = true
		}
	}
	return terminal
}

// relevantText is the same for states with the same relevant parts. A set has no copies that are equal in these.
func (s *system) relevantText(state model.State) string {
	text := fmt.Sprintf("%x", s.actors.Globals.History(state))
	relevant := func(b []byte) []byte {
		return must.Get(s.Relevant(b))
	}
	for i, id := range state[1:] {
		name, parts := s.actors.Values.PositionName(i+1), s.actors.Nodes.Parts(id)
		text += " " + name
		if parts.Local != 0 {
			text += fmt.Sprintf("=%x", relevant(s.actors.Values.Actor(parts.Local).Local))
		}
		for _, inbox := range [][]model.MessageID{parts.Waiting, parts.Delivered} {
			var messages [][]byte
			for _, m := range inbox {
				messages = append(messages, append([]byte(s.actors.Values.Message(m).Sender+">"), relevant(s.actors.Values.Message(m).Payload)...))
			}
			if !s.Program().Channel(name).KeepsOrder() {
				slices.SortFunc(messages, bytes.Compare)
			}
			if s.Program().Channel(name).IsSet() {
				messages = slices.CompactFunc(messages, bytes.Equal)
			}
			text += fmt.Sprintf("%x", messages)
		}
	}
	return text
}
