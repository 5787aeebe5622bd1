package twin

import (
	"cmp"
	"slices"

	"harrier/model"
)

// Failing names a handler that fails, with its failure.
func Failing(handler string, f model.Failure) string { return handler + ": " + f.Text }

// Canonical is the same for states whose relevant parts are the same: actors, what is in flight and delivered, and the history.
// The messages of a queue are given in their order.
func Canonical(p *model.Program, relevant func(b []byte) ([]byte, error), actors []model.Actor, pending, delivered []model.Message, history []byte) (string, error) {
	e := &explorer{Options: Options{Relevant: relevant}, program: p}
	s := state{actors: slices.Clone(actors), pending: pending, delivered: delivered, history: history}
	slices.SortFunc(s.actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	return e.endPart(s), e.Err
}

// endPart is the Canonical form of a state.
func (e *explorer) endPart(s state) string {
	s.taken, s.cut, s.stopped, s.last = nil, nil, nil, nil
	if e.Relevant != nil {
		return e.relevant(s).canonical()
	}
	s.pending, s.delivered = slices.Clone(s.pending), slices.Clone(s.delivered)
	e.sort(s.pending)
	e.sort(s.delivered)
	return s.canonical()
}
