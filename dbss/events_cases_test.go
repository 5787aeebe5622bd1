package dbss_test

import (
	"context"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

var everybody = model.Scope{All: true}

func only(names ...string) model.Scope { return model.Scope{Names: names} }

func once(kind model.EventKind, scope model.Scope) model.Fault {
	return model.Fault{Kind: kind, Scope: scope, Budget: 1, Label: kind.String()}
}

func always(kind model.EventKind, scope model.Scope) model.Fault {
	return model.Fault{Kind: kind, Scope: scope, Budget: model.Unbounded, Label: kind.String()}
}

// eventCases have what actors do by themselves, what befalls them, and channels.
var eventCases = []handCase{
	{
		name: "an actor acts by itself, in one of two ways",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Rules: rules{"ann 0 itself": {{Become: "1"}, {Become: "2"}}, "ann 1 itself": {{Become: "2"}}},
		},
		states: 3, transitions: 3, terminal: 1,
	},
	{
		name:    "an actor that could act by itself waits",
		program: &toy.Script{Start: states{"ann": "0"}, Rules: rules{"ann 0 itself": {}}},
		states:  1, terminal: 1,
	},
	{
		// After bye, late vanishes.
		name: "an actor stops and gets no messages any more",
		program: &toy.Script{
			Start:      states{"ann": "0"},
			Mail:       mail{"bob>ann bye", "bob>ann late"},
			Rules:      rules{"ann 0 bye": {{Stop: true, Send: sends{"ann self"}}}, "ann 0 late": {{Become: "0"}}},
			Invariants: []toy.Condition{func(s states) bool { return s["ann"] != "" || len(s) == 0 }},
		},
		states: 3, transitions: 3, terminal: 1,
	},
	{
		name: "an actor crashes once, before or after go, or not",
		program: &toy.Script{
			Start: states{"ann": "0", "bob": "idle"},
			Mail:  mail{">ann go"},
			Rules: rules{
				"ann 0 go":      {{Become: "1"}},
				"ann 0 restart": {{Become: "0", Send: sends{"bob up"}}},
				"ann 1 restart": {{Become: "0", Send: sends{"bob up"}}},
			},
			Faults: []model.Fault{once(model.Restart, only("ann"))},
		},
		states: 5, transitions: 4, terminal: 3, leftover: 2,
	},
	{
		name: "a crash in one of two budgets",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Rules:  rules{"ann 0 restart": {{Become: "0"}}},
			Faults: []model.Fault{once(model.Restart, everybody), once(model.Restart, only("ann"))},
		},
		states: 4, transitions: 4, terminal: 4,
	},
	{
		name: "an actor fails after a crash",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Rules:  rules{"ann 0 restart": {{Fail: "nothing left"}}},
			Faults: []model.Fault{always(model.Restart, everybody)},
		},
		states: 1, transitions: 1, terminal: 1, violations: 1, shortest: 1,
	},
	{
		name: "an end from which only a crash leads on is tested, and so is what follows",
		program: &toy.Script{
			Start:  states{"ann": "stuck"},
			Rules:  rules{"ann stuck restart": {{Become: "good"}}, "ann good restart": {{Become: "bad"}}},
			Final:  func(s states) bool { return s["ann"] == "good" },
			Faults: []model.Fault{{Kind: model.Restart, Scope: everybody, Budget: 2}},
		},
		states: 3, transitions: 2, terminal: 3, violations: 2,
	},
	{
		name: "an actor stops before or after go",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{">ann go"},
			Rules:  rules{"ann 0 go": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Stop, only("ann"))},
		},
		states: 3, transitions: 3, terminal: 2,
	},
	{
		name: "one of two messages is lost, or none",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{">ann a", ">ann b"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Lose, everybody)},
		},
		states: 5, transitions: 5, terminal: 3, leftover: 2,
	},
	{
		name: "a message to an actor that does not exist is lost",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{">nobody hello", ">ann hello"},
			Faults: []model.Fault{always(model.Lose, only("nobody"))},
		},
		states: 2, transitions: 1, terminal: 2, leftover: 2,
	},
	{
		name: "a message is duplicated once, or not",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{">ann tick"},
			Rules:  rules{"ann 0 tick": {{Become: "1"}}, "ann 1 tick": {{Become: "2"}}},
			Faults: []model.Fault{once(model.Duplicate, everybody)},
		},
		states: 4, transitions: 3, terminal: 2,
	},
	{
		// What is sent is there already.
		name: "a message is duplicated without bound",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"ann>ann tick", "ann>ann tick"},
			Rules:  rules{"ann 0 tick": {{Become: "1", Send: sends{"ann tick"}}}, "ann 1 tick": {{Become: "0"}}},
			Faults: []model.Fault{always(model.Duplicate, everybody)},
		},
		states: 2, transitions: 2,
	},
	{
		// 0t, 1t, 1: that more copies could come does not keep the last one from being an end.
		name: "a message is duplicated without bound, and somebody asks about ends",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann tick"},
			Rules:  rules{"ann 0 tick": {{Become: "1"}}, "ann 1 tick": {{Become: "1"}}},
			Faults: []model.Fault{always(model.Duplicate, everybody)},
			Final:  func(s states) bool { return s["ann"] == "2" },
		},
		states: 3, transitions: 4, terminal: 1, violations: 1, shortest: 1,
	},
	{
		// From bob a is before b; what cid sends comes at any time.
		name: "a channel keeps the order of each sender",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{"bob>ann a", "bob>ann b", "cid>ann c"},
			Rules: rules{
				"ann 0 a": {{Become: "1"}}, "ann 0 b": {{Become: "wrong"}}, "ann 1 b": {{Become: "2"}},
				"ann 0 c": {{Become: "0"}}, "ann 1 c": {{Become: "1"}}, "ann 2 c": {{Become: "2"}},
			},
			FIFO: everybody,
		},
		states: 6, transitions: 7, terminal: 1,
	},
	{
		name: "a message whose guard is false blocks its queue until it is lost",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann closed", "bob>ann b"},
			Rules:  rules{"ann 0 b": {{Become: "1"}}},
			FIFO:   only("ann"),
			Faults: []model.Fault{once(model.Lose, everybody)},
		},
		states: 3, transitions: 2, terminal: 2, leftover: 1,
	},
	{
		// A head that stays is received again before what is behind it: 0 a 1 a 2 b.
		name: "a queue duplicates its head without bound",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann a", "bob>ann b"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}, "ann 1 a": {{Become: "1"}}, "ann 1 b": {{Become: "2"}}, "ann 2 a": {{Fail: "late"}}},
			FIFO:   everybody,
			Faults: []model.Fault{always(model.Duplicate, everybody)},
		},
		// 0ab, 1ab, 1b, 2b (b stays), 2.
		states: 5, transitions: 6, terminal: 2, leftover: 1,
	},
	{
		name: "the network splits between bob and ann, once",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Mail:   mail{"bob>ann a"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Split, only("ann"))},
		},
		states: 8, transitions: 8, terminal: 3,
	},
	{
		name: "a first message crosses no cut",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{">ann a"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Split, only("ann"))},
		},
		states: 6, transitions: 7, terminal: 2,
	},
	{
		name: "a handler that would fail does not get its message through a cut that is there all the time",
		program: &toy.Script{
			Start:  states{"ann": "0", "zoe": "0"},
			Rules:  rules{"ann 0 itself": {{Become: "1", Send: sends{"zoe bad"}}}, "zoe 0 bad": {{Fail: "it came through"}}},
			Faults: []model.Fault{once(model.Split, only("ann"))},
		},
		// ann 0 or 1 with bad there or lost, before, in and after the cut; before the cut nothing is lost.
		states: 8, transitions: 11, terminal: 1, violations: 2, shortest: 2,
	},
	{
		name: "any of the messages in a queue is lost at the cut, also one in the middle",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Mail:   mail{"bob>ann a", "bob>ann b"},
			FIFO:   everybody,
			Faults: []model.Fault{once(model.Split, only("ann"))},
		},
		states: 9, transitions: 9, terminal: 5, leftover: 4,
	},
	{
		name: "a cut heals though the first actor of the side has stopped",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Faults: []model.Fault{once(model.Split, only("ann")), once(model.Stop, only("ann"))},
		},
		states: 6, transitions: 7, terminal: 4,
	},
}

