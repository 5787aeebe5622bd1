package model_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"harrier/model"
)

// follow takes a run of a program through the events with these texts, by an actor each ("bob: deliver ann:x"), and lists what is
// enabled then, in the same form. A Run must repeat it.
func (c *collector) follow(t *testing.T, events ...string) []string {
	t.Helper()
	actors, err := model.NewActors(c, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	var path []model.Transition
	s := actors.Initial()
	for _, event := range events {
		next, offered := c.enabled(t, actors, s, path)
		i := slices.Index(offered, event)
		if i < 0 {
			t.Fatalf("%q is not enabled, only %q", event, offered)
		}
		path = append(path, next[i])
		if s, _, err = actors.Apply(s, next[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	_, offered := c.enabled(t, actors, s, path)
	run := c.repeat(t, actors, path)
	if len(run.Pending()) != actors.Pending(s) {
		t.Errorf("%d messages are pending in the run, %d in the state", len(run.Pending()), actors.Pending(s))
	}
	goesOn, err := run.Enabled(context.Background())
	if want := slices.ContainsFunc(offered, mustHappen); err != nil || goesOn != want {
		t.Errorf("after %q the run says %v of whether it goes on, want %v (%v)", events, goesOn, want, err)
	}
	return offered
}

// enabled are the transitions that are enabled after a path, and their texts.
func (c *collector) enabled(t *testing.T, actors *model.Actors, s model.State, path []model.Transition) (next []model.Transition, texts []string) {
	t.Helper()
	offered, err := actors.Enabled(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range offered {
		if _, _, err := actors.Apply(slices.Clone(s), tr, nil); errors.Is(err, model.ErrRefused) {
			continue
		}
		actions, err := actors.Actions(append(slices.Clone(path), tr))
		if err != nil {
			t.Fatal(err)
		}
		last := actions[len(path)]
		next, texts = append(next, tr), append(texts, last.Actor+": "+textOf(last.Event))
	}
	return next, texts
}

// mustHappen says whether an event is none that need not happen.
func mustHappen(text string) bool {
	kind, err := model.ParseEventKind(strings.Fields(text)[1])
	return err == nil && !kind.IsFault()
}

func (c *collector) repeat(t *testing.T, actors *model.Actors, path []model.Transition) *model.Run {
	t.Helper()
	run, err := model.NewRun(c, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	actions, err := actors.Actions(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range actions {
		if _, err := run.Take(context.Background(), do); err != nil {
			t.Fatalf("%s: %v", textOf(do.Event), err)
		}
	}
	return run
}

func TestDeliveryIsAnEventOfItsOwn(t *testing.T) {
	program := func(by model.Passing) *collector {
		return &collector{
			actors: []string{"bob"}, mail: []string{"ann>bob x", "ann>bob y"}, takes: always, quorums: quorum(2, ""),
			internals: always, facts: passing(by),
		}
	}
	expect(t, program(model.M).follow(t), "bob: receive ann:x", "bob: receive ann:y", "bob: internal")
	expect(t, program(model.MMP).follow(t), "bob: deliver ann:x", "bob: deliver ann:y", "bob: internal")
	expect(t, program(model.MMP).follow(t, "bob: deliver ann:y", "bob: deliver ann:x"),
		"bob: receive ann:x", "bob: receive ann:y", "bob: internal")
	expect(t, program(model.MMP).follow(t, "bob: deliver ann:y", "bob: receive ann:y"), "bob: deliver ann:x", "bob: internal")
	// What is delivered has to be consumed before anything else, all at once; no handler takes two from ann.
	expect(t, program(model.MP).follow(t, "bob: deliver ann:y"), "bob: receive ann:y", "bob: deliver ann:x")
	stuck := program(model.MP)
	stuck.mail = append(stuck.mail, "ann>bob z")
	expect(t, stuck.follow(t, "bob: deliver ann:y", "bob: deliver ann:x"), "bob: deliver ann:z")
	if slices.ContainsFunc(stuck.asked, func(q string) bool { return strings.Contains(q, "ann:x ann:y") }) {
		t.Error("it is asked about two messages from ann")
	}
	several := program(model.MP)
	several.quorums = quorum(0, "")
	expect(t, several.follow(t, "bob: deliver ann:y", "bob: deliver ann:x"), "bob: receive ann:x ann:y")
	expect(t, several.follow(t, "bob: deliver ann:y", "bob: deliver ann:x", "bob: receive ann:x ann:y"), "bob: internal")
}

// In M the order in a queue holds for what is received; else for what is delivered, and then for what is received.
func TestQueuesUnderDelivery(t *testing.T) {
	c := &collector{
		actors: []string{"bob"}, mail: []string{"ann>bob y", "ann>bob x", "cid>bob z"}, takes: always,
		facts: func(p *model.Program) { p.FIFO.All, p.Passing = true, model.MMP },
	}
	expect(t, c.follow(t), "bob: deliver ann:y", "bob: deliver cid:z")
	expect(t, c.follow(t, "bob: deliver ann:y", "bob: deliver ann:x"), "bob: receive ann:y", "bob: deliver cid:z")
}

// A fault does what it does to what is in flight: what was delivered is safe but for a stop.
func TestFaultsUnderDelivery(t *testing.T) {
	bob := model.Scope{Names: []string{"bob"}}
	program := func(kind model.EventKind) *collector {
		return &collector{actors: []string{"bob"}, mail: []string{"ann>bob x"}, takes: always, facts: func(p *model.Program) {
			p.Passing = model.MMP
			p.Faults = []model.Fault{{Kind: kind, Scope: bob, Budget: 1, Label: "fault"}}
		}}
	}
	expect(t, program(model.Lose).follow(t), "bob: deliver ann:x", "bob: lose ann:x")
	expect(t, program(model.Lose).follow(t, "bob: deliver ann:x"), "bob: receive ann:x")
	expect(t, program(model.Duplicate).follow(t, "bob: duplicate ann:x"), "bob: receive ann:x", "bob: deliver ann:x")
	expect(t, program(model.Duplicate).follow(t, "bob: duplicate ann:x", "bob: deliver ann:x", "bob: receive ann:x"), "bob: receive ann:x")
	expect(t, program(model.Restart).follow(t, "bob: deliver ann:x", "bob: restart"), "bob: receive ann:x")
	expect(t, program(model.Stop).follow(t, "bob: deliver ann:x", "bob: stop"))
	expect(t, program(model.Split).follow(t, "bob: split"), "bob: lose ann:x", "bob: heal")
	expect(t, program(model.Split).follow(t, "bob: deliver ann:x", "bob: split"), "bob: receive ann:x", "bob: heal")
}

// Where several messages are taken at once a duplicate is one more to take, and each in a queue may be lost or duplicated.
func TestFaultsAtQuorumHandlers(t *testing.T) {
	program := func(kind model.EventKind, isQueue bool) *collector {
		return &collector{actors: []string{"bob"}, mail: []string{"ann>bob x", "ann>bob y"}, quorums: quorum(0, ""), facts: func(p *model.Program) {
			p.FIFO.All = isQueue
			p.Faults = []model.Fault{{Kind: kind, Scope: model.Scope{All: true}, Budget: 1, Label: "fault"}}
		}}
	}
	expect(t, program(model.Duplicate, false).follow(t, "bob: duplicate ann:x"),
		"bob: receive ann:x ann:y", "bob: receive ann:x ann:x ann:y", "bob: receive ann:x ann:x")
	expect(t, program(model.Duplicate, true).follow(t, "bob: duplicate ann:y"),
		"bob: receive ann:x ann:y", "bob: receive ann:x ann:y ann:y")
	expect(t, program(model.Lose, true).follow(t), "bob: receive ann:x ann:y", "bob: lose ann:x", "bob: lose ann:y")
}

func TestRunsKnowEndsWithQuorumHandlers(t *testing.T) {
	c := &collector{actors: []string{"bob"}, mail: []string{"ann>bob x", "ann>bob y", "cid>bob x"}, quorums: quorum(2, "")}
	expect(t, c.follow(t), "bob: receive ann:x cid:x", "bob: receive ann:y cid:x")
	expect(t, c.follow(t, "bob: receive ann:y cid:x"))
	c.facts = passing(model.MMP)
	expect(t, c.follow(t, "bob: deliver ann:x", "bob: deliver ann:y", "bob: deliver cid:x", "bob: receive ann:x cid:x"))
}

func TestAdversaries(t *testing.T) {
	program := func() *collector {
		return &collector{
			actors: []string{"bob"}, takes: always,
			sends: func(string) []model.Message {
				return []model.Message{{Sender: "bob", Receiver: "eve", Payload: []byte("answer")}}
			},
			facts: func(p *model.Program) {
				p.Faults = []model.Fault{{
					Kind: model.Forge, Scope: model.Scope{Names: []string{"eve", "fay"}}, Budget: 2, Label: "forged messages",
					Forged: []model.Message{letter("eve>bob x"), letter("eve>bob y"), letter("eve>bob x"), letter("fay>bob x")},
				}, {Kind: model.Split, Scope: model.Scope{Names: []string{"eve", "fay"}}, Budget: 1, Label: "cut"}}
			},
		}
	}
	all := []string{"fay: forge fay:x", "eve: forge eve:x", "eve: forge eve:y"}
	expect(t, program().follow(t), append(slices.Clone(all), "eve: split")...)
	expect(t, program().follow(t, "eve: forge eve:y"), append(slices.Clone(all), "eve: split", "bob: receive eve:y")...)
	expect(t, program().follow(t, "eve: forge eve:y", "bob: receive eve:y"), append(slices.Clone(all), "eve: split")...)
	expect(t, program().follow(t, "eve: forge eve:y", "eve: split", "fay: forge fay:x"), "eve: heal", "bob: lose eve:y", "bob: lose fay:x")

	actors, err := model.NewActors(program(), model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	s := actors.Initial()
	enabled, err := actors.Enabled(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f := actors.Facts(s, enabled[0]); f.Fault != 1 || f.Handler != 0 || !f.Refusable {
		t.Errorf("of a forged message the facts are %+v", f)
	}

	run, err := model.NewRun(program(), model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"eve>bob z": "not among the messages", "fay>bob x": "the message is from fay",
	} {
		do := model.Action{Actor: "eve", Event: model.Event{Kind: model.Forge, Messages: []model.Message{letter(text)}}}
		if _, err := run.Take(context.Background(), do); !errors.Is(err, model.ErrNotEnabled) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", text, err, want)
		}
	}
}

func TestDigestsTellWhatIsDelivered(t *testing.T) {
	c := &collector{actors: []string{"bob"}, mail: []string{"ann>bob x", "ann>bob y"}, facts: func(p *model.Program) {
		p.Passing = model.MMP
		p.Faults = []model.Fault{{Kind: model.Lose, Scope: model.Scope{All: true}, Budget: model.Unbounded}}
	}}
	met := map[string]string{}
	for _, texts := range [][]string{{}, {"x"}, {"y"}, {"x", "y"}} {
		run, err := model.NewRun(c, model.Decomposition{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"x", "y"} { // what is not delivered is lost
			do := model.Action{Actor: "bob", Event: model.Event{Kind: model.Lose, Messages: []model.Message{letter("ann>bob " + text)}}}
			if slices.Contains(texts, text) {
				do.Event.Kind = model.Deliver
			}
			if _, err := run.Take(context.Background(), do); err != nil {
				t.Fatal(err)
			}
		}
		delivered := strings.Join(texts, " and ")
		if other, ok := met[run.Digest()]; ok && other != delivered {
			t.Errorf("%q and %q delivered have one digest", other, delivered)
		}
		met[run.Digest()] = delivered
	}
}

// A run refuses what its model does not admit, whatever a trace says.
func TestRunsHoldToTheModel(t *testing.T) {
	program := &collector{actors: []string{"bob"}, mail: []string{"ann>bob x", "ann>bob y"}, takes: always, internals: always, quorums: quorum(0, "")}
	action := func(kind model.EventKind, mail ...string) model.Action {
		do := model.Action{Actor: "bob", Event: model.Event{Kind: kind}}
		for _, m := range mail {
			do.Event.Messages = append(do.Event.Messages, letter(m))
		}
		return do
	}
	for _, c := range []struct {
		by     model.Passing
		isFIFO bool
		before []model.Action
		do     model.Action
		want   string
	}{
		{model.MMP, false, nil, action(model.Receive, "ann>bob x"), "not pending"},
		{model.M, false, nil, action(model.Receive, "ann>bob x", "ann>bob x"), "not pending"},
		{model.M, true, nil, action(model.Receive, "ann>bob y", "ann>bob x"), "not at the head of its queue"},
		{model.M, false, nil, action(model.Receive), "it receives no message"},
		{model.MMP, false, nil, action(model.Deliver), "has one message, not 0"},
		{model.MMP, true, nil, action(model.Deliver, "ann>bob y"), "not at the head of its queue"},
		{model.MP, false, []model.Action{action(model.Deliver, "ann>bob x")}, action(model.Internal), "has to be consumed first"},
		{
			model.MP, false, []model.Action{action(model.Deliver, "ann>bob x"), action(model.Deliver, "ann>bob y")},
			action(model.Receive, "ann>bob x"), "2 messages were delivered and have to be consumed together, not 1",
		},
	} {
		program.facts = func(p *model.Program) { p.Passing, p.FIFO.All = c.by, c.isFIFO }
		run, err := model.NewRun(program, model.Decomposition{})
		if err != nil {
			t.Fatal(err)
		}
		for _, do := range c.before {
			if _, err := run.Take(context.Background(), do); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := run.Take(context.Background(), c.do); !errors.Is(err, model.ErrNotEnabled) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s under %s: the error is %v, want one with %q", textOf(c.do.Event), c.by, err, c.want)
		}
	}
}
