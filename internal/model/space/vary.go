package space

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A local step is executed twice. This file has the second execution begin with other auxiliary parts only: another sender of a
// message, other values of auxiliary fields. It must lead to the same relevant parts (Definition 1). If it does not, the step is taken on
// one variation after the other, to find which variation makes the difference.

// A VariationError is the error of a local step whose outcomes depend on auxiliary parts.
type VariationError struct {
	Question, Other model.Question // which differ in one auxiliary part, or in several that make a difference together only
	Answer          model.Answer   // to Question
	OtherAnswer     model.Answer
	Broken          error // the rule that the step breaks on Other; nil if it breaks none
}

func (e *VariationError) Error() string {
	return "a local step depends on a sender or a field that seems to be auxiliary; harrier check finds out which and goes on without leaving it out"
}

// A query is a question about a local step, with the renaming of its variation.
type query struct {
	model.Question
	names *renamed // nil if the variation has the names of actors that the question has
}

// asked gives the answers to queries, whose second executions agree with the first in relevant parts. In auxiliary ones
// some may differ: then that is not known of two executions of the same.
func (s *LocalSteps) asked(ctx context.Context, queries []query) (answers []model.Answer, differing []model.Question, err error) {
	questions := make([]model.Question, len(queries))
	for i, q := range queries {
		questions[i] = q.Question
	}
	answers, err = s.oracle.Steps(ctx, questions)
	if isVaried := func(q model.Question) bool { return q.Varied != nil }; model.IsOfStep(ctx, err) && slices.ContainsFunc(questions, isVaried) {
		answers, err = s.askedPlainly(ctx, queries)
		return answers, nil, err
	}
	if err != nil || len(answers) != len(questions) {
		return answers, nil, err
	}
	for i, a := range answers {
		q := queries[i]
		if a.Varied == nil || q.Varied == nil { // an oracle that remembers answers may give one with a variation
			continue
		}
		agrees, isWhole, err := s.agree(a, *a.Varied, q.names)
		if err == nil && !agrees {
			err = s.disagreement(ctx, q)
		}
		if err != nil {
			return nil, nil, err
		}
		if !isWhole && !a.Kept {
			differing = append(differing, q.plain())
		}
	}
	return answers, differing, nil
}

// compareWhole asks for steps without variations, so that the oracle compares the auxiliary parts of two executions of the same.
func (s *LocalSteps) compareWhole(ctx context.Context, differing []model.Question) error {
	if len(differing) == 0 {
		return nil
	}
	_, err := s.oracle.Steps(ctx, differing)
	return err
}

// askedPlainly asks again without variations, one of which broke a rule. If that is not the program's fault, the error
// is of the variation.
func (s *LocalSteps) askedPlainly(ctx context.Context, queries []query) ([]model.Answer, error) {
	plain := make([]model.Question, len(queries))
	for i, q := range queries {
		plain[i] = q.plain()
	}
	answers, err := s.oracle.Steps(ctx, plain)
	for i := 0; err == nil && i < len(answers); i++ {
		err = s.disagreement(ctx, queries[i])
	}
	return answers, err
}

// plain is the question without a variation.
func (q query) plain() model.Question { return model.Question{Local: q.Local, Event: q.Event} }

// disagreement returns a *VariationError if a step has other outcomes on one of its variations, and another error if it has on the
// same state and messages. If outcomes differ with other names alone, every step counts as one that looks at names. Elements of sets that
// cannot be told apart have several encodings, so executions that disagreed once may agree now.
func (s *LocalSteps) disagreement(ctx context.Context, q query) error {
	if q.Varied == nil {
		return nil
	}
	plain := q.plain()
	answers, err := s.oracle.Steps(ctx, []model.Question{plain})
	if err != nil {
		return err
	}
	if q.names != nil {
		return s.disagreementOfNames(ctx, q, answers[0])
	}
	for _, other := range q.variations() {
		given, agrees, err := s.compare(ctx, answers[0], other, nil)
		if model.IsOfStep(ctx, err) {
			return &VariationError{Question: plain, Other: other, Answer: answers[0], Broken: err}
		}
		if err != nil {
			return err
		}
		if !agrees {
			return &VariationError{Question: plain, Other: other, Answer: answers[0], OtherAnswer: given}
		}
	}
	return nil
}

// compare asks for a step that must give what another one did, and reports whether it gives that.
func (s *LocalSteps) compare(ctx context.Context, answer model.Answer, other model.Question, names *renamed) (given model.Answer, agrees bool, err error) {
	answers, err := s.oracle.Steps(ctx, []model.Question{other})
	if err != nil {
		return model.Answer{}, false, err
	}
	agrees, _, err = s.agree(answer, answers[0], names)
	return answers[0], agrees, err
}

