package liveness

import (
	"fmt"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A constraint is an actor with something that it may consume or do.
type constraint struct {
	position uint32
	kind     model.EventKind // Receive or Deliver of a message, Internal, Recover, or Heal
	message  model.MessageID
	handler  uint32 // of Internal, if no timer fires; of Heal the fault
	timer    string // of Internal: the timer that fires, in structured bytes
	choices  string // the values that are chosen; "" of the constraint of all of them together
	strong   bool   // a fair run takes it infinitely often if it is infinitely often enabled
}

// constraints numbers them.
type constraints struct {
	actors *space.Actors
	table  *slab.Table[constraint]
}

// taken appends the constraints that a step takes: none if it is a fault, but for a duplicate that is received or delivered. Of several
// messages that are consumed at once each is one.
func (c *constraints) taken(st *space.NodeStep, into []uint32) ([]uint32, error) {
	program := c.actors.Program()
	fairness := &program.Fairness
	name := c.actors.Values.PositionName(int(st.Slot + 1))
	of := constraint{position: st.Slot + 1, kind: program.TakesAs(st.Kind, st.Handler != 0)}
	switch {
	case program.IsFault(of.kind):
		return into, nil
	case st.Kind == model.Drop: // it need not happen, either
		return into, nil
	case st.Kind == model.Recover:
		return append(into, c.number(of)), nil
	case st.Kind == model.Heal:
		if fairness.Heals {
			of.handler = uint32(st.Of)
			into = append(into, c.number(of))
		}
		return into, nil
	case !fairness.IsFair(program, name, c.actors.Values.HandlerLabel(int(st.Handler))):
		return into, nil
	case st.Kind == model.Internal:
		number, err := c.pending(st.Slot+1, st.Handler, st.Timer(c.actors))
		return c.chosen(st, append(into, number), len(into)), err
	}
	of.strong = fairness.Strong.Has(name)
	first := len(into)
	for _, m := range st.Messages {
		of.message = m
		into = append(into, c.number(of))
	}
	return c.chosen(st, into, first), nil
}

// chosen appends, to the constraints of a step from the first one on, those of the values that it chooses, if these are to be fair.
func (c *constraints) chosen(st *space.NodeStep, into []uint32, first int) []uint32 {
	choices := st.Choices(c.actors)
	if len(choices) == 0 || !c.actors.Program().Fairness.ByChoice.Has(c.actors.Values.PositionName(int(st.Slot+1))) {
		return into
	}
	for _, number := range into[first:] {
		of := *c.table.At(number)
		of.choices = fmt.Sprint(choices)
		into = append(into, c.number(of))
	}
	return into
}

// pending is the constraint of a timer or, if that is empty, of a handler for what an actor does by itself.
func (c *constraints) pending(position, handler uint32, timer []byte) (uint32, error) {
	of := constraint{position: position, kind: model.Internal}
	if len(timer) == 0 {
		of.handler = handler
		return c.number(of), nil
	}
	hashed, err := c.actors.Values.Decomposition.Hashed(timer)
	of.timer = string(hashed)
	return c.number(of), err
}

// met returns the constraints that a step meets: the constraints that it takes, and the weak constraints that it disables in between,
// though they may be enabled before and after it. The latter are timers and tasks that it sets anew, and messages that a crash within their handler consumes.
func (c *constraints) met(st *space.NodeStep) ([]uint32, error) {
	met, err := c.taken(st, nil)
	if err != nil {
		return nil, err
	}
	for _, e := range st.Renewed(c.actors) {
		handler := uint32(0)
		if e.Task != "" {
			handler = c.actors.Values.HandlerNumber(e.Task)
		}
		number, err := c.pending(st.Slot+1, handler, e.Timer)
		if err != nil {
			return nil, err
		}
		met = append(met, number)
	}
	isStrong := c.actors.Program().Fairness.Strong.Has(c.actors.Values.PositionName(int(st.Slot + 1)))
	if st.Kind.IsWithin() && !isStrong {
		for _, m := range st.Messages {
			met = append(met, c.number(constraint{position: st.Slot + 1, kind: model.Receive, message: m}))
		}
	}
	return met, nil
}

func (c *constraints) number(of constraint) uint32 {
	// Which constraints are strong follows from the rest.
	key := slab.Join(slab.Key(of.position, uint32(of.kind), of.message, of.handler), of.timer, of.choices)
	return c.table.Intern(key, func() constraint { return of })
}

// image returns the image of a constraint under a permutation.
func (c *constraints) image(number uint32, by *space.Permutation, known *pairs.Map) (uint32, error) {
	return known.GetOrPut(number, 0, func() (uint32, error) {
		of := *c.table.At(number)
		of.position = by.Position(of.position)
		if of.message != 0 {
			var err error
			if of.message, err = by.Message(of.message); err != nil {
				return 0, err
			}
		}
		if of.timer != "" {
			timer, err := by.Bytes([]byte(of.timer))
			if err != nil {
				return 0, err
			}
			of.timer = string(timer)
		}
		return c.number(of), nil
	})
}
