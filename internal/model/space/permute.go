package space

import (
	"cmp"
	"errors"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// A Permutation of actors maps local states, messages and nodes. They are interned, and Java is not asked for
// them. Several goroutines may use it at once.
type Permutation struct {
	actors *Actors
	by     Renaming

	locals, messages pairs.Map // (id, 0) -> id
	nodes            pairs.Map // (node, position) -> node
}

// NewPermutation makes the permutation that renames actors.
func NewPermutation(a *Actors, by Renaming) *Permutation { return &Permutation{actors: a, by: by} }

// Position is what a position becomes.
func (p *Permutation) Position(position uint32) uint32 {
	p.actors.Values.mu.Lock()
	defer p.actors.Values.mu.Unlock()
	return p.position(position)
}

func (p *Permutation) position(position uint32) uint32 {
	return p.actors.Values.position(p.by.Of(*p.actors.Values.names.At(position)))
}

// Bytes is what structured bytes become.
func (p *Permutation) Bytes(b []byte) ([]byte, error) { return p.by.Bytes(b) }

// Message is what a message becomes.
func (p *Permutation) Message(m model.MessageID) (model.MessageID, error) {
	if to, ok := p.messages.Get(m, 0); ok {
		return to, nil
	}
	p.actors.Values.mu.Lock()
	defer p.actors.Values.mu.Unlock()
	return p.message(m)
}

// Local is what a local state becomes.
func (p *Permutation) Local(l model.LocalID) (model.LocalID, error) {
	p.actors.Values.mu.Lock()
	defer p.actors.Values.mu.Unlock()
	return p.local(l)
}

// Node is what the node at a position becomes.
func (p *Permutation) Node(position uint32, n model.NodeID) (model.NodeID, error) {
	if to, ok := p.nodes.Get(n, position); ok {
		return to, nil
	}
	a := p.actors
	a.Values.mu.Lock()
	defer a.Values.mu.Unlock()
	node := a.Nodes.list.At(n)
	if node.stopped {
		last, err := p.local(node.last)
		if err != nil {
			return 0, err
		}
		open, err := p.list(node.open)
		return a.Nodes.attempted(a.Nodes.stop(p.position(position), last), open), err
	}
	local, err := p.local(node.local)
	if err != nil {
		return 0, err
	}
	waiting, err := p.list(node.waiting)
	if err != nil {
		return 0, err
	}
	delivered, err := p.list(node.delivered)
	if err != nil {
		return 0, err
	}
	open, err := p.list(node.open)
	if err != nil {
		return 0, err
	}
	to := a.Nodes.node(local, inbox{waiting, delivered, open})
	p.nodes.Put(n, position, to)
	return to, nil
}

func (p *Permutation) local(l model.LocalID) (model.LocalID, error) {
	if l == 0 {
		return 0, nil
	}
	if to, ok := p.locals.Get(l, 0); ok {
		return to, nil
	}
	image, err := p.by.Actor(p.actors.Values.Actor(l))
	if err != nil {
		return 0, err
	}
	to, err := p.actors.Values.internLocal(p.actors.Values.position(image.Name), image)
	if err == nil {
		p.locals.Put(l, 0, to)
	}
	return to, err
}

func (p *Permutation) message(m model.MessageID) (model.MessageID, error) {
	if to, ok := p.messages.Get(m, 0); ok {
		return to, nil
	}
	image, err := p.by.Message(p.actors.Values.Message(m))
	if err != nil {
		return 0, err
	}
	to, err := p.actors.Values.internMessage(image)
	if err == nil {
		p.messages.Put(m, 0, to)
	}
	return to, err
}

// list returns the image of a list of messages. Messages of one sender stay in their order.
func (p *Permutation) list(i model.ListID) (model.ListID, error) {
	var messages []model.MessageID
	for _, m := range p.actors.messageLists.at(i) {
		to, err := p.message(m)
		if err != nil {
			return 0, err
		}
		messages = p.actors.messageLists.inboxOf(to).Put(messages, to)
	}
	return p.actors.messageLists.intern(messages), nil
}

// Step is what a local step becomes.
func (p *Permutation) Step(st LocalStep) (LocalStep, error) {
	a := p.actors
	a.Values.mu.Lock()
	defer a.Values.mu.Unlock()
	local, err := p.local(st.Local)
	if err != nil {
		return LocalStep{}, err
	}
	of := a.LocalSteps.events.At(st.Event)
	messages := make([]model.MessageID, len(of.messages))
	for i, m := range of.messages {
		if messages[i], err = p.message(m); err != nil {
			return LocalStep{}, err
		}
	}
	to := event{kind: of.kind, fault: of.fault}
	for _, place := range a.messageLists.arranged(messages) {
		to.messages = append(to.messages, messages[place])
	}
	return LocalStep{local, a.LocalSteps.event(to)}, nil
}

// Commutes reports whether the outcomes of a local step become those of its image, in any order, and its quorums are those of
// its image. Both steps were asked for.
func (p *Permutation) Commutes(st, image LocalStep) (bool, error) {
	a := p.actors
	a.Values.mu.Lock()
	defer a.Values.mu.Unlock()
	if !sameQuorums(*a.LocalSteps.quorums.At(a.LocalSteps.answer(st).quorums), *a.LocalSteps.quorums.At(a.LocalSteps.answer(image).quorums)) {
		return false, nil
	}
	var should, does []string
	for _, o := range a.LocalSteps.outcomesOf(st) {
		r, err := p.result(a.LocalSteps.result(o))
		if err != nil {
			return false, err
		}
		if should, err = a.LocalSteps.addKey(should, r); err != nil {
			return false, err
		}
	}
	for _, o := range a.LocalSteps.outcomesOf(image) {
		var err error
		if does, err = a.LocalSteps.addKey(does, a.LocalSteps.result(o)); err != nil {
			return false, err
		}
	}
	slices.Sort(should)
	slices.Sort(does)
	return slices.Equal(should, does), nil
}

func sameQuorums(one, other []model.Quorum) bool {
	isNotIn := func(all []model.Quorum) func(model.Quorum) bool {
		return func(q model.Quorum) bool { return !slices.Contains(all, q) }
	}
	return !slices.ContainsFunc(one, isNotIn(other)) && !slices.ContainsFunc(other, isNotIn(one))
}

// A result is an outcome with its effects and optional fields.
type result struct {
	outcome
	effects  []Effect
	optional optional
}

func (s *LocalSteps) result(o outcome) result {
	in := s.spans.At(o.effects)
	return result{o, s.effects.Range(in.first, in.count), *s.optional.At(o.optional)}
}

// result is what a result becomes.
func (p *Permutation) result(r result) (result, error) {
	to := result{outcome: outcome{handler: r.handler, failure: r.failure, due: r.due}, effects: make([]Effect, len(r.effects))}
	var errs [4]error
	to.local, errs[0] = p.local(r.local)
	to.optional.records, errs[1] = Images(r.optional.records, p.by.record)
	if len(r.optional.fired) > 0 {
		to.optional.fired, errs[2] = p.by.Bytes(r.optional.fired)
	}
	to.optional.renewed, errs[3] = Images(r.optional.renewed, p.by.event)
	if err := errors.Join(errs[:]...); err != nil {
		return to, err
	}
	for i, e := range r.effects {
		image := Effect{Position: p.position(e.Position)}
		var err error
		if e.Message == 0 {
			image.Local, err = p.local(e.Local)
		} else {
			image.Message, err = p.message(e.Message)
		}
		if err != nil {
			return to, err
		}
		to.effects[i] = image
	}
	return to, nil
}

// addKey adds the key of a result, which is equal for those that agree in what Decomposition.OutcomeKey covers.
func (s *LocalSteps) addKey(keys []string, r result) ([]string, error) {
	if r.failure != 0 {
		return append(keys, slab.Join(slab.Key(r.handler), "fails")), nil
	}
	effects := slices.SortedStableFunc(slices.Values(r.effects), func(x, y Effect) int {
		if by := cmp.Compare(x.Position, y.Position); by != 0 || s.values.program.Channel(*s.values.names.At(x.Position)).KeepsOrder() {
			return by
		}
		return cmp.Compare(x.Message, y.Message)
	})
	fired := r.optional.fired
	if len(fired) > 0 {
		var err error
		if fired, err = s.values.Decomposition.Hashed(fired); err != nil {
			return nil, err
		}
	}
	due := uint32(0)
	if r.due {
		due = 1
	}
	renewed, err := s.values.Decomposition.eventsKey(r.optional.renewed)
	return append(keys, slab.Join(slab.Key(r.handler, r.local, due), effectsKey(effects), string(fired), renewed, recordsKey(r.optional.records))), err
}
