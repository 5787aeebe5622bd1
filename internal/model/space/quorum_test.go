package space_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// Which messages may be taken together is compared with the dumb twin, and counted by hand, in package dbss.

// enabled are the messages of the events that are enabled at the start of a script.
func enabled(t *testing.T, p *toy.Script) (events []string, err error) {
	t.Helper()
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	transitions, err := actors.Enabled(t.Context(), actors.Initial(), nil)
	for _, tr := range transitions {
		actions := must.Get(actors.Actions([]model.Transition{tr}))
		text := ""
		for _, m := range actions[0].Event.Messages {
			text += fmt.Sprintf(" %s:%s", m.Sender, m.Payload)
		}
		events = append(events, text)
	}
	return events, err
}

// Java is asked about no messages that declared sizes, queues and the model rule out.
func TestNoNeedlessQuestionsAreAsked(t *testing.T) {
	for _, c := range []struct {
		name   string
		by     model.DeliveryModel
		asked  int
		script string
	}{
		{"three of different senders among two messages of each of five: in 10 times 8 ways", model.M, 10 + 80, `
			start: bob 0
			mail: 1>bob yes, 2>bob yes, 3>bob yes, 4>bob yes, 5>bob yes, 1>bob no, 2>bob no, 3>bob no, 4>bob no, 5>bob no
			together: yes 3, no 3`},
		{"what is behind a message that nobody takes with others", model.M, 2, `
			start: bob 0
			mail: ann>bob 1, ann>bob alone, ann>bob 3
			queues: all
			together: 1 0, 3 0`},
		{"two of one sender that were delivered", model.MP, 3, `
			start: bob 0
			mail: ann>bob 1, ann>bob 2, ann>bob 3
			together: 1 2, 2 2, 3 2`},
	} {
		p := toy.Read(c.script)
		p.Delivery = c.by
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		must.Get(dbss.Search(t.Context(), actors, property.NewChecker(p, actors), dbss.Options{}, &dbss.Progress{}))
		if asked, _ := p.Asked(); asked != c.asked {
			t.Errorf("%s: %d questions, not %d", c.name, asked, c.asked)
		}
	}
}

// The order of events does not depend on which message was met first.
func TestOrderOfQuorumEvents(t *testing.T) {
	p := toy.Read(`
		start: bob 0
		mail: ann>bob x, cid>bob y, dan>bob x, dan>bob z
		together: x 2, y 2, z 2
		bob 0 x+x -> 1
		bob 0 x+y -> 1
		bob 0 x+z -> 1
		bob 0 y+z -> 1`)
	one, err := enabled(t, p)
	slices.Reverse(p.Mail)
	two, err2 := enabled(t, p)
	if len(one) != 5 || !slices.Equal(one, two) || errors.Join(err, err2) != nil {
		t.Errorf("%q, in the other order %q, %v", one, two, errors.Join(err, err2))
	}
}

func TestTooManyWaysToTakeMessagesTogether(t *testing.T) {
	for _, c := range []struct {
		size     string
		messages int
		events   int
		says     string
	}{
		{"0", 17, 0, "together may take the 17 messages pending for bob in more than 65536 ways: "},
		{"8", 20, 0, "fewer are pending at once"}, // in 125,970 ways
		{"2", 17, 17 * 16 / 2, ""},
	} {
		p := toy.Read("start: bob 0\n bob 0 x+x -> 1\n together: x " + c.size)
		for i := range c.messages {
			p.Mail = append(p.Mail, fmt.Sprintf("voter%d>bob x", i))
		}
		events, err := enabled(t, p)
		var limit *model.LimitError
		if c.says == "" && (err != nil || len(events) != c.events) || c.says != "" && (!errors.As(err, &limit) || !strings.Contains(limit.Text, c.says)) {
			t.Errorf("%d messages, size %s: %d events, %v", c.messages, c.size, len(events), err)
		}
	}
}

// undeclared is a script that declares its quorum handler for another class than that of its actors.
type undeclared struct{ *toy.Script }

func (u undeclared) Program() *model.Program {
	p := u.Script.Program()
	p.Handlers[0].Class = "Other"
	return p
}

// Faults go by which classes have quorum handlers, so one that is found too late cannot be checked.
func TestQuorumHandlersAreKnownFromTheStart(t *testing.T) {
	p := undeclared{toy.Read(`
		start: bob 0
		mail: ann>bob x
		together: x 2
		fault: any duplicate all
		final: bob 0`)}
	actors, err := space.NewActors(p, space.Decomposition{})
	if err != nil {
		t.Fatal(err) // a class without quorum handlers may have duplicates without bound
	}
	_, err = actors.Enabled(t.Context(), actors.Initial(), nil)
	var usage *model.UsageError
	if !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, "the quorum handlers of Actor have to be known from the start") {
		t.Errorf("the error is %v", err)
	}
}
