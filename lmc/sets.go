package lmc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/bitset"
	"harrier/model"
)

// A set is the abstract reachable set of the actor at a position.
type set struct {
	position uint32
	members  []*member
	locals   map[model.LocalID]*member
	absent   *member           // while the actor is not created; nil if it is there from the start
	stopped  *member           // once it stopped; nil if it never does
	messages []model.MessageID // to it, all that were ever sent
	copies   map[token][]int   // places in bitsets, one for each time that a token may be spent
	places   int               // of bitsets
}

// A member is a local state in an abstract reachable set.
type member struct {
	set     *set
	place   int           // among those of the set
	number  int           // among all
	local   model.LocalID // 0 where the actor does not exist
	events  []*event
	several map[uint32]bool // events that consume several messages; nil if there can be none
	inbox   int             // how many messages they were found among
	reached []*reached      // none of them spent all that another one did
	before  []*member
	fails   bool // a handler fails here, or breaks a rule
}

// An event is one of a member.
type event struct {
	id     uint32  // the model's; 0 for a crash for good
	spends []token // sorted
	edges  []edge
	fails  bool // in some outcome
	state  askState
	waits  []*reached // for the answer
}

type askState uint8

const (
	unasked askState = iota
	asking
	answered
	broken // it breaks a rule, and has no outcomes
)

// An edge is an outcome.
type edge struct {
	to    *member
	sends []model.Effect
}

// A token is what may be spent only so often: a message, as often as it is sent; a fault, as often as its budget says; or what an
// actor does by itself, where --max-local-events bounds it.
type token uint32

const (
	byItself   token = 1 << 31
	firstFault token = 1 << 30
)

// reached is a way to reach a member: what was spent, as a set of places. It stands for all ways that spent more.
type reached struct {
	*member
	spent    bitset.Set
	next     int   // the first event that was not tried
	blocked  []int // events that were tried, and had no token left
	isQueued bool
	isDone   bool // another one spent less
}

// sets are the abstract reachable sets of all actors, and the network that only grows.
type sets struct {
	actors     *model.Actors
	program    *model.Program
	progress   *dbss.Progress  // has ways for states, and local steps for transitions
	most       uint64          // of members with what was spent; 0 for no bound
	byPosition map[uint32]*set // by position
	sets       []*set          // in the order in which they were met
	members    int
	ways       uint64 // reached, also those that are done
	steps      uint64 // local steps
	polled     uint64
	bounds     map[token]int // how often each token may be spent; unbounded if it is not there
	raised     map[*set]bool // there are more tokens for what was blocked in them
	sent       map[model.MessageID]bool
	initial    map[model.MessageID]int // how often a message is there from the start
	work       []*reached
	batch      []asked
	runs       []uint64 // by handler: how many outcomes are its
	failing    int      // members
	reason     string   // why the sets are not complete
}

// asked is a local step to ask for.
type asked struct {
	*member
	*event
}

var errRecords = errors.New("a step adds to the history")

