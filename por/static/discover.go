package static

import (
	"bytes"
	"fmt"
	"slices"

	"harrier/model"
	"harrier/por/footprint"
)

// A class is a class of transitions.
type class struct {
	actor   int
	kind    model.EventKind
	fault   int            // of what belongs to a fault, else -1
	handler *model.Handler // nil if none runs
	isAny   bool           // it is all that the actors do that are created at run time, or a task
	keys    []int          // of messages that it may take, one or several
	several bool           // it takes several
	fires   bool           // it ends a timer
	print   *print         // nil if it runs no code
	sends   set            // keys of what it may send
	queues  set            // receivers that it may send to whose channels keep the order
}

// discover finds the classes, and the messages that they may take, from what is there at the start and what is sent on.
func (s *Static) discover() error {
	p := s.wiring.program
	for _, m := range p.Initial.Messages {
		s.mail(m)
	}
	for i, f := range p.Faults {
		s.befall(i, f)
	}
	for actor := range s.wiring.names {
		if s.wiring.exists(actor) {
			s.byItself(actor)
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
		s.beBorn()
	}
	if len(s.classes) > 1<<14 {
		return fmt.Errorf("there are %d classes of transitions", len(s.classes))
	}
	return nil
}

// beBorn adds all that actors may do that are created at run time. Messages may be lost on their way to some that never are.
func (s *Static) beBorn() {
	c := class{actor: children, fault: -1, isAny: true}
	if s.hasBirths {
		c.print = s.unknown()
	}
	n := s.class(c)
	s.classes[n].print = c.print
}

func (s *Static) unknown() *print { return s.print("\x00 not a label") }

// mail makes the key of a message that the scenario has.
func (s *Static) mail(m model.Message) int {
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
	if len(c.keys) > 0 && !c.several && c.kind != model.Forge {
		of = c.keys[0]
	}
	id := fmt.Sprint(c.actor, c.kind, c.fault, c.isAny, of, " ", label)
	n, ok := s.found[id]
	if !ok {
		n = len(s.classes)
		s.found[id] = n
		s.classes = append(s.classes, c)
		s.hasBirths = s.hasBirths || c.print != nil && c.print.creates
	}
	return n
}

// befall adds what a fault may do, but for splits: what these do depends on no transition that may be chosen (choose.go).
func (s *Static) befall(number int, f model.Fault) {
	for actor, name := range s.wiring.names {
		if !f.Scope.Has(name) || actor <= children {
			continue
		}
		c := class{actor: actor, kind: f.Kind, fault: number}
		switch f.Kind {
		case model.Split:
			continue
		case model.Forge:
			for _, m := range f.Forged {
				if m.Sender == name {
					c.sends.put(s.mail(m))
				}
			}
		case model.Restart:
			c.print = s.restart(actor)
		}
		if f.Kind == model.Forge || s.wiring.exists(actor) {
			s.class(c)
		}
	}
}

// restart is what an actor does after a crash.
func (s *Static) restart(actor int) *print {
	for _, h := range s.wiring.program.Handlers {
		if h.Class == s.wiring.class[actor] && h.Kind == model.Restart {
			return s.print(h.Label)
		}
	}
	return s.unknown()
}

// byItself adds what an actor may do without messages.
func (s *Static) byItself(actor int) {
	var ofClass []*model.Handler
	hasAgenda := s.beginsWithAgenda(actor)
	for i := range s.wiring.program.Handlers {
		h := &s.wiring.program.Handlers[i]
		if h.Class != s.wiring.class[actor] {
			continue
		}
		ofClass = append(ofClass, h)
		writes := s.print(h.Label).writes
		hasAgenda = hasAgenda || writes.any || writes.fields.has(s.field(model.Agenda))
	}
	for _, h := range ofClass {
		isTimer := hasAgenda && !h.Quorum && h.Kind == model.Receive
		if isTimer || h.Kind == model.Internal {
			s.class(class{actor: actor, kind: model.Internal, fault: -1, handler: h, fires: isTimer, print: s.print(h.Label)})
		}
	}
	if hasAgenda && !s.onlyTimers {
		s.class(class{actor: actor, kind: model.Internal, fault: -1, isAny: true, fires: true, print: s.unknown()})
	}
}

// beginsWithAgenda reports whether an actor has something to do by itself from the start that is no internal handler's.
func (s *Static) beginsWithAgenda(actor int) bool {
	for _, a := range s.wiring.program.Initial.Actors {
		if a.Name == s.wiring.names[actor] {
			return bytes.Contains(a.Local, []byte("pending timers")) || bytes.Contains(a.Local, []byte("waiting tasks"))
		}
	}
	return true
}

// receive adds who may take messages of a key.
func (s *Static) receive(k int) {
	of := s.keys[k]
	if !s.wiring.exists(of.receiver) {
		return // created actors do what they like, and others do nothing
	}
	if s.wiring.program.Passing != model.M {
		s.class(class{actor: of.receiver, kind: model.Deliver, fault: -1, keys: []int{k}})
	}
	for _, h := range s.takers(s.wiring.class[of.receiver], of.of) {
		n := s.class(class{actor: of.receiver, kind: model.Receive, fault: -1, handler: &h, keys: []int{k}, several: h.Quorum, print: s.print(h.Label)})
		if c := &s.classes[n]; h.Quorum && !slices.Contains(c.keys, k) {
			c.keys = append(c.keys, k)
		}
	}
}
