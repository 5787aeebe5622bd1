package static

import (
	"fmt"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/por/footprint"
	"harrier/serializer"
)

// A class is a set of transitions that are equal for the relations: such as those of one handler of one actor.
type class struct {
	actor    int
	kind     model.EventKind
	fault    int            // -1 for none
	handler  *model.Handler // nil if none runs
	catchAll bool           // it is all that actors created at run time do, or a task
	keys     []int          // of the messages that it may consume
	several  bool           // it consumes several messages at once
	fires    bool           // it fires a timer
	summary  *summary       // nil if it runs no code
	sends    bitset.Set     // of the messages that it may send
	queues   bitset.Set     // receivers that it may send to whose channels keep the order
}

// discover finds the classes and the messages that they may consume: a fixpoint from the initial messages over the messages that each
// class may send.
func (s *Static) discover() error {
	p := s.wiring.program
	for _, m := range p.Initial.Messages {
		s.scenarioKey(m)
	}
	for i, f := range p.Faults {
		s.addFault(i, f)
	}
	for actor := range s.wiring.names {
		if s.wiring.exists(actor) {
			s.addInternal(actor)
		}
	}
	for before := -1; before != len(s.keys)+len(s.classes); {
		before = len(s.keys) + len(s.classes)
		for i := range s.classes {
			s.follow(&s.classes[i])
		}
		for k := range s.keys {
			s.receive(k)
		}
		s.addCreated()
	}
	if len(s.classes) > 1<<14 {
		return fmt.Errorf("there are %d classes of transitions", len(s.classes))
	}
	return nil
}

// addCreated adds the class of all that actors created at run time may do. It is there without such actors too, since messages
// may be lost on their way to some that never exist.
func (s *Static) addCreated() {
	c := class{actor: children, fault: -1, catchAll: true}
	if s.mayCreate {
		c.summary = s.unknown()
	}
	n := s.class(c)
	s.classes[n].summary = c.summary
}

func (s *Static) unknown() *summary { return s.summary("\x00 not a label") }

// scenarioKey is the key of a message that the scenario declares.
func (s *Static) scenarioKey(m model.Message) int {
	of, how := footprint.TypeOf(m.Payload)
	if how != footprint.Exact {
		of = ""
	}
	return s.key(key{s.wiring.number(m.Receiver), of, s.wiring.number(m.Sender)})
}

func (s *Static) key(k key) int {
	n, ok := s.keyNumbers[k]
	if !ok {
		n = len(s.keys)
		s.keys = append(s.keys, k)
		s.keyNumbers[k] = n
	}
	return n
}

// class adds a class if it is new, and gives its number.
func (s *Static) class(c class) int {
	label := ""
	if c.handler != nil {
		label = c.handler.Label
	}
	of := -1
	if len(c.keys) > 0 && !c.several && c.kind != model.Byzantine {
		of = c.keys[0]
	}
	id := fmt.Sprint(c.actor, c.kind, c.fault, c.catchAll, of, " ", label)
	n, ok := s.found[id]
	if !ok {
		n = len(s.classes)
		s.found[id] = n
		s.classes = append(s.classes, c)
		s.mayCreate = s.mayCreate || c.summary != nil && c.summary.creates
	}
	return n
}

// addFault adds the classes of a fault. A Split has none: no transition that may be chosen depends on one (choose.go).
func (s *Static) addFault(number int, f model.Fault) {
	for actor, name := range s.wiring.names {
		if !f.Scope.Has(name) || actor <= children {
			continue
		}
		c := class{actor: actor, kind: f.Kind, fault: number}
		switch f.Kind {
		case model.Split:
			continue
		case model.Byzantine:
			for _, m := range f.Domain {
				if m.Sender == name {
					c.sends.Put(s.scenarioKey(m))
				}
			}
		case model.Restart:
			c.summary = s.restart(actor)
		}
		if f.Kind == model.Byzantine || s.wiring.exists(actor) {
			s.class(c)
		}
	}
}

// restart is the summary of the restart handler of an actor.
func (s *Static) restart(actor int) *summary {
	for _, h := range s.wiring.program.Handlers {
		if h.Class == s.wiring.class[actor] && h.Kind == model.Restart {
			return s.summary(h.Label)
		}
	}
	return s.unknown()
}

// addInternal adds what an actor may do without messages.
func (s *Static) addInternal(actor int) {
	var ofClass []*model.Handler
	hasAgenda := s.beginsWithAgenda(actor)
	for i := range s.wiring.program.Handlers {
		h := &s.wiring.program.Handlers[i]
		if h.Class != s.wiring.class[actor] {
			continue
		}
		ofClass = append(ofClass, h)
		writes := s.summary(h.Label).writes
		hasAgenda = hasAgenda || writes.any || writes.fields.Has(s.field(model.Agenda))
	}
	for _, h := range ofClass {
		timer := hasAgenda && !h.Quorum && h.Kind == model.Receive
		if timer || h.Kind == model.Internal {
			s.class(class{actor: actor, kind: model.Internal, fault: -1, handler: h, fires: timer, summary: s.summary(h.Label)})
		}
	}
	if hasAgenda && !s.onlyTimers {
		s.class(class{actor: actor, kind: model.Internal, fault: -1, catchAll: true, fires: true, summary: s.unknown()})
	}
}

// beginsWithAgenda reports whether an actor has pending timers or waiting tasks in its initial state.
func (s *Static) beginsWithAgenda(actor int) bool {
	for _, a := range s.wiring.program.Initial.Actors {
		if a.Name == s.wiring.names[actor] {
			return serializer.MayHavePending(a.Local)
		}
	}
	return true
}

// receive adds the classes that may consume messages of a key.
func (s *Static) receive(k int) {
	of := s.keys[k]
	if !s.wiring.exists(of.receiver) {
		return // the class of created actors has it, and adversaries receive nothing
	}
	if s.wiring.program.Delivery != model.M {
		s.class(class{actor: of.receiver, kind: model.Deliver, fault: -1, keys: []int{k}})
	}
	for _, h := range s.takers(s.wiring.class[of.receiver], of.of) {
		n := s.class(class{actor: of.receiver, kind: model.Receive, fault: -1, handler: &h, keys: []int{k}, several: h.Quorum,
			summary: s.summary(h.Label)})
		if c := &s.classes[n]; h.Quorum && !slices.Contains(c.keys, k) {
			c.keys = append(c.keys, k)
		}
	}
}
