package macro

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/distributed/levels"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// Search explores the macro steps of a program as dbss.Search explores its steps. States and transitions are those of the
// macro system; counts of handlers and faults include the internal steps, each once. The path of a violation is one
// of single steps. The system must not have been explored before.
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
	if open := o.Levels; open != nil {
		o.Levels = func(variant string) (*levels.Chain, error) { return open(variant + d.variant()) }
	}
	explore := d.Explore
	if explore == nil {
		explore = dbss.Search
	}
	r, err := explore(ctx, d, checks, o, p)
	for next, ok := d.refined(err); ok; next, ok = d.refined(err) {
		p.GiveUp(d.learned(next))
		d.begin(next)
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

// Share explores the part of the macro steps that is this process's, in a search that processes share (dbss.Share). It does not begin anew.
func (d *System) Share(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	checks, err := d.begun(&o)
	if err != nil {
		return nil, err
	}
	r, err := dbss.Search(ctx, d, checks, o, p)
	if next, ok := d.refined(err); ok {
		err = &dbss.BeginAnew{Variant: d.portable(next)}
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
func (d *System) Endless() []string { return d.componentNames(d.endless) }

func (d *System) componentNames(components map[uint32]bool) (all []string) {
	for component := range components {
		all = append(all, d.componentName(component))
	}
	slices.Sort(all)
	return all
}

func (d *System) handlerLabels(handlers map[uint32]bool) []string {
	all := []string{}
	for handler := range handlers {
		all = append(all, d.actors.Values.HandlerLabel(int(handler)))
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

// variant encodes the exceptions of the system.
func (d *System) variant() string {
	return fmt.Sprintf("endless %q, excluded %q\n", d.Endless(), d.handlerLabels(d.excluded))
}

// refined returns the exceptions with which a search that ended in an error is to begin anew; ok is false if it is not to.
func (d *System) refined(err error) (next exceptions, ok bool) {
	next = d.exceptions
	var endless lts.EndlessError
	var anew *dbss.BeginAnew
	switch {
	case errors.As(err, &endless):
		next.endless = endless.AddTo(d.endless)
		return next, true
	case errors.As(err, &anew):
		next, err = d.read(anew.Variant)
		return next, err == nil
	case errors.Is(err, errNotIgnored):
		next.excluded = map[uint32]bool{}
		maps.Copy(next.excluded, d.excluded)
		maps.Copy(next.excluded, d.ignored.Contrary())
		return next, true
	}
	return next, false
}

// learned says what turned out in a search after which another one is to begin.
func (d *System) learned(next exceptions) string {
	added := func(to, from map[uint32]bool) map[uint32]bool {
		all := maps.Clone(to)
		maps.DeleteFunc(all, func(k uint32, _ bool) bool { return from[k] })
		return all
	}
	var all []string
	if names := d.componentNames(added(next.endless, d.endless)); len(names) > 0 {
		all = append(all, strings.Join(names, " and ")+" can become very many states by itself, perhaps without end")
	}
	if labels := d.handlerLabels(added(next.excluded, d.excluded)); len(labels) > 0 {
		all = append(all, "messages that "+strings.Join(labels, " and ")+" ignored at first matter later")
	}
	return strings.Join(all, ", and ")
}

// count adds the internal steps of all macro states to the counts of macro steps, and the handlers of steps that were left
// out for others with the same label.
func (d *System) count(c *dbss.Counts) {
	for st := range d.stepsReached {
		if st.internal {
			c.Internal++
			c.Count(st.Facts)
		}
	}
	d.countLeftOut(c)
	d.ignored.count(c)
}

// countLeftOut counts handlers that were not counted where they run in a step of a member with a label that was taken.
func (d *System) countLeftOut(c *dbss.Counts) {
	var leads []*inside // which have a step that was not counted, or are next to one that has
	isLeft := map[*inside]bool{}
	for _, in := range d.ignored.reached {
		for _, part := range in.lacking(func(part *inside) bool { _, known := isLeft[part]; return !known }) {
			isLeft[part] = slices.ContainsFunc(part.next, func(next *inside) bool { return isLeft[next] })
			for range d.leftOut(part, c) {
				isLeft[part] = true
			}
		}
		if isLeft[in] {
			leads = append(leads, in)
		}
	}
	for _, in := range leads {
		taken := d.takenLabels(in, c)
		for part := range in.walk(func(part *inside) bool { return !isLeft[part] }) {
			for e := range d.leftOut(part, c) {
				if taken[e.Label] {
					c.Count(e.Facts)
				}
			}
		}
	}
}

// leftOut yields the steps of an inside's own states with a label whose handler was not counted.
func (d *System) leftOut(in *inside, c *dbss.Counts) iter.Seq[lts.Edge] {
	return func(yield func(lts.Edge) bool) {
		for _, m := range in.states {
			for e := range d.Graph.Out(in.component, m) {
				if !c.Has(e.Facts) && !d.isInternal(in.component, &e) && !yield(e) {
					return
				}
			}
		}
	}
}

// takenLabels are the labels of the macro steps of a component state that the search took.
func (d *System) takenLabels(in *inside, c *dbss.Counts) map[uint32]bool {
	labels := map[uint32]bool{}
	if known := in.steps.known.Load(); known != nil {
		taken := in.takenSteps()
		for i, m := range known.steps {
			// Of a step of members that the global may disable, it is only known that one like it was taken.
			labels[m.facts.Effect] = labels[m.facts.Effect] || taken[i] != 0 || d.learns && c.Has(m.facts)
		}
	}
	return labels
}

// A stepReached is a step of a member of In of a component state of a macro state.
type stepReached struct {
	lts.Edge
	component uint32
	internal  bool
}

// stepsReached yields the steps of all macro states, each once.
func (d *System) stepsReached(yield func(stepReached) bool) {
	done := map[*inside]bool{}
	for _, in := range d.ignored.reached {
		for part := range in.walk(func(part *inside) bool { return done[part] }) {
			done[part] = true
			for _, m := range part.states {
				for st := range d.Graph.Out(in.component, m) {
					if !yield(stepReached{st, in.component, d.isInternal(in.component, &st)}) {
						return
					}
				}
			}
		}
	}
}
