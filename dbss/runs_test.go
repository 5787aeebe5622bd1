package dbss_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/internal/toy"
	"harrier/model"
)

// troubled is a program with one of each fault.
func troubled() *toy.Script {
	return toy.Read(`
		start: ann 0, bob 0
		mail: bob>ann a, bob>ann b, ann>bob c, ann>bob d
		ann 0 a -> 0
		ann 0 b -> 0
		ann 0 restart -> 0
		bob 0 c -> 0
		bob 0 d -> 0
		queues: ann
		fault: 1 restart ann
		fault: 1 stop bob
		fault: 1 lose bob
		fault: 1 duplicate ann
		fault: 1 split ann`)
}

func does(kind model.EventKind, fault int, actor string, text ...string) model.Action {
	do := model.Action{Actor: actor, Event: model.Event{Kind: kind, Fault: fault}}
	sender := map[string]string{"ann": "bob", "bob": "ann"}[actor]
	for _, t := range text {
		do.Event.Messages = append(do.Event.Messages, model.Message{Sender: sender, Receiver: actor, Payload: []byte(t)})
	}
	return do
}

// A run takes only what is enabled: what a search found is not believed.
func TestARunTakesOnlyWhatIsEnabled(t *testing.T) {
	for _, c := range []struct {
		text  string
		first []model.Action // which are taken
		then  model.Action   // which is not
	}{
		{"happened 1 times already", []model.Action{does(model.Restart, 0, "ann")}, does(model.Restart, 0, "ann")},
		{"does not befall bob", nil, does(model.Restart, 0, "bob")},
		{"happened 1 times already", []model.Action{does(model.Lose, 2, "bob", "c")}, does(model.Lose, 2, "bob", "d")},
		{"happened 1 times already", []model.Action{does(model.Duplicate, 3, "ann", "a")}, does(model.Duplicate, 3, "ann", "a")},
		{"is not pending", []model.Action{does(model.Lose, 2, "bob", "c")}, does(model.Receive, 0, "bob", "c")},
		{"there is no such actor", []model.Action{does(model.Stop, 1, "bob")}, does(model.Receive, 0, "bob", "c")},
		{"not at the head", nil, does(model.Receive, 0, "ann", "b")},
		{"not at the head", nil, does(model.Duplicate, 3, "ann", "b")},
		{"not get through the cut", []model.Action{does(model.Split, 4, "ann")}, does(model.Receive, 0, "ann", "a")},
		{"not get through the cut", []model.Action{does(model.Split, 4, "ann")}, does(model.Duplicate, 3, "ann", "a")},
		{"is active already", []model.Action{does(model.Split, 4, "ann")}, does(model.Split, 4, "ann")},
		{"is not active", nil, does(model.Heal, 4, "ann")},
		{"is not active", nil, does(model.Lose, 4, "ann", "a")},
		{"happened 1 times already", []model.Action{does(model.Split, 4, "ann"), does(model.Heal, 4, "ann")}, does(model.Split, 4, "ann")},
		{"is not pending that often", []model.Action{does(model.Split, 4, "ann"), does(model.Lose, 4, "ann", "b")}, does(model.Lose, 4, "ann", "b")},
		{"allows no event of the kind", nil, does(model.Stop, 0, "ann")},
		{"no fault number 9", nil, does(model.Stop, 8, "ann")},
		{"has no messages, not 1", nil, does(model.Stop, 1, "bob", "c")},
		{"it receives no message", nil, does(model.Receive, 0, "bob")},
	} {
		run, err := model.NewRun(troubled(), model.Decomposition{})
		if err != nil {
			t.Fatal(err)
		}
		for _, do := range c.first {
			if _, err := run.Take(context.Background(), do); err != nil {
				t.Errorf("%v: %v", do, err)
			}
		}
		before := run.Digest()
		if _, err := run.Take(context.Background(), c.then); !errors.Is(err, model.ErrNotEnabled) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v after %v: %v, want %s", c.then, c.first, err, c.text)
		}
		if run.Digest() != before {
			t.Errorf("%v after %v: it is not enabled, and changes the state", c.then, c.first)
		}
	}
}

// Digests tell states apart that differ in what has gone wrong or in the order of a queue alone.
func TestDigestsTellStatesApart(t *testing.T) {
	digest := func(p *toy.Script, actions ...model.Action) string {
		run, err := model.NewRun(p, model.Decomposition{})
		for _, do := range actions {
			if err == nil {
				_, err = run.Take(context.Background(), do)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return run.Digest()
	}
	reordered, unordered := troubled(), troubled()
	reordered.Mail[0], reordered.Mail[1] = reordered.Mail[1], reordered.Mail[0]
	unordered.Mail[2], unordered.Mail[3] = unordered.Mail[3], unordered.Mail[2]
	start := digest(troubled())
	if digest(unordered) != start {
		t.Error("the order of messages shows where the channel keeps none")
	}
	digests := map[string]string{start: "the start"}
	for name, d := range map[string]string{
		"a queue in another order": digest(reordered),
		"a crash":                  digest(troubled(), does(model.Restart, 0, "ann")),
		"a cut":                    digest(troubled(), does(model.Split, 4, "ann")),
		"a cut that healed":        digest(troubled(), does(model.Split, 4, "ann"), does(model.Heal, 4, "ann")),
		"an actor that stopped":    digest(troubled(), does(model.Stop, 1, "bob")),
	} {
		if other, ok := digests[d]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		digests[d] = name
	}
	p := troubled()
	p.Faults = nil
	if digest(p) != start {
		t.Error("faults that did not happen show")
	}
}

// Of equal messages in a queue it matters which one is lost at the cut.
func TestARunLosesTheSameMessageOfAQueue(t *testing.T) {
	p := troubled()
	p.Mail = []string{"bob>ann a", "bob>ann b", "bob>ann a"}
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	offered, err := actors.Enabled(context.Background(), actors.Initial(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, lose := range offered {
		actions, err := actors.Actions([]model.Transition{lose})
		if err != nil {
			t.Fatal(err)
		}
		if do := actions[0]; do.Actor == "ann" && do.Event.Kind == model.Lose {
			run, err := model.NewRun(p, model.Decomposition{})
			if err == nil {
				_, err = run.Take(context.Background(), does(model.Split, 4, "ann"))
			}
			if err == nil {
				_, err = run.Take(context.Background(), do)
			}
			if err != nil {
				t.Fatal(err)
			}
			digests[run.Digest()] = true
		}
	}
	if len(digests) != 3 {
		t.Errorf("%d states come of losing one of a, b, a; want 3", len(digests))
	}
}
