package model

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/slab"
)

// expand finds the steps of all nodes that are not expanded yet. It asks the oracle for all local steps that are missing in
// one batch, and waits for those that others are asking for. Answers may lead to further questions.
func (a *Actors) expand(ctx context.Context, nodes []Placed) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		w, err := a.collect(nodes)
		switch {
		case err != nil:
			return err
		case len(w.unknown) > 0:
			if err := a.ask(ctx, w.unknown); err != nil {
				return err
			}
		case w.waits:
			a.answered.Wait()
		default:
			for _, n := range w.nodes {
				a.connect(n)
			}
			a.counts.publish(a)
			return nil
		}
	}
}

// An expansion is what is to be done to expand the nodes of a state.
type expansion struct {
	nodes   []nodeMoves
	unknown []localStep // that nobody asked for yet
	waits   bool        // there are others that were not answered yet
	met     map[localStep]bool
}

// nodeMoves are the moves of a node at a position.
type nodeMoves struct {
	node     NodeID
	position uint32
	moves    []move
}

func (a *Actors) collect(nodes []Placed) (expansion, error) {
	w := expansion{met: map[localStep]bool{}}
	met := map[NodeID]bool{}
	for _, placed := range nodes {
		n := placed.Node
		if met[n] || a.nodes.At(n).expanded() {
			continue
		}
		met[n] = true
		moves, lacking, err := a.movesOf(n, placed.Position)
		if err != nil {
			return w, err
		}
		w.nodes = append(w.nodes, nodeMoves{n, placed.Position, moves})
		for _, e := range lacking {
			a.request(&w, localStep{a.nodes.At(n).local, e})
		}
		for _, m := range moves {
			if m.asks != 0 {
				a.request(&w, localStep{a.nodes.At(n).local, m.asks})
			}
		}
	}
	return w, nil
}

// request adds a local step whose answer has to be known.
func (a *Actors) request(w *expansion, st localStep) {
	if _, known := a.numbers.Get(st.local, st.event); known || w.met[st] {
		return
	}
	w.met[st] = true
	if a.asking[st] {
		w.waits = true
	} else {
		w.unknown = append(w.unknown, st)
	}
}

// ask gets the answers to local steps. Others may use the tables while the oracle works.
func (a *Actors) ask(ctx context.Context, steps []localStep) error {
	var questions []Question
	for _, st := range steps {
		a.asking[st] = true
		questions = append(questions, Question{Local: a.locals.At(st.local).bytes, Event: a.Event(st.event)})
	}
	if ctx.Value(speculating{}) != nil {
		a.counts.speculative.Add(uint64(len(steps)))
	}
	a.mu.Unlock()
	answers, err := a.oracle.Steps(ctx, questions)
	a.mu.Lock()
	for _, st := range steps {
		delete(a.asking, st)
	}
	defer a.answered.Broadcast()
	if err != nil {
		return a.doubted(err)
	}
	if len(answers) != len(questions) {
		return fmt.Errorf("the oracle gave %d answers to %d questions", len(answers), len(questions))
	}
	for i, st := range steps {
		answer, err := a.internAnswer(st, answers[i])
		if err != nil {
			return err
		}
		a.answers = append(a.answers, answer)
		a.numbers.Put(st.local, st.event, uint32(len(a.answers)-1))
		a.counts.executions += uint64(answers[i].Executions)
	}
	return nil
}

func (a *Actors) internAnswer(st localStep, given Answer) (answer, error) {
	out := answer{localStep: st, quorums: given.Quorums}
	if before := a.locals.At(st.local); len(given.Quorums) > 0 && !a.Collects(st.local) {
		return out, &UsageError{fmt.Sprintf("the quorum handlers of %s have to be known from the start: have the class among the program's own, or setUp create one",
			before.class)}
	}
	for _, o := range given.Outcomes {
		interned, err := a.internOutcome(*a.locals.At(st.local), o)
		if err != nil {
			return out, err
		}
		out.outcomes = append(out.outcomes, interned)
	}
	return out, nil
}

func (a *Actors) internOutcome(before local, o Outcome) (outcome, error) {
	out := outcome{handler: a.handler(o.Handler), records: cloned(o.Records), fired: slices.Clone(o.Fired)}
	if o.Failure != nil {
		out.failure = a.failures.Add(&StepFailure{Handler: o.Handler, Failure: o.Failure})
		return out, nil
	}
	if len(o.Creates) > 0 || o.Stopped {
		a.varies.Store(true)
	}
	if len(o.Records) > 0 {
		a.hasRecords.Store(true)
	}
	if !o.Stopped {
		var err error
		if out.local, err = a.internLocal(before.position, Actor{Class: before.class, Local: o.Local, Acts: o.Acts}); err != nil {
			return out, err
		}
	}
	effects, err := a.internEffects(o.Creates, o.Sends)
	out.effects = a.list(effects)
	return out, err
}

// list interns a list of effects.
func (a *Actors) list(effects []Effect) uint32 {
	return a.spans.Intern(effectsKey(effects), func() span {
		return span{a.effects.AddAll(effects), uint32(len(effects))}
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
func (a *Actors) internEffects(creates []Actor, sends []Message) ([]Effect, error) {
	var effects []Effect
	for _, c := range creates {
		if err := a.program.mayCollect(a.collectors, c.Name, c.Class); err != nil {
			return nil, err
		}
		position := a.position(c.Name)
		id, err := a.internLocal(position, c)
		if err != nil {
			return nil, err
		}
		effects = append(effects, Effect{Position: position, Local: id})
	}
	for _, m := range sends {
		id, err := a.internMessage(m)
		if err != nil {
			return nil, err
		}
		effects = append(effects, Effect{Position: a.messages.At(id).position, Message: id})
	}
	return effects, nil
}

// internLocal gives local states with equal hashed parts the same id. The first that is met represents
// them: Java executes on it.
func (a *Actors) internLocal(position uint32, of Actor) (LocalID, error) {
	hashed, err := a.hashed(of.Local)
	if err != nil {
		return 0, err
	}
	name := *a.names.At(position)
	presence := a.presences.Intern(key(name, of.Class), func() struct{} { return struct{}{} })
	id := a.locals.Intern(string(hashed), func() local {
		return local{slices.Clone(of.Local), of.Class, position, presence, of.Acts}
	})
	if a.locals.At(id).acts != of.Acts {
		return 0, fmt.Errorf("of two local states of %s with equal relevant parts, one acts by itself and one does not", name)
	}
	a.localVariants.note(id, a.locals.At(id).bytes, of.Local)
	return id, nil
}

func (a *Actors) internMessage(m Message) (MessageID, error) {
	relevant, err := a.relevant(m.Payload)
	if err != nil {
		return 0, err
	}
	order := envelopeKey(m, relevant)
	hashed := order
	if a.Hashing == Full {
		hashed = envelopeKey(m, m.Payload)
		order += hashed
	}
	id := a.messages.Intern(hashed, func() message {
		m.Payload = slices.Clone(m.Payload) // it is part of a whole batch of answers
		return message{m, a.position(m.Receiver), order}
	})
	a.messageVariants.note(id, a.messages.At(id).Payload, m.Payload)
	return id, nil
}

func (a *Actors) position(name string) uint32 {
	return a.names.Intern(name, func() string { return name })
}
