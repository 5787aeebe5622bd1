package toy

import (
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
)

// Watching makes programs of others: actors watch whom they have a message from, or another one, and do something when that has gone.
// Messages are not duplicated without bound, and some actors crash or stop.
func Watching(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x510e527fade682d1)), Protocol: p}
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Kind == model.Duplicate && f.Budget == model.Unbounded {
				f.Budget = 1
			}
		}
		isCrash := func(f Fault) bool { return f.Kind == model.Stop || f.Kind == model.Restart || f.Kind == model.Crash }
		if !slices.ContainsFunc(p.Faults, isCrash) {
			f := Fault{Kind: pick(d, model.Stop, model.Restart, model.Crash), Scope: model.Scope{All: true}, Budget: 1}
			f.Losing = f.Kind == model.Crash && d.chance(50)
			p.Faults = append(p.Faults, f)
		}
		for i := range p.Classes {
			d.watch(&p.Classes[i])
		}
		p.program = nil
		return p
	}
}

// watch has the handlers of a class watch other actors. Who watches another one again when it is told sends nothing, as it may be told for ever.
func (d *dice) watch(c *Class) {
	if d.chance(15) {
		c.Told = []Act{{Do: "watch", To: "sender"}}
	} else {
		c.Told = []Act{{Do: "add", Field: d.IntN(c.Fields), Value: 1}}
	}
	if c.Told[0].Do == "add" && d.chance(40) {
		c.Told = append(c.Told, Act{Do: "send", To: "peer", Kind: d.IntN(2), Value: 1, From: -1})
	}
	for i := range c.Handlers {
		for k := range c.Handlers[i].Outcomes {
			acts := &c.Handlers[i].Outcomes[k]
			switch n := d.IntN(100); {
			case n < 45:
				*acts = slices.Insert(slices.Clone(*acts), 0, Act{Do: "watch", To: pick(d, "sender", "peer")})
			case n < 55:
				*acts = append(slices.Clone(*acts), Act{Do: "unwatch", To: pick(d, "sender", "peer")})
			}
		}
	}
	if d.chance(30) {
		c.Restart = append(slices.Clone(c.Restart), Act{Do: "watch", To: "peer"})
	}
}
