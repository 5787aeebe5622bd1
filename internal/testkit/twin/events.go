package twin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"harrier/internal/model"
)

// An event is something that may happen in a state.
type event struct {
	kind     model.EventKind
	fault    int // that it belongs to
	actor    string
	messages []model.Message // that it is about, in the order of the state
	places   []int           // of these among delivered messages if it receives from there, else among pending ones
	isFault  bool
	disabled bool // budgets or cuts do not allow it now
	outcomes []model.Outcome
	leftOut  []model.Outcome // of a crash within a handler: those that come to the same as others
	ticks    []int           // of a round, of each actor in the order of the state
	repeated map[int]bool    // of the outcomes of one: those that do, but for auxiliary parts
}

// enabled lists the enabled events of a state.
func (e *explorer) enabled(s state) []event {
	var events []event
	for _, ev := range e.possible(s) {
		ev.isFault = e.isFault(ev.kind)
		if q, asks := e.question(s, ev); asks {
			e.pairs[questionKey(q)] = true
			ev.outcomes = e.ask(q).Outcomes
			if ev.within() {
				e.chooseCrashes(&ev)
			}
		} else {
			ev.outcomes = []model.Outcome{{}}
		}
		switch {
		case ev.disabled:
			e.Met["disabled events"] = true
		case len(ev.outcomes) == 0:
			e.Guard = true
			if last := len(ev.places) - 1; ev.kind == model.Disconnect && last > 0 {
				e.Met["drop"] = true
				ev.kind, ev.places, ev.outcomes = model.Drop, ev.places[:last], []model.Outcome{{}}
				events = append(events, ev)
			}
		default:
			events = append(events, ev)
		}
	}
	return append(events, e.rounds(s, events)...)
}

func (e *explorer) ask(q model.Question) model.Answer {
	answers, err := e.oracle.Steps(context.Background(), []model.Question{q})
	if err != nil {
		e.Err = err
		return model.Answer{}
	}
	return answers[0]
}

// question is what an event asks of the oracle, if it does.
func (e *explorer) question(s state, ev event) (q model.Question, asks bool) {
	if i := s.find(ev.actor); i >= 0 {
		q.Local = s.actors[i].Local
	}
	switch {
	case ev.kind == model.Disconnect && !e.handlesNotices(s, ev.actor):
	case ev.kind == model.Receive, ev.kind == model.Notify, ev.kind == model.Disconnect, e.receivesCopy(s, ev):
		q.Event.Messages = ageless(ev.messages)
		return q, true
	case ev.within():
		q.Event = model.Event{Kind: ev.kind, Messages: ageless(ev.messages)}
		return q, true
	case ev.kind == model.Internal, ev.kind == model.Restart, ev.kind == model.Crash:
		q.Event.Kind = ev.kind
		return q, true
	case ev.kind == model.Recover:
		q.Event.Kind = model.Restart
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
		if a.Down {
			events = append(events, e.whileDown(s, a.Name)...)
			continue
		}
		handled := e.receptions(s, a)
		if a.Acts && !(e.program.Delivery == model.MP && s.hasDelivered(a.Name)) {
			handled = append(handled, event{kind: model.Internal, actor: a.Name})
		}
		events = append(events, handled...)
		events = append(events, e.notices(s, a.Name)...)
		events = append(events, e.disconnections(s, a.Name)...)
		for f, fault := range e.program.Faults {
			isCrash := fault.Kind == model.Restart || fault.Kind == model.Stop || fault.Kind == model.Crash
			if isCrash && fault.Scope.Has(a.Name) {
				events = append(events, event{kind: fault.Kind, fault: f, actor: a.Name, disabled: e.spent(s, f)})
				if fault.Within {
					events = append(events, e.crashesWithin(s, handled, f)...)
				}
			}
		}
	}
	events = append(events, e.endings(s)...)
	for f, fault := range e.program.Faults {
		switch fault.Kind {
		case model.Split:
			events = append(events,
				event{kind: model.Split, fault: f, disabled: s.cut[f] || e.spent(s, f)},
				event{kind: model.Heal, fault: f, disabled: !s.cut[f]})
		case model.Byzantine:
			events = append(events, e.byzantineSends(s, f)...)
		}
	}
	return events
}

// whileDown lists what may happen to an actor that is down: each fault that may have had it crash lets it start again, and lose
// whatever message to it, wherever that is in a queue.
func (e *explorer) whileDown(s state, name string) []event {
	var events []event
	for f, fault := range e.program.Faults {
		if fault.Kind != model.Crash || !fault.Scope.Has(name) {
			continue
		}
		events = append(events, event{kind: model.Recover, fault: f, actor: name})
		for i, m := range s.pending {
			if fault.Losing && m.Receiver == name && !e.isConnected(m) && (i == 0 || compare(s.pending[i-1], m) != 0) {
				e.Met["losses while down"] = true
				events = append(events, event{kind: model.Lose, fault: f, actor: name, messages: []model.Message{m}, places: []int{i}})
			}
		}
	}
	return events
}