func newSets(actors *model.Actors, most uint64, localEvents int, progress *dbss.Progress) (*sets, error) {
	s := &sets{
		actors: actors, program: actors.Program(), progress: progress, most: most, byPosition: map[uint32]*set{}, bounds: map[token]int{},
		raised: map[*set]bool{}, sent: map[model.MessageID]bool{}, initial: map[model.MessageID]int{},
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
	if len(actors.History(initial)) > 0 {
		return nil, errRecords
	}
	for position, n := range initial[1:] {
		parts := actors.NodeParts(n)
		to := s.at(uint32(position + 1))
		switch {
		case parts.Stopped:
			s.reach(to.stop(s), nil)
		case parts.Local != 0:
			s.reach(to.member(s, parts.Local), nil)
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
		for _, m := range actors.Domain(i) {
			s.send(m, 0)
		}
	}
	return s, nil
}

// at is the set of the actor at a position. It has what is so before the actor is created.
func (s *sets) at(position uint32) *set {
	if found := s.byPosition[position]; found != nil {
		return found
	}
	to := &set{position: position, locals: map[model.LocalID]*member{}, copies: map[token][]int{}}
	s.byPosition[position] = to
	s.sets = append(s.sets, to)
	if parts := s.actors.NodeParts(s.actors.Initial().At(position)); parts.Local == 0 && !parts.Stopped {
		to.absent = to.add(s, &member{})
	}
	return to
}

func (to *set) add(s *sets, m *member) *member {
	m.set, m.place, m.number = to, len(to.members), s.members
	to.members = append(to.members, m)
	s.members++
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
	m := to.add(s, &member{local: l})
	to.locals[l] = m
	if s.actors.Collects(l) {
		m.several = map[uint32]bool{}
	}
	if s.actors.Actor(l).Acts {
		m.events = append(m.events, &event{id: s.actors.LocalEvent(model.Internal), spends: []token{byItself}})
	}
	for i, f := range s.program.Faults {
		if !f.Scope.Has(s.actors.PositionName(int(to.position))) {
			continue
		}
		switch f.Kind {
		case model.Restart:
			m.events = append(m.events, &event{id: s.actors.LocalEvent(model.Restart), spends: []token{firstFault + token(i)}})
		case model.Stop:
			m.events = append(m.events, &event{spends: []token{firstFault + token(i)}, state: answered, edges: []edge{{to: to.stop(s)}}})
			to.stopped.before = append(to.stopped.before, m)
		}
	}
	for _, message := range to.messages {
		m.receive(s, message)
	}
	return m
}

func (m *member) receive(s *sets, message model.MessageID) {
	m.events = append(m.events, &event{id: s.actors.LocalEvent(model.Receive, message), spends: []token{token(message)}})
}

// send puts a message into the network, in which it stays. It is sent at least so often.
func (s *sets) send(m model.MessageID, copies int) {
	s.bound(m, copies)
	if s.sent[m] {
		return
	}
	s.sent[m] = true
	to := s.at(s.actors.ReceiverOf(m))
	to.messages = append(to.messages, m)
	for _, at := range to.members {
		if at.local != 0 {
			at.receive(s, m)
			s.queue(at.reached...)
		}
	}
}

func (s *sets) queue(all ...*reached) {
	for _, r := range all {
		if !r.isQueued {
			r.isQueued = true
			s.work = append(s.work, r)
		}
	}
}

// reach notes that a member can be reached when something was spent.
func (s *sets) reach(m *member, spent bitset.Set) {
	for _, r := range m.reached {
		if r.spent.IsWithin(spent) {
			return
		}
	}
	m.reached = slices.DeleteFunc(m.reached, func(r *reached) bool {
		r.isDone = spent.IsWithin(r.spent)
		return r.isDone
	})
	r := &reached{member: m, spent: spent}
	m.reached = append(m.reached, r)
	s.ways++
	s.queue(r)
}

// complete finds all members that can be reached, as far as tokens go.
func (s *sets) complete(ctx context.Context) error {
	for {
		for len(s.work) > 0 {
			if s.most > 0 && s.ways > s.most {
				s.reason = fmt.Sprintf("the abstract sets ended after %d local states, told apart by the messages they took (--max-states)", s.most)
				return nil
			}
			last := len(s.work) - 1
			r := s.work[last]
			s.work = s.work[:last]
			r.isQueued = false
			s.advance(r)
			if s.polled++; s.polled%1024 == 0 {
				s.tell()
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
			}
		}
		if len(s.batch) > 0 {
			s.tell()
			if err := s.ask(ctx); err != nil {
				return err
			}
			continue
		}
		if err := s.together(); err != nil || len(s.work) == 0 {
			return err
		}
	}
}

func (s *sets) tell() {
	s.progress.States.Store(s.ways)
	s.progress.Transitions.Store(s.steps)
	s.progress.Frontier.Store(uint64(len(s.work)))
}

// advance tries the events that were not tried.
func (s *sets) advance(r *reached) {
	for ; !r.isDone && r.next < len(r.events); r.next++ {
		if !s.try(r, r.events[r.next]) {
			r.blocked = append(r.blocked, r.next)
		}
	}
}

// try takes an event, once it is answered. It returns false if a token is missing.
func (s *sets) try(r *reached, e *event) bool {
	spent, ok := s.spend(r.set, r.spent, e.spends)
	switch {
	case !ok:
		return false
	case e.state == answered || e.state == broken:
		s.take(e, spent)
		return true
	case e.state == unasked:
		e.state = asking
		s.batch = append(s.batch, asked{r.member, e})
	}
	e.waits = append(e.waits, r)
	return true
}

func (s *sets) take(e *event, spent bitset.Set) {
	for _, edge := range e.edges {
		s.reach(edge.to, spent)
	}
}

// spend is what was spent when some tokens are spent as well; false if one of them is missing.
func (s *sets) spend(of *set, spent bitset.Set, tokens []token) (bitset.Set, bool) {
	isOwn := false
	for _, t := range tokens {
		most, isBounded := s.bounds[t]
		if !isBounded {
			continue
		}
		places := of.copies[t]
		for len(places) < most {
			places = append(places, of.places)
			of.places++
		}
		of.copies[t] = places
		i := slices.IndexFunc(places[:most], func(place int) bool { return !spent.Has(place) })
		if i < 0 {
			return nil, false
		}
		if !isOwn {
			spent, isOwn = slices.Clone(spent), true
		}
		spent.Put(places[i])
	}
	return spent, true
}

// retry tries the events again that had no token left.
func (s *sets) retry(of *set) {
	for _, m := range of.members {
		for _, r := range slices.Clone(m.reached) {
			blocked := r.blocked
			r.blocked = nil
			for _, i := range blocked {
				if !r.isDone && !s.try(r, r.events[i]) {
					r.blocked = append(r.blocked, i)
				}
			}
		}
	}
}

// allow has each actor do something by itself so often.
func (s *sets) allow(times int) {
	if s.bounds[byItself] == times {
		return
	}
	s.bounds[byItself] = times
	for _, of := range s.sets {
		s.retry(of)
	}
}

// isCut reports whether a bound kept members from being found.
func (s *sets) isCut() bool {
	if s.reason != "" {
		return true
	}
	for _, of := range s.sets {
		for _, m := range of.members {
			for _, r := range m.reached {
				if slices.ContainsFunc(r.blocked, func(i int) bool { return slices.Contains(m.events[i].spends, byItself) }) {
					return true
				}
			}
		}
	}
	return false
}

// faults are, by fault, in how many ways it may happen.
func (s *sets) faults() []uint64 {
	counts := make([]uint64, len(s.program.Faults))
	for i, f := range s.program.Faults {
		for _, of := range s.sets {
			isIn := f.Scope.Has(s.actors.PositionName(int(of.position)))
			switch f.Kind {
			case model.Byzantine:
				counts[i] = uint64(len(s.actors.Domain(i)))
			case model.Split:
				counts[i]++
			case model.Lose, model.Duplicate:
				if isIn {
					counts[i] += uint64(len(of.messages))
				}
			default:
				if isIn {
					counts[i] += uint64(len(of.locals))
				}
			}
		}
	}
	return counts
}
