package model

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"harrier/internal/slab"
)

// Hashing says what a System tells states apart by.
type Hashing uint8

const (
	// Selective tells states apart by their relevant part.
	Selective Hashing = iota
	// Full tells them apart by all of it: auxiliary fields, and the set of messages that the last
	// transition processed. It is the stateful baseline of Saissi et al. (section IV-A).
	Full
)

// Decomposition divides states into a relevant and an auxiliary part (Saissi et al., section III-A).
// In the zero value all of a local state and of a message is relevant.
//
// What is auxiliary must not matter (Definition 1): in states with the same relevant part the same
// transitions are enabled, and they lead to states with the same relevant part. Package audit checks
// that on the program's own steps.
type Decomposition struct {
	// Relevant is the function h of Definition 1 on the bytes of one local state or one message's
	// payload. Nil stands for the identity.
	Relevant func(b []byte) ([]byte, error)
	Hashing  Hashing
	// Visible is what a property can read of the bytes of one local state, or more. Nil stands for the identity.
	Visible func(property int, b []byte) ([]byte, error)

	fifo Scope // the program's: to these receivers the order of sends matters
}

// relevant is the relevant part of a local state or of a message's payload.
func (d Decomposition) relevant(b []byte) ([]byte, error) {
	if d.Relevant == nil {
		return b, nil
	}
	r, err := d.Relevant(b)
	if err != nil {
		return nil, fmt.Errorf("finding the relevant part: %w", err)
	}
	return r, nil
}

// hashed is the part that tells local states or payloads apart.
func (d Decomposition) hashed(b []byte) ([]byte, error) {
	if d.Hashing == Full {
		return b, nil
	}
	return d.relevant(b)
}

// OutcomeKey is equal for outcomes that agree in what is hashed of them: the handler, the timer that fired,
// whether it fails, the new local state unless the actor stops, whether it acts by itself, what is created, sent
// and recorded. The order of sends shows only where receivers have FIFO channels.
func (d Decomposition) OutcomeKey(o Outcome) (string, error) {
	if o.Failure != nil {
		return key(o.Handler, "fails"), nil
	}
	var fired []byte
	if len(o.Fired) > 0 {
		var err error
		if fired, err = d.hashed(o.Fired); err != nil {
			return "", err
		}
	}
	state, err := d.stateKey(o)
	if err != nil {
		return "", err
	}
	parts := []string{o.Handler, string(fired), state}
	for _, c := range slices.SortedFunc(slices.Values(o.Creates), func(a, b Actor) int { return cmp.Compare(a.Name, b.Name) }) {
		local, err := d.hashed(c.Local)
		if err != nil {
			return "", err
		}
		parts = append(parts, "creates", c.Name, c.Class, string(local), fmt.Sprint(c.Acts))
	}
	sends, err := d.sendKeys(o.Sends)
	if err != nil {
		return "", err
	}
	parts = append(parts, sends...)
	return key(append(parts, "records", recordsKey(o.Records))...), nil
}

// stateKey is equal for outcomes that leave the actor in states that are not told apart.
func (d Decomposition) stateKey(o Outcome) (string, error) {
	if o.Stopped {
		return "stops", nil
	}
	local, err := d.hashed(o.Local)
	return key("goes on", string(local), fmt.Sprint(o.Acts)), err
}

// sendKeys are equal for sends that have the same effect.
func (d Decomposition) sendKeys(sends []Message) ([]string, error) {
	keys := []string{"sends"}
	var queued []string
	for _, m := range slices.SortedStableFunc(slices.Values(sends), func(a, b Message) int { return cmp.Compare(a.Receiver, b.Receiver) }) {
		k, err := d.messageKey(m)
		if err != nil {
			return nil, err
		}
		if d.fifo.Has(m.Receiver) {
			queued = append(queued, k)
		} else {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys[1:])
	return append(append(keys, "in this order"), queued...), nil
}

// messageKey is equal for messages that agree in what is hashed of them.
func (d Decomposition) messageKey(m Message) (string, error) {
	payload, err := d.hashed(m.Payload)
	return envelopeKey(m, payload), err
}

// key joins parts so that different parts make different keys.
func key(parts ...string) string {
	var b []byte
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return string(b)
}

func envelopeKey(m Message, payload []byte) string { return key(m.Receiver, m.Sender, string(payload)) }

func recordsKey(records []Record) string {
	var parts []string
	for _, r := range records {
		parts = append(parts, r.Actor, string(rune(r.Kind)), string(r.Payload))
	}
	return key(parts...)
}

// variants are concrete forms of what is interned under its relevant part, other than the first that
// was met. They are what an audit starts from.
type variants struct {
	met  map[string]bool
	list []Variant
}

// Variant is a further concrete form of a local state or of a message's payload.
type Variant struct {
	ID    uint32 // a LocalID or a MessageID
	Bytes []byte
}

// note keeps b as a form of id, of which first is the representative.
func (v *variants) note(id uint32, first, b []byte) {
	if bytes.Equal(first, b) {
		return
	}
	k := key(slab.Key(id), string(b))
	if v.met[k] {
		return
	}
	if v.met == nil {
		v.met = map[string]bool{}
	}
	v.met[k] = true
	v.list = append(v.list, Variant{id, slices.Clone(b)})
}
