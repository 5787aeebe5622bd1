package dbss_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// counted is what a search comes to.
type counted struct{ states, transitions, terminal, leftover, violations uint64 }

// A passingCase is a program small enough to count its states by hand, in M, MP and M-MP.
type passingCase struct {
	name    string
	program *toy.Script
	want    [3]counted
}

// together are messages that a handler takes with others: so many from different senders, or any number if that is 0.
func together(size int, texts ...string) map[string][]model.Quorum {
	quorums := map[string][]model.Quorum{}
	for _, t := range texts {
		quorums[t] = []model.Quorum{{Handler: "together", Size: size}}
	}
	return quorums
}

func forging(budget int, letters ...string) model.Fault {
	f := model.Fault{Kind: model.Forge, Scope: only("eve"), Budget: budget, Label: "messages forged by eve", Forged: []model.Message{}}
	for _, l := range letters {
		to, text, _ := strings.Cut(l, " ")
		f.Forged = append(f.Forged, model.Message{Sender: "eve", Receiver: to, Payload: []byte(text)})
	}
	return f
}

var passingCases = []passingCase{
	{
		// Delivery makes one state of four.
		name: "two votes of different senders are taken together",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann yes", "cid>ann yes"},
			Rules:   rules{"ann 0 yes+yes": {{Become: "1"}}},
			Quorums: together(2, "yes"),
		},
		want: [3]counted{{2, 1, 1, 0, 0}, {5, 5, 1, 0, 0}, {5, 5, 1, 0, 0}},
	},
	{
		name: "two votes of one sender are not two votes",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann yes", "bob>ann yes"},
			Rules:   rules{"ann 0 yes+yes": {{Become: "1"}}},
			Quorums: together(2, "yes"),
		},
		want: [3]counted{{1, 0, 1, 1, 0}, {3, 2, 1, 1, 0}, {3, 2, 1, 1, 0}},
	},
	{
		// How many of three equal ones are taken is all that there is to tell. With deliveries, in flight and delivered are
		// 30 21 12 03 in state 0; of the last two come, in state 1, 10 00 and 01 (in M-MP).
		name: "two or three of three equal votes are taken together",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann yes", "bob>ann yes", "bob>ann yes"},
			Rules:   rules{"ann 0 yes+yes": {{Become: "1"}}, "ann 0 yes+yes+yes": {{Become: "1"}}},
			Quorums: together(0, "yes"),
		},
		want: [3]counted{{3, 2, 2, 1, 0}, {7, 6, 2, 1, 0}, {7, 7, 2, 1, 0}},
	},
	{
		name: "only votes of the role count",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{"bob>ann yes", "cid>ann yes", "dot>ann yes"},
			Rules: rules{"ann 0 yes+yes": {{Become: "1"}}},
			Roles: []model.Role{{Name: "voter", Actors: []string{"bob", "cid"}}},
			Quorums: map[string][]model.Quorum{
				"yes": {{Handler: "together", Size: 2, Role: "voter"}},
			},
		},
		// In MP, what dot sends is not delivered before the two are taken, or they never are.
		want: [3]counted{{2, 1, 1, 1, 0}, {10, 14, 2, 2, 0}, {10, 15, 1, 1, 0}},
	},
	{
		// Two handlers that take the same messages are one event with two outcomes.
		name: "two handlers take the same votes",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann yes", "cid>ann yes"},
			Rules:   rules{"ann 0 yes+yes": {{Become: "1"}, {Become: "2"}}},
			Quorums: map[string][]model.Quorum{"yes": {{Handler: "one", Size: 2}, {Handler: "other"}}},
		},
		want: [3]counted{{3, 2, 2, 0, 0}, {6, 6, 2, 0, 0}, {6, 6, 2, 0, 0}},
	},
	{
		// a and b are taken together, or a alone; b alone never is.
		name: "of a queue its beginning is taken",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann a", "bob>ann b"},
			Rules:   rules{"ann 0 a": {{Become: "1"}}, "ann 0 a+b": {{Become: "2"}}, "ann 0 b": {{Fail: "b overtook a"}}},
			Quorums: together(0, "a", "b"),
			FIFO:    everybody,
		},
		// Delivered are none, a, ab in state 0; none, b in state 1, where b may still be in flight; none in state 2.
		want: [3]counted{{3, 2, 2, 1, 0}, {6, 5, 2, 1, 0}, {6, 6, 2, 1, 0}},
	},
	{
		// Where x is lost before a is taken, a and b are next to each other. With deliveries it is lost when a was delivered.
		name: "what is lost in a queue was between two that are taken together",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann a", "bob>ann x", "bob>ann b"},
			Rules:   rules{"ann 0 a+b": {{Become: "1"}}},
			Quorums: together(0, "a", "b"),
			FIFO:    everybody,
			Faults:  []model.Fault{once(model.Lose, everybody)},
		},
		want: [3]counted{{5, 4, 4, 3, 0}, {11, 10, 4, 3, 0}, {11, 10, 4, 3, 0}},
	},
	{
		// In flight and delivered are ab and none, b and a, none and ab; with two a, ab and a, b and aa, none and aab; with
		// two b, b and ab, none and abb.
		name: "a copy of what is not next is taken together with all before it",
		program: &toy.Script{
			Start:   states{"ann": "0"},
			Mail:    mail{"bob>ann a", "bob>ann b"},
			Rules:   rules{"ann 0 a+b+b": {{Become: "1"}}},
			Quorums: together(0, "a", "b"),
			FIFO:    everybody,
			Faults:  []model.Fault{once(model.Duplicate, everybody)},
		},
		want: [3]counted{{4, 3, 3, 2, 0}, {9, 8, 3, 2, 0}, {9, 8, 3, 2, 0}},
	},
	{
		// Before the cut in flight, delivered, consumed; in it and after it lost as well.
		name: "what was delivered before a cut is received in it",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Mail:   mail{"bob>ann a"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Split, only("ann"))},
		},
		want: [3]counted{{8, 8, 3, 0, 0}, {11, 13, 3, 0, 0}, {11, 13, 3, 0, 0}},
	},
	{
		// In MP ann must take a before she acts by herself, if it was delivered.
		name: "who has messages acts by itself later",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{"bob>ann a"},
			Rules: rules{"ann 0 itself": {{Become: "1"}}, "ann 0 a": {{Become: "2"}}, "ann 1 a": {{Become: "3"}}},
		},
		want: [3]counted{{4, 3, 2, 0, 0}, {6, 5, 2, 0, 0}, {6, 6, 2, 0, 0}},
	},
	{
		name: "what was delivered outlives a crash",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann a"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}, "ann 0 restart": {{Become: "0"}}},
			Faults: []model.Fault{once(model.Restart, everybody)},
		},
		want: [3]counted{{4, 3, 2, 0, 0}, {6, 6, 2, 0, 0}, {6, 6, 2, 0, 0}},
	},
	{
		name: "what was delivered to one that stops is gone",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann a"},
			Faults: []model.Fault{once(model.Stop, everybody)},
		},
		want: [3]counted{{2, 1, 2, 1, 0}, {3, 3, 2, 1, 0}, {3, 3, 2, 1, 0}},
	},
	{
		// What is in flight stays there, and is delivered once at a time.
		name: "a message is delivered without bound",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Mail:   mail{"bob>ann tick"},
			Rules:  rules{"ann 0 tick": {{Become: "1"}}, "ann 1 tick": {{Become: "0"}}},
			Faults: []model.Fault{always(model.Duplicate, everybody)},
		},
		want: [3]counted{{2, 2, 0, 0, 0}, {4, 6, 0, 0, 0}, {4, 6, 0, 0, 0}},
	},
	{
		// Forged or not, once; the answer to it vanishes.
		name: "an adversary sends one of two messages, or none",
		program: &toy.Script{
			Start:      states{"ann": "0"},
			Rules:      rules{"ann 0 a": {{Become: "1", Send: sends{"eve thanks"}}}, "ann 0 b": {{Become: "bad"}}},
			Faults:     []model.Fault{forging(1, "ann a", "ann b", "ann a")},
			Invariants: []toy.Condition{func(s states) bool { _, isActor := s["eve"]; return s["ann"] != "bad" && !isActor }},
		},
		want: [3]counted{{5, 4, 3, 0, 1}, {7, 6, 3, 0, 1}, {7, 6, 3, 0, 1}},
	},
	{
		name: "an adversary on the other side of a cut",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Split, only("ann")), forging(1, "ann a")},
		},
		want: [3]counted{{11, 13, 5, 0, 0}, {14, 18, 5, 0, 0}, {14, 18, 5, 0, 0}},
	},
	{
		name: "an adversary that the network cuts off from all actors",
		program: &toy.Script{
			Start:  states{"ann": "0"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}},
			Faults: []model.Fault{once(model.Split, only("eve")), forging(1, "ann a")},
		},
		want: [3]counted{{11, 13, 5, 0, 0}, {14, 18, 5, 0, 0}, {14, 18, 5, 0, 0}},
	},
	{
		// Each may spend what both have together. In MP two that were delivered are one too many.
		name: "two adversaries have one budget",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Rules: rules{"ann 0 a": {{Become: "1"}}, "ann 1 a": {{Become: "2"}}},
			Faults: []model.Fault{{
				Kind: model.Forge, Scope: only("eve", "fay"), Budget: 2, Label: "messages forged",
				Forged: []model.Message{{Sender: "eve", Receiver: "ann", Payload: []byte("a")}, {Sender: "fay", Receiver: "ann", Payload: []byte("a")}},
			}},
		},
		want: [3]counted{{10, 16, 3, 0, 0}, {21, 32, 6, 3, 0}, {21, 36, 3, 0, 0}},
	},
}

