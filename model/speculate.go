package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"harrier/internal/pairs"
	"harrier/internal/slab"
)

// A Speculation asks for local steps that perhaps no run takes, for those who want to know what might happen. It has
// tables of its own, so that what a search counts and what is audited of it has nothing of this; ids of the one mean
// nothing to the other. Local states and messages are told apart by their relevant parts, however the search does it.
//
// Several goroutines may use it at once. What is known is read without locks.
type Speculation struct {
	actors   *Actors
	searched *Actors
	limit    uint64

	mu       sync.Mutex // guards the tables of actors, but for reading them by ids, and what follows
	asked    uint64     // steps that the oracle was asked for
	visibles *table[struct{}]
	contents *table[struct{}]
	alike    *table[struct{}] // what steps do
	visible  map[LocalID]uint32
	homes    [2]map[uint32]uint32 // by kind and id: one that the search has for it
	found    [2]pairs.Map         // (id of the search's, 0) -> id

	numbers pairs.Map // (local state, event) -> number of its step
	steps   slab.List[PossibleStep]
}

const (
	localKind   = 0
	messageKind = 1
)

// StepID is a local step in the ids of a Speculation.
type StepID struct {
	Local LocalID
	Event uint32
}

// PossibleStep is what a local step does.
type PossibleStep struct {
	Same     uint32 // equal for steps that do the same
	IsKnown  bool   // otherwise it broke a rule, or ran into a limit, or too much was asked already
	Outcomes []PossibleOutcome
	Quorums  []Quorum // as in Answer, without those whose senders have another role
}

// PossibleOutcome is an outcome of a PossibleStep.
type PossibleOutcome struct {
	Local   LocalID // 0 if it fails or stops
	Fails   bool
	Stops   bool
	Handler uint32 // number of the handler, as HandlerLabel knows it
	Records uint32 // identifies what it adds to the history; 0 for nothing
	Effects []Effect
}

// NewSpeculation makes tables for the program that a search is about. It asks the oracle for at most limit steps; of further
// ones nothing is known.
func NewSpeculation(searched *Actors, limit uint64) (*Speculation, error) {
	d := searched.Decomposition
	d.Hashing = Selective
	actors, err := NewActors(searched.oracle, d)
	if err != nil {
		return nil, err
	}
	p := &Speculation{actors: actors, searched: searched, limit: limit, visibles: newTable[struct{}](), contents: newTable[struct{}](), alike: newTable[struct{}](), visible: map[LocalID]uint32{}}
	for kind := range p.homes {
		p.homes[kind] = map[uint32]uint32{}
	}
	return p, nil
}

// Step is what a local step does, if it was asked for.
func (p *Speculation) Step(l LocalID, event uint32) (*PossibleStep, bool) {
	number, ok := p.numbers.Get(l, event)
	if !ok {
		return nil, false
	}
	return p.steps.At(number), true
}

