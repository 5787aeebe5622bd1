package model_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"harrier/model"
)

// Of ten messages, two of each of five senders, three of different senders are taken: 10 times 8 ways, and Java is asked for
// no others.
func TestDeclaredSizesRuleOutQuestions(t *testing.T) {
	c := &collector{actors: []string{"bob"}, quorums: quorum(3, "")}
	for i := range 5 {
		c.mail = append(c.mail, fmt.Sprintf("voter%d>bob yes", i), fmt.Sprintf("voter%d>bob no", i))
	}
	if events := c.offered(t); len(events) != 80 {
		t.Errorf("%d events are offered, want 80: %v", len(events), events)
	}
	if len(c.asked) != 10+80 {
		t.Errorf("%d questions were asked, want 90", len(c.asked))
	}
}

func TestQuorumSubsets(t *testing.T) {
	for _, c := range []struct {
		name string
		collector
		want []string
	}{
		{
			"equal messages are told apart by how many are taken",
			collector{mail: []string{"ann>bob x", "ann>bob x", "ann>bob y"}, quorums: quorum(0, ""), takes: always},
			[]string{"receive ann:x", "receive ann:y", "receive ann:x ann:y", "receive ann:x ann:x ann:y", "receive ann:x ann:x"},
		},
		{
			"a size counts senders",
			collector{mail: []string{"ann>bob x", "ann>bob x", "ann>bob y", "cid>bob x"}, quorums: quorum(2, "")},
			[]string{"receive ann:x cid:x", "receive ann:y cid:x"},
		},
		{
			"of a role",
			collector{
				mail: []string{"ann>bob x", "cid>bob x", "dan>bob x", ">bob x"}, quorums: quorum(2, "voter"),
				facts: func(p *model.Program) { p.Roles = []model.Role{{Name: "voter", Actors: []string{"cid", "dan"}}} },
			},
			[]string{"receive cid:x dan:x"},
		},
		{
			"queues are taken from their heads on",
			collector{
				mail: []string{"cid>bob 4", "ann>bob 1", "ann>bob 2", "ann>bob 3"}, quorums: quorum(0, ""),
				facts: func(p *model.Program) { p.FIFO.All = true },
			},
			[]string{
				"receive ann:1 cid:4", "receive ann:1 ann:2 cid:4", "receive ann:1 ann:2", "receive ann:1 ann:2 ann:3 cid:4",
				"receive ann:1 ann:2 ann:3",
			},
		},
		{
			"one of each queue, if there is a size",
			collector{
				mail: []string{"ann>bob 1", "ann>bob 2", "cid>bob 3"}, quorums: quorum(2, ""),
				facts: func(p *model.Program) { p.FIFO.All = true },
			},
			[]string{"receive ann:1 cid:3"},
		},
		{
			"what several handlers take is one event",
			collector{mail: []string{"ann>bob x", "cid>bob y"}, quorums: func(model.Message) []model.Quorum {
				return []model.Quorum{{Handler: "one"}, {Handler: "other"}, {Handler: "other", Size: 2}}
			}},
			[]string{"receive ann:x cid:y"},
		},
		{
			"different handlers share nothing",
			collector{mail: []string{"ann>bob x", "cid>bob y", "dan>bob x"}, quorums: func(m model.Message) []model.Quorum {
				return []model.Quorum{{Handler: "on " + string(m.Payload)}}
			}},
			[]string{"receive ann:x dan:x"},
		},
		{
			"guards decide over the set",
			collector{mail: []string{"ann>bob x", "cid>bob y", "dan>bob x"}, quorums: quorum(0, ""), accepts: func(m []model.Message) bool {
				return len(m) == 3
			}},
			[]string{"receive ann:x cid:y dan:x"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.actors = []string{"bob"}
			expect(t, c.offered(t), c.want...)
		})
	}
}

// What is behind a message that nobody takes with others is not asked about.
func TestQueuesAreAskedFromTheirHeads(t *testing.T) {
	c := &collector{
		actors: []string{"bob"}, mail: []string{"ann>bob 1", "ann>bob alone", "ann>bob 3"}, takes: always,
		facts: func(p *model.Program) { p.FIFO.All = true },
		quorums: func(m model.Message) []model.Quorum {
			if string(m.Payload) == "alone" {
				return nil
			}
			return quorum(0, "")(m)
		},
	}
	expect(t, c.offered(t), "receive ann:1")
	expect(t, c.asked, "bob=: receive ann:1", "bob=: receive ann:alone")
}

