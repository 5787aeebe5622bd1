package symmetry

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"harrier/internal/model"
	"harrier/internal/property"
)

// Checked says what a check of a group compared.
type Checked struct {
	Steps            uint64  `json:"steps"`            // local steps compared with their images under all generators
	KnownSteps       uint64  `json:"knownSteps"`       // of so many, images included
	Evaluations      uint64  `json:"evaluations"`      // evaluations of properties compared likewise
	KnownEvaluations uint64  `json:"knownEvaluations"` // of so many
	Sample           bool    `json:"sample"`           // not all of the orbits of all of them were compared
	Complete         bool    `json:"complete"`         // all were: the opposite of Sample
	Reason           string  `json:"reason"`           // why not all
	Seconds          float64 `json:"seconds"`
}

// Check checks that a program does not tell apart the actors that a group permutes, on the steps of a search. Each local
// step that the search asked for must commute with each permutation: what the actor does if the names are changed
// before the step is what it does if they are changed after it. To this end the steps of whole orbits are asked for: a
// step, its images under the generators, the images of these, until there are no new ones. Compared are all points of
// an orbit with their images under each generator, points that a generator maps to themselves included: there a
// handler that picks a name shows. The evaluations of properties that the checker asked for are gone through in the same way
// (Checker.Permute must have been called with the group's Labels before the search).
//
// If it ends without a difference and is complete, the search has visited an image of every reachable state (docs/soundness.md
// has the proof): the permutations are automorphisms of the state graph, as symmetry reduction needs (Bokor et al., ICFEM 2009).
//
// It compares at most bound steps with their images, in the order in which they were asked for, and asks for at most as many
// evaluations; what is compared is then a sample. The error is a *model.RuleError if something differs.
func Check(ctx context.Context, actors *model.Actors, checker *property.Checker, generators []Permutation,
	bound uint64) (Checked, error) {
	return NewChecking(actors, generators).Finish(ctx, checker, bound)
}

// A Checking is a Check in parts: of local steps while the search goes on, and of the rest when it has ended. So a program that
// tells actors apart is known early, and each local step is compared once all the same.
type Checking struct {
	mu      sync.Mutex
	ctx     context.Context // of the part in progress
	oracle  model.Oracle
	actors  *model.Actors
	actions []action
	label   func(name string) string
	checked Checked
}

// NewChecking begins a check. Nothing is compared yet.
func NewChecking(actors *model.Actors, generators []Permutation) *Checking {
	c := &Checking{oracle: actors.LocalSteps.Oracle(), actors: actors, label: Labels(generators)}
	for _, g := range generators {
		c.actions = append(c.actions, newAction(actors, g))
	}
	return c
}

// Advance compares the local steps that were asked for by now, and their images, with the images of these, at most bound steps
// in all parts together. Searches may go on meanwhile. The error is as that of Check.
func (c *Checking) Advance(ctx context.Context, bound uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.time(time.Now())
	c.ctx = ctx
	return c.steps(bound)
}

// Finish compares what is left when the search has ended.
func (c *Checking) Finish(ctx context.Context, checker *property.Checker, bound uint64) (Checked, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	start := time.Now()
	c.ctx = ctx
	err := c.steps(bound)
	c.checked.KnownSteps = c.checked.Steps + uint64(len(c.actors.LocalSteps.Since(int(c.checked.Steps))))
	if c.checked.Steps < c.checked.KnownSteps {
		c.checked.Reason = fmt.Sprintf("%d local steps were compared (--symmetry check compares all)", c.checked.Steps)
	}
	if err == nil {
		err = c.evaluations(checker, bound)
	}
	if reason := model.EndReason(ctx, err); reason != "" {
		c.checked.Reason, err = reason, nil
	}
	c.checked.Sample, c.checked.Complete = c.checked.Reason != "", c.checked.Reason == ""
	c.time(start)
	return c.checked, err
}

func (c *Checking) time(start time.Time) { c.checked.Seconds += time.Since(start).Seconds() }

// chunk is how many steps, or evaluations, are gone through at once.
const chunk = 64

// steps compares local steps with their images, which are asked for: so these are compared in their turn.
func (c *Checking) steps(bound uint64) error {
	for c.checked.Steps < bound {
		known := c.actors.LocalSteps.Since(int(c.checked.Steps))
		if len(known) == 0 {
			break
		}
		for some := range slices.Chunk(known[:min(uint64(len(known)), bound-c.checked.Steps)], chunk) {
			if c.ctx.Err() != nil {
				return context.Cause(c.ctx)
			}
			if err := c.compare(some); err != nil {
				return err
			}
			c.checked.Steps += uint64(len(some))
		}
	}
	return nil
}

// compare compares local steps with their images under all generators.
func (c *Checking) compare(steps []model.LocalStep) error {
	var images []model.LocalStep
	for _, st := range steps {
		for _, g := range c.actions {
			image, err := g.by.Step(st)
			if err != nil {
				return err
			}
			images = append(images, image)
		}
	}
	if err := c.actors.LocalSteps.Ask(c.ctx, images); err != nil {
		return err
	}
	for i, image := range images {
		st, g := steps[i/len(c.actions)], c.actions[i%len(c.actions)]
		if commutes, err := g.by.Commutes(st, image); err != nil {
			return err
		} else if !commutes {
			return c.differentStep(st, image, g)
		}
	}
	return nil
}

// evaluations goes through the orbits of the evaluations of properties.
func (c *Checking) evaluations(checker *property.Checker, bound uint64) error {
	known := checker.Evaluated()
	c.checked.KnownEvaluations = uint64(len(known))
	evaluations := make([]evaluation, len(known))
	for i, k := range known {
		evaluations[i] = c.evaluation(k)
	}
	w := walk{Checking: c, bound: bound, known: map[identity]property.Answer{}}
	err := w.run(evaluations)
	c.checked.Evaluations = w.compared
	if w.cut && c.checked.Reason == "" {
		c.checked.Reason = fmt.Sprintf("%d evaluations of properties were compared (--symmetry check compares all)", w.asked)
	}
	return err
}

// evaluation is one that was asked for, with what of it may decide the answer.
func (c *Checking) evaluation(of property.Evaluated) evaluation {
	e := evaluation{of.Question(c.actors, of.Locals), map[string]bool{}}
	for _, r := range of.Reads {
		e.reads[c.labelOf(e, r)] = true
	}
	return e
}

// labelOf is the label of what was read.
func (c *Checking) labelOf(e evaluation, read int) string {
	if read == model.ReadHistory {
		return historyLabel
	}
	return c.label(e.Actors[read].Name)
}

// askEvaluations asks, and holds the answers to what was known to be read. A property that reads more under a renaming may
// depend on what the answers that the search remembered do not cover.
func (c *Checking) askEvaluations(evaluations []evaluation) ([]model.Judgement, error) {
	questions := make([]model.Evaluation, len(evaluations))
	for i, e := range evaluations {
		questions[i] = e.Evaluation
	}
	judgements, err := c.oracle.Evaluate(c.ctx, questions)
	if err != nil {
		return nil, err
	}
	for i, j := range judgements {
		e := evaluations[i]
		isNew := func(read int) bool { return !e.reads[c.labelOf(e, read)] }
		if slices.ContainsFunc(j.Reads, isNew) && c.checked.Reason == "" {
			c.checked.Reason = fmt.Sprintf("with other names the property %q reads actors that it did not read",
				c.actors.Program().Properties[e.Property].Name)
		}
	}
	return judgements, nil
}
