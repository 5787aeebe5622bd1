package lmc

import (
	"errors"
	"iter"
	"slices"

	"harrier/dbss"
	"harrier/internal/ds/bdd"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A set is the abstract reachable set of the actor at a position.
type set struct {
	position uint32
	members  []*member
	locals   map[model.LocalID]*member
	absent   *member           // while the actor is not created; nil if it is there from the start
	stopped  *member           // once it stopped; nil if it never does
	messages []model.MessageID // to it, all that were ever sent
	copies   map[token][]int   // places, one for each time that a token may be spent
	places   int
}

// A member is a local state in an abstract reachable set.
type member struct {
	set      *set
	place    int           // index in the set
	number   int           // among all
	local    model.LocalID // 0 where the actor does not exist
	events   []event
	reached  bdd.Func // of the places of tokens: whether it can be reached by spending no others
	tried    int      // so many events were tried since
	queued   bool
	collects bool // events may consume several messages
	down     bool // nothing happens before the actor starts again
	inbox    int  // how many messages those were found among
	fails    bool // a handler fails here, or breaks a rule
}

// An event is one of a member. There are many, so it is small and without pointers.
type event struct {
	id       uint32   // the model's; 0 for a crash for good, and for the creation of the actor
	spends   [1]token // or together
	outcomes span     // in sets.edges, without those that fail
	state    askState
	fails    bool // in some outcome
	sends    bool // in some outcome
}

type span struct{ first, count uint32 }

type askState uint8

const (
	unasked askState = iota
	asking
	answered
	broken // it breaks a rule, and has no outcomes
)

// A token but unlimited can be spent a limited number of times: a message, as often as it is sent; a fault, as its budget allows; or an event that an
// actor takes by itself, as Options.LocalEvents allows.
type token = uint32

const (
	byItself   token = 1 << 31
	unlimited  token = byItself + 1
	firstFault token = 1 << 30
	together   token = 1 << 29 // stands for the messages that an event consumes; from here on with the fault of a crash within a handler
)

// withFault is the token of an event that consumes messages, or is an actor's own, and belongs to a fault.
func withFault(fault int) token { return together + 1 + token(fault) }

// sets are the abstract reachable sets of all actors, and the network that only grows.
type sets struct {
	actors     *space.Actors
	program    *model.Program
	progress   *dbss.Progress  // has members for states, and local steps for transitions
	limit      uint64          // of local steps and decision nodes together; 0 for none
	byPosition map[uint32]*set // by position
	sets       []*set          // in the order in which they were met
	members    []*member
	edges      slab.List[*member] // where events lead
	functions  bdd.Store
	steps      uint64        // local steps
	bounds     map[token]int // how often each token may be spent; unbounded if it is not there
	raised     bool          // since events were tried
	sent       map[model.MessageID]bool
	initial    map[model.MessageID]int // how often a message is there from the start
	work       []*member               // of which events are left to try
	batch      []asked
	runs       []uint64 // by handler: how many outcomes are its
	failing    int      // members
}

var errRecords = errors.New("a step adds to the history")

func newSets(actors *space.Actors, localEvents int, progress *dbss.Progress) (*sets, error) {
	s := &sets{
		actors: actors, program: actors.Program(), progress: progress, byPosition: map[uint32]*set{}, bounds: map[token]int{},
		sent: map[model.MessageID]bool{}, initial: map[model.MessageID]int{},
	}
	for i, f := range s.program.Faults {
		if f.Budget != model.Unbounded {
			s.bounds[firstFault+token(i)] = f.Budget
		}
	}
	if localEvents > 0 {
		s.bounds[byItself] = 1
	}
	initial := actors.Initial()
	if len(actors.Globals.History(initial)) > 0 {
		return nil, errRecords
	}
	for position, n := range initial[1:] {
		parts := actors.Nodes.Parts(n)
		to := s.at(uint32(position + 1))
		switch {
		case parts.Stopped:
			s.reach(to.stop(s), bdd.True)
		case parts.Local != 0:
			s.reach(to.member(s, parts.Local), bdd.True)
		}
		for _, m := range parts.Waiting {
			s.initial[m]++
			s.send(m, 0)
		}
	}
	for i, f := range s.program.Faults {
		if f.Kind != model.Byzantine {
			continue
		}
		for _, m := range actors.Moves.Domain(i) {
			s.send(m, 0)
		}
	}
	return s, nil
}

// at returns the set of the actor at a position. A new set has a member that stands for the actor before it is created, unless the actor is
// there from the start.
func (s *sets) at(position uint32) *set {
	if found := s.byPosition[position]; found != nil {
		return found
	}
	to := &set{position: position, locals: map[model.LocalID]*member{}, copies: map[token][]int{}}
	s.byPosition[position] = to
	s.sets = append(s.sets, to)
	if parts := s.actors.Nodes.Parts(s.actors.Initial().At(position)); parts.Local == 0 && !parts.Stopped {
		to.absent = to.add(s, &member{})
	}
	return to
}

func (to *set) add(s *sets, m *member) *member {
	m.set, m.place, m.number = to, len(to.members), len(s.members)
	to.members = append(to.members, m)
	s.members = append(s.members, m)
	return m
}

func (to *set) stop(s *sets) *member {
	if to.stopped == nil {
		to.stopped = to.add(s, &member{})
	}
	return to.stopped
}

// member is the member of a local state.
func (to *set) member(s *sets, l model.LocalID) *member {
	if m := to.locals[l]; m != nil {
		return m
	}
	actor := s.actors.Values.Actor(l)
	m := to.add(s, &member{local: l, collects: s.actors.LocalSteps.Collects(l) && !actor.Down, down: actor.Down})
	to.locals[l] = m
	m.events = make([]event, 0, len(to.messages)+len(s.program.Faults)+1)
	if m.down {
		m.recover(s)
		return m
	}
	if actor.Acts {
		m.run(s, model.Internal, byItself)
	}
	m.beTold(s)
	for i, f := range s.program.Faults {
		if !f.Scope.Has(s.actors.Values.PositionName(int(to.position))) {
			continue
		}
		switch f.Kind {
		case model.Restart, model.Crash:
			m.await(s.actors.LocalSteps.Event(f.Kind), firstFault+token(i))
		case model.Stop:
			m.lead(s, to.stop(s), firstFault+token(i))
		}
	}
	for _, message := range to.messages {
		m.receive(s, message)
	}
	return m
}

// beTold adds the notices that those whom the actor watches have gone, as if that could be at any time.
func (m *member) beTold(s *sets) {
	events, err := s.actors.Moves.Notices(m.local)
	if err != nil {
		panic(err) // a notice has no parts to be read
	}
	for _, e := range events {
		m.await(e, unlimited)
	}
}

// recover adds that an actor starts again which is down. If it may stay down for ever, it does nothing by itself.
func (m *member) recover(s *sets) {
	spends := unlimited
	if !s.program.IsFault(model.Recover) {
		spends = byItself
	}
	m.await(s.actors.LocalSteps.Event(model.Recover.Asked()), spends)
}

// await adds an event, of which nothing is known.
func (m *member) await(id uint32, spends token) {
	m.events = append(m.events, event{id: id, spends: [1]token{spends}})
}

// lead adds an event that needs no question, as nobody runs.
func (m *member) lead(s *sets, to *member, spends token) {
	m.events = append(m.events, event{spends: [1]token{spends}, state: answered, outcomes: span{s.edges.Add(to), 1}})
}

func (m *member) receive(s *sets, message model.MessageID) {
	m.run(s, model.Receive, message, message)
}

// run adds an event that runs a handler, and the crashes within that.
func (m *member) run(s *sets, kind model.EventKind, spends token, messages ...model.MessageID) {
	m.await(s.actors.LocalSteps.Event(kind, messages...), spends)
	for i, f := range s.program.Faults {
		if within, ok := f.KindWithin(); ok && f.Scope.Has(s.actors.Values.PositionName(int(m.set.position))) {
			m.await(s.actors.LocalSteps.Event(within, messages...), withFault(i))
		}
	}
}

// leads are the members that an event leads to.
func (s *sets) leads(e *event) []*member {
	if e.state != answered {
		return nil
	}
	return s.edges.Range(e.outcomes.first, e.outcomes.count)
}

// after yields the places of the members that events of a member lead to.
func (s *sets) after(m *member) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range m.events {
			for _, to := range s.leads(&m.events[i]) {
				if !yield(to.place) {
					return
				}
			}
		}
	}
}

