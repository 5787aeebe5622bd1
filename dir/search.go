package dir

import (
	"context"

	"harrier/dbss"
	"harrier/model"
	"harrier/property"
)

// Search explores the macro steps of a program as dbss.Search explores its steps. States and transitions are those of the
// macro system; what it counts of handlers and faults has the internal steps too, each once. The path of a violation is one
// of single steps.
func Search(ctx context.Context, actors Actors, checker *property.Checker, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	system := New(actors)
	if canonical := o.Canonical; canonical != nil {
		o.Canonical = func() dbss.Canonical {
			of := canonical()
			return func(s model.State, into []uint32) ([]uint32, error) { return of(system.unfold(s), into) }
		}
	}
	r, err := dbss.Search(ctx, system, NewChecker(system, checker), o, p)
	if err != nil || r == nil {
		return r, err
	}
	system.count(&r.Counts)
	if r.Violation != nil {
		r.Violation.Path, err = system.Open(r.Violation.Path, r.Violation.State)
	}
	return r, err
}

// count adds the internal steps of all that was met to what was counted of macro steps.
func (d *System) count(c *dbss.Counts) {
	var steps []model.NodeStep
	counted := map[uint32]bool{}
	count := func(in *inside) bool {
		if !in.isMet.Load() {
			return true
		}
		for _, m := range in.members {
			if counted[m.state] {
				continue
			}
			counted[m.state] = true
			steps = d.steps(in.component, m.state, steps[:0])
			for k := range steps {
				if d.isInternal(in.component, &steps[k]) {
					c.Internal++
					c.Count(steps[k].Facts)
				}
			}
		}
		return true
	}
	d.insides.ofNodes.All(count)
	d.insides.ofVectors.All(count)
}