// Ask makes local steps known. The search may know them already, and is asked first. What goes wrong in one of them only means
// that nothing is known of it.
func (p *Speculation) Ask(ctx context.Context, steps []StepID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lacking []StepID
	for _, st := range steps {
		if _, isKnown := p.numbers.Get(st.Local, st.Event); isKnown {
			continue
		}
		if answer, ok := p.recall(st); ok {
			p.learn(st, answer)
		} else if p.asked++; p.asked > p.limit {
			p.put(st, PossibleStep{})
		} else {
			lacking = append(lacking, st)
		}
	}
	p.searched.counts.speculative.Store(min(p.asked, p.limit))
	for batch := range slices.Chunk(lacking, 256) {
		if err := p.askOracle(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// Asked is how many steps the oracle was asked for.
func (p *Speculation) Asked() uint64 { return p.searched.counts.speculative.Load() }

// askOracle asks for steps together, and, if one of them goes wrong, for each by itself.
func (p *Speculation) askOracle(ctx context.Context, steps []StepID) error {
	var questions []Question
	for _, st := range steps {
		questions = append(questions, Question{Local: p.actors.locals.at(st.Local).bytes, Event: p.actors.Event(st.Event)})
	}
	answers, err := p.actors.oracle.Steps(ctx, questions)
	switch {
	case err == nil:
		for i, st := range steps {
			p.learn(st, answers[i])
		}
	case ctx.Err() != nil || !isOfStep(err) || isEnd(err):
		return p.searched.doubted(err)
	case len(steps) == 1:
		p.put(steps[0], PossibleStep{})
	default:
		for i := range steps {
			if err := p.askOracle(ctx, steps[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOfStep says whether an error is one of the step that was asked for.
func isOfStep(err error) bool {
	var rule *RuleError
	var limit *LimitError
	var usage *UsageError
	return errors.As(err, &rule) || errors.As(err, &limit) || errors.As(err, &usage)
}

// isEnd says whether no further step can be asked for.
func isEnd(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit) && limit.Ends
}

// speculating is the key of contexts in which questions are ahead of the search.
type speculating struct{}

// Speculate is a context for questions that are ahead of the search, about steps that perhaps no run takes.
func Speculate(ctx context.Context) context.Context {
	return context.WithValue(ctx, speculating{}, true)
}

// doubted says of a step that ended all, whoever asks next and is told, that it may be one that no run takes, if such steps were
// asked for.
func (a *Actors) doubted(err error) error {
	var limit *LimitError
	if a.counts.speculative.Load() == 0 || !errors.As(err, &limit) || !limit.Ends {
		return err
	}
	return &LimitError{
		Text: limit.Text + "; partial-order reduction asks also for steps that no run takes, and this may be one: check without (--por off, --reduction macro)",
		Ends: true,
	}
}

// learn notes an answer. One that cannot be interned is none: a search would say so if a run came to it.
func (p *Speculation) learn(st StepID, given Answer) {
	interned, err := p.actors.internAnswer(localStep{st.Local, st.Event}, given)
	if err != nil {
		p.put(st, PossibleStep{})
		return
	}
	step := PossibleStep{IsKnown: true}
	for _, o := range interned.outcomes {
		step.Outcomes = append(step.Outcomes, p.outcome(o))
	}
	for _, q := range interned.quorums {
		if event := p.actors.events.at(st.Event); p.actors.program.hasRole(q.Role, p.actors.messages.at(event.messages[0]).Sender) {
			step.Quorums = append(step.Quorums, q)
		}
	}
	p.put(st, step)
}

func (p *Speculation) outcome(o outcome) PossibleOutcome {
	out := PossibleOutcome{
		Local: o.local, Fails: o.failure != 0, Stops: o.failure == 0 && o.local == 0,
		Handler: o.handler, Records: p.actors.globals.recorded(o.records),
	}
	effects := p.actors.spans.at(o.effects)
	out.Effects = slices.Clone(p.actors.effects.Range(effects.first, effects.count))
	return out
}

func (p *Speculation) put(st StepID, step PossibleStep) {
	step.Same = p.alike.intern(step.key(), func() struct{} { return struct{}{} })
	p.numbers.Put(st.Local, st.Event, p.steps.Add(step))
}

// key is equal for steps that do the same.
func (s PossibleStep) key() string {
	parts := []string{fmt.Sprint(s.IsKnown, s.Quorums)}
	for _, o := range s.Outcomes {
		ids := []uint32{o.Local, o.Records, 0, 0}
		if o.Fails {
			ids[2] = 1
		}
		if o.Stops {
			ids[3] = 1
		}
		for _, e := range o.Effects {
			ids = append(ids, e.Position, e.Message, e.Local)
		}
		parts = append(parts, idsKey(ids...))
	}
	return key(parts...)
}

// recall gives what the search was answered, if it asked for the step.
func (p *Speculation) recall(st StepID) (Answer, bool) {
	event := *p.actors.events.at(st.Event)
	local, ok := p.homes[localKind][st.Local]
	messages := make([]MessageID, len(event.messages))
	for i, m := range event.messages {
		var isMet bool
		messages[i], isMet = p.homes[messageKind][m]
		ok = ok && isMet
	}
	if !ok {
		return Answer{}, false
	}
	event.messages = messages
	return p.searched.answerTo(local, event)
}

// answerTo gives an answer that the oracle gave already.
func (a *Actors) answerTo(l LocalID, e event) (Answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id, ok := a.events.ids[e.key()]
	if !ok {
		return Answer{}, false
	}
	number, ok := a.numbers.Get(l, id)
	if !ok {
		return Answer{}, false
	}
	known := a.answers[number]
	answer := Answer{Quorums: known.quorums}
	for _, o := range known.outcomes {
		out := Outcome{Handler: a.HandlerLabel(int(o.handler)), Records: o.records, Fired: o.fired, Stopped: o.local == 0}
		if o.failure != 0 {
			out.Failure = (*a.failures.At(o.failure)).Failure
		}
		after := a.locals.at(o.local)
		out.Local, out.Acts = after.bytes, after.acts
		out.Creates, out.Sends = a.described(*a.spans.at(o.effects))
		answer.Outcomes = append(answer.Outcomes, out)
	}
	return answer, true
}

// Local is the id of a local state of the search's.
func (p *Speculation) Local(searched LocalID) (LocalID, error) {
	return p.translate(localKind, searched, func() (uint32, error) {
		of := p.searched.Actor(searched)
		return p.actors.internLocal(p.actors.position(of.Name), of)
	})
}

// Message is the id of a message of the search's.
func (p *Speculation) Message(searched MessageID) (MessageID, error) {
	return p.translate(messageKind, searched, func() (uint32, error) {
		return p.actors.internMessage(p.searched.messages.at(searched).Message)
	})
}

func (p *Speculation) translate(kind int, searched uint32, intern func() (uint32, error)) (uint32, error) {
	if searched == 0 {
		return 0, nil
	}
	if id, ok := p.found[kind].Get(searched, 0); ok {
		return id, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id, err := intern()
	if err != nil {
		return 0, err
	}
	p.homes[kind][id] = searched
	p.found[kind].Put(searched, 0, id)
	return id, nil
}

// Reception is the id of the event of receiving messages, of senders that all differ.
func (p *Speculation) Reception(messages ...MessageID) uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sorted := slices.Clone(messages)
	slices.SortStableFunc(sorted, func(x, y MessageID) int {
		return cmp.Compare(p.actors.messages.at(x).Sender, p.actors.messages.at(y).Sender)
	})
	return p.actors.event(event{kind: Receive, messages: sorted})
}

// Unprompted is the id of an event without messages: Internal or Restart.
func (p *Speculation) Unprompted(kind EventKind) uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.actors.event(event{kind: kind})
}

// Messages are those of an event.
func (p *Speculation) Messages(event uint32) []MessageID { return p.actors.events.at(event).messages }

// Kind is that of an event.
func (p *Speculation) Kind(event uint32) EventKind { return p.actors.events.at(event).kind }

// Describe gives the actor that has a local state.
func (p *Speculation) Describe(l LocalID) Actor { return p.actors.Actor(l) }

// Event describes an event.
func (p *Speculation) Event(id uint32) Event { return p.actors.Event(id) }

// HandlerLabel names the handler with a number that an outcome has.
func (p *Speculation) HandlerLabel(number uint32) string { return *p.actors.handlers.at(number) }

// LocalParts is what a local state is, for those who do not look into it.
type LocalParts struct {
	Position uint32 // of the actor
	Acts     bool   // it may do something by itself
	Collects bool   // its class has quorum handlers
	Visible  uint32 // equal for local states that invariants cannot tell apart
}

// LocalParts tells what a local state is.
func (p *Speculation) LocalParts(l LocalID) (LocalParts, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.actors.locals.at(l)
	parts := LocalParts{Position: v.position, Acts: v.acts, Collects: p.actors.collects(l)}
	visible, ok := p.visible[l]
	if !ok {
		shown := v.bytes
		if project := p.actors.Visible; project != nil {
			var err error
			if shown, err = project(v.bytes); err != nil {
				return parts, err
			}
		}
		visible = p.visibles.intern(string(shown), func() struct{} { return struct{}{} })
		p.visible[l] = visible
	}
	parts.Visible = visible
	return parts, nil
}

// Envelope is who sent a message, the position of who is to receive it, and a number that is equal for messages with equal
// payloads.
func (p *Speculation) Envelope(m MessageID) (sender string, receiver, content uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.actors.messages.at(m)
	relevant, err := p.actors.relevant(v.Payload)
	if err != nil {
		return v.Sender, v.position, 0
	}
	return v.Sender, v.position, p.contents.intern(string(relevant), func() struct{} { return struct{}{} })
}

// Name is the name of the actor at a position.
func (p *Speculation) Name(position uint32) string { return *p.actors.names.at(position) }

// Position is that of the actor with a name.
func (p *Speculation) Position(name string) uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.actors.position(name)
}

// Forged are the messages that the adversaries of a fault may send.
func (p *Speculation) Forged(fault int) []MessageID { return p.actors.forged[fault] }

// Names is how many positions there are: that of the first name is 1.
func (p *Speculation) Names() int { return p.actors.names.count() }
