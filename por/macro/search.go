package macro

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// Search explores the macro steps of a program as dbss.Search explores its steps. States and transitions are those of the
// macro system; what it counts of handlers and faults has the internal steps too, each once. The path of a violation is one
// of single steps. The system is one that nobody explored before.
func (d *System) Search(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	checks, err := d.begun(&o)
	if err != nil {
		return nil, err
	}
	between := o.Between
	o.Between = func(ctx context.Context) error {
		err := d.verify(ctx)
		if err == nil && between != nil {
			err = between(ctx)
		}
		return err
	}
	if open := o.Log; open != nil {
		o.Log = func(variant string) (dbss.Log, error) { return open(variant + d.variant()) }
	}
	explore := d.Explore
	if explore == nil {
		explore = dbss.Search
	}
	r, err := explore(ctx, d, checks, o, p)
	for d.begins(err) {
		p.GiveUp(d.why(err))
		d.begin(d.ignored.next())
		r, err = explore(ctx, d, checks, o, p)
	}
	if err != nil || r == nil {
		return r, err
	}
	d.count(&r.Counts)
	if r.Violation != nil {
		r.Violation.Path, err = d.Open(ctx, r.Violation.Path, r.Violation.State)
	}
	return r, err
}

// Share explores the part of the macro steps that is this process's, in a search with a Partition. It does not begin anew.
func (d *System) Share(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	checks, err := d.begun(&o)
	if err != nil {
		return nil, err
	}
	r, err := dbss.Search(ctx, d, checks, o, p)
	if d.begins(err) {
		err = &dbss.BeginAnew{Variant: d.Variant()}
	}
	return r, err
}

// begun makes options for the system, and the checker of its states.
func (d *System) begun(o *dbss.Options) (*checker, error) {
	checks := &checker{d.checker, d}
	canonical, orbits := o.Canonical, o.Orbits
	if canonical == nil {
		return checks, nil
	}
	if len(d.permutations) == 0 {
		return nil, errors.New("states are told apart up to permutations that the system does not know")
	}
	o.Canonical = func() dbss.Canonical {
		of := canonical()
		return func(s model.State, into []uint32) ([]uint32, error) { return of(d.Graph.Unfold(s), into) }
	}
	o.Orbits = func() func(model.State) (uint64, error) {
		of := orbits()
		return func(s model.State) (uint64, error) { return of(d.Graph.Unfold(s)) }
	}
	return checks, nil
}

// Endless are the components that become new states without end by themselves, by the names of their actors. Their steps were
// taken one by one.
func (d *System) Endless() (all []string) {
	for component := range d.endless {
		all = append(all, d.componentName(component))
	}
	slices.Sort(all)
	return all
}

// componentName has the names of a component's actors.
func (d *System) componentName(component uint32) string {
	var names []string
	for _, position := range d.Graph.Positions()[component] {
		names = append(names, d.actors.Values.PositionName(int(position)))
	}
	return strings.Join(names, "+")
}

// variant names what the system leaves out less than the one that a first search takes.
func (d *System) variant() string {
	handlers := []string{}
	for handler := range d.ignored.excluded {
		handlers = append(handlers, d.actors.Values.HandlerLabel(int(handler)))
	}
	slices.Sort(handlers)
	return fmt.Sprintf("endless %q, excluded %q\n", d.Endless(), handlers)
}

// begins reports whether a search that ended in an error is to begin anew, with less left out or put off.
func (d *System) begins(err error) bool {
	var endless lts.EndlessError
	if errors.As(err, &endless) {
		d.endless[uint32(endless)] = true
		return true
	}
	var anew *dbss.BeginAnew
	return errors.As(err, &anew) && d.Adopt(anew.Variant) == nil || errors.Is(err, errNotIgnored)
}

// why says what turned out in a search that begins anew after an error.
func (d *System) why(err error) string {
	var endless lts.EndlessError
	if errors.As(err, &endless) {
		return d.componentName(uint32(endless)) + " can go on by itself without end"
	}
	var anew *dbss.BeginAnew
	if errors.As(err, &anew) {
		return strings.Join(d.Endless(), " and ") + " can go on by itself without end"
	}
	var names []string
	for _, handler := range slices.Sorted(maps.Keys(d.ignored.contrary)) {
		names = append(names, d.actors.Values.HandlerLabel(int(handler)))
	}
	return "messages that " + strings.Join(names, " and ") + " ignored at first matter later"
}

// count adds the internal steps of all macro states to what was counted of macro steps, and the handlers of steps that were left
// out for others with the same label.
func (d *System) count(c *dbss.Counts) {
	for st := range d.stepsReached {
		if st.internal {
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
	if steps := in.steps.known.Load(); steps != nil {
		for _, m := range *steps {
			// Of a step of members that what is global may disable it is only known that one like it was taken.
			taken[m.facts.Effect] = taken[m.facts.Effect] || m.taken != 0 || d.learns && c.Has(m.facts)
		}
	}
	for _, m := range in.members {
		for st := range d.Graph.Out(in.component, m) {
			if !c.Has(st.Facts) && !d.isInternal(in.component, &st) && taken[st.Label] {
				c.Count(st.Facts)
			}
		}
	}
}

// A stepReached is a step of a member of In of a component state of a macro state.
type stepReached struct {
	lts.Edge
	component uint32
	internal  bool
}

// stepsReached yields those of all macro states, each once.
func (d *System) stepsReached(yield func(stepReached) bool) {
	done := map[uint32]bool{}
	for _, in := range d.ignored.reached {
		for _, m := range in.members {
			if done[m] {
				continue
			}
			done[m] = true
			for st := range d.Graph.Out(in.component, m) {
				if !yield(stepReached{st, in.component, d.isInternal(in.component, &st)}) {
					return
				}
			}
		}
	}
}
