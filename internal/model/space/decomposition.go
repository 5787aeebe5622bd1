package space

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Hashing says which parts of states a System leaves out of their ids. Each value leaves out less than the one before.
type Hashing uint8

const (
	// Selective leaves out all that is auxiliary: fields, and senders of messages.
	Selective Hashing = iota
	// Fields leaves out auxiliary fields, as Saissi et al. do.
	Fields
	// Last leaves out the set of messages that the last transition processed, which Full tells apart, and nothing else.
	Last
	// Full leaves out nothing. It is the stateful baseline of Saissi et al. (section IV-A).
	Full
)

// Decomposition divides states into a relevant and an auxiliary part (Saissi et al., section III-A).
// In the zero value all of a local state and of a message is relevant.
//
// Auxiliary parts must not matter (Definition 1): in states with the same relevant part the same
// transitions are enabled, and they lead to states with the same relevant part. Second executions check
// that on each step (Variation).
type Decomposition struct {
	// Relevant is the function h of Definition 1 on the bytes of one local state or one message's
	// payload. Nil stands for the identity.
	Relevant func(b []byte) ([]byte, error)
	// Sender is the relevant part of a message's sender: its name, or "" if it is auxiliary. Nil stands for its name.
	Sender func(m model.Message) string
	// SenderFact returns the analysis of the sender of a message, and whether there is one. Nil stands for none.
	SenderFact func(m model.Message) (model.Sender, bool)
	Hashing    Hashing
	// SeesStopped reports whether the local state in which an actor stops matters, as properties may read it.
	SeesStopped bool
	// Visible gives what a property can read of the bytes of one local state, or more, as long as it reads no fields of objects but
	// those with some numbers (Judgement.Fields), or whatever it reads if there is no set of them. Nil stands for the identity.
	Visible func(property int, read map[int]bool) func(b []byte) ([]byte, error)
}

// relevant is the relevant part of a local state or of a message's payload.
func (d Decomposition) relevant(b []byte) ([]byte, error) {
	if d.Relevant == nil || network.IsOfNetwork(b) {
		return b, nil
	}
	r, err := d.Relevant(b)
	if err != nil {
		return nil, fmt.Errorf("finding the relevant part: %w", err)
	}
	return r, nil
}

// Hashed is the part that tells local states or payloads apart.
func (d Decomposition) Hashed(b []byte) ([]byte, error) {
	if d.Hashing >= Last {
		return b, nil
	}
	return d.relevant(b)
}

// HashedSender is equal for senders that are not distinguished where messages are otherwise equal.
func (d Decomposition) HashedSender(m model.Message) string {
	if d.Sender == nil || d.Hashing != Selective {
		return m.Sender
	}
	return d.Sender(m)
}

// Decomposes reports whether states are told apart by less than all that they hold.
func (d Decomposition) Decomposes() bool {
	return d.Relevant != nil && d.Hashing <= Fields || d.Sender != nil && d.Hashing == Selective
}

// Observes reports whether properties tell local states apart by less than all of them. With full hashing they do not, as then
// nothing rests on what the analysis of the program's bytecode says.
func (d Decomposition) Observes() bool { return d.Visible != nil && d.Hashing < Last }

// OutcomeKey is equal for outcomes that agree in their hashed parts: the handler, the timer that fired, timers and tasks set anew,
// whether it fails, the new local state unless the actor stops, whether it acts by itself, the actors created, messages sent
// and records. The order of sends shows only where channels keep it.
func (d Decomposition) OutcomeKey(o model.Outcome, channel func(receiver string) network.Channel) (string, error) {
	if o.Failure != nil {
		return slab.Join(o.Handler, "fails"), nil
	}
	var fired []byte
	if len(o.Fired) > 0 {
		var err error
		if fired, err = d.Hashed(o.Fired); err != nil {
			return "", err
		}
	}
	state, err := d.stateKey(o)
	if err != nil {
		return "", err
	}
	renewed, err := d.eventsKey(o.Renewed)
	if err != nil {
		return "", err
	}
	parts := []string{o.Handler, string(fired), renewed, state}
	for _, c := range slices.SortedFunc(slices.Values(o.Creates), func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) }) {
		local, err := d.Hashed(c.Local)
		if err != nil {
			return "", err
		}
		parts = append(parts, "creates", c.Name, c.Class, string(local), fmt.Sprint(c.Acts))
	}
	sends, err := d.sendKeys(o.Sends, channel)
	if err != nil {
		return "", err
	}
	parts = append(parts, sends...)
	return slab.Join(append(parts, "records", recordsKey(o.Records))...), nil
}

// AnswerKeys are the keys of an answer's outcomes, in their order, and of its quorums, sorted.
func (d Decomposition) AnswerKeys(a model.Answer, channel func(receiver string) network.Channel) (outcomes, quorums []string, err error) {
	for _, o := range a.Outcomes {
		k, err := d.OutcomeKey(o, channel)
		if err != nil {
			return nil, nil, err
		}
		outcomes = append(outcomes, k)
	}
	for _, q := range a.Quorums {
		quorums = append(quorums, fmt.Sprintf("quorum %q %d %q", q.Handler, q.Size, q.Role))
	}
	slices.Sort(quorums)
	return outcomes, quorums, nil
}

// stateKey is equal for outcomes that leave the actor in states that are not told apart.
func (d Decomposition) stateKey(o model.Outcome) (string, error) {
	if o.Stopped && !d.SeesStopped {
		return "stops", nil
	}
	local, err := d.Hashed(o.Local)
	if o.Stopped {
		return slab.Join("stops", string(local)), err
	}
	return slab.Join("goes on", string(local), fmt.Sprint(o.Acts)), err
}

// sendKeys are equal for sends that have the same effect.
func (d Decomposition) sendKeys(sends []model.Message, channel func(receiver string) network.Channel) ([]string, error) {
	keys := []string{"sends"}
	var queued []string
	for _, m := range slices.SortedStableFunc(slices.Values(sends), func(a, b model.Message) int {
		return cmp.Compare(a.Receiver, b.Receiver)
	}) {
		k, err := d.MessageKey(m)
		if err != nil {
			return nil, err
		}
		if channel(m.Receiver).KeepsOrder() && !m.IsRequest() {
			queued = append(queued, k)
		} else {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys[1:])
	return append(append(keys, "in this order"), queued...), nil
}

// MessageKey is equal for messages that agree in their hashed parts.
func (d Decomposition) MessageKey(m model.Message) (string, error) {
	payload, err := d.Hashed(m.Payload)
	return d.envelopeKey(m, payload), err
}

func (d Decomposition) envelopeKey(m model.Message, payload []byte) string {
	if m.Age > 0 {
		return slab.Join(m.Receiver, d.HashedSender(m), string(payload), strconv.Itoa(m.Age))
	}
	return slab.Join(m.Receiver, d.HashedSender(m), string(payload))
}

func recordsKey(records []model.Record) string {
	var parts []string
	for _, r := range records {
		parts = append(parts, r.Actor, string(rune(r.Kind)), string(r.Payload))
	}
	return slab.Join(parts...)
}
