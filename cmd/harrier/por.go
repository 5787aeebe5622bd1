package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/audit"
	"harrier/dbss"
	"harrier/dir"
	"harrier/model"
	"harrier/por/dynamic"
	"harrier/por/footprint"
	"harrier/por/static"
	"harrier/property"
	"harrier/report"
	"harrier/symmetry"
)

var reductions = []string{"off", "static", "dynamic"}

// parseReduction decides whether a search takes macro steps, and refuses what does not go together with --reduction macro.
func (m *method) parseReduction(maxDepth int) error {
	var against error
	switch {
	case m.por != "off":
		against = fmt.Errorf("--reduction macro and --por %s do not go together: leave one of them out", m.por)
	case m.search == "stateless":
		against = errors.New("--reduction macro is for searches that remember states; --search stateless takes --por dynamic")
	case maxDepth > 0:
		against = errors.New("--reduction macro does not go together with --max-depth, which counts single steps: leave one of them out")
	}
	switch m.reduction {
	case "off":
	case "auto":
		m.reduction, m.persistent = "macro", true
		if against != nil {
			m.reduction, m.persistent = "off", false
		}
	case "macro":
		if against != nil {
			return against
		}
	default:
		return fmt.Errorf("--reduction is auto, macro or off, not %q", m.reduction)
	}
	if m.reduction == "off" && m.components != "" {
		return errors.New("--components is for macro steps: leave it out, or what takes single steps")
	}
	return nil
}

// group puts components into a program. Without macro steps there are none, so that they restrict no permutation of actors.
func (m *method) group(p *model.Program) error {
	if m.reduction == "off" {
		p.Components = nil
		return nil
	}
	return m.components.apply(p)
}

// parsePOR refuses what does not go together with --por.
func (m *method) parsePOR(maxDepth int) error {
	isStateless := m.search == "stateless"
	switch {
	case !slices.Contains(reductions, m.por):
		return fmt.Errorf("--por is off, static or dynamic, not %q; most is left out by --reduction auto, the default", m.por)
	case m.por == "dynamic" && !isStateless:
		return fmt.Errorf("--por dynamic is for --search stateless; searches that remember states take static")
	case isStateless && m.por == "static":
		return errors.New("--por static is for searches that remember states; --search stateless takes dynamic")
	case maxDepth > 0 && m.por != "off":
		return fmt.Errorf("--por %s does not go together with --max-depth: it may leave out what is within the bound; take --por off", m.por)
	case m.por == "dynamic" && m.workerCount > 1:
		return fmt.Errorf("--por dynamic searches with one worker, not %d", m.workerCount)
	}
	return nil
}

// watched is the oracle whose footprints static reduction goes by: a step that contradicts them is an error, whoever asks for it.
func (m *method) watched(oracle model.Oracle) model.Oracle {
	if m.por != "static" {
		return oracle
	}
	return footprint.Watch(oracle)
}

// reducer leaves transitions out of a search.
type reducer struct {
	audit *audit.Reduction // nil if nothing is executed both ways round
}

// reduce prepares to leave transitions out of a search. It returns nil if all are followed.
func (k *check) reduce(actors *model.Actors, options *dbss.Options) (*reducer, error) {
	r := &reducer{}
	switch k.por {
	case "static":
		s, err := static.New(actors, static.Options{})
		if err != nil {
			return nil, fmt.Errorf("finding what handlers depend on: %w", err)
		}
		options.Reduction = func() model.Reduction { return s.Reduction() }
	case "dynamic":
		return r, nil // it searches by itself
	default:
		return nil, nil
	}
	if k.audit {
		r.audit = audit.NewReduction(actors, auditBound)
		options.Reduction = r.audit.Audit(options.Reduction)
	}
	return r, nil
}

// explore searches. The path of a violation is one of single steps.
func (k *check) explore(ctx context.Context, actors *model.Actors, group *symmetry.Group, checker *property.Checker, options dbss.Options) (*dbss.Result, error) {
	switch {
	case k.search == local:
		return k.exploreLocally(ctx, actors, checker, options)
	case k.por == "dynamic":
		return dynamic.Search(ctx, actors, checker, options, &k.progress)
	case k.reduction == "macro":
		system := dir.New(actors)
		system.Persistent = k.persistent
		if group != nil {
			system.Permute(group.Permutations())
		}
		return system.Search(ctx, checker, options, &k.progress)
	}
	return dbss.Search(ctx, actors, checker, options, &k.progress)
}

// allOrders are the flags that have all orders followed.
func (m *method) allOrders() string {
	if m.persistent {
		return "--reduction macro"
	}
	return "--por off"
}

// describeReduction puts into the summary how far a reduction went, and what it leaves uncounted.
func (k *check) describeReduction(r *reducer, result *dbss.Result, actors *model.Actors, summary *report.Summary) {
	method := k.por
	if k.persistent && result.Reduced > 0 {
		r, method = &reducer{}, "persistent"
	}
	if r == nil {
		return
	}
	summary.POR = &report.Reduction{Method: method, Reduced: result.Reduced, SpeculativeSteps: actors.Stats().Speculative}
	if r.audit != nil {
		found := r.audit.Report()
		summary.POR.Audit = &report.ReductionAudit{Pairs: found.Pairs, Complete: found.Complete(), Reason: found.Reason}
	}
	if k.keepGoing && result.Reduced > 0 && result.Violations > 0 {
		summary.Remarks = append(summary.Remarks, "violations are those that were met: others may lead to states that partial-order reduction left out; "+k.allOrders()+" counts all")
	}
}