// crashesWithin lists the crashes of a fault within the handlers that events of an actor run.
func (e *explorer) crashesWithin(s state, handled []event, f int) []event {
	var events []event
	for _, ev := range handled {
		ev.kind, ev.fault, ev.disabled = model.RestartWithin, f, ev.disabled || e.spent(s, f)
		switch e.program.Faults[f].Kind {
		case model.Stop:
			ev.kind = model.StopWithin
		case model.Crash:
			ev.kind = model.CrashWithin
		}
		events = append(events, ev)
	}
	return events
}

func (ev event) within() bool {
	return ev.kind == model.RestartWithin || ev.kind == model.StopWithin || ev.kind == model.CrashWithin
}

// chooseCrashes leaves out the crashes within a handler that come to the same as one after it, or as another one.
func (e *explorer) chooseCrashes(ev *event) {
	if e.EveryChoice {
		return
	}
	all := ev.outcomes
	exactly := e.leftOut(all, func(o model.Outcome) string {
		return e.outcomeKey(o, func(b []byte) []byte { return b }, func(m model.Message) model.Message { return m })
	})
	inParts := e.leftOut(all, func(o model.Outcome) string { return e.outcomeKey(o, e.part, e.relevantMessage) })
	ev.outcomes, ev.repeated = nil, map[int]bool{}
	for i, o := range all {
		if exactly[i] {
			e.Met["crashes that come to the same"] = true
			ev.leftOut = append(ev.leftOut, o)
			continue
		}
		ev.repeated[len(ev.outcomes)] = inParts[i]
		ev.outcomes = append(ev.outcomes, o)
	}
}

// leftOut reports of outcomes of a crash within a handler whether they are left out if those with the same key are the same. The
// handler and then a crash is another run, and may stop the actor in another state.
func (e *explorer) leftOut(outcomes []model.Outcome, key func(o model.Outcome) string) []bool {
	isRun := func(of model.Liveness) bool { return of.Kind == model.Always }
	isBound := func(of model.Property) bool { return of.Kind == model.Within } // which may end the run between the two
	met := map[string]bool{}
	for _, o := range outcomes {
		seen := slices.ContainsFunc(e.program.Liveness, isRun) || slices.ContainsFunc(e.program.Properties, isBound) || o.Stopped && e.program.SeesStopped
		if o.Point.Whole && o.Failure == nil && !seen {
			met[key(o)] = true
		}
	}
	out := make([]bool, len(outcomes))
	for i, o := range outcomes {
		if o.Failure == nil {
			out[i] = met[key(o)]
			met[key(o)] = true
		}
	}
	return out
}

// ErrLeftOut is the error of an exploration that leaves out an event to a state to which nothing else leads.
var ErrLeftOut = errors.New("too much is left out")

// An owed state is one that a crash leads to which is left out.
type owed struct{ crash, unspent string }

// owe notes which states the crashes lead to that an event leaves out. Where the handler stops its actor itself, that spends no budget
// and leads to a state that can do no less.
func (e *explorer) owe(s state, ev event) {
	if e.LastMessages {
		return // the states differ in these
	}
	for _, o := range ev.leftOut {
		next, err := e.after(s, ev, o)
		if err != nil {
			e.Err = err
			return
		}
		unspent := next
		unspent.taken = s.taken
		e.owed[e.key(next)] = owed{fmt.Sprintf("%s of %s %s", ev.kind, ev.actor, o.Point.Where), e.key(unspent)}
	}
}

// requireOwed makes it an error that a crash was left out that leads to a state to which nothing else leads.
func (e *explorer) requireOwed() {
	if e.TooLarge || e.Cut || e.Err != nil {
		return
	}
	for key, o := range e.owed {
		_, met := e.numbers[key]
		if _, unspent := e.numbers[o.unspent]; !met && !unspent {
			e.Err = fmt.Errorf("%w: %s leads to a state of its own", ErrLeftOut, o.crash)
		}
	}
}