func TestAnActorIsNotCreatedUnderTheNameOfOneThatStopped(t *testing.T) {
	p := &toy.Script{
		Start: states{"ann": "0", "kid": "0"},
		Mail:  mail{">kid bye"},
		Rules: rules{
			"kid 0 bye":  {{Stop: true, Send: sends{"ann make"}}},
			"ann 0 make": {{Become: "1", Create: states{"kid": "new"}}},
		},
	}
	for _, order := range orders {
		got := search(context.Background(), p, dbss.Options{Order: order.Order})
		if got.err == nil || !strings.Contains(got.err.Error(), "kid is created twice") {
			t.Errorf("%s: %v", order.name, got.err)
		}
	}
	if r := twin.Explore(p, twin.Options{}); r.Err == nil {
		t.Error("the twin does not notice")
	}
	run, err := model.NewRun(p, model.Decomposition{})
	if err == nil {
		_, err = run.Take(context.Background(), receives(model.Message{Receiver: "kid", Payload: []byte("bye")}))
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = run.Take(context.Background(), receives(model.Message{Sender: "kid", Receiver: "ann", Payload: []byte("make")}))
	if err == nil || !strings.Contains(err.Error(), "kid is created twice") {
		t.Errorf("a run: %v", err)
	}
}

func receives(m model.Message) model.Action {
	return model.Action{Actor: m.Receiver, Event: model.Event{Messages: []model.Message{m}}}
}

func TestStatesOfOneRelevantPartMustActAlike(t *testing.T) {
	p := &toy.Script{
		Start: states{"ann": "a/1"},
		Mail:  mail{">ann go"},
		Rules: rules{"ann a/1 go": {{Become: "a/2"}}, "ann a/2 itself": {{Become: "b"}}},
	}
	relevant := func(b []byte) ([]byte, error) {
		part, _, _ := strings.Cut(string(b), "/")
		return []byte(part), nil
	}
	got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: relevant}, dbss.Options{})
	if got.err == nil || !strings.Contains(got.err.Error(), "local states of ann with equal relevant parts, one acts by itself") {
		t.Errorf("%v", got.err)
	}
}

