package liveness_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/symmetry"
)

// asking adds a predicate, that not all of some facts are true, and a formula over it.
func asking(p *toy.Protocol, formula string, facts ...toy.Fact) *toy.Protocol {
	p.Predicates = []toy.Property{{Facts: facts}}
	p.Liveness = []model.Liveness{{Name: formula, Formula: formula, Atoms: []model.Atom{{Name: "p"}}}}
	return p
}

// agree fails unless all searches have the twin's verdict, which is the wanted one.
func agree(t *testing.T, p *toy.Protocol, violated bool) {
	t.Helper()
	ctx := context.Background()
	of := p.Program().Liveness[0]
	if want := must.Get(twin.NewGraph(p, twin.Options{MaxStates: mostStates}).Violates(of)); want != violated {
		t.Fatalf("the twin says that violated is %v", want)
	}
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	group := must.Get(symmetry.Find(actors))
	for _, o := range []liveness.Options{{}, {Macro: true}, {Group: group}, {Group: group, Macro: true}} {
		if o.Group != nil && group.IsTrivial() || o.Macro && liveness.NeedsSingleSteps(p.Program(), of) != "" {
			continue
		}
		s := must.Get(liveness.New(actors, property.NewChecker(p, actors), of, o))
		found := must.Get(s.Advance(ctx, 1<<20))
		if (found != nil) != violated {
			t.Errorf("macro %v, symmetry %v: violated is %v", o.Macro, o.Group != nil, found != nil)
		}
		if found == nil {
			continue
		}
		short := must.Get(s.Shorten(ctx, found))
		if err := s.Confirm(ctx, short); err != nil {
			t.Errorf("macro %v, symmetry %v: %v", o.Macro, o.Group != nil, err)
		}
		if err := executed(p, actors, 0, short); err != nil {
			t.Errorf("macro %v, symmetry %v: executed again: %v", o.Macro, o.Group != nil, err)
		}
	}
}

func set(field, value int) toy.Act   { return toy.Act{Do: "set", Field: field, Value: value} }
func is(field, value int) []toy.Test { return []toy.Test{{Field: field, Is: "==", Value: value}} }
func send(kind int, to string) toy.Act {
	return toy.Act{Do: "send", Kind: kind, To: to, From: -1, Hops: "none"}
}

// TestComponentsMayFallSilent has two pairs that play for ever. A player of one of them falls silent once it has read its mail, so it
// may not play on and leave its mail; but the others may play on for ever after it has.
func TestComponentsMayFallSilent(t *testing.T) {
	player := toy.Class{Name: "Player", Fields: 2, Handlers: []toy.Handler{
		{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{{send(0, "sender")}}, Label: "ball"},
		{Kind: 1, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "mail"},
		{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{}}, Label: "catch"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{player}}
	for _, name := range []string{"ann", "bob", "cid", "dot"} {
		p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: []int{0, 0}})
	}
	p.Mail = []toy.Mail{{From: "bob", To: "ann"}, {From: "dot", To: "cid"}, {To: "cid", Kind: 1}}
	agree(t, asking(p, "[]<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 1, Is: "==", Value: 1}}), true)
}

// baton is a program of clients among whom a baton goes round. One that holds it may do its work again and again; one that does
// not comes to an end by its work. If all clients work only while they hold the baton, each is treated fairly.
func baton(clients int) *toy.Protocol {
	client := toy.Class{Name: "Client", Fields: 2, Handlers: []toy.Handler{
		{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "take"},
		{Kind: toy.Itself, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(0, 0), send(0, "peer")}}, Label: "pass"},
		{Kind: 1, Guard: is(0, 1), Outcomes: [][]toy.Act{{send(1, "self")}}, Label: "work"},
		{Kind: 1, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "end"},
	}}
	server := toy.Class{Name: "Server", Fields: 1, Handlers: []toy.Handler{
		{Kind: 0, Chooses: "client", Outcomes: [][]toy.Act{{send(0, "chosen")}}, Label: "begin"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{client, server}, Mail: []toy.Mail{{To: "server"}}}
	role := model.Role{Name: "client"}
	names := []string{"client1", "client2", "client3"}[:clients]
	for i, name := range names {
		role.Actors = append(role.Actors, name)
		p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: []int{0, 0}, Peer: names[(i+1)%clients]})
		p.Mail = append(p.Mail, toy.Mail{From: name, To: name, Kind: 1})
	}
	p.Actors = append(p.Actors, toy.Actor{Name: "server", Class: 1, Fields: []int{0}})
	p.Roles = []model.Role{role, {Name: "server", Actors: []string{"server"}}}
	return p
}