// The order of events does not depend on which message was met first.
func TestOrderOfQuorumEvents(t *testing.T) {
	mail := []string{"ann>bob x", "cid>bob y", "dan>bob x", "dan>bob z"}
	one := collector{actors: []string{"bob"}, mail: mail, quorums: quorum(0, "")}
	two := collector{actors: []string{"bob"}, mail: []string{mail[3], mail[1], mail[2], mail[0]}, quorums: quorum(0, "")}
	events := one.offered(t)
	expect(t, two.offered(t), events...)
	if len(events) != 11 {
		t.Errorf("%d events are offered, want 11", len(events))
	}
}

func TestTooManySubsets(t *testing.T) {
	c := &collector{actors: []string{"bob"}, quorums: quorum(0, "")}
	for i := range 17 {
		c.mail = append(c.mail, fmt.Sprintf("voter%d>bob x", i))
	}
	actors, err := model.NewActors(c, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = actors.Enabled(context.Background(), actors.Initial(), nil)
	var limit *model.LimitError
	if !errors.As(err, &limit) || !strings.HasPrefix(limit.Text, "Collector.on(Set<Vote>) may take the 17 messages pending for bob in more than 65536 ways: ") {
		t.Errorf("the error is %v", err)
	}
	c.quorums = quorum(8, "")
	c.mail = append(c.mail, "voter17>bob x", "voter18>bob x", "voter19>bob x") // in 125,970 ways
	if actors, err = model.NewActors(c, model.Decomposition{}); err != nil {
		t.Fatal(err)
	}
	_, err = actors.Enabled(context.Background(), actors.Initial(), nil)
	if !errors.As(err, &limit) || !strings.HasSuffix(limit.Text, "fewer are pending at once") {
		t.Errorf("with a size, the error is %v", err)
	}
	c.mail = c.mail[:17]
	c.quorums = quorum(2, "")
	if events := c.offered(t); len(events) != 17*16/2 {
		t.Errorf("with a size, %d events are offered, want %d", len(events), 17*16/2)
	}
}

// Where receiving and duplicating without bound are two events, any of several messages might stay.
func TestUnboundedDuplicationIsRefusedForQuorums(t *testing.T) {
	isFinal := func(p *model.Program) { p.Properties = []model.Property{{Name: "expectFinal", Kind: model.Final}} }
	again := func(budget int, names ...string) func(p *model.Program) {
		return func(p *model.Program) {
			p.Faults = append(p.Faults, model.Fault{Kind: model.Duplicate, Scope: model.Scope{Names: names}, Budget: budget, Label: "duplication"})
		}
	}
	const refused = `"duplication" without a bound cannot be checked with expectFinal() where Collector.on(Set<Vote>) may take ` +
		"several messages at once: give it a budget"
	for _, c := range []struct {
		name  string
		facts []func(p *model.Program)
		want  string
	}{
		{"who is asked about ends", []func(*model.Program){isFinal, again(model.Unbounded, "bob")}, refused},
		{"who is created later", []func(*model.Program){isFinal, again(model.Unbounded, "kid")}, refused},
		{"who has no such handler", []func(*model.Program){isFinal, again(model.Unbounded, "plain")}, ""},
		{"a budget", []func(*model.Program){isFinal, again(3, "bob", "kid")}, ""},
		{"nobody asks about ends", []func(*model.Program){again(model.Unbounded, "bob", "kid")}, ""},
		{
			"queues", []func(*model.Program){again(model.Unbounded, "bob"), func(p *model.Program) { p.FIFO.All = true }},
			strings.Replace(refused, "with expectFinal()", "in a FIFO channel", 1),
		},
	} {
		program := &collector{actors: []string{"bob", "plain"}, mail: []string{"bob>plain create"}, takes: always, facts: func(p *model.Program) {
			for _, declare := range c.facts {
				declare(p)
			}
		}}
		program.creates = func(string) []model.Actor { return []model.Actor{program.actor("kid=")} }
		actors, err := model.NewActors(program, model.Decomposition{})
		if err == nil {
			_, err = actors.Enabled(context.Background(), actors.Initial(), nil)
		}
		var usage *model.UsageError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.As(err, &usage) || usage.Text != c.want):
			t.Errorf("%s: the error is %v, want %s", c.name, err, c.want)
		}
	}
}

// Faults go by which classes have quorum handlers, so one that is found too late cannot be checked.
func TestQuorumHandlersAreKnownFromTheStart(t *testing.T) {
	c := &collector{actors: []string{"bob"}, mail: []string{"ann>bob x"}, quorums: quorum(2, ""), facts: func(p *model.Program) { p.Handlers = nil }}
	actors, err := model.NewActors(c, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = actors.Enabled(context.Background(), actors.Initial(), nil)
	var usage *model.UsageError
	if !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, "the quorum handlers of Collector have to be known from the start") {
		t.Errorf("the error is %v", err)
	}
}
