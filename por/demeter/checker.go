package demeter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// Figures are what the paper counts (section 5.1). Traces are complete ones: nothing but faults need happen after them.
type Figures struct {
	Components int `json:"components"`
	// LocalTraces are those with the local skeletons of complete global ones, GlobalSkeletons these.
	LocalTraces     uint64 `json:"localTraces"`
	GlobalSkeletons uint64 `json:"globalSkeletons"`
	// GlobalTraces are the runs of the program that the local traces make up, up to the order of commuting steps. A search that follows
	// one order of each run follows as many.
	GlobalTraces float64 `json:"globalTraces"`
	// ReductionRatio is GlobalTraces over LocalTraces, 0 without local traces.
	ReductionRatio float64 `json:"reductionRatio"`
}

// counts are of complete global skeletons.
type counts struct {
	skeletons, local uint64
	traces           float64
}

// Search explores the global skeletons of a program: first breadth-first, going on from those that have a new local skeleton, as these
// are few and show early what components can do; then all, depth-first. With KeepGoing it only does the latter. States and transitions
// are those of the system; counts of handlers and faults include the steps of local traces, each once. The path of a violation is
// one of single steps. MaxStates bounds each of the two searches, and the states that a local explorer enters. Where that is reached, or
// a component goes on for ever by itself, the result says so, and is not complete.
func (d *System) Search(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	d.maxStates = o.MaxStates
	r, err := d.search(ctx, o, p)
	if err != nil || r == nil {
		return r, err
	}
	var others []model.Facts // of steps that the search has not counted as transitions
	for step := range d.ran {
		if step.isInternal {
			r.Internal++
		}
		if step.isInternal || !r.Has(step.facts) {
			others = append(others, step.facts)
		}
	}
	for _, f := range others {
		r.Count(f)
	}
	if r.Violation != nil {
		r.Violation.Path, err = d.open(ctx, r.Violation)
	}
	return r, err
}

func (d *System) search(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	if !o.KeepGoing {
		r, err := d.searchNew(ctx, o, p)
		if err != nil || r.Violation != nil || !r.Complete && ctx.Err() != nil {
			return r, err
		}
		p.Reset()
		d.global = counts{local: d.global.local}
	}
	return d.searchAll(ctx, o, p)
}

// searchNew explores breadth-first, and goes on from a global skeleton only if one of its local skeletons is new: part of no skeleton that it
// went on from before.
func (d *System) searchNew(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	known := map[uint32]bool{0: true}
	o.Order = dbss.BreadthFirst
	o.Reduction = func() model.Reduction {
		return func(_ context.Context, s model.State, _ []model.Transition) ([]model.Transition, bool, error) {
			isNew := false
			for _, number := range s[1:] {
				isNew = isNew || !known[number]
				known[number] = true
			}
			return nil, !isNew, nil
		}
	}
	r, err := d.searchAll(ctx, o, p)
	if r != nil {
		r.Levels = nil // they lack the skeletons that it does not go on from
	}
	return r, err
}

func (d *System) searchAll(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	r, err := dbss.Search(ctx, d, &checker{d.checker, d}, o, p)
	var end EndError
	if errors.As(err, &end) && r != nil {
		r.Complete, r.Reason, err = false, end.Text, nil
	}
	return r, err
}

// Figures are the figures of the search so far.
func (d *System) Figures() Figures {
	f := Figures{
		Components: len(d.Graph.Positions()), LocalTraces: d.global.local, GlobalSkeletons: d.global.skeletons,
		GlobalTraces: d.global.traces,
	}
	if f.LocalTraces > 0 {
		f.ReductionRatio = f.GlobalTraces / float64(f.LocalTraces)
	}
	return f
}

// A checker decides whether properties hold in all the states that a global skeleton stands for.
type checker struct {
	*property.Checker
	system *System
}

// Invariants implements dbss.Checker. All traces with a skeleton look the same to invariants.
func (c *checker) Invariants(ctx context.Context, s model.State) (*property.Violation, error) {
	for _, number := range s[1:] {
		if number == 0 {
			continue
		}
		if _, err := c.system.explore(ctx, c.system.at(number)); err != nil {
			return nil, err
		}
	}
	return c.Checker.Invariants(ctx, c.system.shown(s))
}

// Terminal implements dbss.Checker. The skeleton is complete if each component has a trace with its part of it that is at its end.
// It is called once for each skeleton.
func (c *checker) Terminal(ctx context.Context, s model.State, _, asksFinal bool) (model.State, *property.Violation, error) {
	var all [][]*end // by component
	for _, number := range s[1:] {
		ends := []*end{{explored: true}} // of a component that does not exist
		if number != 0 {
			ends = c.system.ended(c.system.at(number), s[0])
		}
		if len(ends) == 0 {
			return nil, nil, nil
		}
		all = append(all, ends)
	}
	c.system.global.add(all)
	if !asksFinal {
		return s, nil, nil
	}
	v, err := c.final(ctx, model.State{s[0]}, all)
	return s, v, err
}

// add counts a complete global skeleton, of which each component has some traces at their ends.
func (n *counts) add(all [][]*end) {
	traces := 1.0
	for _, ends := range all {
		traces *= float64(len(ends))
		for _, e := range ends {
			if !e.explored {
				e.explored = true
				n.local++
			}
		}
	}
	n.skeletons++
	n.traces += traces
}

// ended returns the ends of the traces with a skeleton that are complete, given the global.
func (d *System) ended(k *skeleton, global uint32) (ends []*end) {
	for i := range k.local.ends {
		e := &k.local.ends[i]
		if !slices.ContainsFunc(e.guards, func(g uint32) bool { return !d.actors.Globals.Disables(global, g) }) {
			ends = append(ends, e)
		}
	}
	return ends
}

// final returns a violation of a final condition in a combination of component states after complete traces: s has those of the first
// components, all the traces of the others.
func (c *checker) final(ctx context.Context, s model.State, all [][]*end) (*property.Violation, error) {
	if len(all) == 0 {
		nodes := c.system.Graph.Unfold(s)
		v, err := c.Final(ctx, nodes)
		if v != nil {
			v = &property.Violation{Kind: v.Kind, Property: v.Property, Failure: v.Failure, State: nodes}
		}
		return v, err
	}
	var first *property.Violation
	asked := map[uint32]bool{}
	for _, e := range all[0] {
		if asked[e.trace.state] {
			continue
		}
		asked[e.trace.state] = true
		v, err := c.final(ctx, append(s[:len(s):len(s)], e.trace.state), all[1:])
		if err != nil {
			return nil, fmt.Errorf("a terminal state: %w", err)
		}
		if first == nil {
			first = v
		}
		if first != nil && !c.KeepsGoing() {
			break
		}
	}
	return first, nil
}