func TestOrbitsAreTreatedFairly(t *testing.T) {
	ended := toy.Fact{Class: 0, Test: toy.Test{Field: 1, Is: "==", Value: 1}}
	for _, clients := range []int{2, 3} {
		p := asking(baton(clients), "<>!p", ended)
		actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
		if must.Get(symmetry.Find(actors)).IsTrivial() {
			t.Fatal("the clients are not symmetric")
		}
		agree(t, p, true)
	}
}

// TestFairness has the events that an engineer expects to happen, and events that need not.
func TestFairness(t *testing.T) {
	done := toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}}
	one := func(h toy.Handler, more func(p *toy.Protocol)) *toy.Protocol {
		h.Label = "h"
		spin := toy.Handler{Kind: 2, Outcomes: [][]toy.Act{{send(2, "self")}}, Label: "spin"}
		p := &toy.Protocol{Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{h, spin}}},
			Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Fields: []int{0}}},
			Mail:   []toy.Mail{{From: "bob", To: "bob", Kind: 2}}}
		more(p)
		return asking(p, "<>!p", done)
	}
	acts := [][]toy.Act{{set(0, 1)}}
	cut := func(p *toy.Protocol) {
		p.Faults = []toy.Fault{{Kind: model.Split, Scope: model.Scope{Names: []string{"ann"}}, Budget: 1}}
	}
	mail := func(p *toy.Protocol) { p.Mail = append(p.Mail, toy.Mail{From: "bob", To: "ann"}) }
	for _, c := range []struct {
		name     string
		p        *toy.Protocol
		violated bool
	}{
		{"a message is delivered", one(toy.Handler{Outcomes: acts}, mail), false},
		{"a message that nobody accepts", one(toy.Handler{Guard: is(0, 2), Outcomes: acts}, mail), true},
		{"a timer fires", one(toy.Handler{Kind: toy.Itself, Timer: true, Outcomes: acts}, func(p *toy.Protocol) { p.Actors[0].Armed = true }), false},
		{"an internal event happens", one(toy.Handler{Kind: toy.Itself, Guard: is(0, 0), Outcomes: acts}, func(*toy.Protocol) {}), false},
		{"a choice may always be the other", one(toy.Handler{Outcomes: [][]toy.Act{acts[0], {send(0, "self")}}}, mail), true},
		{"a message is lost", one(toy.Handler{Outcomes: acts}, func(p *toy.Protocol) {
			mail(p)
			p.Faults = []toy.Fault{{Kind: model.Lose, Scope: model.Scope{All: true}, Budget: 1}}
		}), true},
		{"a duplicate is not forced", one(toy.Handler{Outcomes: [][]toy.Act{{{Do: "add", Value: 2}}}}, func(p *toy.Protocol) {
			mail(p) // received once it makes 2 of 0, and received twice 1
			p.Faults = []toy.Fault{{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded}}
		}), true},
		{"a cut may last", one(toy.Handler{Outcomes: acts}, func(p *toy.Protocol) {
			mail(p)
			cut(p)
		}), true},
		{"a cut may last where delivery is an event", one(toy.Handler{Outcomes: acts}, func(p *toy.Protocol) {
			mail(p)
			cut(p)
			p.Delivery = model.MMP
		}), true},
	} {
		t.Run(c.name, func(t *testing.T) { agree(t, c.p, c.violated) })
	}
}

// watchdog is a program in which ann has a timer, and bob sends her a beat again and again, to which she acts like that and answers.
func watchdog(beat ...toy.Act) *toy.Protocol {
	c := toy.Class{Name: "C", Fields: 2, Restart: []toy.Act{{Do: "arm"}}, Handlers: []toy.Handler{
		{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{append(beat, send(1, "sender"))}, Label: "beat"},
		{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{}}, Label: "late"},
		{Kind: 1, Outcomes: [][]toy.Act{{send(0, "sender")}}, Label: "again"},
		{Kind: toy.Itself, Timer: true, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "suspect"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{c}, Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}, Armed: true}, {Name: "bob", Fields: []int{0, 0}}},
		Mail: []toy.Mail{{From: "bob", To: "ann"}}}
	return asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
}