// outcomes yields the outcomes of an event of a member, each with the member that it leads to, which is nil where a handler fails or breaks a
// rule.
func (s *sets) outcomes(m *member, e *event) iter.Seq2[*member, space.LocalOutcome] {
	return func(yield func(*member, space.LocalOutcome) bool) {
		to := s.leads(e)
		switch {
		case e.id == 0:
			yield(to[0], space.LocalOutcome{})
		case e.state == broken:
			yield(nil, space.LocalOutcome{})
		case e.state == answered:
			for o := range s.actors.LocalSteps.Outcomes(space.LocalStep{Local: m.local, Event: e.id}) {
				var next *member
				if o.Failure == 0 {
					next, to = to[0], to[1:]
				}
				if !yield(next, o) {
					return
				}
			}
		}
	}
}

// spends are the tokens that an event spends.
func (s *sets) spends(e *event) []token {
	spent := e.spends[0]
	if spent < together || spent >= firstFault {
		return e.spends[:]
	}
	tokens := s.actors.LocalSteps.EventMessages(e.id)
	if spent == together {
		return tokens
	}
	if len(tokens) == 0 {
		tokens = []token{byItself}
	}
	return append(slices.Clip(tokens), firstFault+spent-withFault(0))
}

// send puts a message into the network, in which it stays. It is sent at least so often.
func (s *sets) send(m model.MessageID, copies int) {
	s.bound(m, copies)
	if s.sent[m] {
		return
	}
	s.sent[m] = true
	to := s.at(s.actors.Values.ReceiverOf(m))
	to.messages = append(to.messages, m)
	for _, at := range to.members {
		if at.local != 0 && !at.down {
			at.receive(s, m)
			s.queue(at)
		}
	}
}

