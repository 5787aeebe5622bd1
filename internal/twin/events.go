package twin

import (
	"cmp"
	"context"
	"slices"

	"harrier/model"
)

// An event is something that may happen in a state.
type event struct {
	kind     model.EventKind
	fault    int // that it belongs to
	actor    string
	message  int  // index in the state's pending messages, -1 for none
	refused  bool // budgets or cuts do not allow it now
	outcomes []model.Outcome
}

// enabled lists the enabled events of a state.
func (e *explorer) enabled(s state) []event {
	var events []event
	for _, ev := range e.possible(s) {
		if q, asks := s.question(ev); asks {
			e.pairs[questionKey(q)] = true
			ev.outcomes = e.ask(q)
		} else {
			ev.outcomes = []model.Outcome{{}}
		}
		switch {
		case ev.refused:
			e.Met["refusals"] = true
		case len(ev.outcomes) == 0:
			e.Guard = true
		default:
			events = append(events, ev)
		}
	}
	return events
}

func (e *explorer) ask(q model.Question) []model.Outcome {
	answers, err := e.oracle.Steps(context.Background(), []model.Question{q})
	if err != nil {
		e.Err = err
		return nil
	}
	return answers[0].Outcomes
}

// question is what an event asks of the oracle, if it does.
func (s state) question(ev event) (q model.Question, asks bool) {
	if i := s.find(ev.actor); i >= 0 {
		q.Local = s.actors[i].Local
	}
	switch ev.kind {
	case model.Receive, model.Duplicate:
		q.Event.Messages = []model.Message{s.pending[ev.message]}
		return q, true
	case model.Internal, model.Restart:
		q.Event.Kind = ev.kind
		return q, true
	}
	return q, false
}

func questionKey(q model.Question) string {
	key := appendBytes([]byte{byte(q.Event.Kind)}, q.Local)
	for _, m := range q.Event.Messages {
		key = appendMessage(key, m)
	}
	return string(key)
}

// possible lists the events that would be enabled if no guard were false.
func (e *explorer) possible(s state) []event {
	var events []event
	for i := range s.pending {
		events = append(events, e.ofMessage(s, i)...)
	}
	for _, a := range s.actors {
		if a.Acts {
			events = append(events, event{kind: model.Internal, actor: a.Name, message: -1})
		}
		for f, fault := range e.program.Faults {
			if (fault.Kind == model.Restart || fault.Kind == model.Stop) && fault.Scope.Has(a.Name) {
				events = append(events, event{kind: fault.Kind, fault: f, actor: a.Name, message: -1, refused: e.spent(s, f)})
			}
		}
	}
	for f, fault := range e.program.Faults {
		if fault.Kind == model.Split {
			events = append(events,
				event{kind: model.Split, fault: f, message: -1, refused: s.cut[f] || e.spent(s, f)},
				event{kind: model.Heal, fault: f, message: -1, refused: !s.cut[f]})
		}
	}
	return events
}

// ofMessage lists the events of a pending message.
func (e *explorer) ofMessage(s state, i int) []event {
	m := s.pending[i]
	exists := s.find(m.Receiver) >= 0
	// What is behind an equal message can only be lost like it; what is behind another one in a queue must wait.
	isAgain := i > 0 && compare(s.pending[i-1], m) == 0
	isBehind := i > 0 && e.isQueue(m.Receiver) && s.pending[i-1].Receiver == m.Receiver && s.pending[i-1].Sender == m.Sender
	isBlocked := slices.ContainsFunc(e.crossed(m), func(f int) bool { return s.cut[f] })
	var events []event
	add := func(kind model.EventKind, f int, refused bool) {
		events = append(events, event{kind: kind, fault: f, actor: m.Receiver, message: i, refused: refused})
	}
	if isBehind {
		e.Met["queues"] = true
	}
	if exists && !isAgain && !isBehind {
		add(model.Receive, 0, isBlocked)
	}
	for f, fault := range e.program.Faults {
		switch {
		case fault.Kind == model.Split && slices.Contains(e.crossed(m), f) && !isAgain:
			add(model.Lose, f, !s.cut[f])
			if isBehind && s.cut[f] {
				e.Met["losses in the middle"] = true
			}
		case isAgain || isBehind || !fault.Scope.Has(m.Receiver):
		case fault.Kind == model.Lose:
			add(model.Lose, f, e.spent(s, f))
		case fault.Kind == model.Duplicate && exists && !(fault.Budget < 0 && e.stays(m.Receiver)):
			add(model.Duplicate, f, isBlocked || e.spent(s, f))
		}
	}
	return events
}

