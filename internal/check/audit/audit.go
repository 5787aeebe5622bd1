// Package audit checks, on a program's own steps, what a reduction assumes of it. Local steps are few,
// so they can be compared one by one where a search of global states could only believe.
package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/serializer"
)

// Report says what an audit compared.
type Report struct {
	Marks       bool    `json:"marks"`       // of fields that are auxiliary since they are marked so; else of all
	Variants    int     `json:"variants"`    // concrete local states and messages met beside the representatives
	Steps       uint64  `json:"steps"`       // local steps compared with the representative's
	Evaluations uint64  `json:"evaluations"` // evaluations of properties compared with the representative's
	Sample      bool    `json:"sample"`      // no more than a sample was asked for
	Complete    bool    `json:"complete"`    // everything was compared that there is to compare
	Reason      string  `json:"reason"`      // why not
	Seconds     float64 `json:"seconds"`
}

// Decomposition checks Definition 1 of Saissi et al. ("Efficient Verification of Distributed Protocols
// Using Stateful Model Checking", section III-A) for what a search met. Local states with the same
// relevant part must be bisimilar in their relevant parts, and so must messages: from each variant of
// one that was met, every event that the search asked of its representative must give the same outcomes as
// far as they are relevant. The variants that these lead to join in, until there are no new ones: an
// auxiliary counter may matter only some steps later. Then every evaluation of a property is repeated
// with all variants of what it read (section III-B: properties are decomposed).
//
// If it ends without a difference and is complete, then by induction on runs every concrete run does
// what the search saw its representatives do.
//
// It looks at a hundred variants of each, as there may be no end of them: one that counts what it receives leads to
// another with every message, though a run has few of them. It compares at most bound steps and as many evaluations.
// The error is a *model.RuleError if something differs.
func Decomposition(ctx context.Context, actors *model.Actors, checker *property.Checker, bound uint64) (Report, error) {
	return audited(ctx, actors, checker, bound, form.key, 100)
}

// Marks does the same for fields that are auxiliary since they are marked so, and the analysis could not confirm it. Forms
// that differ in other auxiliary fields count as one, and all variants are looked at.
func Marks(ctx context.Context, actors *model.Actors, checker *property.Checker, bound uint64) (Report, error) {
	ofSenders := len(actors.Program().BelievedSenders()) > 0
	var confirmed []serializer.FieldName
	for _, f := range actors.Program().Auxiliary() {
		if f.Verdict != model.Believed {
			confirmed = append(confirmed, serializer.FieldName{Class: f.Class, Field: f.Name})
		}
	}
	marked := serializer.NewProjection(confirmed)
	report, err := audited(ctx, actors, checker, bound, func(f form) string {
		if !ofSenders {
			f.sender = ""
		}
		if p, err := marked.Project(f.bytes); err == nil {
			f.bytes = p
		}
		return f.key()
	}, math.MaxInt)
	report.Marks = true
	return report, err
}

func audited(ctx context.Context, actors *model.Actors, checker *property.Checker, bound uint64, key func(f form) string,
	most int) (Report, error) {
	start := time.Now()
	a := &audit{
		ctx: ctx, oracle: actors.LocalSteps.Oracle(), actors: actors, bound: bound,
		locals:    newVariants(func(l uint32) form { return form{bytes: actors.Values.Actor(l).Local} }, key, most),
		messages:  newVariants(func(m uint32) form { return form{actors.Values.Message(m).Sender, actors.Values.Message(m).Payload} }, key, most),
		steps:     actors.LocalSteps.Since(0),
		ofLocal:   map[model.LocalID][]int{},
		ofMessage: map[model.MessageID][]int{},
		keys:      map[int][]string{},
	}
	if locals, messages := actors.Values.Variants(); len(locals)+len(messages) > 0 {
		a.index()
	}
	err := a.run(checker)
	a.report.Variants = a.locals.further + a.messages.further
	if reason := model.EndReason(ctx, err); reason != "" {
		a.report.Reason, err = reason, nil
	}
	a.report.Complete, a.report.Seconds = a.report.Reason == "", time.Since(start).Seconds()
	return a.report, err
}

// index finds the steps of each local state and of each message.
func (a *audit) index() {
	for i, s := range a.steps {
		a.ofLocal[s.Local] = append(a.ofLocal[s.Local], i)
		for _, m := range slices.Compact(slices.Sorted(slices.Values(a.actors.LocalSteps.EventMessages(s.Event)))) {
			a.ofMessage[m] = append(a.ofMessage[m], i)
		}
	}
}

// audit is an audit in progress.
type audit struct {
	ctx     context.Context
	oracle  model.Oracle
	actors  *model.Actors
	bound   uint64
	report  Report
	pending []variantStep
	queued  uint64 // how many comparisons ever were pending
	cut     bool   // there were more than bound

	locals, messages   variants
	steps              []model.LocalStep
	ofLocal, ofMessage map[uint32][]int // the steps of a local state, those that consume a message
	keys               map[int][]string // what steps on representatives do, as far as it is relevant
}

// A variantStep is a step to be taken on given variants.
type variantStep struct {
	step     int
	local    int   // which variant of the local state
	messages []int // which variant of each message
}