// variations asks for the step with one thing varied after the other, and then with all.
func (q query) variations() (all []model.Question) {
	add := func(change func(to *model.Question)) {
		one := q.plain()
		one.Event.Messages = slices.Clone(q.Event.Messages)
		change(&one)
		all = append(all, one)
	}
	for i, m := range q.Varied.Messages {
		if m.Sender != q.Event.Messages[i].Sender {
			add(func(to *model.Question) { to.Event.Messages[i].Sender = m.Sender })
		}
	}
	if !bytes.Equal(q.Varied.Local, q.Local) {
		add(func(to *model.Question) { to.Local = q.Varied.Local })
	}
	for i, m := range q.Varied.Messages {
		if !bytes.Equal(m.Payload, q.Event.Messages[i].Payload) {
			add(func(to *model.Question) { to.Event.Messages[i].Payload = m.Payload })
		}
	}
	if len(all) > 1 {
		add(func(to *model.Question) {
			to.Local, to.Event.Messages = q.Varied.Local, slices.Clone(q.Varied.Messages)
		})
	}
	return all
}

// agree reports whether two answers have the same relevant parts, and whether they are the same as a whole. The names in the other one may be changed.
func (s *LocalSteps) agree(one, other model.Answer, names *renamed) (relevant, whole bool, err error) {
	if other, err = names.back(other); err != nil {
		return false, false, err
	}
	all := s.values.Decomposition
	all.Hashing = Full
	if whole, err = s.agreeIn(all, one, other, names != nil); err != nil || whole {
		return whole, whole, err
	}
	relevant, err = s.agreeIn(s.values.Decomposition, one, other, names != nil)
	return relevant, false, err
}

// agreeIn reports whether two answers agree in what a decomposition makes relevant; with other names outcomes may come in another order.
func (s *LocalSteps) agreeIn(d Decomposition, one, other model.Answer, inAnyOrder bool) (bool, error) {
	outcomes, quorums, err := d.AnswerKeys(one, s.values.program.Channel)
	otherOutcomes, otherQuorums, otherErr := d.AnswerKeys(other, s.values.program.Channel)
	if inAnyOrder {
		slices.Sort(outcomes)
		slices.Sort(otherOutcomes)
	}
	return slices.Equal(outcomes, otherOutcomes) && slices.Equal(quorums, otherQuorums), errors.Join(err, otherErr)
}

// A tried is the number of the last variant with which a local step was taken, of its local state and of each of its messages; 0 for none.
type tried []uint8

// varied asks for a local step whose second execution begins with the next variants that were not tried yet, if there are any.
func (s *LocalSteps) varied(st LocalStep, before tried) (q query, now tried) {
	q.Question = s.Question(st)
	if now = s.next(st, before); now == nil {
		return q, nil
	}
	v := model.Variation{Local: q.Local, Messages: slices.Clone(q.Event.Messages)}
	if number := now.of(0); number > 0 {
		v.Local = s.values.localVariants.of[st.Local][number-1].bytes
	}
	for i, id := range s.events.At(st.Event).messages {
		m := &v.Messages[i]
		if number := now.of(1 + i); number > 0 {
			variant := s.values.messageVariants.of[id][number-1]
			m.Sender, m.Payload = variant.sender, variant.bytes
		}
	}
	q.Varied = &v
	return q, now
}

// fromOthers has other actors send the messages of a second execution, where that is auxiliary.
func (s *LocalSteps) fromOthers(q query) query {
	if s.values.Decomposition.Sender == nil || s.values.Decomposition.Hashing != Selective {
		return q
	}
	v := model.Variation{Local: q.Local, Messages: q.Event.Messages}
	if q.Varied != nil {
		v = *q.Varied
	}
	v.Messages = slices.Clone(v.Messages)
	isOther := false
	for i, m := range v.Messages {
		v.Messages[i].Sender = s.otherSender(q.Question, m)
		isOther = isOther || v.Messages[i].Sender != m.Sender
	}
	if isOther {
		q.Varied = &v
	}
	return q
}