func TestModelsCountWhatCanBeCountedByHand(t *testing.T) {
	for _, c := range passingCases {
		c.program.Passing = model.M
		inM := twin.Explore(c.program, twin.Options{KeepVectors: true})
		for i, by := range passings {
			c.program.Passing = by
			if problem := inequivalence(inM, twin.Explore(c.program, twin.Options{KeepVectors: true})); problem != "" {
				t.Errorf("%s, M and %s: %s", c.name, by, problem)
			}
			for _, order := range orders {
				t.Run(c.name+"/"+by.String()+"/"+order.name, func(t *testing.T) {
					c.program.Passing = by
					o := dbss.Options{Order: order.Order, KeepGoing: true, MaxStates: c.want[i].states + 20}
					got := search(context.Background(), c.program, o)
					if got.err != nil {
						t.Fatal(got.err)
					}
					if found := (counted{got.States, got.Transitions, got.Terminal, got.Leftover, got.Violations}); found != c.want[i] {
						t.Errorf("%+v, want %+v", found, c.want[i])
					}
					if problem := got.disagreement(twin.Explore(c.program, twin.Options{})); problem != "" {
						t.Error(problem)
					}
				})
			}
		}
	}
}

// Nothing is asked of ends under MP, where what was delivered may be more than a handler takes.
func TestNothingIsAskedOfEndsUnderMP(t *testing.T) {
	p := &toy.Script{
		Start: states{"ann": "0"},
		Mail:  mail{"bob>ann a", "cid>ann a"},
		Rules: rules{"ann 0 a": {{Become: "1"}}, "ann 1 a": {{Become: "2"}}},
		Final: func(s states) bool { return s["ann"] == "2" },
	}
	for _, by := range passings {
		p.Passing = by
		if r := twin.Explore(p, twin.Options{}); r.Deadlocks > 0 || (r.Leftover > 0) != (by == model.MP) {
			t.Errorf("%s: %d deadlocks, %d ends with messages", by, r.Deadlocks, r.Leftover)
		}
		if got := search(context.Background(), p, dbss.Options{}); got.err != nil || !got.Complete {
			t.Errorf("%s: %+v, %v", by, got.Violation, got.err)
		}
	}
}

