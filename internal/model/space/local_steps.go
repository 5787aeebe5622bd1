package space

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// LocalSteps gives the local steps that the oracle was asked for, with their answers, whatever is in flight, and asks for further ones.
type LocalSteps struct {
	oracle  model.Oracle
	values  *Values
	nodes   *Nodes
	globals *Globals

	events  *slab.Table[event]
	effects slab.List[Effect]
	spans   *slab.Table[span] // lists of effects, by content

	asking   map[LocalStep]bool
	answered sync.Cond                            // a question of asking was answered, or failed
	answers  slab.List[answer]                    // of local steps, by number
	numbers  pairs.Map                            // (local state, event) -> number of its answer
	outcomes slab.List[outcome]                   // of one answer after another
	optional slab.List[optional]                  // the first is empty
	quorums  slab.List[[]model.Quorum]            // likewise
	looks    *slab.Table[model.Looks]             // by content
	tried    map[LocalStep]tried                  // of local steps that were taken with variants
	renaming func(number uint64) RenamingWithBack // which must make no difference to second executions; nil for none
	counts   counts

	hasRecords  atomic.Bool // some step adds to the history
	missesLooks atomic.Bool // some step looked at a name where that is not noted
}

// A LocalStep is a local step: what the oracle is asked for.
type LocalStep struct {
	Local model.LocalID
	Event uint32 // as LocalSteps.Event and Moves.Together give it
}

// A LocalOutcome is an outcome of a local step.
type LocalOutcome struct {
	Number  uint32 // index in the answer, as in EventID
	Handler uint32
	Local   model.LocalID // of the actor after it; 0 if it fails or stops
	Effects []Effect      // not to be changed
	Records bool          // it adds to the history
	Failure uint32        // identifies how it fails, 0 if it does not
}

// An Effect is a message delivered or an actor created at a position.
type Effect struct {
	Position uint32
	Message  model.MessageID // 0 if an actor is created
	Local    model.LocalID   // of the new actor
}

// A span is a range of one of the lists.
type span struct{ first, count uint32 }

// An answer is an Answer in ids, with the question.
type answer struct {
	LocalStep
	outcomes span
	quorums  uint32
	looks    uint32
}

type outcome struct {
	handler  uint32
	local    model.LocalID // 0 if the actor stops
	last     model.LocalID // in which it stops, where properties see that
	effects  uint32        // in spans
	failure  uint32
	optional uint32

	due      bool // of an internal event: it happens before time goes on
	repeated bool // of a crash within a handler: it is left out (isRepeated)
}

// An optional has the fields of an outcome that most outcomes lack.
type optional struct {
	records []model.Record
	fired   []byte
	renewed []model.PendingEvent
	choices []int // if fairness tells them apart
	// requests to watch actors: the actor's, and those of actors that it creates.
	requests []model.Message
}

func newLocalSteps(oracle model.Oracle, values *Values, nodes *Nodes, globals *Globals) *LocalSteps {
	s := &LocalSteps{
		oracle: oracle, values: values, nodes: nodes, globals: globals,
		events: slab.NewTable[event](), spans: slab.NewTable[span](), looks: slab.NewTable[model.Looks](),
		asking: map[LocalStep]bool{},
	}
	s.answered.L = &values.mu
	s.optional.Add(optional{})
	s.quorums.Add(nil)
	return s
}

// Oracle is what the system asks.
func (s *LocalSteps) Oracle() model.Oracle { return s.oracle }

// Ask makes the outcomes of local steps known, those that are not yet in one batch of questions.
func (s *LocalSteps) Ask(ctx context.Context, steps []LocalStep) error {
	return s.complete(ctx, func(w *requests) error {
		for _, st := range steps {
			s.request(w, st)
		}
		return nil
	}, func() {})
}

func (s *LocalSteps) answer(of LocalStep) *answer {
	number, _ := s.numbers.Get(of.Local, of.Event)
	return s.answers.At(number)
}

// outcomesOf returns the outcomes of an answered local step.
func (s *LocalSteps) outcomesOf(of LocalStep) []outcome {
	in := s.answer(of).outcomes
	return s.outcomes.Range(in.first, in.count)
}

// Outcomes yields the outcomes of an answered local step.
func (s *LocalSteps) Outcomes(of LocalStep) iter.Seq[LocalOutcome] {
	return func(yield func(LocalOutcome) bool) {
		for number, o := range s.outcomesOf(of) {
			if o.repeated {
				continue
			}
			effects, hasRecords := *s.spans.At(o.effects), len(s.optional.At(o.optional).records) > 0
			if !yield(LocalOutcome{uint32(number), o.handler, o.local, s.effects.Range(effects.first, effects.count), hasRecords, o.failure}) {
				return
			}
		}
	}
}