// quorums is a program in which ann is done by one message alone, or takes two at once and has them sent again.
func quorums() *toy.Protocol {
	c := toy.Class{Name: "C", Fields: 1, Handlers: []toy.Handler{
		{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "alone"},
		{Kind: 0, Quorum: &toy.Quorum{Size: 2, Told: true}, Outcomes: [][]toy.Act{{send(1, "senders")}}, Label: "both"},
		{Kind: 1, Outcomes: [][]toy.Act{{send(0, "sender")}}, Label: "again"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{c}}
	for _, name := range []string{"ann", "bob", "cid"} {
		p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: []int{0}})
	}
	p.Mail = []toy.Mail{{From: "bob", To: "ann"}, {From: "cid", To: "ann"}}
	return asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
}

func do(act string) toy.Act { return toy.Act{Do: act} }

// TestTimersSetAnew has timers that are pending in all states, and need not fire if each round sets them anew.
func TestTimersSetAnew(t *testing.T) {
	changed := func(p *toy.Protocol, by func(p *toy.Protocol)) *toy.Protocol {
		by(p)
		return p
	}
	crashing := func(p *toy.Protocol, kind model.EventKind, within bool) *toy.Protocol {
		p.Faults = []toy.Fault{{Kind: kind, Scope: model.Scope{Names: []string{"ann"}}, Budget: model.Unbounded, Within: within}}
		return p
	}
	byItself := func(acts ...toy.Act) *toy.Protocol {
		return changed(watchdog(), func(p *toy.Protocol) {
			h := toy.Handler{Kind: toy.Itself, Guard: is(0, 0), Outcomes: [][]toy.Act{acts}, Label: "tick"}
			p.Classes[0].Handlers, p.Mail = append(p.Classes[0].Handlers, h), nil
		})
	}
	for _, c := range []struct {
		name     string
		p        *toy.Protocol
		violated bool
	}{
		{"beats leave the timer", watchdog(), false},
		{"beats set it", watchdog(do("arm")), true},
		{"beats cancel and set it", watchdog(do("disarm"), do("arm")), true},
		{"beats cancel it", watchdog(do("disarm")), true},
		{"a beat may set it or not", changed(watchdog(do("arm")), func(p *toy.Protocol) {
			h := &p.Classes[0].Handlers[0]
			h.Outcomes = append(h.Outcomes, []toy.Act{send(1, "sender")})
		}), true},
		{"one beat sets it", watchdog(toy.Act{Do: "arm", When: is(1, 0)}, set(1, 1)), false},
		{"an internal event sets it", byItself(do("arm")), true},
		{"an internal event leaves it", byItself(), false},
		{"another actor sets its own", changed(watchdog(), func(p *toy.Protocol) {
			h := &p.Classes[0].Handlers[2]
			h.Outcomes[0], p.Actors[1].Armed = append(h.Outcomes[0], do("arm")), true
		}), false},
		{"firing sets it again", changed(watchdog(), func(p *toy.Protocol) {
			p.Classes[0].Handlers[3].Outcomes = [][]toy.Act{{do("arm")}, {set(0, 1)}}
		}), true},
		{"one handler may always take it", changed(watchdog(), func(p *toy.Protocol) {
			h := toy.Handler{Kind: toy.Itself, Timer: true, Outcomes: [][]toy.Act{{do("arm")}}, Label: "ignore"}
			p.Classes[0].Handlers = append(p.Classes[0].Handlers, h)
		}), true},
		{"handlers take turns", changed(watchdog(toy.Act{Do: "add", Field: 1, Value: 1}), func(p *toy.Protocol) {
			h := p.Classes[0].Handlers[3]
			p.Classes[0].Handlers[3].Guard = is(1, 0)
			h.Guard, h.Label = []toy.Test{{Field: 1, Is: ">=", Value: 1}}, "suspect later"
			p.Classes[0].Handlers = append(p.Classes[0].Handlers, h)
		}), false},
		{"a quorum takes messages that are sent again", quorums(), true},
		{"restarts set it", crashing(watchdog(), model.Restart, false), true},
		{"restarts within handlers set it", crashing(watchdog(), model.Restart, true), true},
	} {
		t.Run(c.name, func(t *testing.T) { agree(t, c.p, c.violated) })
	}
}

