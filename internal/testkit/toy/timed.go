package toy

import (
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Timed makes programs of others: time goes on a few rounds, timers take a while, guards look at clocks, and in some messages do not stay in
// flight for ever. Messages are not duplicated without bound.
func Timed(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x1f83d9abfb41bd6b)), Protocol: p}
		p.Clocks = network.Clocks{Tick: 1, Drift: pick(d, 0, 0, 0, 1, 1, 2), Rounds: pick(d, 1, 2, 2, 3), Delay: pick(d, -1, -1, 0, 1)}
		if d.hasQuorums() {
			p.Clocks.Delay = -1
		}
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Kind == model.Duplicate && f.Budget == model.Unbounded {
				f.Budget = 1
			}
		}
		for i := range p.Classes {
			d.time(&p.Classes[i])
		}
		for i := range p.Actors {
			p.Actors[i].Armed = p.Actors[i].Armed || d.chance(40)
		}
		p.program = nil
		return p
	}
}

// time has handlers of a class set timers and look at the clock.
func (d *dice) time(c *Class) {
	isTimer := func(h Handler) bool { return h.Timer }
	if !slices.ContainsFunc(c.Handlers, isTimer) {
		c.Handlers = append(c.Handlers, Handler{Kind: Itself, Timer: true, Label: c.Name + ".timer",
			Outcomes: [][]Act{{{Do: "add", Field: d.IntN(c.Fields), Value: 1}}}})
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		if d.chance(20) {
			h.Guard = append(slices.Clone(h.Guard), Test{OfClock, pick(d, ">=", ">=", "!="), d.between(0, 2)})
		}
		for k := range h.Outcomes {
			acts := &h.Outcomes[k]
			if d.chance(35) {
				*acts = append(slices.Clone(*acts), Act{Do: "arm"})
			}
			for n := range *acts {
				if act := &(*acts)[n]; act.Do == "arm" {
					*act = Act{Do: "arm", Value: d.between(0, 2), From: pick(d, 0, 0, 1), When: act.When}
				}
			}
			if d.chance(15) {
				*acts = append(slices.Clone(*acts), Act{Do: "set", Field: d.IntN(c.Fields), Value: 2, When: []Test{{OfClock, ">=", d.between(1, 2)}}})
			}
		}
	}
}

// ticks adds the outcomes of a clock that goes on.
func (p *Protocol) ticks(a *model.Answer, l local) {
	for range min(1+p.Clocks.Drift, 2) {
		l.clock, l.wait, l.must = l.clock+1, max(0, l.wait-1), max(0, l.must-1)
		after := p.actor(l)
		a.Outcomes = append(a.Outcomes, model.Outcome{Local: after.Local, Acts: after.Acts})
	}
}
