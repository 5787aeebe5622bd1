package macro

import (
	"context"
	"errors"

	"harrier/dbss"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// Search explores the macro steps of a program as dbss.Search explores its steps. States and transitions are those of the
// macro system; what it counts of handlers and faults has the internal steps too, each once. The path of a violation is one
// of single steps. The system is one that nobody explored before.
func (d *System) Search(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	if canonical := o.Canonical; canonical != nil {
		if len(d.permutations) == 0 {
			return nil, errors.New("states are told apart up to permutations that the system does not know")
		}
		o.Canonical = func() dbss.Canonical {
			of := canonical()
			return func(s model.State, into []uint32) ([]uint32, error) { return of(d.Graph.Unfold(s), into) }
		}
	}
	d.ctx = ctx
	checks := &checker{d.checker, d}
	between := o.Between
	o.Between = func(ctx context.Context) error {
		err := d.verify(ctx)
		if err == nil && between != nil {
			err = between(ctx)
		}
		return err
	}
	r, err := dbss.Search(ctx, d, checks, o, p)
	for errors.Is(err, errNotIgnored) {
		p.Reset()
		d.begin(d.ignored.next())
		r, err = dbss.Search(ctx, d, checks, o, p)
	}
	if err != nil || r == nil {
		return r, err
	}
	d.count(&r.Counts)
	if r.Violation != nil {
		r.Violation.Path, err = d.Open(r.Violation.Path, r.Violation.State)
	}
	return r, err
}

// count adds the internal steps of all macro states to what was counted of macro steps, and the handlers of steps that were left
// out for others with the same label.
func (d *System) count(c *dbss.Counts) {
	for st := range d.stepsReached {
		if st.Label == 0 {
			c.Internal++
			c.Count(st.Facts)
		}
	}
	for _, in := range d.ignored.reached {
		d.countLeftOut(in, c)
	}
	d.ignored.count(c)
}

// countLeftOut counts a handler that was not counted where it runs in a step of a member with a label that was taken.
func (d *System) countLeftOut(in *inside, c *dbss.Counts) {
	taken := map[uint32]bool{}
	for i := range in.steps {
		taken[in.steps[i].facts.Effect] = taken[in.steps[i].facts.Effect] || in.steps[i].taken != 0
	}
	for _, m := range in.members {
		for st := range d.Graph.Out(in.component, m.state) {
			if !c.Has(st.Facts) && st.Label != 0 && taken[st.Label] {
				c.Count(st.Facts)
			}
		}
	}
}

// A stepReached is a step of a member of In of a component state of a macro state.
type stepReached struct {
	lts.Edge
	component uint32
}

// stepsReached yields those of all macro states, each once.
func (d *System) stepsReached(yield func(stepReached) bool) {
	done := map[uint32]bool{}
	for _, in := range d.ignored.reached {
		for _, m := range in.members {
			if done[m.state] {
				continue
			}
			done[m.state] = true
			for st := range d.Graph.Out(in.component, m.state) {
				if !yield(stepReached{st, in.component}) {
					return
				}
			}
		}
	}
}