// Consumed yields the contents of the messages that some local step which was asked for consumes, and of the timers that one fires.
func Consumed(s *LocalSteps) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		events := make([]bool, s.events.Len()+1)
		for number := range s.answers.Len() {
			a := s.answers.At(uint32(number))
			events[a.Event] = events[a.Event] || a.outcomes.count > 0
		}
		messages := make([]bool, s.values.messages.Len()+1)
		for id, happens := range events {
			if !happens {
				continue
			}
			for _, m := range s.events.At(uint32(id)).messages {
				if !messages[m] && !s.values.messages.At(m).IsNotice() && !yield(s.values.messages.At(m).Payload) {
					return
				}
				messages[m] = true
			}
		}
		for number := range s.optional.Len() {
			if fired := s.optional.At(uint32(number)).fired; len(fired) > 0 && !yield(fired) {
				return
			}
		}
	}
}

// Quorums are the handlers that may take the message of an event that was asked for together with others.
func (s *LocalSteps) Quorums(of LocalStep) []model.Quorum {
	m := s.values.messages.At(s.events.At(of.Event).messages[0])
	return s.values.program.Admitted(*s.quorums.At(s.answer(of).quorums), m.Sender)
}

// LooksOf are the looks of the executions of a local step that was asked for.
func LooksOf(s *LocalSteps, of LocalStep) model.Looks {
	if s.missesLooks.Load() {
		return model.Looks{}
	}
	return *s.looks.At(s.answer(of).looks)
}

func (s *LocalSteps) internLooks(l model.Looks) uint32 {
	return s.looks.Intern(fmt.Sprint(l.Known)+slab.Join(l.Names...), func() model.Looks { return l })
}

// Since are the local steps asked for so far but for the first few, in order.
func (s *LocalSteps) Since(first int) []LocalStep {
	steps := make([]LocalStep, s.answers.Len()-first)
	for i := range steps {
		steps[i] = s.answers.At(uint32(first + i)).LocalStep
	}
	return steps
}

// Question asks for a local step, on representatives.
func (s *LocalSteps) Question(st LocalStep) model.Question {
	return model.Question{Local: s.values.locals.At(st.Local).bytes, Event: s.described(st.Event)}
}

// knownQuorums are the quorums that may take a message in a local state, if the oracle was asked.
func (s *LocalSteps) knownQuorums(l model.LocalID, single uint32) (quorums []model.Quorum, known bool) {
	number, known := s.numbers.Get(l, single)
	if known {
		quorums = *s.quorums.At(s.answers.At(number).quorums)
	}
	return quorums, known
}

// Collects reports whether an actor with a local state has quorum handlers.
func (s *LocalSteps) Collects(l model.LocalID) bool {
	return s.values.program.QuorumHandler(s.values.locals.At(l).class) != ""
}

// copies reports whether copies of a message count for an actor with a local state.
func (s *LocalSteps) copies(l model.LocalID) bool {
	of := s.values.locals.At(l)
	return s.values.program.CountsCopies(*s.values.names.At(of.position), of.class)
}

// requests are local steps whose answers have to be known.
type requests struct {
	unknown []LocalStep // that nobody asked for yet
	waits   bool        // there are others that were not answered yet
	met     map[LocalStep]bool
}

// complete asks until all local steps that collect requests are answered, waits for those that others are asking for, and
// calls then(). Both functions are called with the lock held; nobody may hold it while the oracle works.
func (s *LocalSteps) complete(ctx context.Context, collect func(w *requests) error, then func()) error {
	for {
		missing, err := s.missing(collect, then)
		if err != nil || len(missing.steps) == 0 {
			return err
		}
		if err := s.ask(ctx, missing); err != nil {
			return err
		}
	}
}

// A batch is local steps that somebody asks the oracle for.
type batch struct {
	steps   []LocalStep
	queries []query
	now     []tried // what the queries are tried with
}

// missing returns the local steps that collect requests and nobody has asked for. Without any, it waits for the steps that
// others are asking for, and calls then().
func (s *LocalSteps) missing(collect func(w *requests) error, then func()) (batch, error) {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	for {
		w := requests{met: map[LocalStep]bool{}}
		if err := collect(&w); err != nil {
			return batch{}, err
		}
		if len(w.unknown) > 0 {
			return s.batch(w.unknown)
		}
		if !w.waits {
			s.publish()
			then()
			return batch{}, nil
		}
		s.answered.Wait()
	}
}