// A handler that may take any number of messages has to say how many when there are too many ways to choose.
func TestTooManyWaysToTakeMessagesEndTheSearch(t *testing.T) {
	p := &toy.Script{Start: states{"ann": "0"}, Quorums: together(0, "yes")}
	for i := range 17 {
		p.Mail = append(p.Mail, string(rune('a'+i))+">ann yes")
	}
	got := search(context.Background(), p, dbss.Options{})
	if got.err != nil || got.Complete || !strings.Contains(got.Reason, "declare how many it takes") {
		t.Errorf("%+v, %v", got.Result, got.err)
	}
}

// Of a message that may stay any number of times it is not known how many of a quorum stay.
func TestUnboundedDuplicationIsRefusedWhereQuorumsAndEndsAreAskedFor(t *testing.T) {
	p := &toy.Script{
		Start:   states{"ann": "0"},
		Quorums: together(0, "yes"),
		Faults:  []model.Fault{always(model.Duplicate, everybody)},
		Final:   func(states) bool { return true },
	}
	_, err := model.NewActors(p, model.Decomposition{})
	var usage *model.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "duplicate") || !strings.Contains(err.Error(), "together") {
		t.Errorf("%v", err)
	}
}

// A queue of which any message may be delivered once more would grow without end.
func TestUnboundedDuplicationIsRefusedWhereQueuesDeliver(t *testing.T) {
	p := &toy.Script{Start: states{"ann": "0"}, Faults: []model.Fault{always(model.Duplicate, everybody)}}
	for _, c := range []struct {
		fifo  model.Scope
		by    model.Passing
		wants bool
	}{
		{only("ann"), model.M, false}, {only("ann"), model.MP, true}, {everybody, model.MMP, true}, {only(), model.MMP, false},
	} {
		p.FIFO, p.Passing = c.fifo, c.by
		_, err := model.NewActors(p, model.Decomposition{})
		var usage *model.UsageError
		if isRefused := errors.As(err, &usage) && strings.Contains(err.Error(), "under the model "+c.by.String()); isRefused != c.wants {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
