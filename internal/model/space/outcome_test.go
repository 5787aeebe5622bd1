package space_test

import (
	"bytes"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// Outcomes are told apart by their relevant parts: here, the text before a slash.
func TestOutcomesAreToldApart(t *testing.T) {
	relevant := func(b []byte) ([]byte, error) {
		part, _, _ := bytes.Cut(b, []byte("/"))
		return part, nil
	}
	d, of := space.Decomposition{Relevant: relevant}, queues("queue", "second")
	sends := func(texts ...string) model.Outcome {
		o := model.Outcome{Local: []byte("s")}
		for i := 0; i < len(texts); i += 2 {
			o.Sends = append(o.Sends, model.Message{Sender: "ann", Receiver: texts[i], Payload: []byte(texts[i+1])})
		}
		return o
	}
	goes := model.Outcome{Handler: "h", Local: []byte("s/1"), Fired: []byte("t/1")}
	change := func(by func(o *model.Outcome)) model.Outcome {
		o := goes
		by(&o)
		return o
	}
	for _, c := range []struct {
		name     string
		one, two model.Outcome
		areEqual bool
	}{
		{"auxiliary parts", goes, change(func(o *model.Outcome) { o.Local, o.Fired = []byte("s/2"), []byte("t/2") }), true},
		{"handlers", goes, change(func(o *model.Outcome) { o.Handler = "g" }), false},
		{"local states", goes, change(func(o *model.Outcome) { o.Local = []byte("r/1") }), false},
		{"timers that fired", goes, change(func(o *model.Outcome) { o.Fired = []byte("u/1") }), false},
		{"no timer that fired", goes, change(func(o *model.Outcome) { o.Fired = nil }), false},
		{
			"timers set anew", change(func(o *model.Outcome) { o.Renewed = []model.PendingEvent{{Timer: []byte("t/1")}} }),
			change(func(o *model.Outcome) { o.Renewed = []model.PendingEvent{{Timer: []byte("u/1")}} }), false,
		},
		{"timers and tasks set anew", goes, change(func(o *model.Outcome) { o.Renewed = []model.PendingEvent{{Task: "t"}} }), false},
		{"whether it acts by itself", goes, change(func(o *model.Outcome) { o.Acts = true }), false},
		{"whether it stops", goes, change(func(o *model.Outcome) { o.Stopped = true }), false},
		{
			"what it was last when it stopped",
			change(func(o *model.Outcome) { o.Stopped, o.Acts = true, true }),
			change(func(o *model.Outcome) { o.Stopped, o.Local = true, []byte("r") }), true,
		},
		{
			"whether who is created acts by itself",
			change(func(o *model.Outcome) { o.Creates = []model.Actor{{Name: "kid"}} }),
			change(func(o *model.Outcome) { o.Creates = []model.Actor{{Name: "kid", Acts: true}} }), false,
		},
		{"the order of sends", sends("bob", "a", "bob", "b"), sends("bob", "b", "bob", "a"), true},
		{"the order of sends to a queue", sends("queue", "a", "queue", "b"), sends("queue", "b", "queue", "a"), false},
		{
			"the order of sends to different receivers",
			sends("queue", "a", "second", "b", "bob", "c", "queue", "d"), sends("bob", "c", "second", "b", "queue", "a", "queue", "d"), true,
		},
		{"how often it is sent", sends("queue", "a"), sends("queue", "a", "queue", "a"), false},
	} {
		one, err1 := d.OutcomeKey(c.one, of.Channel)
		two, err2 := d.OutcomeKey(c.two, of.Channel)
		if err1 != nil || err2 != nil || (one == two) != c.areEqual {
			t.Errorf("outcomes that differ in %s: equal keys: %v, want %v (%v, %v)", c.name, one == two, c.areEqual, err1, err2)
		}
	}
}

// queues is a network with queues to some receivers.
func queues(to ...string) network.Network {
	return network.Network{Channels: []network.Declared{{Channel: network.FIFO, To: model.Scope{Names: to}}}}
}