// outcomeKey is equal for outcomes that do the same, as far as parts of local states and messages go.
func (e *explorer) outcomeKey(o model.Outcome, part func(b []byte) []byte, message func(m model.Message) model.Message) string {
	actors := o.Creates
	if !o.Stopped || e.program.SeesStopped {
		actors = append([]model.Actor{{Local: o.Local, Acts: o.Acts}}, actors...)
	}
	key := strconv.AppendBool(nil, o.Stopped)
	for _, a := range actors {
		key = appendBytes(strconv.AppendBool(appendBytes(key, []byte(a.Name+" "+a.Class)), a.Acts), part(a.Local))
	}
	for _, m := range o.Sends {
		key = appendMessage(append(key, 's'), message(m))
	}
	for _, e := range o.Renewed {
		key = appendBytes(appendBytes(append(key, 'a'), []byte(e.Task)), e.Timer)
	}
	for _, r := range o.Records {
		key = appendBytes(appendBytes(append(key, 'r', byte(r.Kind)), []byte(r.Actor)), r.Payload)
	}
	return string(key)
}

// byzantineSends lists the messages that the adversaries of a fault may send.
func (e *explorer) byzantineSends(s state, f int) []event {
	var events []event
	for i, m := range e.program.Faults[f].Domain {
		again := slices.ContainsFunc(e.program.Faults[f].Domain[:i], func(o model.Message) bool { return compare(o, m) == 0 })
		if !again {
			events = append(events, event{kind: model.Byzantine, fault: f, actor: m.Sender, messages: []model.Message{m},
				disabled: e.spent(s, f)})
		}
	}
	return events
}

