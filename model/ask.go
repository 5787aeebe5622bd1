package model

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/slab"
)

// expand finds the steps of all nodes that are not expanded yet. It asks the oracle for all local steps that are missing in
// one batch. Answers may lead to further questions.
func (a *Actors) expand(ctx context.Context, nodes []Placed) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	w, err := a.complete(ctx, func() (expansion, error) { return a.collect(nodes) })
	if err != nil {
		return err
	}
	for _, n := range w.nodes {
		a.connect(n)
	}
	return nil
}

// complete asks for local steps until none of those that collect finds is missing, and waits for those that others are asking for.
func (a *Actors) complete(ctx context.Context, collect func() (expansion, error)) (expansion, error) {
	for {
		w, err := collect()
		switch {
		case err != nil:
			return w, err
		case len(w.unknown) > 0:
			if err := a.ask(ctx, w.unknown); err != nil {
				return w, err
			}
		case w.waits:
			a.answered.Wait()
		default:
			a.counts.publish(a)
			return w, nil
		}
	}
}

// An expansion is what is to be done to expand the nodes of a state.
type expansion struct {
	nodes   []nodeMoves
	unknown []LocalStep // that nobody asked for yet
	waits   bool        // there are others that were not answered yet
	met     map[LocalStep]bool
}

// nodeMoves are the moves of a node at a position.
type nodeMoves struct {
	node     NodeID
	position uint32
	moves    []move
}

func (a *Actors) collect(nodes []Placed) (expansion, error) {
	w := expansion{met: map[LocalStep]bool{}}
	met := map[NodeID]bool{}
	for _, placed := range nodes {
		n := placed.Node
		if met[n] || a.nodes.list.At(n).expanded() {
			continue
		}
		met[n] = true
		moves, lacking, err := a.movesOf(n, placed.Position)
		if err != nil {
			return w, err
		}
		w.nodes = append(w.nodes, nodeMoves{n, placed.Position, moves})
		for _, e := range lacking {
			a.request(&w, LocalStep{a.nodes.list.At(n).local, e})
		}
		for _, m := range moves {
			if m.asks != 0 {
				a.request(&w, LocalStep{a.nodes.list.At(n).local, m.asks})
			}
		}
	}
	return w, nil
}

// request adds a local step whose answer has to be known.
func (a *Actors) request(w *expansion, st LocalStep) {
	if _, known := a.numbers.Get(st.Local, st.Event); known || w.met[st] {
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
func (a *Actors) ask(ctx context.Context, steps []LocalStep) error {
	var questions []Question
	for _, st := range steps {
		a.asking[st] = true
		questions = append(questions, a.Question(st))
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
		a.numbers.Put(st.Local, st.Event, uint32(len(a.answers)-1))
		a.counts.executions += uint64(answers[i].Executions)
	}
	return nil
}

func (a *Actors) internAnswer(st LocalStep, given Answer) (answer, error) {
	out := answer{LocalStep: st, quorums: given.Quorums}
	if before := a.locals.At(st.Local); len(given.Quorums) > 0 && !a.Collects(st.Local) {
		return out, &UsageError{fmt.Sprintf("the quorum handlers of %s have to be known from the start: have the class among the program's own, or setUp create one",
			before.class)}
	}
	for _, o := range given.Outcomes {
		interned, err := a.internOutcome(*a.locals.At(st.Local), o)
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
		if err := a.program.mayCollect(c.Name, c.Class); err != nil {
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
