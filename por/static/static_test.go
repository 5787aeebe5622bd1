package static

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/footprint"
	"harrier/serializer"
)

// TestNamesakesAreTaken: a handler takes messages of its own type alone, whatever else has its simple name.
func TestNamesakesAreTaken(t *testing.T) {
	handlers := []model.Handler{
		{Class: "Node", Label: "Node.on(Ping)", Takes: "a.Ping"},
		{Class: "Node", Label: "Node.on(Object)", Takes: "java.lang.Object"},
		{Class: "Node", Label: "Node.on(Pong)", Takes: "a.Pong", Exact: true},
		{Class: "Node", Label: "Node.act()", Kind: model.Internal},
	}
	s := &Static{wiring: &wiring{program: &model.Program{Handlers: handlers}}}
	for of, want := range map[string]int{"a.Ping": 1, "b.Ping": 2, "a.Pong": 1, "": 3} {
		if got := s.takers("Node", of); len(got) != want {
			t.Errorf("%q is taken by %v", of, got)
		}
	}
}

func TestTypeOfMessages(t *testing.T) {
	for _, c := range []struct {
		value serializer.Value
		of    string
		how   footprint.Exactness
	}{
		{serializer.Value{Kind: serializer.Record, ClassName: "paxos.Messages$Prepare"}, "paxos.Messages$Prepare", footprint.Exact},
		{serializer.Value{Kind: serializer.Enum, ClassName: "Main$Ping", Text: "PING"}, "Main$Ping", footprint.Perhaps},
		{serializer.Value{Kind: serializer.Record, ClassName: "java.util.UUID"}, "", footprint.Unknown},
		{serializer.Value{Kind: serializer.String, Text: "ping"}, "", footprint.Unknown},
	} {
		if of, how := footprint.TypeOf(serializer.Encode(c.value)); of != c.of || how != c.how {
			t.Errorf("%v is a %q (%d)", c.value, of, how)
		}
	}
}

func TestRelationsTellWhy(t *testing.T) {
	p := program([]toy.Handler{on(0, put(0, 1)), on(1, put(1, 1), sending(2, "peer")), on(2, setIf(2, 1, 0))}, nil,
		mail{"bob", "ann", 0}, mail{"bob", "ann", 1}, mail{"cid", "ann", 2})
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Fields)))
	r := must.Get(New(actors, Options{OnlyTimers: true})).Relations()
	got := map[string]string{}
	for _, pair := range r.Pairs {
		got[pair.One+" "+pair.Other] = pair.Answer + " " + pair.Reason
	}
	for pair, want := range map[string]string{
		"Ann.h0 Ann.h1": "independent ",
		"Ann.h0 Ann.h2": "dependent both touch Ann.f0 (Ann.h0; Ann.h2)",
		"Ann.h0 Ann.h0": "dependent both touch Ann.f0 (Ann.h0; Ann.h0)",
	} {
		if got[pair] != want {
			t.Errorf("%s: %s, want %s", pair, got[pair], want)
		}
	}
	i := slices.IndexFunc(r.Handlers, func(h Handler) bool { return h.Label == "Ann.h1" })
	if h := r.Handlers[i]; !slices.Equal(h.Sends, []Sent{{"Kind2 from ann to bob", "Ann.h1"}}) || !slices.Equal(h.Takes, []string{"Kind1 from bob to ann"}) {
		t.Errorf("%+v", h)
	}
}

// TestDisplacingChannelsAreNotReduced follows all transitions where what arrives may displace messages.
func TestDisplacingChannelsAreNotReduced(t *testing.T) {
	reduces := func(channels []network.Declared) bool {
		p := program([]toy.Handler{on(1, put(1, 1)), on(2, put(1, 2))}, []toy.Handler{on(0, put(1, 1))},
			mail{"cid", "ann", 2}, mail{"ann", "bob", 0})
		p.Program().Channels = channels
		actors := must.Get(space.NewActors(p, p.Decomposition(space.Fields)))
		_, reduced, err := must.Get(New(actors, Options{OnlyTimers: true})).Reduction()(t.Context(), actors.Initial(), nil)
		must.Do(err)
		return reduced
	}
	if !reduces(nil) || reduces(toy.Displacing) {
		t.Errorf("reduced: %v, and %v where messages are displaced", reduces(nil), reduces(toy.Displacing))
	}
}

func TestWarmReductionAllocatesNothing(t *testing.T) {
	p := program([]toy.Handler{on(1, put(1, 1)), on(2, put(1, 2))}, []toy.Handler{on(0, sending(1, "peer"))},
		mail{"cid", "ann", 2}, mail{"ann", "bob", 0})
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Fields)))
	reduce := must.Get(New(actors, Options{OnlyTimers: true})).Reduction()
	s := actors.Initial()
	into := make([]model.Transition, 0, 16)
	again := func() {
		var err error
		into, _, err = reduce(context.Background(), s, into[:0])
		must.Do(err)
	}
	again()
	if n := testing.AllocsPerRun(100, again); n > 0 {
		t.Errorf("%v allocations for a state", n)
	}
}

// on is a handler of a kind of messages, labelled by its number.
func on(kind int, acts ...toy.Act) toy.Handler {
	return toy.Handler{Kind: kind, Outcomes: [][]toy.Act{acts}}
}

func put(field, value int) toy.Act {
	return toy.Act{Do: "set", Field: field, Value: value}
}

func setIf(field, value, tested int) toy.Act {
	a := put(field, value)
	a.When = []toy.Test{{Field: tested, Is: "==", Value: 1}}
	return a
}

func sending(kind int, to string) toy.Act {
	return toy.Act{Do: "send", Kind: kind, To: to, From: -1, Hops: "none"}
}

// mail is a message, as in {"bob", "ann", 0}.
type mail struct {
	from, to string
	kind     int
}

// program has actors ann, bob and cid, of whom bob and cid send ann copies of their messages to their peer. Ann is of the first class, the others
// are of the second. They have three fields each.
func program(ann, others []toy.Handler, mails ...mail) *toy.Protocol {
	p := &toy.Protocol{Classes: []toy.Class{{Name: "Ann", Fields: 3, Handlers: ann}, {Name: "Other", Fields: 3, Handlers: others}}}
	for c := range p.Classes {
		p.Classes[c].Handlers = slices.Clone(p.Classes[c].Handlers)
		for i := range p.Classes[c].Handlers {
			p.Classes[c].Handlers[i].Label = fmt.Sprintf("%s.h%d", p.Classes[c].Name, i)
		}
	}
	for i, name := range []string{"ann", "bob", "cid"} {
		a := toy.Actor{Name: name, Class: min(i, 1), Fields: make([]int, 3), Peer: "ann"}
		if i == 0 {
			a.Peer = "bob"
		}
		p.Actors = append(p.Actors, a)
	}
	for i, m := range mails {
		p.Mail = append(p.Mail, toy.Mail{From: m.from, To: m.to, Kind: m.kind, Value: i % 3})
	}
	return p
}
