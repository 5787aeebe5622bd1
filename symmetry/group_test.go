package symmetry_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

func find(t *testing.T, p model.Oracle, d space.Decomposition) (*symmetry.Group, *space.Actors) {
	t.Helper()
	actors := must.Get(space.NewActors(p, d))
	g := must.Get(symmetry.Find(actors))
	return g, actors
}

// What the actors of a program do by themselves.
var (
	// advances is to go on by one of three states.
	advances = toy.Handler{Kind: toy.Itself, Guard: []toy.Test{{Field: 1, Is: "!=", Value: 2}}, Outcomes: [][]toy.Act{{{Do: "add", Field: 1, Value: 1}}}}
	// turns is to go round three states.
	turns = toy.Handler{Kind: toy.Itself, Outcomes: advances.Outcomes}
	// chooses is to befriend any server, once.
	chooses = toy.Handler{Kind: toy.Itself, Chooses: "server", Guard: start, Outcomes: [][]toy.Act{{ends, {Do: "befriend", Who: "chosen"}}}}
	// tellsOf is to send the boss a message about any server, once. Nobody takes it.
	tellsOf = toy.Handler{Kind: toy.Itself, Chooses: "server", Guard: start, Outcomes: [][]toy.Act{{ends,
		{Do: "send", To: "role:boss", Who: "chosen", From: -1, Hops: "none"}}}}
	// learns is to get to know any server.
	learns = toy.Handler{Kind: toy.Itself, Chooses: "server", Outcomes: [][]toy.Act{{{Do: "learn", Who: "chosen"}}}}
	// tells is to send one of two messages to the boss, once. Nobody takes them.
	tells = toy.Handler{Kind: toy.Itself, Guard: start, Outcomes: [][]toy.Act{{ends, telling(0)}, {ends, telling(1)}}}
	// tellsBoth is to send both, in either order.
	tellsBoth = toy.Handler{Kind: toy.Itself, Guard: start, Outcomes: [][]toy.Act{{ends, telling(0), telling(1)}, {ends, telling(1), telling(0)}}}

	start = []toy.Test{{Is: "==", Value: 0}}
	ends  = toy.Act{Do: "set", Value: 1}
)

func telling(kind int) toy.Act {
	return toy.Act{Do: "send", Kind: kind, To: "role:boss", From: -1, Hops: "none"}
}

// wired is a program whose actors begin like this, and that all do one thing by themselves, if it is given. Names without numbers are roles.
func wired(does *toy.Handler, actors ...toy.Actor) *toy.Protocol {
	p := &toy.Protocol{Names: true}
	for _, a := range actors {
		role := strings.TrimRight(a.Name, "0123456789")
		a.Class = slices.IndexFunc(p.Roles, func(r model.Role) bool { return r.Name == role })
		if a.Class < 0 {
			a.Class = len(p.Roles)
			p.Roles = append(p.Roles, model.Role{Name: role})
			p.Classes = append(p.Classes, toy.Class{Name: role, Fields: 2})
			if does != nil {
				h := *does
				h.Label = role + ".itself"
				p.Classes[a.Class].Handlers = []toy.Handler{h}
			}
		}
		p.Roles[a.Class].Actors = append(p.Roles[a.Class].Actors, a.Name)
		if a.Fields == nil {
			a.Fields = []int{0, 0}
		}
		p.Actors = append(p.Actors, a)
	}
	return p
}

// wire makes so many actors of a role; each begins as like says.
func wire(role string, n int, like func(i int, w *toy.Actor)) []toy.Actor {
	var all []toy.Actor
	for i, name := range names(role, n) {
		w := toy.Actor{Name: name}
		if like != nil {
			like(i, &w)
		}
		all = append(all, w)
	}
	return all
}

func names(role string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(role, i+1))
	}
	return all
}

func peer(of func(i int) string) func(i int, w *toy.Actor) {
	return func(i int, w *toy.Actor) { w.Peer = of(i) }
}

