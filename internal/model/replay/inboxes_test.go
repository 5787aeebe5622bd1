package replay

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// TestInboxesAgree puts, takes and copies messages at random, in inboxes of package network and of a Run.
func TestInboxesAgree(t *testing.T) {
	duplicating := model.Fault{Kind: model.Duplicate, Scope: model.Scope{Names: []string{"set"}}, Budget: model.Unbounded}
	program := &model.Program{
		Network:      network.Network{Channels: []network.Declared{{Channel: network.FIFO, To: model.Scope{Names: []string{"queue"}}}}, Faults: []model.Fault{duplicating}},
		SeesInFlight: true,                      // so copies count
		Liveness:     make([]model.Liveness, 1), // so received messages leave a set
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, receiver := range []string{"multiset", "queue", "set"} {
		for range 100 {
			agree(t, r, program, receiver)
		}
	}
}

// agree compares the two after each of some operations on the inbox of a receiver.
func agree(t *testing.T, r *rand.Rand, program *model.Program, receiver string) {
	t.Helper()
	b := network.Inbox[model.Message]{Channel: program.Channel(receiver), Envelopes: &network.Envelopes[model.Message]{
		Sender: func(m model.Message) string { return m.Sender }, Compare: compareMessages,
	}}
	w := newInboxes(program, space.Decomposition{})
	var list []model.Message
	did := receiver
	for range 12 {
		m := model.Message{Sender: pick(r, "", "ann", "bob"), Receiver: receiver, Payload: []byte(pick(r, "x", "y"))}
		next := heads(t, &w, receiver)
		var err error
		switch r.IntN(4) {
		case 0, 1:
			did += fmt.Sprintf(", put %s %s", m.Sender, m.Payload)
			list, err = b.Put(list, m), w.put(w.waiting, m)
		default:
			if len(next) == 0 {
				continue
			}
			m, event := next[r.IntN(len(next))], model.Event{Kind: model.Lose}
			place := slices.IndexFunc(list, func(o model.Message) bool { return compareMessages(o, m) == 0 })
			if r.IntN(3) == 0 {
				event.Kind, list = model.Duplicate, b.Copy(list, place)
			} else {
				list = b.Take(list, place)
			}
			did += fmt.Sprintf(", %s %s %s", event.Kind, m.Sender, m.Payload)
			event.Messages = []model.Message{m}
			at := slices.IndexFunc(w.waiting[receiver], func(o model.Message) bool { return compareMessages(o, m) == 0 })
			err = w.take(receiver, "", event, []int{at})
		}
		var own []model.Message
		for _, place := range b.Heads(list) {
			own = append(own, list[place])
		}
		slices.SortFunc(own, compareMessages)
		sorted := slices.IsSortedFunc(list, compareMessages)
		if receiver == "queue" {
			sorted = slices.IsSortedFunc(list, func(a, b model.Message) int { return cmp.Compare(a.Sender, b.Sender) })
		}
		if want := heads(t, &w, receiver); err != nil || !sorted || !equal(list, w.sorted(w.waiting, receiver)) || !equal(own, want) {
			t.Fatalf("%s: %v, %v\nheads %v, want %v\nlist %v, want %v", did, err, sorted, own, want, list, w.sorted(w.waiting, receiver))
		}
	}
}

// heads are the messages that a run may take next, each once.
func heads(t *testing.T, w *inboxes, receiver string) (next []model.Message) {
	t.Helper()
	for i, m := range w.waiting[receiver] {
		if place, err := w.findNext(receiver, w.waiting[receiver], nil, m); err == nil && place == i {
			next = append(next, m)
		}
	}
	slices.SortFunc(next, compareMessages)
	return next
}

func equal(a, b []model.Message) bool {
	return slices.EqualFunc(a, b, func(x, y model.Message) bool { return compareMessages(x, y) == 0 })
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