// TestSymmetricTimersSetAnew has two watchdogs that choose whether a beat sets the timer anew; both lead to the same state.
func TestSymmetricTimersSetAnew(t *testing.T) {
	p := watchdog()
	p.Classes[0].Handlers[0].Outcomes = [][]toy.Act{{send(1, "sender")}, {do("arm"), send(1, "sender")}}
	p.Actors, p.Mail = nil, nil
	p.Roles = []model.Role{{Name: "dog", Actors: []string{"dog1", "dog2"}}, {Name: "heart", Actors: []string{"heart1", "heart2"}}}
	for _, i := range []string{"1", "2"} {
		p.Actors = append(p.Actors, toy.Actor{Name: "dog" + i, Fields: []int{0, 0}, Armed: true}, toy.Actor{Name: "heart" + i, Fields: []int{0, 0}})
		p.Mail = append(p.Mail, toy.Mail{From: "heart" + i, To: "dog" + i})
	}
	agree(t, asking(p, "<>!p", toy.Fact{Class: 0, Test: toy.Test{Field: 0, Is: "==", Value: 1}}), true)
}

// TestCrashesConsumeMessages has an actor that crashes within the handler of a message, each time after it has sent it to itself again.
// That run is fair, unless a message that can be received again and again is to be received.
func TestCrashesConsumeMessages(t *testing.T) {
	ctx := context.Background()
	for _, strong := range []bool{false, true} {
		p := &toy.Protocol{
			Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{
				{Kind: 0, Outcomes: [][]toy.Act{{send(0, "self"), set(0, 1), send(1, "peer")}}, Label: "go"},
				{Kind: 1, Outcomes: [][]toy.Act{{}}, Label: "note"},
			}}},
			Actors:   []toy.Actor{{Name: "ann", Fields: []int{0}, Peer: "bob"}, {Name: "bob", Fields: []int{0}}},
			Mail:     []toy.Mail{{From: "ann", To: "ann"}},
			Faults:   []toy.Fault{{Kind: model.Restart, Scope: model.Scope{All: true}, Budget: model.Unbounded, Within: true}},
			Fairness: model.Fairness{Strong: model.Scope{All: strong}},
		}
		asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
		actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
		start := actors.Initial()
		crashes := slices.DeleteFunc(must.Get(actors.Enabled(ctx, start, nil)), func(t model.Transition) bool {
			after, _, err := actors.Apply(slices.Clone(start), t, nil)
			return err != nil || !slices.Equal(after, start) || actors.StepOf(start, t).Kind != model.RestartWithin
		})
		l := &liveness.Lasso{Loop: crashes}
		s := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{}))
		for by, err := range map[string]error{"confirmed": s.Confirm(ctx, l), "executed": executed(p, actors, 0, l)} {
			if len(crashes) != 1 || (err != nil) != strong {
				t.Errorf("strong %v, %s: %d crashes, %v", strong, by, len(crashes), err)
			}
		}
	}
}

// TestPairsMayFallSilent has two pairs that differ in nothing at first, so that it takes a permutation to tell which of them a state is
// about. The first player of one of them may last: it goes on for ever, and shows when it has the ball. The other one falls silent
// once it has read its mail.
//
// Which of the pairs comes first in a canonical state depends on digests, so there are several programs, which differ in a field that
// nobody reads.
func TestPairsMayFallSilent(t *testing.T) {
	for inert := range 4 {
		agree(t, pairs(inert), true)
	}
}

