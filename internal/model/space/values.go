package space

import (
	"fmt"
	"slices"
	"sync"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Values gives the names of actors, local states, messages and handlers that ids stand for. They are interned: equal values have one id.
type Values struct {
	Decomposition Decomposition
	program       *model.Program
	watches       bool // actors of the program may watch others
	tracks        bool // which connections are open is part of states

	mu sync.Mutex // guards all interned values, here and in the tables that read these, but for reading by id and looking up pairs

	names     *slab.Table[string]
	locals    *slab.Table[local]
	messages  *slab.Table[message]
	handlers  *slab.Table[string]           // by label
	presences *slab.Table[string]           // that an actor exists under a name, and its class
	failures  slab.List[*model.StepFailure] // the first is nil

	localVariants, messageVariants variants
}

type local struct {
	bytes    []byte
	class    string
	position uint32
	presence uint32
	acts     bool
	down     bool // the actor has crashed and may start again
	ahead    int  // by how many ticks its clock is ahead of the rounds
	watches  []string
	single   bool          // what the actor may do with a message in flight depends on nothing but this state
	last     model.LocalID // the local state that properties see once the actor has stopped in this one; 0 for this one itself
}

type message struct {
	model.Message
	position uint32 // of its receiver
	channel  network.Channel
	fresh    model.MessageID // the same message with no age; 0 if it has none
	opened   model.MessageID // where connections are tracked: that of the receiver on which it is sent, as Opened; 0 if it is on none
	order    string          // its place among other messages: its relevant part, then the rest
}

func newValues(p *model.Program, d Decomposition) *Values {
	v := &Values{
		Decomposition: d, program: p, watches: p.Watches(), tracks: p.TracksConnections(),
		names: slab.NewTable[string](), locals: slab.NewTable[local](), messages: slab.NewTable[message](),
		handlers: slab.NewTable[string](), presences: slab.NewTable[string](),
	}
	v.failures.Add(nil)
	for _, h := range p.Handlers {
		v.handler(h.Label)
	}
	return v
}

// internLocal gives local states with equal hashed parts, in which the actor is down or not, and acts by itself or does not, the same id.
// The first that is met represents them: Java executes on it. Of an actor that has stopped only the hashed part is of use, so local states
// with an equal one share a last state.
func (v *Values) internLocal(position uint32, of model.Actor) (model.LocalID, error) {
	id, err := v.internOne(position, of)
	if err != nil || !v.program.SeesStopped || !of.Acts && !of.Down && of.Ahead == 0 && len(of.Watches) == 0 || v.locals.At(id).last != 0 {
		return id, err
	}
	v.locals.At(id).last, err = v.internOne(position, model.Actor{Class: of.Class, Local: of.Local})
	return id, err
}

func (v *Values) internOne(position uint32, of model.Actor) (model.LocalID, error) {
	of.Acts = of.Acts && !of.Down // whoever is down does nothing, whatever it may do once it is back
	hashed, err := v.Decomposition.Hashed(of.Local)
	if err != nil {
		return 0, err
	}
	if of.Down {
		hashed = append(slices.Clone(hashed), "down"...) // no encoding is the beginning of another one
	}
	if of.Ahead != 0 {
		hashed = fmt.Append(slices.Clone(hashed), "ahead", of.Ahead)
	}
	if len(of.Watches) > 0 {
		hashed = append(slices.Clone(hashed), slab.Join(of.Watches...)...)
	}
	id := v.locals.FindBytes(hashed)
	if id != 0 && v.locals.At(id).acts != of.Acts {
		hashed = append(slices.Clone(hashed), "other"...)
		id = v.locals.FindBytes(hashed)
	}
	if id == 0 {
		name, key, whole := *v.names.At(position), string(hashed), slices.Clone(of.Local)
		if string(whole) == key {
			key = slab.Text(whole)
		}
		presence := v.presences.Intern(slab.Join(name, of.Class), func() string { return of.Class })
		id = v.locals.Intern(key, func() local {
			return local{whole, of.Class, position, presence, of.Acts, of.Down, of.Ahead, of.Watches, v.takesSingly(name, of.Class), 0}
		})
	}
	v.noteLocal(id, of.Local)
	return id, nil
}

// Fresh returns a message without its age, which makes no difference to who receives it.
func (v *Values) Fresh(m model.MessageID) model.MessageID {
	if fresh := v.messages.At(m).fresh; fresh != 0 {
		return fresh
	}
	return m
}

func (v *Values) internMessage(m model.Message) (model.MessageID, error) {
	relevant, err := v.Decomposition.relevant(m.Payload)
	if err != nil {
		return 0, err
	}
	var fresh model.MessageID
	if m.Age > 0 {
		of := m
		of.Age = 0
		if fresh, err = v.internMessage(of); err != nil {
			return 0, err
		}
	}
	var opened model.MessageID
	if v.tracks && v.program.OnConnection(m) && !m.IsOpened() {
		if opened, err = v.internMessage(network.Opened(m.Receiver, m.Sender)); err != nil {
			return 0, err
		}
	}
	order := v.Decomposition.envelopeKey(m, relevant)
	hashed := order
	if v.Decomposition.Hashing >= Last {
		hashed = v.Decomposition.envelopeKey(m, m.Payload)
		order += hashed
	}
	id := v.messages.Intern(hashed, func() message {
		m.Payload = slices.Clone(m.Payload) // it is part of a whole batch of answers
		return message{Message: m, position: v.position(m.Receiver), channel: v.program.Channel(m.Receiver), fresh: fresh, opened: opened, order: order}
	})
	v.noteMessage(id, m)
	return id, nil
}

func (v *Values) position(name string) uint32 {
	return v.names.Intern(name, func() string { return name })
}

func (v *Values) handler(label string) uint32 {
	return v.handlers.Intern(label, func() string { return label })
}

// Actor describes the actor that has a local state.
func (v *Values) Actor(l model.LocalID) model.Actor {
	of := v.locals.At(l)
	return model.Actor{Name: *v.names.At(of.position), Class: of.class, Local: of.bytes, Acts: of.acts, Down: of.down, Ahead: of.ahead, Watches: of.watches}
}

// Message is the representative of a message.
func (v *Values) Message(id model.MessageID) model.Message { return v.messages.At(id).Message }

// ReceiverOf is the position of the actor that a message is to.
func (v *Values) ReceiverOf(m model.MessageID) uint32 { return v.messages.At(m).position }

// Positions is how many positions of states have names so far. They count from 1.
func (v *Values) Positions() int { return v.names.Len() }

// PositionName is the name of the actor at a position of a State, from 1.
func (v *Values) PositionName(position int) string { return *v.names.At(uint32(position)) }

// Handlers is how many handlers have numbers so far. These count from 1.
func (v *Values) Handlers() int { return v.handlers.Len() }

// HandlerLabel names the handler with a number that Facts gave.
func (v *Values) HandlerLabel(number int) string { return *v.handlers.At(uint32(number)) }

// Failure is how a step fails.
func (v *Values) Failure(id uint32) *model.StepFailure { return *v.failures.At(id) }

// HasActors reports whether any local state of an actor of a class was met.
func (v *Values) HasActors(class string) bool {
	for id := range v.presences.Len() {
		if *v.presences.At(uint32(id) + 1) == class {
			return true
		}
	}
	return false
}

func (v *Values) takesSingly(name, class string) bool {
	return v.program.Delivery == model.M && v.Decomposition.Hashing != Full && v.program.QuorumHandler(class) == "" &&
		v.program.Channel(name) == network.Unordered && !v.program.HasMailbox(name)
}
