package property

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/model"
)

// An evaluation is made twice. This file has the second one read local states that differ in auxiliary fields, or in
// fields that the property is found not to read. Its answer must be the same.

// A VariationError is the error of an evaluation that depends on auxiliary fields, or on fields that it was found not to read.
type VariationError struct {
	Evaluation, Other         model.Evaluation // which differ in one local state, or in several that make a difference together only
	Judgement, OtherJudgement model.Judgement
	IsOfObservation           bool // they differ in what the property is found not to read, else in auxiliary fields
}

func (e *VariationError) Error() string {
	return "a property depends on more than its bytecode shows; harrier check finds out on what and goes on without leaving it out"
}

// varied has an evaluation of a state made the second time with variants of its local states, if any were met.
func (c *Checker) varied(e model.Evaluation, s model.State, positions []uint32) model.Evaluation {
	for i, p := range positions {
		if local := c.actors.Values.Variant(c.actors.Nodes.Local(s[p]), 1); local != nil {
			e.Varied = append(e.Varied, model.VariedActor{Actor: i, Local: local})
		}
	}
	return e
}

// other is a local state that must make no difference in the place of another one: in round 0 one of equal observation, then the variants. It
// is nil if there are no more.
func (c *Checker) other(property int, l model.LocalID, round int) []byte {
	if round > 0 {
		return c.actors.Values.Variant(l, round)
	}
	if other := c.memories[property].Load().observations.Other(l); other != l && c.actors.Values.Decomposition.Observes() {
		return c.actors.Values.Actor(other).Local
	}
	return nil
}

// evaluate makes evaluations whose second ones must give the same.
func (c *Checker) evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements, err := c.oracle.Evaluate(ctx, evaluations)
	isVaried := func(e model.Evaluation) bool { return len(e.Varied) > 0 }
	if model.IsOfStep(ctx, err) && slices.ContainsFunc(evaluations, isVaried) {
		return c.evaluatePlainly(ctx, evaluations)
	}
	if err != nil {
		return nil, err
	}
	for i, j := range judgements {
		if j.Varied != nil && (AnswerOf(j) != AnswerOf(*j.Varied) || !slices.Equal(j.Reads, j.Varied.Reads)) {
			if err := c.disagreement(ctx, evaluations[i]); err != nil {
				return nil, err
			}
		}
	}
	return judgements, nil
}

// evaluatePlainly makes evaluations again as they are, one of which broke a rule. If that was due to other local states, the error is of these.
func (c *Checker) evaluatePlainly(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	plain := slices.Clone(evaluations)
	for i := range plain {
		plain[i].Varied = nil
	}
	judgements, err := c.oracle.Evaluate(ctx, plain)
	for i := 0; err == nil && i < len(evaluations); i++ {
		err = c.disagreement(ctx, evaluations[i])
	}
	return judgements, err
}

// disagreement returns a *VariationError if an evaluation gives something else where one local state is another one, or all are.
func (c *Checker) disagreement(ctx context.Context, e model.Evaluation) error {
	if len(e.Varied) == 0 {
		return nil
	}
	plain := e
	plain.Varied = nil
	judgements, err := c.oracle.Evaluate(ctx, []model.Evaluation{plain})
	if err != nil {
		return err
	}
	var others []model.Evaluation
	for i := range e.Varied {
		one := e
		one.Varied = e.Varied[i : i+1]
		others = append(others, one.Again())
	}
	for _, other := range append(others, e.Again()) {
		found := &VariationError{Evaluation: plain, Other: other, Judgement: judgements[0], IsOfObservation: c.isOfObservation(plain, other)}
		again, err := c.oracle.Evaluate(ctx, []model.Evaluation{other})
		switch {
		case model.IsOfStep(ctx, err):
			found.OtherJudgement.Failure = &model.Failure{Text: err.Error()}
			return found
		case err != nil:
			return err
		case AnswerOf(again[0]) != AnswerOf(judgements[0]) || !slices.Equal(again[0].Reads, judgements[0].Reads):
			found.OtherJudgement = again[0]
			return found
		}
	}
	return nil
}

// isOfObservation reports whether some local states of two evaluations differ in their relevant parts.
func (c *Checker) isOfObservation(one, other model.Evaluation) bool {
	for i := range one.Actors {
		a, errA := c.actors.Values.Decomposition.Hashed(one.Actors[i].Local)
		b, errB := c.actors.Values.Decomposition.Hashed(other.Actors[i].Local)
		if errors.Join(errA, errB) != nil || !slices.Equal(a, b) {
			return true
		}
	}
	return false
}

// leastRetries is the number of evaluations up to which Retry goes on to further variants of the local states that they read.
const leastRetries = 500

// Retry makes evaluations again when a search has ended: with other local states of equal observation, then with variants that had not been met
// when they were made, and few evaluations with all variants. It returns how many it made. The error is a *VariationError if one gives
// something else.
func (c *Checker) Retry(ctx context.Context) (retried int, err error) {
	for round := 0; round < 2 || retried < leastRetries; round++ {
		again := c.again(round)
		for some := range slices.Chunk(again, 64) {
			if ctx.Err() != nil {
				return retried, context.Cause(ctx)
			}
			if _, err := c.evaluate(ctx, some); err != nil {
				return retried, err
			}
		}
		if retried += len(again); len(again) == 0 && round > 1 {
			break
		}
	}
	return retried, nil
}

// again returns the evaluations made, with the local states of a round in place of those read.
func (c *Checker) again(round int) (again []model.Evaluation) {
	c.noting.Lock()
	defer c.noting.Unlock()
	for _, e := range c.evaluated {
		if round == 1 && e.isVaried {
			continue
		}
		question := e.Question(c.actors, e.Locals)
		for _, read := range e.Reads {
			if read < 0 {
				continue
			}
			if local := c.other(e.Property, e.Locals[read], round); local != nil {
				question.Varied = append(question.Varied, model.VariedActor{Actor: read, Local: local})
			}
		}
		if len(question.Varied) > 0 {
			again = append(again, question)
		}
	}
	return again
}
