package replay_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
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
		fault: 1 split ann
		byzantine: 1 eve>bob e, fay>bob f`)
}

func does(kind model.EventKind, fault int, actor string, text ...string) model.Action {
	do := model.Action{Actor: actor, Event: model.Event{Kind: kind, Fault: fault}}
	sender := map[string]string{"ann": "bob", "bob": "ann"}[actor]
	for _, t := range text {
		do.Event.Messages = append(do.Event.Messages, model.Message{Sender: sender, Receiver: actor, Payload: []byte(t)})
	}
	return do
}

// sendsByzantine has an adversary send a message of another one, or of its own.
func sendsByzantine(as, sender, text string) model.Action {
	return model.Action{Actor: as, Event: model.Event{
		Kind: model.Byzantine, Fault: 5, Messages: []model.Message{{Sender: sender, Receiver: "bob", Payload: []byte(text)}},
	}}
}

// A run takes only enabled events, whatever a search found or a trace says.
func TestARunTakesOnlyWhatIsEnabled(t *testing.T) {
	for _, c := range []struct {
		by    model.DeliveryModel
		text  string
		first []model.Action // which are taken
		then  model.Action   // which is not
	}{
		{model.M, "happened 1 times already", []model.Action{does(model.Restart, 0, "ann")}, does(model.Restart, 0, "ann")},
		{model.M, "does not apply to bob", nil, does(model.Restart, 0, "bob")},
		{model.M, "happened 1 times already", []model.Action{does(model.Lose, 2, "bob", "c")}, does(model.Lose, 2, "bob", "d")},
		{model.M, "happened 1 times already", []model.Action{does(model.Duplicate, 3, "ann", "a")}, does(model.Duplicate, 3, "ann", "a")},
		{model.M, "is not pending", []model.Action{does(model.Lose, 2, "bob", "c")}, does(model.Receive, 0, "bob", "c")},
		{model.M, "there is no such actor", []model.Action{does(model.Stop, 1, "bob")}, does(model.Receive, 0, "bob", "c")},
		{model.M, "not at the head", nil, does(model.Receive, 0, "ann", "b")},
		{model.M, "not at the head", nil, does(model.Duplicate, 3, "ann", "b")},
		{model.M, "not get through the cut", []model.Action{does(model.Split, 4, "ann")}, does(model.Receive, 0, "ann", "a")},
		{model.M, "not get through the cut", []model.Action{does(model.Split, 4, "ann")}, does(model.Duplicate, 3, "ann", "a")},
		{model.M, "is active already", []model.Action{does(model.Split, 4, "ann")}, does(model.Split, 4, "ann")},
		{model.M, "is not active", nil, does(model.Heal, 4, "ann")},
		{model.M, "is not active", nil, does(model.Lose, 4, "ann", "a")},
		{model.M, "happened 1 times already", []model.Action{does(model.Split, 4, "ann"), does(model.Heal, 4, "ann")}, does(model.Split, 4, "ann")},
		{model.M, "is not pending that often", []model.Action{does(model.Split, 4, "ann"), does(model.Lose, 4, "ann", "b")}, does(model.Lose, 4, "ann", "b")},
		{model.M, "allows no event of the kind", nil, does(model.Stop, 0, "ann")},
		{model.M, "no fault number 9", nil, does(model.Stop, 8, "ann")},
		{model.M, "has no messages, not 1", nil, does(model.Stop, 1, "bob", "c")},
		{model.M, "it receives no message", nil, does(model.Receive, 0, "bob")},
		{model.M, "is not pending", nil, does(model.Receive, 0, "bob", "c", "c")},
		{model.M, "not at the head", nil, does(model.Receive, 0, "ann", "b", "a")},
		{model.M, "not among the messages", nil, sendsByzantine("eve", "eve", "f")},
		{model.M, "the message is from fay", nil, sendsByzantine("eve", "fay", "f")},
		{model.MMP, "is not pending", nil, does(model.Receive, 0, "bob", "c")},
		{model.MMP, "has one message, not 0", nil, does(model.Deliver, 0, "bob")},
		{model.MMP, "not at the head", nil, does(model.Deliver, 0, "ann", "b")},
		{model.MP, "has to be consumed first", []model.Action{does(model.Deliver, 0, "bob", "c")}, does(model.Internal, 0, "bob")},
		{
			model.MP, "2 messages were delivered and have to be consumed together, not 1",
			[]model.Action{does(model.Deliver, 0, "bob", "c"), does(model.Deliver, 0, "bob", "d")}, does(model.Receive, 0, "bob", "c"),
		},
	} {
		p := troubled()
		p.Delivery = c.by
		run := after(t, p, c.first...)
		before := run.Digest()
		if _, err := run.Take(context.Background(), c.then); !errors.Is(err, replay.ErrNotEnabled) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v after %v under %s: %v, want %s", c.then, c.first, c.by, err, c.text)
		}
		if run.Digest() != before {
			t.Errorf("%v after %v: it is not enabled, and changes the state", c.then, c.first)
		}
	}
}

// after is a run of a script after some actions.
func after(t *testing.T, p *toy.Script, actions ...model.Action) *replay.Run {
	t.Helper()
	run, err := replay.New(p, space.Decomposition{})
	for _, do := range actions {
		if err == nil {
			_, err = run.Take(context.Background(), do)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Digests tell states apart that differ in the faults taken or in the order of a queue alone.
func TestDigestsTellStatesApart(t *testing.T) {
	digest := func(p *toy.Script, actions ...model.Action) string { return after(t, p, actions...).Digest() }
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
	p.Faults = p.Faults[5:] // the adversaries stay
	if digest(p) != start {
		t.Error("faults that did not happen show")
	}
}

// Of equal messages in a queue it matters which one is lost at the cut.
func TestARunLosesTheSameMessageOfAQueue(t *testing.T) {
	p := troubled()
	p.Mail = []string{"bob>ann a", "bob>ann b", "bob>ann a"}
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	digests := map[string]bool{}
	enabled := must.Get(actors.Enabled(context.Background(), actors.Initial(), nil))
	for _, lose := range enabled {
		actions := must.Get(actors.Actions([]model.Transition{lose}))
		if do := actions[0]; do.Actor == "ann" && do.Event.Kind == model.Lose {
			digests[after(t, p, does(model.Split, 4, "ann"), do).Digest()] = true
		}
	}
	if len(digests) != 3 {
		t.Errorf("%d states come of losing one of a, b, a; want 3", len(digests))
	}
}

// noted notes which questions are asked beside a run.
type noted struct {
	*toy.Script
	beside []bool
}

func (n *noted) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	for _, q := range questions {
		n.beside = append(n.beside, q.Beside)
	}
	return n.Script.Steps(ctx, questions)
}

// Which constraints are enabled is asked beside the run, so that a debugger stops at the steps of the run only.
func TestConstraintsAreAskedForBesideARun(t *testing.T) {
	p := &noted{Script: troubled()}
	run := must.Get(replay.New(p, space.Decomposition{}))
	must.Get(run.Constraints(t.Context()))
	if len(p.beside) == 0 || slices.Contains(p.beside, false) {
		t.Errorf("questions of constraints are beside the run: %v", p.beside)
	}
	p.beside = nil
	must.Get(run.Take(t.Context(), does(model.Receive, 0, "bob", "c")))
	must.Get(run.Enabled(t.Context()))
	if len(p.beside) < 2 || slices.Contains(p.beside, true) {
		t.Errorf("questions of steps are beside the run: %v", p.beside)
	}
}