// spent says whether a fault may not happen any more.
func (e *explorer) spent(s state, f int) bool {
	return e.program.Faults[f].Budget >= 0 && s.taken[f] == e.program.Faults[f].Budget
}

// crossed lists the Splits whose sides a message goes between.
func (e *explorer) crossed(m model.Message) []int {
	var cuts []int
	for f, fault := range e.program.Faults {
		if fault.Kind == model.Split && m.Sender != "" && fault.Scope.Has(m.Sender) != fault.Scope.Has(m.Receiver) {
			cuts = append(cuts, f)
		}
	}
	return cuts
}

func (e *explorer) isQueue(receiver string) bool { return e.program.FIFO.Has(receiver) }

// isSet says whether all that is in flight to a receiver may be received any number of times.
func (e *explorer) isSet(receiver string) bool {
	return !e.isQueue(receiver) && slices.ContainsFunc(e.program.Faults, func(f model.Fault) bool {
		return f.Kind == model.Duplicate && f.Budget < 0 && f.Scope.Has(receiver)
	})
}

// stays says whether a reception leaves what is in flight to a receiver there: nobody can tell, if nobody asks
// about ends.
func (e *explorer) stays(receiver string) bool {
	return e.isSet(receiver) && !slices.ContainsFunc(e.program.Properties, func(p model.Property) bool { return p.Kind == model.Final })
}

// after is the state that an outcome of an event leads to.
func (e *explorer) after(s state, ev event, o model.Outcome) (state, error) {
	e.Met[ev.kind.String()] = true
	next := s
	next.actors, next.stopped, next.pending = slices.Clone(s.actors), slices.Clone(s.stopped), slices.Clone(s.pending)
	next.taken, next.cut = slices.Clone(s.taken), slices.Clone(s.cut)
	next.last, next.distance = nil, s.distance+1
	if len(o.Records) > 0 {
		histories, err := e.oracle.Record(context.Background(), []model.Extension{{History: s.history, Records: o.Records}})
		if err != nil {
			return next, err
		}
		next.history = histories[0]
	}
	if e.LastMessages && (ev.kind == model.Receive || ev.kind == model.Duplicate) {
		next.last = appendMessage(nil, s.pending[ev.message])
	}
	if ev.kind == model.Split || ev.kind == model.Heal {
		next.cut[ev.fault] = ev.kind == model.Split
	}
	if ev.kind >= model.Restart && ev.kind == e.program.Faults[ev.fault].Kind && e.program.Faults[ev.fault].Budget >= 0 {
		next.taken[ev.fault]++
	}
	if ev.kind == model.Lose || ev.kind == model.Receive && !e.stays(ev.actor) {
		next.pending = slices.Delete(next.pending, ev.message, ev.message+1)
	}
	if _, asks := s.question(ev); asks {
		i := next.find(ev.actor)
		next.actors[i].Local, next.actors[i].Acts = o.Local, o.Acts
	}
	if o.Stopped || ev.kind == model.Stop {
		e.Met["stopped actors"] = true
		next.stop(ev.actor)
	}
	return next, e.add(&next, o.Creates, o.Sends)
}

func (s *state) stop(name string) {
	s.actors = slices.DeleteFunc(s.actors, func(a model.Actor) bool { return a.Name == name })
	s.pending = slices.DeleteFunc(s.pending, func(m model.Message) bool { return m.Receiver == name })
	s.stopped = append(s.stopped, name)
	slices.Sort(s.stopped)
}

// deliver puts a message among those that are pending.
func (e *explorer) deliver(s *state, m model.Message) {
	isSame := func(o model.Message) bool {
		if e.Relevant != nil {
			m.Payload, o.Payload = e.part(m.Payload), e.part(o.Payload)
		}
		return compare(m, o) == 0
	}
	switch {
	case slices.Contains(s.stopped, m.Receiver):
		e.Met["messages to stopped actors"] = true
	case e.isSet(m.Receiver) && slices.ContainsFunc(s.pending, isSame):
		e.Met["messages that are in the set"] = true
	default:
		s.pending = append(s.pending, m)
	}
}

// sort puts pending messages in an order that is the same for equal states: those in a queue as they were sent.
func (e *explorer) sort(pending []model.Message) {
	slices.SortStableFunc(pending, func(a, b model.Message) int {
		if a.Receiver == b.Receiver && a.Sender == b.Sender && e.isQueue(a.Receiver) {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Receiver, b.Receiver), compare(a, b))
	})
}