func pairs(inert int) *toy.Protocol {
	play := func(tests ...toy.Test) func(acts ...toy.Act) toy.Handler {
		return func(acts ...toy.Act) toy.Handler {
			return toy.Handler{Guard: tests, Outcomes: [][]toy.Act{acts}, Label: "ball"}
		}
	}
	lasts := is(1, 1)[0]
	first := toy.Class{Name: "First", Fields: 4, Handlers: []toy.Handler{
		play(is(0, 0)[0], is(1, 0)[0])(send(0, "sender")),
		play(lasts, is(2, 0)[0])(set(2, 1), send(0, "sender")),
		play(lasts, is(2, 1)[0])(set(2, 0), send(0, "sender")),
		play(is(0, 1)[0], is(1, 0)[0])(),
		{Kind: 1, Guard: is(1, 0), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "mail"},
		{Kind: 1, Guard: is(1, 1), Outcomes: [][]toy.Act{{}}, Label: "mail of one that lasts"},
		{Kind: 2, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "last"},
	}}
	second := toy.Class{Name: "Second", Fields: 2, Handlers: []toy.Handler{play()(send(0, "sender"))}}
	server := toy.Class{Name: "Server", Fields: 2, Handlers: []toy.Handler{
		{Kind: 0, Chooses: "first", Outcomes: [][]toy.Act{{send(2, "chosen")}}, Label: "choose"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{first, second, server}, Mail: []toy.Mail{{To: "server"}}}
	p.Roles = []model.Role{{Name: "first", Actors: []string{"first1", "first2"}}, {Name: "second", Actors: []string{"second1", "second2"}},
		{Name: "server", Actors: []string{"server"}}}
	for class, role := range p.Roles {
		for _, name := range role.Actors {
			p.Actors = append(p.Actors, toy.Actor{Name: name, Class: class, Fields: append(make([]int, p.Classes[class].Fields-1), inert)})
		}
	}
	for _, i := range []string{"1", "2"} {
		p.Mail = append(p.Mail, toy.Mail{From: "second" + i, To: "first" + i}, toy.Mail{To: "first" + i, Kind: 1})
	}
	return asking(p, "<>[]p || <>[]!p", toy.Fact{Class: 0, Test: toy.Test{Field: 2, Is: "==", Value: 1}})
}

// TestSetsOfQuietActors has an actor that is sent one message again and again, over a channel that is a set. It takes two of them to
// come to its goal, so it may not be quiet after the first, though the message changes nothing where it is there already.
func TestSetsOfQuietActors(t *testing.T) {
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 2, Handlers: []toy.Handler{
			{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "first"},
			{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "second"},
			{Kind: 2, Outcomes: [][]toy.Act{{send(2, "self"), send(0, "peer")}}, Label: "spin"},
		}}},
		Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Fields: []int{0, 0}, Peer: "ann"}},
		Mail:   []toy.Mail{{From: "bob", To: "bob", Kind: 2}},
		Faults: []toy.Fault{{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded}},
	}
	agree(t, asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 1, Is: "==", Value: 1}}), false)
}

// spinning is a program of two actors that have mail: ann is done with it, bob sends it to himself again.
func spinning() *toy.Protocol {
	p := &toy.Protocol{Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{
		{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "done"}, {Kind: 2, Outcomes: [][]toy.Act{{send(2, "self")}}, Label: "spin"},
	}}}, Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Fields: []int{0}}},
		Mail: []toy.Mail{{From: "bob", To: "ann"}, {From: "bob", To: "bob", Kind: 2}}}
	return asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
}

// TestUnfairLassosAreRefused confirms and executes runs that are no fair lassos.
func TestUnfairLassosAreRefused(t *testing.T) {
	ctx := context.Background()
	p := spinning()
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	s := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{}))
	enabled := must.Get(actors.Enabled(ctx, actors.Initial(), nil))
	spin, done := enabled[0], enabled[1]
	for want, l := range map[string]liveness.Lasso{
		"the loop is not fair: a constraint of ann is enabled all along, and not taken": {Loop: []model.Transition{spin}},
		"the loop does not come back to where it begins":                                {Loop: []model.Transition{done}},
		"a step is not enabled":    {Stem: []model.Transition{done, done}},
		"the run has the property": {Stem: []model.Transition{done}, Loop: []model.Transition{spin}},
	} {
		if err := s.Confirm(ctx, &l); err == nil || strings.TrimPrefix(err.Error(), liveness.ErrNone.Error()+": ") != want {
			t.Errorf("%v, want %s", err, want)
		}
		if executed(p, actors, 0, &l) == nil {
			t.Errorf("it is executed again, though %s", want)
		}
	}
}

