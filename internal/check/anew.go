package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/symmetry"
)

// refuted has the premises of attempts that turned out to be wrong, so that later attempts do without. It only grows, by at least one role,
// field or sender at a time, so there is a last attempt.
type refuted struct {
	symmetry   []difference // between actors that were permuted
	influences []string     // of fields and senders that were left out as auxiliary
	readsAny   bool         // properties may read all of a local state, whatever the analysis says
}

// A difference is between actors that were permuted, with how many states the search had explored when it was found.
type difference struct {
	*symmetry.Difference
	states uint64
}

// text says why the actors were told apart.
func (d difference) text() string {
	return fmt.Sprintf("%s does different things with %s", d.By, d.Moved)
}

// withoutPremise readies the check for an attempt that does without the premise that err refutes. It returns other errors as they are, and
// refuses to do without what the user demanded.
func (c *Check) withoutPremise(ctx context.Context, err error) error {
	var d *symmetry.Difference
	if c.Symmetry == "auto" && errors.As(err, &d) {
		c.refuted.symmetry = append(c.refuted.symmetry, difference{d, c.progress.States.Load()})
		c.progress.GiveUp(fmt.Sprintf("the actors of %s are not symmetric",
			strings.Join(roleNames(rolesApart(c.Actors().Program(), d)), " and ")))
		return nil
	}
	var rule *model.RuleError
	if errors.As(err, &rule) && rule.Threads && c.JVM != nil && !slices.Contains(c.Source.Allow, model.WithThreads) {
		c.Source.Allow = append(slices.Clone(c.Source.Allow), model.WithThreads)
		c.progress.GiveUp("code of libraries starts threads, or waits")
		c.Program = nil
		c.sampling.restart()
		return c.Do(ctx, Load, Decompose)
	}
	found, err := c.influence(err)
	if err != nil {
		return err
	}
	c.refuted.readsAny = c.refuted.readsAny || found.OfObservation
	found.Concede(c.Actors().Program())
	c.refuted.influences = append(c.refuted.influences, found.String())
	c.progress.GiveUp(found.String())
	c.sampling.restart()
	return Decompose(ctx, c)
}

// influence returns which auxiliary fields or senders err shows to matter. It returns other errors as they are, and an error for a field or
// sender that is auxiliary only since the program marks it so.
func (c *Check) influence(err error) (found audit.Influence, wrong error) {
	var ofStep *space.VariationError
	var ofProperty *property.VariationError
	switch {
	case errors.As(err, &ofStep):
		found, wrong = audit.OfStep(c.Actors(), ofStep)
	case errors.As(err, &ofProperty):
		found, wrong = audit.OfProperty(c.Actors(), ofProperty)
	default:
		return found, err
	}
	if wrong != nil {
		return found, wrong
	}
	if refusal := found.Refusal(); refusal != nil {
		return found, refusal
	}
	return found, nil
}

// apart are the actors that are not permuted, since they turned out to be told apart.
func (c *Check) apart() []string {
	apart := slices.Clone(c.keptApart)
	for _, d := range c.refuted.symmetry {
		for _, r := range rolesApart(c.Actors().Program(), d.Difference) {
			apart = append(apart, r.Actors...)
		}
	}
	return apart
}

// rolesApart are the roles of the actors that are told apart.
func rolesApart(p *model.Program, d *symmetry.Difference) []model.Role {
	return slices.DeleteFunc(slices.Clone(p.Roles), func(r model.Role) bool {
		return !slices.ContainsFunc(r.Actors, func(name string) bool { return d.Moved.Of(name) != name })
	})
}
