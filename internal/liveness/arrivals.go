package liveness

import (
	"context"
	"slices"

	"harrier/internal/lts"
)

// An arrival is a message that is sent to a position.
type arrival struct{ position, message uint32 }

// note adds to what was collected the messages that a step sends over channels that are sets. Where such a message is there already, its arrival
// changes nothing, so it may arrive again and again at a component that takes no labelled step.
func (p *product) note(s *collected, frame uint32, st *step) error {
	if p.single {
		return nil
	}
	for _, e := range p.system.graph.Label(st.label).Outside {
		name := p.actors.Values.PositionName(int(e.Position))
		if e.Message == 0 || !p.actors.Program().Channel(name).IsSet() {
			continue
		}
		of, err := p.permutedArrival(frame, arrival{e.Position, e.Message})
		if err != nil {
			return err
		}
		if !slices.Contains(s.arrivals, of) {
			s.arrivals = append(s.arrivals, of)
		}
	}
	return nil
}

// permutedArrival returns the image of an arrival under a permutation.
func (p *product) permutedArrival(by uint32, of arrival) (arrival, error) {
	if by == 0 {
		return of, nil
	}
	q := p.permutations.table.At(by).by
	message, err := q.Message(of.message)
	return arrival{q.Position(of.position), message}, err
}

// arrivals returns the images of the arrivals in a part under the group that maps it to itself, by component.
func (p *product) arrivals(s *collected) (map[uint32][]arrival, error) {
	by := map[uint32][]arrival{}
	for i := 0; i < len(s.arrivals); i++ {
		for _, g := range s.generators {
			of, err := p.permutedArrival(g, s.arrivals[i])
			if err != nil {
				return nil, err
			}
			if !slices.Contains(s.arrivals, of) {
				s.arrivals = append(s.arrivals, of)
			}
		}
		of := s.arrivals[i]
		component := p.system.graph.Spot(of.position).Component
		by[component] = append(by[component], of)
	}
	return by, nil
}

// mayBeQuiet reports whether a component may be quiet in a state, though some messages arrive again and again. If only these keep it from
// that, the error is an lts.EndlessError: a run in which some of them arrive no more is not looked for, and its steps are to be taken one by one.
func (p *product) mayBeQuiet(ctx context.Context, l *local, arrivals []arrival) (bool, error) {
	if !l.quiet || len(arrivals) == 0 {
		return l.quiet, nil
	}
	in, err := p.inner(ctx, l)
	if err == nil && in.quietPart(arrivals) == nil {
		err = lts.EndlessError(l.component)
	}
	return true, err
}