// next numbers the variants to try after some were: of each that has further ones the next, of the others the last; of equal messages one
// after the other. It is nil if there are no further ones.
func (s *LocalSteps) next(st LocalStep, before tried) tried {
	if len(s.values.localVariants.of)+len(s.values.messageVariants.of) == 0 {
		return nil
	}
	messages := s.events.At(st.Event).messages
	now, hasFurther := make(tried, 1+len(messages)), false
	for i := range now {
		known := len(s.values.localVariants.of[st.Local])
		if i > 0 {
			known = len(s.values.messageVariants.of[messages[i-1]])
		}
		now[i] = before.of(i)
		if isAfterEqual := i > 1 && messages[i-1] == messages[i-2]; int(now[i]) < known && (!isAfterEqual || now[i] < before.of(i-1)) {
			now[i]++
		}
		hasFurther = hasFurther || now[i] > before.of(i)
	}
	if !hasFurther {
		return nil
	}
	return now
}

func (t tried) of(i int) uint8 {
	if i < len(t) {
		return t[i]
	}
	return 0
}

// leastRetries is the number of local steps up to which Retry goes on to further variants of steps that were tried with one.
const leastRetries = 500

// Retry takes local steps again that were not taken with a variant, as no variant was known when they were asked for, until each
// step has been tried with a known variant, and few steps with all variants and those that these lead to. Searches may go
// on meanwhile. The error is a *VariationError if a step does something else.
func Retry(ctx context.Context, s *LocalSteps) error {
	for retried := 0; ; {
		batch := s.untried(func(before tried) bool { return before == nil || retried < leastRetries })
		if len(batch) == 0 {
			return nil
		}
		for some := range slices.Chunk(batch, retriesAtOnce) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := s.retry(ctx, some); err != nil {
				return err
			}
			retried += len(some)
		}
	}
}

const retriesAtOnce = 64

// untried returns the local steps that have variants with which they were not taken. isWanted chooses among them by the last variants tried.
func (s *LocalSteps) untried(isWanted func(before tried) bool) (steps []LocalStep) {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	if len(s.values.localVariants.of)+len(s.values.messageVariants.of) == 0 {
		return nil
	}
	for number := range s.answers.Len() {
		st := s.answers.At(uint32(number)).LocalStep
		if before := s.tried[st]; isWanted(before) && s.next(st, before) != nil {
			steps = append(steps, st)
		}
	}
	return steps
}

// retry takes local steps with the next of their variants. Their outcomes have further variants.
func (s *LocalSteps) retry(ctx context.Context, steps []LocalStep) error {
	s.values.mu.Lock()
	queries, now := make([]query, len(steps)), make([]tried, len(steps))
	for i, st := range steps {
		queries[i], now[i] = s.varied(st, s.tried[st])
	}
	s.values.mu.Unlock()
	answers, _, err := s.asked(ctx, queries)
	if err != nil {
		return err
	}
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	for i, st := range steps {
		s.noteTried(st, now[i])
		if varied := answers[i].Varied; varied != nil {
			if err := s.noteVariants(st, varied.Outcomes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *LocalSteps) noteTried(st LocalStep, now tried) {
	if now == nil {
		return
	}
	if s.tried == nil {
		s.tried = map[LocalStep]tried{}
	}
	s.tried[st] = now
}

// noteVariants notes the results of a step on variants as variants: their relevant parts are those of the step's own results.
func (s *LocalSteps) noteVariants(st LocalStep, outcomes []model.Outcome) error {
	before := s.values.locals.At(st.Local)
	for _, o := range outcomes {
		if o.Failure != nil {
			continue
		}
		var requests []model.Message
		o.Sends, requests = network.Requests(o.Sends)
		if !o.Stopped {
			if _, err := s.values.internLocal(before.position, s.actorAfter(*before, st.Event, o, requests)); err != nil {
				return err
			}
		}
		for _, c := range o.Creates {
			if _, err := s.values.internLocal(s.values.position(c.Name), c); err != nil {
				return err
			}
		}
		for _, m := range o.Sends {
			if _, err := s.values.internMessage(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// otherSender is another actor that may as well have sent a message of a step, drawn by a hash of the step; the sender itself without another one.
func (s *LocalSteps) otherSender(q model.Question, m model.Message) string {
	if s.values.isBelieved(m) {
		return m.Sender
	}
	actors := s.values.program.Initial.Actors
	relevant, first := s.values.Decomposition.Sender(m), drawn(len(actors), q.Local, m.Payload)
	for i := range actors {
		other := m
		if other.Sender = actors[(first+i)%len(actors)].Name; other.Sender != m.Sender && s.values.Decomposition.Sender(other) == relevant {
			return other.Sender
		}
	}
	return m.Sender
}

// drawn is a number below n that a hash of bytes gives.
func drawn(n int, from ...[]byte) int { return int(hashed(from...) >> 33 % uint64(n)) }

func hashed(from ...[]byte) uint64 {
	h := fnv.New64a()
	for _, b := range from {
		h.Write(b)
	}
	return h.Sum64()
}
