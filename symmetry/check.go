package symmetry

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// Checked is what a check of a group compared.
type Checked struct {
	Steps       uint64  `json:"steps"`       // local steps compared with their images under all generators, since they looked at names
	KnownSteps  uint64  `json:"knownSteps"`  // all local steps, these images included
	Evaluations uint64  `json:"evaluations"` // evaluations of properties compared with their images, of those that the search asked for
	Looking     uint64  `json:"looking"`     // evaluations of the search that looked at names, and are compared with all of their images
	Complete    bool    `json:"complete"`    // nothing is left to compare
	Reason      string  `json:"reason"`      // what ended the check before, such as a limit of time
	Seconds     float64 `json:"seconds"`
}

// Check checks that a program does not tell apart the actors that a group permutes, on the steps of a search. Each local
// step that the search asked for must commute with each permutation: renaming before
// the step has the same outcomes as renaming after it. A step that looked at no name which the group moves does
// (model.Looks), as second executions try (space.TryRenamings). Of the others whole orbits are asked for: a step, its images under the generators, the images of those images
// that looked in their turn, until there are no new ones. Compared are points of an orbit with their images under each generator,
// points that a generator maps to themselves included: there a handler that picks a name shows. The evaluations of properties that
// the checker asked for are gone through in the same way; those that looked at no name are compared with one image (Checker.Permute must have
// been called with the group's Labels before the search).
//
// If it ends without a difference and is complete, the search has visited an image of every reachable state (docs/soundness.md
// has the proof): the permutations are automorphisms of the state graph, as symmetry reduction needs (Bokor et al., ICFEM 2009).
// The error is a *Difference if something differs.
func Check(ctx context.Context, actors *space.Actors, checker *property.Checker, generators []Permutation) (Checked, error) {
	return NewChecking(actors, generators).Finish(ctx, checker)
}

// A Checking is a Check in parts: of local steps while the search goes on, and of the rest when it has ended. So a program that
// tells actors apart is known early, and each local step is compared once all the same.
type Checking struct {
	mu      sync.Mutex
	oracle  model.Oracle
	actors  *space.Actors
	actions []action
	label   func(name string) string
	checked Checked
	isBlind bool // looks at names are not relied on, as some were not noted
}

// NewChecking begins a check. Nothing is compared yet.
func NewChecking(actors *space.Actors, generators []Permutation) *Checking {
	c := &Checking{oracle: actors.LocalSteps.Oracle(), actors: actors, label: Labels(generators)}
	for _, g := range generators {
		c.actions = append(c.actions, newAction(actors, g))
	}
	return c
}

// Advance compares the local steps that were asked for by now, and their images, with the images of these, about most of them. Searches
// may go on meanwhile. The error is as that of Check.
func (c *Checking) Advance(ctx context.Context, most int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.time(time.Now())
	return c.steps(ctx, most)
}

// Finish makes the remaining comparisons when the search has ended. If the context ends first, the check is not complete.
func (c *Checking) Finish(ctx context.Context, checker *property.Checker) (Checked, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	start := time.Now()
	err := c.steps(ctx, math.MaxInt)
	if err == nil {
		err = c.evaluations(ctx, checker)
	}
	if reason := model.EndReason(ctx, err); reason != "" {
		c.checked.Reason, err = reason, nil
	}
	c.checked.Complete = c.checked.Reason == ""
	c.time(start)
	return c.checked, err
}

func (c *Checking) time(start time.Time) { c.checked.Seconds += time.Since(start).Seconds() }

// chunk is how many steps, or evaluations, are gone through at once.
const chunk = 64

// steps compares local steps with their images, which are asked for: so these are compared in their turn.
func (c *Checking) steps(ctx context.Context, most int) error {
	for most > 0 {
		if !c.isBlind && space.MissesLooks(c.actors.LocalSteps) {
			c.isBlind, c.checked.Steps, c.checked.KnownSteps = true, 0, 0
		}
		known := c.actors.LocalSteps.Since(int(c.checked.KnownSteps))
		if len(known) == 0 {
			break
		}
		known = known[:min(len(known), most)]
		most -= len(known)
		for some := range slices.Chunk(known, chunk) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			looked := slices.DeleteFunc(slices.Clone(some), func(st space.LocalStep) bool {
				return !c.looks(space.LooksOf(c.actors.LocalSteps, st))
			})
			if err := c.compare(ctx, looked); err != nil {
				return err
			}
			c.checked.Steps += uint64(len(looked))
			c.checked.KnownSteps += uint64(len(some))
		}
	}
	return nil
}

// looks reports whether there was a look at a name that some generator moves.
func (c *Checking) looks(at model.Looks) bool {
	return at.AtAny(func(name string) bool {
		return slices.ContainsFunc(c.actions, func(g action) bool { return g.Permutation.Of(name) != name })
	})
}

// compare compares local steps with their images under all generators.
func (c *Checking) compare(ctx context.Context, steps []space.LocalStep) error {
	var images []space.LocalStep
	for _, st := range steps {
		for _, g := range c.actions {
			image, err := g.by.Step(st)
			if err != nil {
				return err
			}
			images = append(images, image)
		}
	}
	if err := c.actors.LocalSteps.Ask(ctx, images); err != nil {
		return err
	}
	for i, image := range images {
		st, g := steps[i/len(c.actions)], c.actions[i%len(c.actions)]
		if commutes, err := g.by.Commutes(st, image); err != nil {
			return err
		} else if !commutes {
			return c.differentStep(ctx, st, image, g)
		}
	}
	return nil
}

// evaluations goes through the orbits of the evaluations of properties.
func (c *Checking) evaluations(ctx context.Context, checker *property.Checker) error {
	w := walk{Checking: c, known: map[identity]property.Answer{}}
	var points []point
	for _, k := range checker.Evaluated() {
		p := point{c.evaluation(k), k.Answer, c.looks(k.Looks)}
		id := w.identityOfEvaluation(p.evaluation)
		if _, known := w.known[id]; !known {
			w.known[id] = p.Answer
			points = append(points, p)
		} else {
			w.compared++
		}
		if p.looks {
			c.checked.Looking++
		}
	}
	err := w.run(ctx, points)
	c.checked.Evaluations = w.compared
	return err
}

// evaluation returns an evaluation of the search, with the labels of its reads.
func (c *Checking) evaluation(of property.Evaluated) evaluation {
	e := evaluation{Evaluation: of.Question(c.actors, of.Locals), reads: map[string]bool{}}
	for _, r := range of.Reads {
		e.reads[c.labelOf(e, r)] = true
	}
	return e
}

// labelOf returns the label of a read.
func (c *Checking) labelOf(e evaluation, read int) string {
	if read == model.ReadHistory {
		return historyLabel
	}
	return c.label(e.Actors[read].Name)
}

// askEvaluations asks for judgements, which must not read more than the search's. A property that reads more under a renaming may
// depend on local states that the remembered answers do not cover.
func (c *Checking) askEvaluations(ctx context.Context, evaluations []evaluation) ([]model.Judgement, error) {
	questions := make([]model.Evaluation, len(evaluations))
	for i, e := range evaluations {
		questions[i] = e.Evaluation
	}
	judgements, err := c.oracle.Evaluate(ctx, questions)
	if err != nil {
		return nil, err
	}
	for i, j := range judgements {
		e := evaluations[i]
		isNew := func(read int) bool { return !e.reads[c.labelOf(e, read)] }
		if e.by != nil && slices.ContainsFunc(j.Reads, isNew) {
			return nil, c.differentReads(e)
		}
	}
	return judgements, nil
}
