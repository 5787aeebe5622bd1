package toy

import (
	"math/rand/v2"
	"slices"
	"strings"

	"harrier/internal/model"
)

// formulas are over two predicates.
var formulas = []string{
	"<>p", "[]<>p", "<>[]p", "[](p -> <>q)", "p U q", "[]<>p -> []<>q", "[](p -> (q R p))", "<>[]p && []<>q", "(<>p -> <>q) || <>[]p",
}

// Ask adds random predicates to a program, and liveness properties over them. What it is asked for does not end it: handlers that
// would fail do nothing more.
func (p *Protocol) Ask(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xe7037ed1a0b428db)), Protocol: p, symmetric: len(p.Roles) > 0}
	first := len(p.properties())
	for range 2 {
		facts := d.facts(2)
		for i := range facts {
			facts[i].Needs = false
		}
		p.Predicates = append(p.Predicates, Property{Facts: facts})
	}
	for i := range p.Classes {
		p.Classes[i].neverFails()
	}
	always := func(f string) {
		p.Liveness = append(p.Liveness, model.Liveness{Name: f, Formula: f, Atoms: []model.Atom{{Name: "p", Property: first}, {Name: "q", Property: first + 1}}})
	}
	for _, f := range formulas {
		for _, atom := range []string{"p", "q"} {
			if d.chance(50) {
				f = strings.ReplaceAll(f, atom, "!"+atom)
			}
		}
		always(f)
	}
	for i, kind := range []model.LivenessKind{model.Sometimes, model.Possible} {
		p.Liveness = append(p.Liveness, model.Liveness{Name: "p", Kind: kind, Formula: "p", Atoms: []model.Atom{{Name: "p", Property: first + i}}})
	}
	d.fairness()
	d.tame()
	for range 3 {
		always(Formula(d.Rand, 3, "p", "q"))
	}
	p.program = nil
	return p
}

// Formula makes a random formula without next, of a depth, over predicates.
func Formula(r *rand.Rand, depth int, predicates ...string) string {
	if depth == 0 || r.IntN(5) == 0 {
		return append(predicates, "true", "false")[r.IntN(len(predicates)+2)]
	}
	f, g := Formula(r, depth-1, predicates...), Formula(r, depth-1, predicates...)
	switch operator := r.IntN(9); operator {
	case 0, 1, 2:
		return []string{"!", "[]", "<>"}[operator] + f
	default:
		return "(" + f + []string{" U ", " W ", " R ", " -> ", " && ", " <-> "}[operator-3] + g + ")"
	}
}

// fairness draws the scopes of fairness. It makes no difference between actors of one role.
func (d *dice) fairness() {
	scope := func() (s model.Scope) {
		for _, a := range d.Actors {
			s.Names = append(s.Names, a.Name)
		}
		if len(d.Roles) > 0 {
			s.Names = pick(d, d.Roles...).Actors
		}
		if !d.symmetric {
			s.Names = d.some(s.Names)
		}
		s.Names = slices.Sorted(slices.Values(s.Names))
		return s
	}
	if d.chance(20) {
		d.Fairness.Strong = scope()
	}
	if d.chance(20) {
		d.Fairness.Unfair = scope()
	}
	d.Fairness.Heals = d.chance(30)
}

// neverFails takes out what fails.
func (c *Class) neverFails() {
	for i := range c.Handlers {
		for _, acts := range c.Handlers[i].Outcomes {
			for k := range acts {
				if acts[k].Do == "fail" {
					acts[k] = Act{Do: "add"}
				}
			}
		}
	}
}