func TestFaultsThatMakeNoSenseAreRefused(t *testing.T) {
	for text, fault := range map[string]model.Fault{
		`the fault "split" cuts off no actor`:                              once(model.Split, only("nobody")),
		`the fault "heal" is of the kind "heal", which is none of a fault`: once(model.Heal, everybody),
	} {
		_, err := model.NewActors(&toy.Script{Start: states{"ann": "0"}, Faults: []model.Fault{fault}}, model.Decomposition{})
		if err == nil || err.Error() != text {
			t.Errorf("%v, want %s", err, text)
		}
	}
}

// recording is a program in which a crash begins an operation, of which there may only be one.
type recording struct{ *toy.Script }

func (r recording) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := r.Script.Steps(ctx, questions)
	for i := range answers {
		for k := range answers[i].Outcomes {
			answers[i].Outcomes[k].Records = []model.Record{{Actor: "ann", Payload: []byte("up")}}
		}
	}
	return answers, err
}

func (r recording) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		if len(e.History) > 0 {
			return nil, &model.RuleError{Text: "ann begins an operation while it has one"}
		}
		histories = append(histories, e.Records[0].Payload)
	}
	return histories, nil
}

// What a step records need not make sense where the step is not enabled, so it must not be asked.
func TestRecordsOfStepsThatAreNotEnabledAreNotAsked(t *testing.T) {
	p := recording{&toy.Script{
		Start:  states{"ann": "0"},
		Rules:  rules{"ann 0 restart": {{Become: "0"}}},
		Faults: []model.Fault{once(model.Restart, everybody)},
	}}
	for _, order := range orders {
		got := search(context.Background(), p, dbss.Options{Order: order.Order})
		if got.err != nil || got.States != 2 || got.Transitions != 1 {
			t.Errorf("%s: %+v, %v", order.name, got.Result, got.err)
		}
	}
}