func TestOrdersOfGroups(t *testing.T) {
	ring := func(n int) func(i int, w *toy.Actor) {
		return peer(func(i int) string { return fmt.Sprint("server", (i+1)%n+1) })
	}
	paired := peer(func(i int) string { return fmt.Sprint("server", i+1) })
	for _, c := range []struct {
		name   string
		actors []toy.Actor
		order  int64
		remark string
	}{
		{"one actor", wire("server", 1, nil), 1, ""},
		{"seven symmetric", wire("server", 7, nil), 5040, ""},
		{"two roles", slices.Concat(wire("server", 5, nil), wire("client", 3, nil)), 120 * 6, ""},
		{"a ring", wire("server", 6, ring(6)), 6, ""},
		{"clients paired with servers", slices.Concat(wire("server", 5, nil), wire("client", 5, paired)), 120, ""},
		{"fourteen in pairs", slices.Concat(wire("server", 7, nil), wire("client", 7, paired)), 5040, ""},
		{"clients around a ring", slices.Concat(wire("server", 4, ring(4)), wire("client", 4, paired)), 4, ""},
		{"all know all", wire("server", 5, func(_ int, w *toy.Actor) { w.Known = names("server", 5) }), 120, ""},
		{"a list", wire("server", 4, func(_ int, w *toy.Actor) { w.List = names("server", 4) }), 1, ""},
		{"a list of two", wire("server", 5, func(_ int, w *toy.Actor) { w.List = names("server", 2) }), 6, ""},
		{"one is ahead", wire("server", 4, func(i int, w *toy.Actor) { w.Fields = []int{0, i / 3} }), 6, ""},
		{"two halves", wire("server", 4, peer(func(i int) string { return fmt.Sprint("server", (i+2)%4+1) })), 8, ""},
		{"a ring beside many", slices.Concat(wire("server", 3, ring(3)), wire("client", 9, nil)), 1088640, ""},
	} {
		g, _ := find(t, wired(nil, c.actors...), space.Decomposition{})
		if g.Order.Cmp(big.NewInt(c.order)) != 0 || !strings.HasPrefix(g.Remark, c.remark) || (g.Remark == "") != (c.remark == "") {
			t.Errorf("%s: order %s, want %d; remark %q; %v", c.name, g.Order, c.order, g.Remark, g.Generators)
		}
		if g.Order.Cmp(big.NewInt(6000)) < 0 && len(g.Elements()) != int(c.order) {
			t.Errorf("%s: the generators make %d permutations, not %d", c.name, len(g.Elements()), c.order)
		}
	}
}

// TestGroupIsAllThatKeepsTheStart tries all permutations within the roles of random programs: the group has those that map
// the start to itself.
func TestGroupIsAllThatKeepsTheStart(t *testing.T) {
	smaller := 0
	for seed := range uint64(300) {
		p := toy.Symmetric.Random(seed)
		g, _ := find(t, p, space.Decomposition{})
		in := map[string]bool{}
		for _, e := range g.Elements() {
			in[e.String()] = true
		}
		all := within(p.Program().Roles)
		for _, moves := range all {
			if keeps := p.Keeps(moves); keeps != in[moves.String()] {
				t.Fatalf("seed %d: %q keeps the start: %v, is in the group: %v", seed, moves, keeps, in[moves.String()])
			}
		}
		if big.NewInt(int64(len(all))).Cmp(g.Order) > 0 {
			smaller++
		}
	}
	if smaller < 50 {
		t.Errorf("only %d programs have less than all symmetries", smaller)
	}
}

// within lists all permutations within roles.
func within(roles []model.Role) []symmetry.Permutation {
	all := []symmetry.Permutation{{}}
	for _, r := range roles {
		var longer []symmetry.Permutation
		for _, order := range orders(r.Actors) {
			p := symmetry.Permutation{}
			for i, to := range order {
				if r.Actors[i] != to {
					p[r.Actors[i]] = to
				}
			}
			for _, q := range all {
				longer = append(longer, q.Then(p))
			}
		}
		all = longer
	}
	return all
}

