package demeter

import (
	"context"
	"errors"
	"fmt"

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
	// ReductionRatio is GlobalTraces over LocalTraces, 0 if there are none.
	ReductionRatio float64 `json:"reductionRatio"`
}

// counts are of complete global skeletons.
type counts struct {
	skeletons, local uint64
	traces           float64
}

// Search explores the global skeletons of a program. States and transitions are those of the system; what it counts of handlers and
// faults has the steps of local traces too, each once. The path of a violation is one of single steps. MaxStates also bounds the states
// that a local explorer enters. Where that is reached, or a component goes on for ever by itself, the result says so, and is not complete.
func (d *System) Search(ctx context.Context, o dbss.Options, p *dbss.Progress) (*dbss.Result, error) {
	d.maxStates = o.MaxStates
	r, err := dbss.Search(ctx, d, &checker{d.checker, d}, o, p)
	var end EndError
	if errors.As(err, &end) && r != nil {
		r.Complete, r.Reason, err = false, end.Text, nil
	}
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

// Figures are those of the search so far.
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
	var states [][]uint32 // by component: those at the ends of traces
	traces := 1.0
	for _, number := range s[1:] {
		if number == 0 {
			states = append(states, []uint32{0})
			continue
		}
		ended, of := c.system.ended(c.system.at(number), s[0])
		if ended == 0 {
			return nil, nil, nil
		}
		traces *= float64(ended)
		states = append(states, of)
	}
	c.system.global.skeletons++
	c.system.global.traces += traces
	for _, number := range s[1:] {
		if number != 0 {
			c.system.count(c.system.at(number), s[0])
		}
	}
	if !asksFinal {
		return s, nil, nil
	}
	v, err := c.final(ctx, model.State{s[0]}, states)
	return s, v, err
}

// ended is how many traces with a skeleton are at their ends, given what is global, and their states, each once.
func (d *System) ended(k *skeleton, global uint32) (traces int, states []uint32) {
	seen := map[uint32]bool{}
	for i := range k.local.ends {
		e := &k.local.ends[i]
		if !d.isEnd(e, global) {
			continue
		}
		traces++
		if !seen[e.trace.state] {
			seen[e.trace.state] = true
			states = append(states, e.trace.state)
		}
	}
	return traces, states
}

func (d *System) isEnd(e *end, global uint32) bool {
	for _, g := range e.guards {
		if !d.actors.Globals.Disables(global, g) {
			return false
		}
	}
	return true
}

// count counts the traces of a component that are at their ends, those that were not yet.
func (d *System) count(k *skeleton, global uint32) {
	for i := range k.local.ends {
		if e := &k.local.ends[i]; !e.explored && d.isEnd(e, global) {
			e.explored = true
			d.global.local++
		}
	}
}

// final returns a violation of a final condition in one of the combinations of states of components, those of the first given.
func (c *checker) final(ctx context.Context, s model.State, states [][]uint32) (*property.Violation, error) {
	if len(states) == 0 {
		nodes := c.system.Graph.Unfold(s)
		v, err := c.Final(ctx, nodes)
		if v != nil {
			v = &property.Violation{Kind: v.Kind, Property: v.Property, Failure: v.Failure, State: nodes}
		}
		return v, err
	}
	var first *property.Violation
	for _, state := range states[0] {
		v, err := c.final(ctx, append(s[:len(s):len(s)], state), states[1:])
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
