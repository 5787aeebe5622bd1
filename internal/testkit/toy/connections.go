package toy

import (
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
)

// Connecting makes programs of others: actors have connections, which close when they crash or stop, when the network is cut, and when they
// say so. Many are told. Messages to them are neither lost nor duplicated otherwise, and there are no adversaries.
func Connecting(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x9b05688c2b3e6c1f)), Protocol: p}
		p.Delivery, p.Connected = model.M, model.Scope{All: true}
		if len(p.Roles) == 0 && d.chance(25) {
			for _, a := range p.Actors[:max(2, d.IntN(len(p.Actors)+1))] {
				p.Connected.Names = append(p.Connected.Names, a.Name)
			}
			p.Connected.All = false
		}
		p.Faults = slices.DeleteFunc(slices.Clone(p.Faults), func(f Fault) bool {
			return f.Kind == model.Lose || f.Kind == model.Duplicate || f.Kind == model.Byzantine
		})
		for i := range p.Faults {
			f := &p.Faults[i]
			f.Within = f.Within && f.Kind != model.Restart
		}
		isCrash := func(f Fault) bool { return f.Kind == model.Stop || f.Kind == model.Restart || f.Kind == model.Crash }
		if !slices.ContainsFunc(p.Faults, isCrash) && d.chance(80) {
			f := Fault{Kind: pick(d, model.Stop, model.Restart, model.Crash), Scope: model.Scope{All: true}, Budget: 1}
			f.Losing = f.Kind == model.Crash && d.chance(50)
			p.Faults = append(p.Faults, f)
		}
		if len(p.Roles) == 0 && d.chance(40) {
			p.Faults = append(p.Faults, Fault{Kind: model.Split, Scope: model.Scope{Names: []string{p.Actors[0].Name}}, Budget: 1})
		}
		for i := range p.Classes {
			if d.chance(70) {
				d.beTold(&p.Classes[i])
			}
		}
		greeting := &dice{Rand: rand.New(rand.NewPCG(seed, 0x428a2f98d728ae22)), Protocol: p} // so that the rest of a program is the same
		for _, c := range p.Classes {
			for i := range c.Handlers {
				for k := range c.Handlers[i].Outcomes {
					greeting.greet(&c.Handlers[i].Outcomes[k])
				}
			}
		}
		p.program = nil
		return p
	}
}

// beTold has a class handle that connections have closed, and close some.
func (d *dice) beTold(c *Class) {
	c.Told = []Act{{Do: "add", Field: d.IntN(c.Fields), Value: 1}}
	if d.chance(40) {
		c.Told = append(c.Told, Act{Do: "send", To: pick(d, "peer", "sender"), Kind: d.IntN(2), Value: 1, From: -1})
	}
	if d.chance(30) {
		c.ToldWhen = []Test{{d.IntN(c.Fields), pick(d, "==", "!="), d.IntN(2)}}
	}
	for i := range c.Handlers {
		for k := range c.Handlers[i].Outcomes {
			acts := &c.Handlers[i].Outcomes[k]
			switch n := d.IntN(100); {
			case n < 15:
				*acts = slices.Insert(slices.Clone(*acts), 0, Act{Do: "disconnect", To: pick(d, "sender", "peer")})
			case n < 25:
				*acts = append(slices.Clone(*acts), Act{Do: "disconnect", To: pick(d, "sender", "peer")})
			case n < 30:
				*acts = append(slices.Clone(*acts), Act{Do: "watch", To: "peer"})
			}
		}
	}
}

// greet has new actors send a message to who creates them, which often stops or closes the connection later in the same step.
func (d *dice) greet(acts *[]Act) {
	at := slices.IndexFunc(*acts, func(a Act) bool { return a.Do == "create" })
	if at < 0 {
		return
	}
	*acts = slices.Clone(*acts)
	(*acts)[at].To, (*acts)[at].Kind = pick(d, "self", "self", "peer"), d.IntN(2)
	switch n := d.IntN(100); {
	case n < 20:
		*acts = append(*acts, Act{Do: "stop"})
	case n < 40:
		*acts = append(*acts, Act{Do: "disconnect", To: "child"})
	}
}