// batch makes the queries for local steps, which are being asked for from then on.
func (s *LocalSteps) batch(steps []LocalStep) (batch, error) {
	b := batch{steps, make([]query, len(steps)), make([]tried, len(steps))}
	for i, st := range steps {
		var err error
		b.queries[i], b.now[i] = s.varied(st, nil)
		if b.queries[i], err = s.renamed(s.fromOthers(b.queries[i])); err != nil {
			return batch{}, err
		}
	}
	for _, st := range steps {
		s.asking[st] = true
	}
	return b, nil
}

// request adds a local step whose answer has to be known.
func (s *LocalSteps) request(w *requests, st LocalStep) {
	if _, known := s.numbers.Get(st.Local, st.Event); known || w.met[st] {
		return
	}
	w.met[st] = true
	if s.asking[st] {
		w.waits = true
	} else {
		w.unknown = append(w.unknown, st)
	}
}

// ask gets the answers to local steps.
func (s *LocalSteps) ask(ctx context.Context, b batch) error {
	defer s.askedFor(b.steps)
	answers, differing, err := s.asked(ctx, b.queries)
	if err == nil {
		err = s.compareWhole(ctx, differing)
	}
	if err != nil {
		return err
	}
	if len(answers) != len(b.queries) {
		return fmt.Errorf("the oracle gave %d answers to %d questions", len(answers), len(b.queries))
	}
	return s.keep(b, answers)
}

// askedFor notes that local steps were answered, or could not be.
func (s *LocalSteps) askedFor(steps []LocalStep) {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	for _, st := range steps {
		delete(s.asking, st)
	}
	s.answered.Broadcast()
}

// keep remembers the answers to local steps.
func (s *LocalSteps) keep(b batch, answers []model.Answer) error {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	for i, st := range b.steps {
		answer, err := s.internAnswer(st, answers[i])
		if err != nil {
			return err
		}
		s.numbers.Put(st.Local, st.Event, s.answers.Add(answer))
		s.noteTried(st, b.now[i])
		s.counts.executions += uint64(answers[i].Executions)
		if answers[i].Kept {
			s.counts.kept++
		}
	}
	return nil
}

func (s *LocalSteps) internAnswer(st LocalStep, given model.Answer) (answer, error) {
	out := answer{LocalStep: st, looks: s.internLooks(given.Looks)}
	if before := s.values.locals.At(st.Local); len(given.Quorums) > 0 && !s.Collects(st.Local) {
		return out, &model.UsageError{Text: fmt.Sprintf("the quorum handlers of %s have to be known from the start: have the class among the program's own, or setUp create one",
			before.class)}
	}
	if len(given.Quorums) > 0 {
		out.quorums = s.quorums.Add(given.Quorums)
	}
	outcomes := make([]outcome, len(given.Outcomes))
	for i, o := range given.Outcomes {
		var err error
		if outcomes[i], err = s.internOutcome(*s.values.locals.At(st.Local), st.Event, o); err != nil {
			return out, err
		}
	}
	for i := range outcomes {
		outcomes[i].repeated = s.isRepeated(given.Outcomes, outcomes, i)
	}
	out.outcomes = span{s.outcomes.AddAll(outcomes), uint32(len(outcomes))}
	return out, nil
}

// isRepeated reports whether an outcome is that of a crash point that is left out: an earlier outcome is the same step; or the
// handler and then a crash lead to the same state, by a state in between that no property misses (docs/soundness.md, What is left
// out). An outcome that fails stays, so that all failures are met.
func (s *LocalSteps) isRepeated(given []model.Outcome, outcomes []outcome, i int) bool {
	o := outcomes[i]
	if given[i].Point == nil || o.failure != 0 {
		return false
	}
	mayBeTwoEvents := !s.values.program.AsksRuns() && len(s.values.program.Bounds()) == 0 && o.last == 0
	for k, other := range outcomes {
		if (k < i || mayBeTwoEvents && given[k].Point.Whole) && s.isSame(o, other) {
			return true
		}
	}
	return false
}