// gate is a program of an actor that accepts messages of so many kinds while it is open, which it is now and then, and sends each
// again. The last kind is to be received again and again.
func gate(kinds int) *toy.Protocol {
	c := toy.Class{Name: "Gate", Fields: 2, Handlers: []toy.Handler{
		{Kind: toy.Itself, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "open"},
		{Kind: toy.Itself, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(0, 0)}}, Label: "close"},
	}}
	p := &toy.Protocol{Actors: []toy.Actor{{Name: "gate", Fields: []int{0, 0}}}}
	for kind := range kinds {
		isLast := 0
		if kind == kinds-1 {
			isLast = 1
		}
		c.Handlers = append(c.Handlers, toy.Handler{Kind: kind, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(1, isLast), send(kind, "self")}}, Label: fmt.Sprint("on ", kind)})
		p.Mail = append(p.Mail, toy.Mail{From: "gate", To: "gate", Kind: kind})
	}
	p.Classes = []toy.Class{c}
	return asking(p, "[]<>!p", toy.Fact{Actor: "gate", Test: toy.Test{Field: 1, Is: "==", Value: 1}})
}

// TestStrongFairness has as many strong conditions as TLC has been asked for in vain, as it makes a formula of them (tlaplus, issue 1251).
func TestStrongFairness(t *testing.T) {
	agree(t, gate(26), true)
	strong := gate(26)
	strong.Fairness.Strong = model.Scope{Names: []string{"gate"}}
	agree(t, strong, false)
}

// TestPossible has a state from which only a crash leads on.
func TestPossible(t *testing.T) {
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 2, Restart: []toy.Act{set(0, 1)}, Handlers: []toy.Handler{
			{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "go"}, {Kind: 1, Outcomes: [][]toy.Act{{set(0, 2)}}, Label: "leave"},
		}}},
		Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}}}, Mail: []toy.Mail{{To: "ann", Kind: 1}},
		Faults: []toy.Fault{{Kind: model.Restart, Scope: model.Scope{All: true}, Budget: model.Unbounded}},
	}
	asking(p, "p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "!=", Value: 1}})
	p.Liveness[0].Kind = model.Possible
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	of := p.Program().Liveness[0]
	if !must.Get(twin.NewGraph(p, twin.Options{MaxStates: mostStates}).Violates(of)) {
		t.Fatal("the twin says that it is possible")
	}
	s := must.Get(liveness.New(actors, property.NewChecker(p, actors), of, liveness.Options{}))
	if must.Get(s.Advance(context.Background(), 1<<20)) == nil {
		t.Error("it is possible only by a crash")
	}
}

// TestUndeliveredMailIsUnfair has bob spin for ever, where delivery is an event, and ann's mail is never delivered.
func TestUndeliveredMailIsUnfair(t *testing.T) {
	p := spinning()
	p.Delivery = model.MMP
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	l, s := &liveness.Lasso{}, actors.Initial()
	for range 2 { // bob's mail is delivered, and received
		enabled := must.Get(actors.Enabled(context.Background(), s, nil))
		bob := slices.IndexFunc(enabled, func(t model.Transition) bool { return actors.Action(s, t).Actor == "bob" })
		l.Loop = append(l.Loop, enabled[bob])
		var err error
		if s, _, err = actors.Apply(s, enabled[bob], nil); err != nil {
			t.Fatal(err)
		}
	}
	want := "the run is not fair: an event of ann is enabled from some state on, and does not happen"
	if err := executed(p, actors, 0, l); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestGatesNeedNotBePassed has a gate open and close for ever. Its mail, deliverable again and again, need not be received, unless
// fairness is strong.
func TestGatesNeedNotBePassed(t *testing.T) {
	p := gate(1)
	p.Actors[0].Fields = []int{1, 0}
	agree(t, p, true)
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	s := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{}))
	l := must.Get(s.Advance(context.Background(), 1<<20))
	strong := gate(1)
	strong.Actors[0].Fields, strong.Fairness.Strong = []int{1, 0}, model.Scope{Names: []string{"gate"}}
	want := "the run is not fair: an event of gate is enabled again and again, and does not happen"
	if err := executed(strong, actors, 0, l); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestFloodsAreFound has clients that send one message again and again to a server that never answers. That it consumes them is
