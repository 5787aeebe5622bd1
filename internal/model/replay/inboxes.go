package replay

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// inboxes are the messages of a Run that are not consumed, and the faults taken so far.
type inboxes struct {
	space.Decomposition
	program   *model.Program
	waiting   map[string][]model.Message // by receiver, in the order of sending; in M handlers consume it as well
	delivered map[string][]model.Message // by receiver, in the order of delivery; nothing in M
	stopped   map[string]model.Actor     // who has stopped, in the last local state, and adversaries, which have none
	budgets   []network.Budget           // by fault
	links     network.Links              // nothing unless actors may watch others
	open      map[line]bool              // the open connections; nothing where these are not tracked
	lost      []model.Message            // in the event that is taken, with connections that closed
}

func newInboxes(p *model.Program, d space.Decomposition) inboxes {
	w := inboxes{
		Decomposition: d, program: p,
		waiting: map[string][]model.Message{}, delivered: map[string][]model.Message{}, stopped: map[string]model.Actor{},
		budgets: make([]network.Budget, len(p.Faults)), open: map[line]bool{},
	}
	for _, name := range p.Adversaries() {
		w.stopped[name] = model.Actor{}
	}
	return w
}

func clonePart(part map[string][]model.Message) map[string][]model.Message {
	c := maps.Clone(part)
	for name, messages := range c {
		c[name] = slices.Clone(messages)
	}
	return c
}

// send puts a message on its way. Who has stopped gets none.
func (w *inboxes) send(m model.Message) error {
	if _, stopped := w.stopped[m.Receiver]; stopped {
		return nil
	}
	return w.put(w.waiting, m)
}

// put adds a message to a part of an inbox, unless that is a set which has it.
func (w *inboxes) put(part map[string][]model.Message, m model.Message) error {
	if w.program.Channel(m.Receiver).IsSet() {
		if has, err := w.has(part[m.Receiver], m); has || err != nil {
			return err
		}
	}
	part[m.Receiver] = append(part[m.Receiver], m)
	return nil
}

// has reports whether a set has a message. Where messages are taken out of it, only the very same counts: how many there are
// matters.
func (w *inboxes) has(set []model.Message, m model.Message) (bool, error) {
	if w.program.NeverEmpties(m.Receiver) {
		i, err := w.search(set, m)
		return i >= 0, err
	}
	return slices.ContainsFunc(set, func(o model.Message) bool {
		return o.Sender == m.Sender && bytes.Equal(o.Payload, m.Payload)
	}), nil
}

// stop removes the messages to an actor that ceases to exist. last is the actor in its last local state.
func (w *inboxes) stop(last model.Actor) {
	w.stopped[last.Name] = last
	delete(w.waiting, last.Name)
	delete(w.delivered, last.Name)
}

// passes is why an event's messages do not get through a cut, nil if they do.
func (w *inboxes) passes(e model.Event) error {
	for _, m := range e.Messages {
		if g := w.program.BudgetGuard(e.Kind, e.Fault, m); g != nil && slices.ContainsFunc(g.Open, w.isCut) {
			return fmt.Errorf("the message from %s does not get through the cut", m.Sender)
		}
	}
	return nil
}

func (w *inboxes) isCut(fault int) bool { return network.IsCut(w.budgets[fault]) }
func (w *inboxes) taken(fault int) int  { return network.Taken(w.budgets[fault]) }