// isSame reports whether two outcomes of crashes within handlers, of which the first does not fail, are the same step.
func (s *LocalSteps) isSame(o, other outcome) bool {
	return other.failure == 0 && o.local == other.local && o.last == other.last && o.effects == other.effects &&
		recordsKey(s.optional.At(o.optional).records) == recordsKey(s.optional.At(other.optional).records) &&
		slices.EqualFunc(s.optional.At(o.optional).requests, s.optional.At(other.optional).requests, sameMessage) &&
		slices.EqualFunc(s.optional.At(o.optional).renewed, s.optional.At(other.optional).renewed, samePending)
}

func (s *LocalSteps) internOutcome(before local, event uint32, o model.Outcome) (outcome, error) {
	var out outcome
	var requests []model.Message
	o.Sends, requests = network.Requests(o.Sends)
	if err := cmp.Or(s.values.mayWatch(requests), s.values.mayClose(*s.values.names.At(before.position), o.Sends)); err != nil {
		return out, err
	}
	out.due = o.Due
	if o.Handler != "" {
		out.handler = s.values.handler(o.Handler)
	}
	var choices []int
	if !s.values.program.Fairness.ByChoice.IsEmpty() {
		choices = slices.Clone(o.Choices)
	}
	if len(o.Records) > 0 || len(o.Fired) > 0 || len(o.Renewed) > 0 || len(choices) > 0 || len(requests) > 0 {
		out.optional = s.optional.Add(optional{cloned(o.Records), slices.Clone(o.Fired), clonedEvents(o.Renewed), choices, slices.Clone(requests)})
	}
	if o.Failure != nil {
		out.failure = s.values.failures.Add(&model.StepFailure{Handler: o.Handler, Failure: o.Failure})
		return out, nil
	}
	if len(o.Creates) > 0 || o.Stopped {
		s.nodes.varies.Store(true)
	}
	if len(o.Records) > 0 {
		s.hasRecords.Store(true)
	}
	if !o.Stopped || s.values.program.SeesStopped {
		local, err := s.values.internLocal(before.position, s.actorAfter(before, event, o, requests))
		if err != nil {
			return out, err
		}
		if o.Stopped {
			out.last = local
		} else {
			out.local = local
		}
	}
	effects, err := s.internEffects(born(o.Creates, before.ahead, requests), o.Sends)
	out.effects = s.list(effects)
	return out, err
}

// list interns a list of effects.
func (s *LocalSteps) list(effects []Effect) uint32 {
	return s.spans.Intern(effectsKey(effects), func() span {
		return span{s.effects.AddAll(effects), uint32(len(effects))}
	})
}

func effectsKey(effects []Effect) string {
	var ids []uint32
	for _, e := range effects {
		ids = append(ids, e.Position, e.Message, e.Local)
	}
	return slab.Key(ids...)
}

// internEffects puts creations before deliveries; otherwise the order is that of the sends, which matters to
// queues.
func (s *LocalSteps) internEffects(creates []model.Actor, sends []model.Message) ([]Effect, error) {
	var effects []Effect
	for _, c := range creates {
		if err := mayCollect(s.values.program, c.Name, c.Class); err != nil {
			return nil, err
		}
		position := s.values.position(c.Name)
		id, err := s.values.internLocal(position, c)
		if err != nil {
			return nil, err
		}
		effects = append(effects, Effect{Position: position, Local: id})
	}
	for _, m := range sends {
		id, err := s.values.internMessage(m)
		if err != nil {
			return nil, err
		}
		effects = append(effects, Effect{Position: s.values.messages.At(id).position, Message: id})
	}
	return effects, nil
}

// Stats says how much is interned and how often the oracle was asked.
type Stats struct {
	LocalStates uint64 `json:"localStates"`
	Messages    uint64 `json:"messages"`
	LocalSteps  uint64 `json:"localSteps"`               // distinct (local state, event) pairs asked for
	Kept        uint64 `json:"localStepsKept,omitempty"` // of which an earlier check kept the answers
	Executions  uint64 `json:"executions"`               // handler executions that answering them took
}

// Stats may be called while a search runs.
func (s *LocalSteps) Stats() Stats {
	if published := s.counts.published.Load(); published != nil {
		return *published
	}
	return Stats{}
}

type counts struct {
	executions uint64
	kept       uint64
	published  atomic.Pointer[Stats]
}

func (s *LocalSteps) publish() {
	s.counts.published.Store(&Stats{
		LocalStates: uint64(s.values.locals.Len()),
		Messages:    uint64(s.values.messages.Len()),
		LocalSteps:  uint64(s.numbers.Len()),
		Kept:        s.counts.kept,
		Executions:  s.counts.executions,
	})
}
