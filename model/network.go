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
	program   *Program
	waiting   map[string][]Message // by receiver, in the order of sending; in M handlers consume it as well
	delivered map[string][]Message // by receiver, in the order of delivery; nothing in M
	stopped   map[string]bool      // actors that do not exist any more, and adversaries
	budgets   []uint32             // by fault: what it has spent and cut
}

func newNetwork(p *Program, d Decomposition) network {
	w := network{
		Decomposition: d, program: p,
		waiting: map[string][]Message{}, delivered: map[string][]Message{}, stopped: map[string]bool{},
		budgets: make([]uint32, len(p.Faults)),
	}
	for _, name := range p.Adversaries() {
		w.stopped[name] = true
	}
	return w
}

// send puts a message on its way. Who has stopped gets none.
func (w *network) send(m Message) error {
	if w.stopped[m.Receiver] {
		return nil
	}
	return w.put(w.waiting, m)
}

// put adds a message to a buffer, unless that is a set which has it.
func (w *network) put(buffer map[string][]Message, m Message) error {
	if w.program.channel(m.Receiver) == repeating {
		if i, err := w.search(buffer[m.Receiver], m); i >= 0 || err != nil {
			return err
		}
	}
	buffer[m.Receiver] = append(buffer[m.Receiver], m)
	return nil
}

// stop is what happens to the messages to an actor that ceases to exist.
func (w *network) stop(name string) {
	w.stopped[name] = true
	delete(w.waiting, name)
	delete(w.delivered, name)
}

// blocked reports whether a message has to cross an active cut.
func (w *network) blocked(m Message) bool {
	return slices.ContainsFunc(w.program.crossed(m), w.isCut)
}

// isCut reports whether the cut of a fault is active, taken how often a fault with a bound happened.
func (w *network) isCut(fault int) bool { return w.budgets[fault]&1 != 0 }
func (w *network) taken(fault int) int  { return int(w.budgets[fault] >> 1) }

func belongsToFault(k EventKind) bool { return k.IsFault() || k == Heal }

// admits is why an event of an actor is disabled by faults, nil if it is not.
func (w *network) admits(actor string, e Event) error {
	if !belongsToFault(e.Kind) {
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
		return fmt.Errorf("%q does not apply to %s", f.Label, actor)
	case !isOfCut && len(e.Messages) > 0 && !f.appliesTo(e.Messages[0]):
		return fmt.Errorf("%q does not apply to the message from %s", f.Label, e.Messages[0].Sender)
	case isOfCut && !w.isCut(e.Fault):
		return fmt.Errorf("%q is not active", f.Label)
	case isOfCut:
		return nil
	case w.isCut(e.Fault):
		return fmt.Errorf("%q is active already", f.Label)
	case f.Budget != Unbounded && w.taken(e.Fault) >= f.Budget:
		return fmt.Errorf("%q happened %d times already", f.Label, f.Budget)
	}
	return nil
}

// spend is what an event does to budgets and cuts.
func (w *network) spend(e Event) {
	if belongsToFault(e.Kind) {
		w.program.Faults[e.Fault].consume(e.Kind, &w.budgets[e.Fault])
	}
}

// sorted is what is in a buffer for an actor in an order that is the same for equal ones.
func (w *network) sorted(buffer map[string][]Message, name string) []Message {
	if w.program.channel(name) == fifo {
		return slices.SortedStableFunc(slices.Values(buffer[name]), func(a, b Message) int {
			return bytes.Compare([]byte(a.Sender), []byte(b.Sender))
		})
	}
	return slices.SortedFunc(slices.Values(buffer[name]), compareMessages)
}

// digest writes what there is beside what is in flight: nothing if nothing was delivered and nothing has gone wrong.
func (w *network) digest(h hash.Hash) {
	for _, name := range slices.Sorted(maps.Keys(w.delivered)) {
		if len(w.delivered[name]) > 0 {
			writeBytes(h, []byte("delivered"))
			writeBytes(h, []byte(name))
			writeMessages(h, w.sorted(w.delivered, name))
		}
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

func writeMessages(h hash.Hash, messages []Message) {
	binary.Write(h, binary.BigEndian, uint64(len(messages)))
	for _, m := range messages {
		writeBytes(h, []byte(m.Sender))
		writeBytes(h, m.Payload)
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
