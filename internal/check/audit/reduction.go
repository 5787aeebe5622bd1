package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// Reduction holds partial-order reductions to the program's own steps, in the states that a search reduces. An event that is
// followed while another one is put off has to be its left-mover (Lipton, "Reduction: a method of proving properties of
// parallel programs", 1975): wherever the other one leads, the first one is enabled after it, and whatever both do in
// that order they can do in the other one. An event may have several outcomes, so sets of outcomes are compared. Of the steps
// followed, one must be no fault, must not fail, and must change nothing that an invariant reads.
//
// States are compared by their ids, so hashing has to be selective. The audit sees pairs that are enabled together: the reduction
// has to prove that no event that is not enabled yet can come between.
type Reduction struct {
	actors *space.Actors
	bound  uint64
	pairs  atomic.Uint64 // that were compared
	cut    atomic.Bool   // there were more
}

// NewReduction makes an audit that compares at most bound pairs.
func NewReduction(actors *space.Actors, bound uint64) *Reduction {
	return &Reduction{actors: actors, bound: bound}
}

// Audit makes reductions, one for each worker, that choose as the inner ones do, and are audited. The error is a
// *model.RuleError if two events do not commute.
func (r *Reduction) Audit(inner func() model.Reduction) func() model.Reduction {
	return func() model.Reduction {
		reduce := inner()
		return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
			chosen, reduced, err := reduce(ctx, s, into)
			if err == nil && reduced && !r.cut.Load() {
				err = r.check(ctx, slices.Clone(s), chosen)
			}
			return chosen, reduced, err
		}
	}
}

// ReductionReport counts the comparisons of an audit of a reduction.
type ReductionReport struct {
	Pairs    uint64 `json:"pairs"`    // an event that was followed with a transition that was put off, executed both ways round
	Complete bool   `json:"complete"` // everything was compared that there is to compare
	Reason   string `json:"reason"`   // why not
}

// Report returns how many pairs were compared so far.
func (r *Reduction) Report() ReductionReport {
	report := ReductionReport{Pairs: r.pairs.Load(), Complete: !r.cut.Load()}
	if !report.Complete {
		report.Reason = fmt.Sprintf("%d pairs of events were compared", report.Pairs)
	}
	return report
}

// A group is the outcomes of an event that are followed.
type group struct {
	acts    []space.NodeStep
	partial bool // other outcomes are put off
}

// acts are the enabled transitions of a state, or, if one is given, of a slot.
func (r *Reduction) acts(ctx context.Context, s model.State, slots ...uint32) ([]space.NodeStep, error) {
	enabled, err := r.actors.Enabled(ctx, s, nil)
	var acts []space.NodeStep
	for _, t := range enabled {
		if len(slots) == 0 || t.Slot == slots[0] {
			acts = append(acts, r.actors.StepOf(s, t))
		}
	}
	return acts, err
}

// check compares each event that is followed from a state with each transition that is put off.
func (r *Reduction) check(ctx context.Context, s model.State, chosen []model.Transition) error {
	enabled, err := r.acts(ctx, s)
	if err != nil {
		return err
	}
	enabled = slices.DeleteFunc(enabled, func(a space.NodeStep) bool {
		return !slices.Contains(chosen, a.Transition) && r.actors.Globals.Disables(s[0], a.Update)
	})
	groups, others := divide(enabled, chosen)
	if len(others) == 0 {
		return nil
	}
	if len(groups) == 0 {
		return fmt.Errorf("a reduction follows none of %d transitions", len(enabled))
	}
	if err := r.checkFollowed(s, groups); err != nil {
		return err
	}
	for _, g := range groups {
		for _, u := range others {
			if err := r.compare(ctx, s, g, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// divide groups the chosen steps by event, and returns the other enabled steps.
func divide(enabled []space.NodeStep, chosen []model.Transition) (groups []*group, others []space.NodeStep) {
	of := func(a space.NodeStep) int {
		return slices.IndexFunc(groups, func(g *group) bool { return g.acts[0].Slot == a.Slot && g.acts[0].Event == a.Event })
	}
	for _, a := range enabled {
		switch i := of(a); {
		case !slices.Contains(chosen, a.Transition):
			others = append(others, a)
		case i < 0:
			groups = append(groups, &group{acts: []space.NodeStep{a}})
		default:
			groups[i].acts = append(groups[i].acts, a)
		}
	}
	for _, a := range others {
		if i := of(a); i >= 0 {
			groups[i].partial = true
		}
	}
	return groups, others
}

// checkFollowed checks the followed steps alone, whatever steps are put off. All outcomes of an event have to be followed, and to be
// enabled. (Internal is one event for several handlers.) One step has to be
// such that a run without any of these steps can begin with it.
func (r *Reduction) checkFollowed(s model.State, groups []*group) error {
	obstacle := ""
	for _, g := range groups {
		if g.partial && g.acts[0].Kind != model.Internal {
			return r.alone(s, g.acts[0], "it has outcomes that were put off")
		}
		for _, a := range g.acts {
			if r.actors.Globals.Disables(s[0], a.Update) {
				return r.alone(s, a, "it is not enabled")
			}
		}
	}
	for _, g := range groups {
		for _, a := range g.acts {
			if obstacle = r.obstacle(a); obstacle == "" {
				return nil
			}
		}
	}
	return r.alone(s, groups[0].acts[0], obstacle)
}

// obstacle says why a run need not be able to begin with a step, though others commute with it.
func (r *Reduction) obstacle(a space.NodeStep) string {
	switch {
	case a.Kind.IsFault():
		return "it is a fault, which need not happen"
	case a.Fails():
		return "it fails"
	}
	if a.MayBeVisible(r.actors) {
		return "it changes what invariants read"
	}
	return ""
}

// after is the state that a transition leads to.
func (r *Reduction) after(s model.State, a space.NodeStep) (model.State, error) {
	next, _, err := r.actors.Apply(slices.Clone(s), a.Transition, nil)
	return next, err
}

func isFailure(err error) bool {
	var failure *model.StepFailure
	return errors.As(err, &failure)
}