// internal, so macro states have more of them each time.
func TestFloodsAreFound(t *testing.T) {
	client := toy.Class{Name: "Client", Fields: 1, Handlers: []toy.Handler{
		{Kind: 1, Outcomes: [][]toy.Act{{send(1, "self"), send(0, "peer")}}, Label: "again"},
		{Kind: 2, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "answered"},
	}}
	server := toy.Class{Name: "Server", Fields: 1, Handlers: []toy.Handler{
		{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "odd"},
		{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(0, 0)}}, Label: "even"},
	}}
	p := &toy.Protocol{Classes: []toy.Class{client, server}, Roles: []model.Role{{Name: "client", Actors: []string{"client1", "client2"}}}}
	for _, name := range p.Roles[0].Actors {
		p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: []int{0}, Peer: "server"})
		p.Mail = append(p.Mail, toy.Mail{From: name, To: name, Kind: 1})
	}
	p.Actors = append(p.Actors, toy.Actor{Name: "server", Class: 1, Fields: []int{0}})
	asking(p, "<>!p", toy.Fact{Class: 0, Test: toy.Test{Field: 0, Is: "==", Value: 1}})
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	group := must.Get(symmetry.Find(actors))
	for _, o := range []liveness.Options{{}, {Macro: true}, {Group: group}, {Group: group, Macro: true}} {
		s := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], o))
		l, err := s.Advance(context.Background(), 200)
		if l == nil || err != nil {
			t.Errorf("macro %v, symmetry %v: %v, %v", o.Macro, o.Group != nil, l, err)
		} else if err := s.Confirm(context.Background(), l); err != nil {
			t.Errorf("macro %v, symmetry %v: %v", o.Macro, o.Group != nil, err)
		}
	}
}

// TestMacroStepsThatSaveNothing has counters that tell somebody of each step, which macro steps cannot put off, or of one of many. Once
// macro steps turn out to save nothing, single steps are taken, and find the same.
func TestMacroStepsThatSaveNothing(t *testing.T) {
	liveness.FirstStates(t, 32)
	for counters, tellsEach := range map[int]bool{3: true, 6: false} {
		p := &toy.Protocol{Classes: []toy.Class{{Name: "Counter", Fields: 1}, {Name: "Sink", Fields: 1, Handlers: []toy.Handler{
			{Kind: 1, Guard: is(0, 1), Outcomes: [][]toy.Act{{}}, Label: "told"},
		}}}}
		const steps = 4
		for value := range steps {
			count := []toy.Act{set(0, value+1)}
			if tellsEach || value == 2 {
				count = append(count, send(1, "sink"))
			}
			h := toy.Handler{Kind: 0, Guard: is(0, value), Outcomes: [][]toy.Act{count}, Label: fmt.Sprint(value)}
			p.Classes[0].Handlers = append(p.Classes[0].Handlers, h)
		}
		for i := range counters {
			name := fmt.Sprint("counter", i)
			p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: []int{0}})
			for range steps {
				p.Mail = append(p.Mail, toy.Mail{From: name, To: name})
			}
		}
		p.Actors = append(p.Actors, toy.Actor{Name: "sink", Class: 1, Fields: []int{0}})
		asking(p, "<>!p", toy.Fact{Actor: "sink", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
		actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
		s := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{Macro: true}))
		if found := must.Get(s.Advance(context.Background(), 1<<20)); found == nil || s.TakesSingleSteps() != tellsEach {
			t.Errorf("%d counters: %d states, single steps %v, violated %v", counters, s.States(), s.TakesSingleSteps(), found != nil)
		}
		if tellsEach {
			agree(t, p, true)
			single := must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{}))
			must.Get(single.Advance(context.Background(), 1<<20))
			if s.States() != single.States() || s.Edges() != single.Edges() {
				t.Errorf("%d states, %d edges, not %d and %d", s.States(), s.Edges(), single.States(), single.Edges())
			}
		}
	}
}