func orders(names []string) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for i, first := range names {
		for _, rest := range orders(slices.Concat(names[:i], names[i+1:])) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

func TestObstaclesAreNamed(t *testing.T) {
	fault := func(p *toy.Protocol) *toy.Protocol {
		p.Program().Faults = []model.Fault{{Kind: model.Stop, Scope: model.Scope{Names: []string{"server2"}}, Budget: 1, Label: "stop of server2"}}
		return p
	}
	fifo := func(p *toy.Protocol) *toy.Protocol {
		p.Program().Channels = queues("server1")
		return p
	}
	byzantine := func(p *toy.Protocol) *toy.Protocol {
		p.Program().Faults = []model.Fault{{Kind: model.Lose, Scope: model.Scope{All: true}, Domain: []model.Message{{Sender: "server2", Receiver: "server2"}}}}
		return p
	}
	sent := func(p *toy.Protocol) *toy.Protocol {
		p.Mail = []toy.Mail{{To: "server2"}}
		return p
	}
	three := func(like func(i int, w *toy.Actor)) *toy.Protocol {
		return wired(nil, wire("server", 3, like)...)
	}
	for _, c := range []struct {
		program *toy.Protocol
		want    string
	}{
		{three(func(i int, w *toy.Actor) { w.Fields = []int{0, i} }), "server.f1: 0 in server1, 1 in server2"},
		{three(func(i int, w *toy.Actor) { w.Known, w.Fields = names("server", 3), []int{0, i} }), "server.f1: 0 in server1, 1 in server2"},
		{three(func(_ int, w *toy.Actor) { w.List = names("server", 3) }), "server.list: its order tells server1 and server2 apart, which that of the list that create returned, and of a Set, does not"},
		{three(peer(func(i int) string { return fmt.Sprint("server", 1) })), "server.peer: itself in server1, another server in server2"},
		{fault(three(nil)), `the fault "stop of server2" affects only one of server1 and server2`},
		{byzantine(three(nil)), "the messages that adversaries may send tell server1 and server2 apart"},
		{fifo(three(nil)), "only one of server1 and server2 receives messages in the order in which they were sent"},
		{sent(three(nil)), "the first message Kind0(value=0, hops=0, about=null, names={}, tag=0) from the scenario to server2 has no counterpart when server2 comes in the place of server1"},
		{wired(nil, append(wire("server", 2, nil), toy.Actor{Name: "boss", Peer: "server1"})...), "boss.peer: server1 in boss, which tells server1 and server2 apart"},
	} {
		g, _ := find(t, c.program, space.Decomposition{})
		if len(g.Obstacles) != 1 || g.Obstacles[0].Role != "server" || g.Obstacles[0].Text != c.want {
			t.Errorf("obstacles %+v, want\n%s", g.Obstacles, c.want)
		}
	}
}

// TestChannelsTellActorsApart: actors are told apart by the kinds of their channels, not by how many declarations there are of one kind.
func TestChannelsTellActorsApart(t *testing.T) {
	one, other := model.Scope{Names: []string{"server1"}}, model.Scope{Names: []string{"server2"}}
	for _, c := range []struct {
		name      string
		channels  []network.Declared
		symmetric bool
	}{
		{"of one kind, declared twice", []network.Declared{{Channel: network.FIFO, To: one}, {Channel: network.FIFO, To: other}}, true},
		{"of two kinds", []network.Declared{{Channel: network.FIFO, To: one}, {Channel: toy.Displacing[0].Channel, To: other}}, false},
		{"of two kinds without words", []network.Declared{{Channel: network.Unordered, To: one}, {Channel: toy.Displacing[0].Channel, To: other}}, false},
	} {
		p := wired(nil, wire("server", 2, nil)...)
		p.Program().Channels = c.channels
		if g, _ := find(t, p, space.Decomposition{}); g.IsTrivial() == c.symmetric {
			t.Errorf("channels %s: symmetric %v", c.name, !g.IsTrivial())
		}
	}
}

// TestHardOrbits counts orbits that mathematics knows the number of. There are states in them that signatures leave open.
func TestHardOrbits(t *testing.T) {
	team := append(wire("server", 3, nil), toy.Actor{Name: "boss"})
	queued := func(p *toy.Protocol) *toy.Protocol {
		p.Program().Channels = queues("boss")
		return p
	}
	silent := func(p *toy.Protocol) *toy.Protocol {
		p.Classes[1].Handlers = nil // of the boss
		return p
	}
	for _, c := range []struct {
		name    string
		program *toy.Protocol
		states  uint64
	}{
		{"seven actors in three states: multisets", wired(&advances, wire("server", 7, nil)...), 36},
		{"partial functions of five (OEIS A126285)", wired(&chooses, wire("server", 5, nil)...), 121},
		{"partial functions of seven", wired(&chooses, wire("server", 7, nil)...), 929},
		{"partial functions of five, in messages to the boss", silent(wired(&tellsOf, slices.Concat(wire("server", 5, nil), team[3:])...)), 121},
		{"relations on three (OEIS A000595)", wired(&learns, wire("server", 3, nil)...), 104},
		{"relations on four", wired(&learns, wire("server", 4, nil)...), 3044},
		{"bracelets without turning over: three colors on a ring of six", wired(&advances,
			wire("server", 6, peer(func(i int) string { return fmt.Sprint("server", (i+1)%6+1) }))...), 130},
		{"three that tell the boss, or not, who tells itself", wired(&tells, team...), 30},
		{"the same in queues", queued(wired(&tells, team...)), 30},
		{"the same with two things each, in any order", wired(&tellsBoth, team...), 8},
		{"the same with two things each in queues", queued(wired(&tellsBoth, team...)), 30},
		{"three that go round three states: multisets", wired(&turns, wire("server", 3, nil)...), 10},
		{"pairs of three states each", wired(&advances, slices.Concat(wire("server", 4, nil),
			wire("client", 4, peer(func(i int) string { return fmt.Sprint("server", i+1) })))...), 495},
	} {
		g, actors := find(t, c.program, space.Decomposition{})
		checker := property.NewChecker(c.program, actors)
		r, err := dbss.Search(context.Background(), actors, checker, dbss.Options{Canonical: g.Canonicalizer}, &dbss.Progress{})
		if err != nil || !r.Complete || r.States != c.states {
			t.Errorf("%s: %d orbits, want %d (complete: %v, %v)", c.name, r.States, c.states, r.Complete, err)
		}
	}
}

// queues are channels to some receivers.
func queues(to ...string) []network.Declared {
	return []network.Declared{{Channel: network.FIFO, To: model.Scope{Names: to}}}
}
