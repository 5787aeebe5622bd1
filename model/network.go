package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// network is what a Run has in flight, and what has gone wrong in it so far.
type network struct {
	Decomposition
	program *Program
	inboxes map[string][]Message // in the order of sending
	stopped map[string]bool      // actors that do not exist any more
	taken   []int                // by fault: how often it happened
	cuts    []bool               // by fault: whether its cut is active
}

func newNetwork(p *Program, d Decomposition) network {
	return network{
		Decomposition: d, program: p,
		inboxes: map[string][]Message{}, stopped: map[string]bool{},
		taken: make([]int, len(p.Faults)), cuts: make([]bool, len(p.Faults)),
	}
}

// send puts a message in its receiver's inbox. Who has stopped gets none.
func (w *network) send(m Message) error {
	inbox := w.inboxes[m.Receiver]
	if w.program.channel(m.Receiver) == repeating {
		if i, err := w.search(inbox, m); i >= 0 || err != nil {
			return err
		}
	}
	if !w.stopped[m.Receiver] {
		w.inboxes[m.Receiver] = append(inbox, m)
	}
	return nil
}

// stop is what happens to what is in flight to an actor that ceases to exist.
func (w *network) stop(name string) {
	w.stopped[name] = true
	delete(w.inboxes, name)
}

// blocked says whether a message has to cross an active cut.
func (w *network) blocked(m Message) bool {
	return slices.ContainsFunc(w.program.crossed(m), func(cut int) bool { return w.cuts[cut] })
}

// heads are the messages to an actor that can be received as far as the order goes.
func (w *network) heads(name string) []Message {
	if w.program.channel(name) != fifo {
		return w.inboxes[name]
	}
	var heads []Message
	for _, m := range w.inboxes[name] {
		if !slices.ContainsFunc(heads, func(h Message) bool { return h.Sender == m.Sender }) {
			heads = append(heads, m)
		}
	}
	return heads
}

// admits says why an event that befalls an actor may not happen now, as far as faults go.
func (w *network) admits(actor string, e Event) error {
	if e.Kind == Receive || e.Kind == Internal {
		return nil
	}
	if e.Fault < 0 || e.Fault >= len(w.program.Faults) {
		return fmt.Errorf("the program has no fault number %d", e.Fault+1)
	}
	f := w.program.Faults[e.Fault]
	isOfCut := f.Kind == Split && (e.Kind == Heal || e.Kind == Lose)
	switch {
	case f.Kind != e.Kind && !isOfCut:
		return fmt.Errorf("%q allows no event of the kind %q", f.Label, e.Kind)
	case f.Kind != Split && !f.Scope.Has(actor):
		return fmt.Errorf("%q does not befall %s", f.Label, actor)
	case isOfCut && !w.cuts[e.Fault]:
		return fmt.Errorf("%q is not active", f.Label)
	case isOfCut:
		return nil
	case w.cuts[e.Fault]:
		return fmt.Errorf("%q is active already", f.Label)
	case f.Budget != Unbounded && w.taken[e.Fault] >= f.Budget:
		return fmt.Errorf("%q happened %d times already", f.Label, f.Budget)
	}
	return nil
}

// spend is what an event does to budgets and cuts.
func (w *network) spend(e Event) {
	if e.Kind == Receive || e.Kind == Internal {
		return
	}
	if f := w.program.Faults[e.Fault]; f.Kind == e.Kind && f.Budget != Unbounded {
		w.taken[e.Fault]++
	}
	switch e.Kind {
	case Split:
		w.cuts[e.Fault] = true
	case Heal:
		w.cuts[e.Fault] = false
	}
}

// find finds the message of an event in an actor's inbox, by what is hashed of it. outcome says which one of equal
// messages is lost at a cut.
func (w *network) find(actor string, e Event, outcome int) (place int, err error) {
	wanted, inbox := e.Messages[0], w.inboxes[actor]
	if e.Kind == Lose && w.program.Faults[e.Fault].Kind == Split {
		if !w.program.Faults[e.Fault].crosses(wanted) {
			return 0, fmt.Errorf("the message from %s does not cross the cut", wanted.Sender)
		}
		return w.number(inbox, wanted, outcome)
	}
	heads := w.heads(actor)
	i, err := w.search(heads, wanted)
	switch {
	case err != nil:
		return 0, err
	case i < 0:
		return 0, fmt.Errorf("the message from %s is not pending, or not at the head of its queue", wanted.Sender)
	case e.Kind != Lose && w.blocked(heads[i]):
		return 0, fmt.Errorf("the message from %s does not get through the cut", wanted.Sender)
	}
	return slices.IndexFunc(inbox, func(m Message) bool { return compareMessages(m, heads[i]) == 0 }), nil
}

// search is the index of a message in a list, -1 if it is not there. One that is equal in all of it comes first,
// then one that is not told apart.
func (w *network) search(list []Message, wanted Message) (int, error) {
	if i := slices.IndexFunc(list, func(m Message) bool { return compareMessages(m, wanted) == 0 }); i >= 0 {
		return i, nil
	}
	want, err := w.messageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		if k, err := w.messageKey(m); err != nil || k == want {
			return i, err
		}
	}
	return -1, nil
}

// number is the index of the message of that number, from 0, of those in a list that are not told apart from one.
func (w *network) number(list []Message, wanted Message, number int) (int, error) {
	want, err := w.messageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		k, err := w.messageKey(m)
		if err != nil {
			return 0, err
		}
		if k == want {
			if number--; number < 0 {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("the message from %s is not pending that often", wanted.Sender)
}

// take takes the message at a place out of an inbox, if the event does that.
func (w *network) take(actor string, e Event, place int) {
	isReceived := e.Kind == Receive && !w.program.neverEmpties(actor)
	if isReceived || e.Kind == Lose {
		w.inboxes[actor] = slices.Delete(slices.Clone(w.inboxes[actor]), place, place+1)
	}
}

// sorted is an inbox in an order that is the same for equal ones.
func (w *network) sorted(name string) []Message {
	if w.program.channel(name) == fifo {
		return slices.SortedStableFunc(slices.Values(w.inboxes[name]), func(a, b Message) int {
			return bytes.Compare([]byte(a.Sender), []byte(b.Sender))
		})
	}
	return slices.SortedFunc(slices.Values(w.inboxes[name]), compareMessages)
}

// digest writes what there is beside inboxes: nothing if nothing has gone wrong.
func (w *network) digest(h hash.Hash) {
	for _, name := range slices.Sorted(maps.Keys(w.stopped)) {
		writeBytes(h, []byte("stopped"))
		writeBytes(h, []byte(name))
	}
	var faults []string
	for i := range w.taken {
		if w.taken[i] > 0 || w.cuts[i] {
			faults = append(faults, fmt.Sprintf("%s: %d %v", w.program.FaultName(i), w.taken[i], w.cuts[i]))
		}
	}
	for _, f := range slices.Sorted(slices.Values(faults)) {
		writeBytes(h, []byte(f))
	}
}

func writeBytes(h hash.Hash, b []byte) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(b)))
	h.Write(n[:])
	h.Write(b)
}

func compareMessages(a, b Message) int {
	if c := bytes.Compare([]byte(a.Sender), []byte(b.Sender)); c != 0 {
		return c
	}
	if c := bytes.Compare([]byte(a.Receiver), []byte(b.Receiver)); c != 0 {
		return c
	}
	return bytes.Compare(a.Payload, b.Payload)
}