// isFull reports whether the limit ended the sets.
func (s *sets) isFull() bool { return s.limit > 0 && s.steps+uint64(s.functions.Len()) > s.limit }

// isCut reports whether a bound kept members from being found.
func (s *sets) isCut() bool {
	most, bounded := s.bounds[byItself]
	if !bounded || s.isFull() {
		return s.isFull()
	}
	return slices.ContainsFunc(s.members, func(m *member) bool {
		place := slices.IndexFunc(m.events, func(e event) bool { return e.spends[0] == byItself })
		places := m.set.copies[byItself]
		return place >= 0 && len(places) == most && s.functions.DependsOn(m.reached, places[most-1])
	})
}

// faults are, by fault, in how many ways it may happen.
func (s *sets) faults() []uint64 {
	counts := make([]uint64, len(s.program.Faults))
	for i, f := range s.program.Faults {
		for _, of := range s.sets {
			inScope := f.Scope.Has(s.actors.Values.PositionName(int(of.position)))
			switch f.Kind {
			case model.Byzantine:
				counts[i] = uint64(len(s.actors.Moves.Domain(i)))
			case model.Split:
				counts[i]++
			case model.Lose, model.Duplicate:
				if inScope {
					counts[i] += uint64(len(of.messages))
				}
			default:
				if inScope {
					counts[i] += uint64(len(of.locals))
				}
			}
		}
	}
	return counts
}
