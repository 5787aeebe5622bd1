package closure

import (
	"slices"

	"harrier/model"
)

// nodeFacts are what is known of a node of the searched system.
type nodeFacts struct {
	position  uint32
	local     model.LocalID // 0 if the actor does not exist
	stopped   bool
	messages  setID // in flight to it, and delivered
	waiting   []model.MessageID
	delivered []model.MessageID
	slot      uint32
	events    []*eventFacts
	offers    []*offer // by the number of faults
}

// eventFacts are an event that a node offers, with its transitions.
type eventFacts struct {
	kind      model.EventKind
	event     uint32 // in the closure's ids, if handlers run
	messages  []model.MessageID
	parts     []outcomeFacts
	fault     int
	tolled    bool
	cuts      []int
	isHarmful bool // it extends the history, or what it sends may not be sent early
}

// outcomeFacts are a transition.
type outcomeFacts struct {
	step       uint32        // of the node
	local      model.LocalID // after it; 0 if it fails or stops
	isHarmless bool          // it may be taken in front of a run that others take: nobody can tell
}

// node gives the facts of a node in a slot, which is expanded.
func (t *tables) node(s model.State, slot uint32) (*nodeFacts, error) {
	id := s[slot+1]
	for int(id) >= len(t.met) {
		t.met = append(t.met, nil)
	}
	if t.met[id] == nil {
		n, err := t.newNode(s, slot, t.searched.Offered(s, slot))
		if err != nil {
			return nil, err
		}
		t.met[id] = n
	}
	return t.met[id], nil
}

// newNode finds the facts of a node of which so many transitions are of interest.
func (t *tables) newNode(s model.State, slot, offered uint32) (*nodeFacts, error) {
	parts := t.searched.NodeParts(s[slot+1])
	n := &nodeFacts{stopped: parts.Stopped, slot: slot, position: t.steps.Position(t.searched.PositionName(int(slot + 1)))}
	var err error
	if n.local, err = t.steps.Local(parts.Local); err != nil {
		return nil, err
	}
	if n.waiting, err = t.translated(parts.Waiting); err != nil {
		return nil, err
	}
	if n.delivered, err = t.translated(parts.Delivered); err != nil {
		return nil, err
	}
	var entries []entry
	for _, m := range slices.Concat(n.waiting, n.delivered) {
		entries = append(entries, entry{messageItem(m), 1})
	}
	n.messages = t.of(entries, copies.plus)
	events := map[uint32]*eventFacts{}
	for k := range offered {
		p := t.searched.TransitionParts(s, model.Transition{Slot: slot, Step: k})
		e := events[p.Event]
		if e == nil {
			if e, err = t.newEvent(p); err != nil {
				return nil, err
			}
			events[p.Event] = e
			n.events = append(n.events, e)
		}
		if err := t.addOutcome(n, e, p, k); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (t *tables) translated(searched []model.MessageID) ([]model.MessageID, error) {
	var messages []model.MessageID
	for _, m := range searched {
		id, err := t.steps.Message(m)
		if err != nil {
			return nil, err
		}
		messages = append(messages, id)
	}
	return messages, nil
}

func (t *tables) newEvent(p model.TransitionParts) (*eventFacts, error) {
	e := &eventFacts{kind: p.Kind, fault: p.Fault, tolled: p.Tolled, cuts: p.Cuts}
	var err error
	if e.messages, err = t.translated(p.Messages); err != nil {
		return nil, err
	}
	switch p.Kind {
	case model.Receive:
		if len(e.messages) == 1 {
			e.event = t.message(e.messages[0]).reception
		} else {
			e.event = t.receptionOf(e.messages)
		}
	case model.Internal:
		e.event = t.internal
	}
	return e, nil
}

func (t *tables) addOutcome(n *nodeFacts, e *eventFacts, p model.TransitionParts, step uint32) error {
	o := outcomeFacts{step: step, isHarmless: !p.Fails && !p.Stops}
	var err error
	if o.local, err = t.steps.Local(p.Local); err != nil {
		return err
	}
	if p.Records {
		e.isHarmful = true
	}
	for _, effect := range p.Effects {
		if effect.Message == 0 {
			o.isHarmless = false
			continue
		}
		m, err := t.steps.Message(effect.Message)
		if err != nil {
			return err
		}
		if t.shrinks(t.message(m).receiver) {
			e.isHarmful = true
		}
	}
	if t.hasInvariants && o.isHarmless {
		if o.isHarmless, err = t.looksEqual(n.local, o.local); err != nil {
			return err
		}
	}
	e.parts = append(e.parts, o)
	return nil
}

// looksEqual says whether invariants cannot tell two local states apart.
func (t *tables) looksEqual(a, b model.LocalID) (bool, error) {
	if a == 0 || b == 0 {
		return a == b, nil
	}
	one, err := t.local(a)
	if err != nil {
		return false, err
	}
	before := one.Visible
	two, err := t.local(b)
	if err != nil {
		return false, err
	}
	return before == two.Visible, nil
}

// A toll is what is global has to say of an event.
type toll uint8

const (
	free    toll = iota
	refused      // for ever
	asked        // it may refuse it now or later
)

// toll of an event when some faults may still happen.
func (e *eventFacts) toll(f *faults) toll {
	switch {
	case e.fault >= 0 && f.left[e.fault] == 0:
		return refused
	case !e.tolled:
		return free
	case e.fault >= 0:
		return asked
	}
	for _, cut := range e.cuts {
		if f.left[cut] != 0 {
			return asked
		}
	}
	return free
}