func (a *audit) run(checker *property.Checker) error {
	a.begin()
	for len(a.pending) > 0 {
		next := a.pending[:min(len(a.pending), batch)]
		a.pending = a.pending[len(next):]
		if err := a.compare(next); err != nil {
			return err
		}
	}
	switch {
	case a.cut:
		a.report.Reason = fmt.Sprintf("%d local steps were compared", a.report.Steps)
	case a.locals.left || a.messages.left:
		a.report.Reason = fmt.Sprintf("%d variants of some local state or message were compared", a.locals.most)
	}
	return a.evaluations(checker)
}

// begin adds the variants that the search met. They come in no order, so that a sample has some of all.
func (a *audit) begin() {
	locals, messages := a.actors.Values.Variants()
	for _, i := range property.Shuffled(len(locals) + len(messages)) {
		if i < len(locals) {
			a.addLocal(locals[i].ID, locals[i].Bytes)
		} else {
			m := messages[i-len(locals)]
			a.addMessage(m.ID, form{m.Sender, m.Bytes})
		}
	}
}

// batch is how many questions are asked at once.
const batch = 256

// addLocal adds a variant of a local state, and all comparisons that it takes part in.
func (a *audit) addLocal(l model.LocalID, b []byte) {
	variant, fresh := a.locals.add(l, form{bytes: b})
	if !fresh || a.cut {
		return
	}
	for _, s := range a.ofLocal[l] {
		for messages := range a.choices(a.consumed(s)) {
			a.queue(variantStep{s, variant, slices.Clone(messages)})
		}
	}
}

// addMessage does so for a variant of a message.
func (a *audit) addMessage(m model.MessageID, one form) {
	variant, fresh := a.messages.add(m, one)
	if !fresh || a.cut {
		return
	}
	for _, s := range a.ofMessage[m] {
		for local := range a.locals.count(a.steps[s].Local) {
			for messages := range a.choices(a.consumed(s)) {
				if a.cut {
					return
				}
				if takesVariant(a.consumed(s), messages, m, variant) {
					a.queue(variantStep{s, local, slices.Clone(messages)})
				}
			}
		}
	}
}

func (a *audit) queue(c variantStep) {
	if a.queued >= a.bound {
		a.cut = true
		return
	}
	a.queued++
	a.pending = append(a.pending, c)
}

// compare takes steps on given variants. They must do what they do on representatives.
func (a *audit) compare(comparisons []variantStep) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	if err := a.askRepresentatives(comparisons); err != nil {
		return err
	}
	questions := make([]model.Question, len(comparisons))
	for i, c := range comparisons {
		questions[i] = a.question(c)
	}
	answers, err := a.oracle.Steps(a.ctx, questions)
	if err != nil {
		return err
	}
	for i, c := range comparisons {
		a.report.Steps++
		keys, err := a.keysOf(answers[i])
		if err != nil {
			return err
		}
		if !slices.Equal(keys, a.keys[c.step]) {
			return a.differentSteps(c, answers[i])
		}
		if err := a.follow(answers[i]); err != nil {
			return err
		}
	}
	return nil
}

// askRepresentatives asks for the steps on representatives that are not known yet.
func (a *audit) askRepresentatives(comparisons []variantStep) error {
	var asked []int
	var questions []model.Question
	for _, c := range comparisons {
		if _, known := a.keys[c.step]; !known {
			a.keys[c.step] = nil
			asked = append(asked, c.step)
			questions = append(questions, a.question(a.representative(c.step)))
		}
	}
	if len(questions) == 0 {
		return nil
	}
	answers, err := a.oracle.Steps(a.ctx, questions)
	if err != nil {
		return err
	}
	for i, s := range asked {
		if a.keys[s], err = a.keysOf(answers[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) representative(step int) variantStep {
	return variantStep{step, 0, make([]int, len(a.consumed(step)))}
}

// consumed are the messages of a step.
func (a *audit) consumed(step int) []model.MessageID {
	return a.actors.LocalSteps.EventMessages(a.steps[step].Event)
}

func (a *audit) question(c variantStep) model.Question {
	q := a.actors.LocalSteps.Question(a.steps[c.step])
	q.Local = a.locals.at(a.steps[c.step].Local, c.local).bytes
	for i, id := range a.consumed(c.step) {
		m := a.messages.at(id, c.messages[i])
		q.Event.Messages[i].Sender, q.Event.Messages[i].Payload = m.sender, m.bytes
	}
	return q
}

// keysOf identifies an answer: its outcomes, and with which other messages the message may be consumed.
func (a *audit) keysOf(answer model.Answer) ([]string, error) {
	outcomes, quorums, err := a.actors.Decomposition.AnswerKeys(answer, a.actors.Program().InOrder)
	return append(outcomes, quorums...), err
}

// follow adds the variants that a step leads to. Their representatives are known, because it agrees with
// a step that was asked for.
func (a *audit) follow(answer model.Answer) error {
	for _, o := range answer.Outcomes {
		if o.Failure != nil {
			continue
		}
		var locals [][]byte
		if !o.Stopped {
			locals = append(locals, o.Local)
		}
		for _, c := range o.Creates {
			locals = append(locals, c.Local)
		}
		for _, b := range locals {
			l, err := a.actors.Values.FindLocal(b)
			if err != nil {
				return err
			}
			a.addLocal(l, b)
		}
		for _, m := range o.Sends {
			id, err := a.actors.Values.FindMessage(m)
			if err != nil {
				return err
			}
			a.addMessage(id, form{m.Sender, m.Payload})
		}
	}
	return nil
}
