package footprint_test

import (
	"context"
	"fmt"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/footprint"
)

// TestStepsAreHeldToFootprints takes a part out of the footprint of a handler, which does all that there is.
func TestStepsAreHeldToFootprints(t *testing.T) {
	send := func(to string) toy.Act {
		return toy.Act{Do: "send", Kind: 1, To: to, From: -1, Hops: "none"}
	}
	for want, change := range map[string]func(f *model.Footprint){
		"sends a message (toy.Kind1) from ann to bob": func(f *model.Footprint) { f.Sends = f.Sends[:2] },
		"sends a message (toy.Kind1) from ann to ann": func(f *model.Footprint) { f.Sends[1].Type = "toy.Kind2" },
		"sends a message (toy.Kind1) from ann to cid": func(f *model.Footprint) { f.Sends[0].To = model.ToSelf },
		"changes f1":           func(f *model.Footprint) { f.Writes = f.Writes[:1] },
		"changes f0":           func(f *model.Footprint) { f.Writes[0].Field = model.Agenda },
		"records an operation": func(f *model.Footprint) { f.Records = false },
	} {
		p := &toy.Protocol{
			Classes: []toy.Class{{Name: "Ann", Fields: 2, Handlers: []toy.Handler{{Kind: 0, Label: "Ann.on", Outcomes: [][]toy.Act{{
				{Do: "set", Field: 0, Value: 1}, {Do: "set", Field: 1, Value: 1}, {Do: "record", Value: 1}, send("sender"), send("self"), send("peer"),
			}}}}}, {Name: "Bob", Fields: 1}},
			Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}, Peer: "bob"}, {Name: "bob", Class: 1, Fields: []int{0}}, {Name: "cid", Class: 1, Fields: []int{0}}},
			Mail:   []toy.Mail{{From: "cid", To: "ann", Kind: 0}},
		}
		initial := p.Program().Initial
		question := []model.Question{{Local: initial.Actors[0].Local, Event: model.Event{Messages: initial.Messages}}}
		must.Get(footprint.Watch(p).Steps(context.Background(), question))
		change(&p.Program().Footprints[0])
		_, err := footprint.Watch(p).Steps(context.Background(), question)
		if want = "Ann.on " + want + ", which the analysis of its code rules out; --por off checks without it"; fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