// adversaries are the names of Byzantine actors, sorted. These do not exist as actors.
func (e *explorer) adversaries() []string {
	var names []string
	for _, f := range e.program.Faults {
		if f.Kind == model.Byzantine {
			names = append(names, f.Scope.Names...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ofMessage lists the events of a message in flight, but for its reception.
func (e *explorer) ofMessage(s state, i int) []event {
	m := s.pending[i]
	receiver := s.find(m.Receiver)
	exists := receiver >= 0 && !s.actors[receiver].Down
	// A message behind an equal one can only be lost like it; one behind another one in a queue must wait.
	again := i > 0 && compare(s.pending[i-1], m) == 0
	behind := e.isBehind(s.pending, i)
	blocked := e.isBlocked(s, m)
	var events []event
	add := func(kind model.EventKind, f int, disabled bool) {
		events = append(events, event{kind: kind, fault: f, actor: m.Receiver, messages: []model.Message{m}, places: []int{i},
			disabled: disabled})
	}
	if behind {
		e.Met["queues"] = true
	}
	if e.program.Delivery != model.M && exists && !again && !behind {
		add(model.Deliver, 0, blocked)
	}
	// Several messages of a queue may be received at once, so it matters what happens to those in the middle. It is another run if a
	// message is never deliverable, which strong fairness sees: a message that is sent again and again is then lost as it would be received.
	together := e.program.Delivery == model.M && e.takesSeveral(s, m.Receiver)
	loses := together || e.program.SeesInFlight || e.EveryChoice && e.program.Fairness.Strong.IsEmpty()
	for f, fault := range e.program.Faults {
		switch {
		case fault.Kind == model.Split && e.isConnected(m): // it is lost with its connection
		case fault.Kind == model.Split && slices.Contains(e.crossed(m), f) && !again:
			add(model.Lose, f, !s.cut[f])
			if behind && s.cut[f] {
				e.Met["losses in the middle"] = true
			}
		case again || !fault.Scope.Has(m.Receiver):
		case fault.Senders != nil && !slices.Contains(fault.Senders, m.Sender), fault.SparesSelf && m.Sender == m.Receiver:
			e.Met["faults that spare messages"] = true
		case fault.Filling > 0 && !(exists && e.waiting(s, m.Receiver) > fault.Filling):
			e.Met["mailboxes that are not full"] = true
		case fault.Kind == model.Lose && (!behind || loses):
			add(model.Lose, f, e.spent(s, f))
		case fault.Kind == model.Duplicate && exists && !(fault.Budget < 0 && e.stays(m.Receiver)) && (!behind || together || e.adds(f)):
			add(model.Duplicate, f, blocked || e.spent(s, f))
		}
	}
	return events
}

// waiting is how many messages are in flight to an actor.
func (e *explorer) waiting(s state, name string) (n int) {
	for _, m := range s.pending {
		if m.Receiver == name {
			n++
		}
	}
	return n
}

// isBehind reports whether a message must wait for another one in its queue.
func (e *explorer) isBehind(messages []model.Message, i int) bool {
	return i > 0 && e.isQueue(messages[i].Receiver) &&
		messages[i-1].Receiver == messages[i].Receiver && messages[i-1].Sender == messages[i].Sender
}

// isBlocked reports whether a message does not get through a cut.
func (e *explorer) isBlocked(s state, m model.Message) bool {
	return slices.ContainsFunc(e.crossed(m), func(f int) bool { return s.cut[f] })
}

// spent reports whether a fault may not happen any more.
func (e *explorer) spent(s state, f int) bool {
	return e.program.Faults[f].Budget >= 0 && s.taken[f] == e.program.Faults[f].Budget
}

// crossed lists the Splits whose sides a message goes between.
func (e *explorer) crossed(m model.Message) []int {
	var cuts []int
	for f, fault := range e.program.Faults {
		if fault.Kind != model.Split || m.Sender == "" || m.Sender == m.Receiver {
			continue
		}
		oneWay := slices.Contains(fault.Senders, m.Sender) && fault.Scope.Has(m.Receiver)
		if fault.Senders == nil && fault.Scope.Has(m.Sender) != fault.Scope.Has(m.Receiver) || oneWay {
			cuts = append(cuts, f)
		}
	}
	return cuts
}

// after is the state that an outcome of an event leads to.
func (e *explorer) after(s state, ev event, o model.Outcome) (state, error) {
	e.Met[ev.kind.String()] = true
	if ev.kind == model.Tick {
		return e.afterRound(s, ev.ticks), nil
	}
	if len(ev.messages) > 1 {
		e.noteQuorum(ev)
	}
	e.Met["mailboxes that drop"] = e.Met["mailboxes that drop"] || ev.kind == model.Lose && e.program.Faults[ev.fault].Filling > 0
	if ev.kind == model.Lose && e.program.Faults[ev.fault].Kind == model.Lose && e.isBehind(s.pending, ev.places[0]) {
		e.Met["losses inside"] = true
	}
	next := s
	next.actors, next.stopped = slices.Clone(s.actors), slices.Clone(s.stopped)
	next.watching, next.open = s.watching.clone(), maps.Clone(s.open)
	next.taken, next.cut = slices.Clone(s.taken), slices.Clone(s.cut)
	next.last, next.distance = nil, s.distance+1
	if len(o.Records) > 0 {
		histories, err := e.oracle.Record(context.Background(), []model.Extension{{History: s.history, Records: o.Records}})
		if err != nil {
			return next, err
		}
		next.history = histories[0]
	}
	if ev.kind == model.Split || ev.kind == model.Heal {
		next.cut[ev.fault] = ev.kind == model.Split
	}
	if (ev.within() || ev.isFault && ev.kind == e.program.Faults[ev.fault].Kind) && e.program.Faults[ev.fault].Budget >= 0 {
		next.taken[ev.fault]++
	}
	e.move(&next, ev)
	crashes := ev.kind == model.Restart || ev.kind == model.Stop || ev.kind == model.Crash || ev.within()
	switch {
	case crashes || o.Stopped:
		next.watching.goes(ev.actor, o.Stopped || ev.kind != model.Restart && ev.kind != model.RestartWithin)
	case ev.kind == model.Recover:
		delete(next.watching.away, ev.actor)
	case ev.kind == model.Notify:
		delete(next.watching.gone, pair{ev.actor, ev.messages[0].Sender})
	}
	if o.Stopped || ev.kind == model.CrashWithin {
		o.Sends = slices.DeleteFunc(slices.Clone(o.Sends), func(m model.Message) bool { return m.IsRequest() && m.Sender == ev.actor })
	}
	o.Sends = e.connect(&next, ev, o)
	if q, asks := e.question(s, ev); asks {
		i := next.find(ev.actor)
		next.actors[i].Local, next.actors[i].Acts = o.Local, o.Acts
		next.actors[i].Down = ev.kind == model.Crash || ev.kind == model.CrashWithin
		for _, m := range q.Event.Messages {
			if e.LastMessages {
				next.last = appendMessage(next.last, m)
			}
		}
	}
	if o.Stopped || ev.kind == model.Stop {
		e.Met["stopped actors"] = true
		if i := s.find(ev.actor); e.program.SeesStopped && i >= 0 {
			end := s.actors[i]
			if ev.kind != model.Stop {
				end.Local = o.Local
			}
			next.ends = append(slices.Clone(next.ends), end)
			slices.SortFunc(next.ends, func(a, b model.Actor) int { return strings.Compare(a.Name, b.Name) })
		}
		next.stop(ev.actor)
	}
	created := slices.Clone(o.Creates)
	if i := s.find(ev.actor); i >= 0 {
		for k := range created {
			created[k].Ahead = s.actors[i].Ahead
		}
	}
	return next, e.add(&next, created, o.Sends)
}

func (s *state) stop(name string) {
	isTo := func(m model.Message) bool { return m.Receiver == name }
	s.actors = slices.DeleteFunc(s.actors, func(a model.Actor) bool { return a.Name == name })
	s.pending = slices.DeleteFunc(slices.Clone(s.pending), isTo)
	s.delivered = slices.DeleteFunc(slices.Clone(s.delivered), isTo)
	s.stopped = append(s.stopped, name)
	slices.Sort(s.stopped)
}