// admits is why an action of an actor is disabled by faults, nil if it is not.
func (w *inboxes) admits(actor model.Actor, do model.Action) error {
	e := do.Event
	if !e.Kind.HasFault() {
		return nil
	}
	if e.Fault < 0 || e.Fault >= len(w.program.Faults) {
		return fmt.Errorf("the program has no fault number %d", e.Fault+1)
	}
	f := w.program.Faults[e.Fault]
	needsCut, needsDown := f.NeedsCut(e.Kind), f.NeedsDown(e.Kind)
	switch {
	case !f.Allows(e.Kind):
		return fmt.Errorf("%q allows no event of the kind %q", f.Label, e.Kind)
	case f.Kind != model.Split && !f.Scope.Has(do.Actor):
		return fmt.Errorf("%q does not apply to %s", f.Label, do.Actor)
	case needsDown && !actor.Down:
		return errors.New("it is not down")
	case needsDown:
		return nil
	case f.Filling > 0 && (actor.Name == "" || actor.Down || len(w.waiting[do.Actor]) <= f.Filling):
		return fmt.Errorf("the mailbox of %s is not full", do.Actor)
	case !needsCut && len(e.Messages) > 0 && !f.AppliesTo(e.Messages[0]):
		return fmt.Errorf("%q does not apply to the message from %s", f.Label, e.Messages[0].Sender)
	case needsCut && !w.isCut(e.Fault):
		return fmt.Errorf("%q is not active", f.Label)
	case needsCut:
		return nil
	case w.isCut(e.Fault):
		return fmt.Errorf("%q is active already", f.Label)
	case f.Budget != model.Unbounded && w.taken(e.Fault) >= f.Budget:
		return fmt.Errorf("%q happened %d times already", f.Label, f.Budget)
	}
	return nil
}

// spend is what an event does to budgets and cuts.
func (w *inboxes) spend(e model.Event) {
	w.program.Consume(w.program.BudgetGuard(e.Kind, e.Fault, e.Messages...), w.budgets)
}

// sorted returns the messages in a part of the inbox of an actor, in an order that is the same for equal inboxes.
func (w *inboxes) sorted(part map[string][]model.Message, name string) []model.Message {
	if w.program.Channel(name).KeepsOrder() {
		return slices.SortedStableFunc(slices.Values(part[name]), func(a, b model.Message) int {
			return cmp.Compare(a.Sender, b.Sender)
		})
	}
	return slices.SortedFunc(slices.Values(part[name]), compareMessages)
}

// digest writes the rest of the network: messages delivered, actors stopped, faults taken; nothing if there are none.
func (w *inboxes) digest(h hash.Hash) {
	for _, name := range slices.Sorted(maps.Keys(w.delivered)) {
		if len(w.delivered[name]) > 0 {
			writeBytes(h, []byte("delivered"))
			writeBytes(h, []byte(name))
			writeMessages(h, w.sorted(w.delivered, name))
		}
	}
	for _, l := range w.links {
		writeBytes(h, fmt.Append(nil, "link ", l))
	}
	for _, l := range w.lines() {
		writeBytes(h, fmt.Append(nil, "open ", l))
	}
	for _, name := range slices.Sorted(maps.Keys(w.stopped)) {
		writeBytes(h, []byte("stopped"))
		writeBytes(h, []byte(name))
	}
	var faults []string
	for i := range w.budgets {
		if w.budgets[i] != 0 {
			faults = append(faults, fmt.Sprintf("%s: %d %v", w.program.FaultName(i), w.taken(i), w.isCut(i)))
		}
	}
	for _, f := range slices.Sorted(slices.Values(faults)) {
		writeBytes(h, []byte(f))
	}
}

func writeMessages(h hash.Hash, messages []model.Message) {
	binary.Write(h, binary.BigEndian, uint64(len(messages)))
	for _, m := range messages {
		writeBytes(h, []byte(m.Sender))
		writeBytes(h, m.Payload)
		if m.Age > 0 {
			writeBytes(h, fmt.Append(nil, "age ", m.Age))
		}
	}
}

func writeBytes(h hash.Hash, b []byte) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(b)))
	h.Write(n[:])
	h.Write(b)
}

func compareMessages(a, b model.Message) int {
	return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Receiver, b.Receiver), bytes.Compare(a.Payload, b.Payload), cmp.Compare(a.Age, b.Age))
}
