package property

import (
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// Evaluated is an evaluation that was asked of the oracle, on representatives of local states. An audit asks for it again.
type Evaluated struct {
	Property int
	History  []byte
	Locals   []model.LocalID
	Stopped  []bool // whether those are of actors that have stopped
	Reads    []int  // as in model.Judgement
	Looks    model.Looks
	Answer
	isVaried bool // the second evaluation had another local state of each actor that was read
}

// An Answer is the part of a judgement that must be the same when it is asked for again.
type Answer struct{ Holds, Fails bool }

// AnswerOf is that of a judgement.
func AnswerOf(j model.Judgement) Answer { return Answer{j.Holds, j.Failure != nil} }

// String says it in words.
func (a Answer) String() string {
	switch {
	case a.Fails:
		return "evaluating it fails"
	case a.Holds:
		return "it holds"
	}
	return "it does not hold"
}

// Question asks for the evaluation again, with some local states in place of those that it was of.
func (e Evaluated) Question(actors *space.Actors, locals []model.LocalID) model.Evaluation {
	question := model.Evaluation{Property: e.Property, History: e.History}
	for i, l := range locals {
		question.Actors = append(question.Actors, actors.Values.Actor(l))
		question.Actors[i].Stopped = e.Stopped[i]
	}
	return question
}

// Evaluated are the evaluations that were asked for, where the system leaves auxiliary parts out, or properties cannot read all
// of a local state, or actors are permuted. They come in an order that is drawn, always the same: the first few are a sample of all.
func (c *Checker) Evaluated() []Evaluated {
	evaluated := make([]Evaluated, len(c.evaluated))
	for i, drawn := range Shuffled(len(evaluated)) {
		evaluated[i] = c.evaluated[drawn]
	}
	return evaluated
}

// Shuffled are the numbers below n, in an order that is always the same.
func Shuffled(n int) []int { return rand.New(rand.NewPCG(0, 0)).Perm(n) }

// note keeps an evaluation.
func (c *Checker) note(e model.Evaluation, j model.Judgement, s model.State, positions []uint32) {
	kept := Evaluated{Property: e.Property, History: e.History, Reads: j.Reads, Looks: j.Looks, Answer: AnswerOf(j)}
	for _, p := range positions {
		kept.Locals = append(kept.Locals, c.actors.Nodes.Visible(s[p]))
		kept.Stopped = append(kept.Stopped, c.actors.Nodes.Local(s[p]) == 0)
	}
	isVaried := func(read int) bool {
		return slices.ContainsFunc(e.Varied, func(v model.VariedActor) bool { return v.Actor == read })
	}
	kept.isVaried = !slices.ContainsFunc(j.Reads, func(read int) bool { return read >= 0 && !isVaried(read) })
	c.noting.Lock()
	defer c.noting.Unlock()
	c.evaluated = append(c.evaluated, kept)
}
