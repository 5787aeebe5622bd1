package space

import (
	"bytes"
	"slices"

	"harrier/internal/model"
)

// variants are concrete forms of local states, or of messages, that were met beside the first of their id, which represents it: they differ
// from it in auxiliary parts. Each id has at most mostVariants.
type variants struct{ of map[uint32][]variant }

type variant struct {
	sender string // of a message
	bytes  []byte // of the local state, or of the message's payload
}

const mostVariants = 64

// note adds a variant of an id, unless it is there.
func (v *variants) note(id uint32, other variant) {
	known := v.of[id]
	if len(known) >= mostVariants || slices.ContainsFunc(known, other.equals) {
		return
	}
	if v.of == nil {
		v.of = map[uint32][]variant{}
	}
	v.of[id] = append(known, variant{other.sender, slices.Clone(other.bytes)})
}

func (v variant) equals(other variant) bool {
	return v.sender == other.sender && bytes.Equal(v.bytes, other.bytes)
}

// noteLocal notes a local state that was given an id.
func (v *Values) noteLocal(id model.LocalID, b []byte) {
	if !bytes.Equal(v.locals.At(id).bytes, b) {
		v.localVariants.note(id, variant{bytes: b})
	}
}

// noteMessage notes a message that was given an id. Any actor may stand for a sender that is found to be auxiliary, so that only those
// are noted that are marked so.
func (v *Values) noteMessage(id model.MessageID, m model.Message) {
	first := v.messages.At(id)
	if bytes.Equal(first.Payload, m.Payload) && (first.Sender == m.Sender || !v.isBelieved(m)) {
		return
	}
	v.messageVariants.note(id, variant{m.Sender, m.Payload})
}

// isBelieved reports whether the sender of a message is auxiliary only since it is marked so.
func (v *Values) isBelieved(m model.Message) bool {
	if v.Decomposition.SenderFact == nil {
		return false
	}
	s, known := v.Decomposition.SenderFact(m)
	return known && s.Verdict == model.Believed
}

// Variant returns the bytes of the number-th local state, from 1, that was met with the relevant part of another one; nil if fewer were.
func (v *Values) Variant(l model.LocalID, number int) []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known := v.localVariants.of[l]; number <= len(known) {
		return known[number-1].bytes
	}
	return nil
}
