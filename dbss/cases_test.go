package dbss_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// counted is what a search comes to.
type counted struct{ states, transitions, terminal, leftover, violations uint64 }

// cases are programs small enough to count their states by hand: in M, or in M, MP and M-MP.
var cases = []struct {
	name   string
	want   []counted
	script string
}{
	{"two equal messages are in flight and are received one after the other", []counted{{3, 2, 1, 0, 0}}, `
		start: ann 0
		mail: bob>ann tick, bob>ann tick
		ann 0 tick -> 1
		ann 1 tick -> 2`},
	{"a message equal to the one consumed is sent again", []counted{{1, 1, 0, 0, 0}}, `
		start: ann idle, bob idle
		mail: ann>ann tick
		ann idle tick -> idle, send ann tick`},
	{"a message to oneself is received later, like any other", []counted{{5, 4, 2, 1, 0}}, `
		start: ann idle
		mail: bob>ann go, bob>ann other
		ann idle go -> went, send ann self
		ann went self -> done
		ann went other -> between
		ann between self -> overtaken`},
	{"a guard opens later and the message is still there", []counted{{3, 2, 1, 0, 0}}, `
		start: ann closed
		mail: bob>ann data, bob>ann open
		ann closed open -> open
		ann open data -> served`},
	// Ann creates kid, bob writes to kid: in either order it is the same state.
	{"a child is created by two interleavings", []counted{{5, 5, 1, 0, 0}}, `
		start: ann idle, bob idle
		mail: >ann make, >bob go
		ann idle make -> parent, create ann/kid new
		bob idle go -> wrote, send ann/kid hello
		ann/kid new hello -> greeted`},
	// What the child is depends on which message came first.
	{"a child begins differently by different interleavings", []counted{{5, 4, 2, 0, 0}}, `
		start: ann idle
		mail: >ann make, >ann teach
		ann idle make -> done, create ann/kid plain
		ann idle teach -> taught
		ann taught make -> done, create ann/kid clever
		ann done teach -> done`},
	{"the names of actors that never exist keep their messages", []counted{{1, 0, 1, 1, 0}}, `
		start: ann idle
		mail: >nobody hello, >ann unknown`},
	{"an outcome for each choice", []counted{{3, 3, 2, 0, 0}}, `
		start: ann idle
		mail: >ann toss
		ann idle toss -> heads | tails | heads`},
	// A failing transition leads nowhere; a state in which all fail is not terminal.
	{"a handler fails in one of two orders", []counted{{3, 3, 1, 1, 1}}, `
		start: ann idle
		mail: >ann a, >ann b
		ann idle a -> weak
		ann idle b -> strong
		ann weak b -> fail too weak for b`},
	{"the initial state violates an invariant", []counted{{2, 1, 1, 0, 1}}, `
		start: ann bad
		mail: >ann mend
		ann bad mend -> good
		never: ann bad`},
	// Counted once though two invariants are violated, and once more because it is no proper end.
	{"a state violates two invariants and is a deadlock", []counted{{2, 1, 1, 0, 2}}, `
		start: ann idle
		mail: >ann go
		ann idle go -> bad
		never: ann bad
		never: ann bad
		final: ann good`},
	{"an invariant about an actor that does not exist yet", []counted{{2, 1, 1, 0, 1}}, `
		start: ann idle
		mail: >ann make
		ann idle make -> idle, create kid new
		never: kid`},
	{"an actor acts by itself, in one of two ways", []counted{{3, 3, 1, 0, 0}}, `
		start: ann 0
		ann 0 itself -> 1 | 2
		ann 1 itself -> 2`},
	{"an actor that could act by itself waits", []counted{{1, 0, 1, 0, 0}}, `
		start: ann 0
		ann 0 itself ->`},
	// After bye, late vanishes.
	{"an actor stops and gets no messages any more", []counted{{3, 3, 1, 0, 0}}, `
		start: ann 0
		mail: bob>ann bye, bob>ann late
		ann 0 bye -> left, stop, send ann self
		ann 0 late -> 0
		never: ann left`},
	{"an actor crashes once, before or after go, or not", []counted{{5, 4, 3, 2, 0}}, `
		start: ann 0, bob idle
		mail: >ann go
		ann 0 go -> 1
		ann 0 restart -> 0, send bob up
		ann 1 restart -> 0, send bob up
		fault: 1 restart ann`},
	{"a crash in one of two budgets", []counted{{4, 4, 4, 0, 0}}, `
		start: ann 0
		ann 0 restart -> 0
		fault: 1 restart all
		fault: 1 restart ann`},
	{"an actor fails after a crash", []counted{{1, 1, 1, 0, 1}}, `
		start: ann 0
		ann 0 restart -> fail nothing left
		fault: any restart all`},
	{"an end from which only a crash leads on is tested, and so is what follows", []counted{{3, 2, 3, 0, 2}}, `
		start: ann stuck
		ann stuck restart -> good
		ann good restart -> bad
		final: ann good
		fault: 2 restart all`},
	{"an actor stops before or after go", []counted{{3, 3, 2, 0, 0}}, `
		start: ann 0
		mail: >ann go
		ann 0 go -> 1
		fault: 1 stop ann`},
	{"one of two messages is lost, or none", []counted{{5, 5, 3, 2, 0}}, `
		start: ann 0
		mail: >ann a, >ann b
		ann 0 a -> 1
		fault: 1 lose all`},
	{"a message to an actor that does not exist is lost", []counted{{2, 1, 2, 2, 0}}, `
		start: ann 0
		mail: >nobody hello, >ann hello
		fault: any lose nobody`},
	{"a message is duplicated once, or not", []counted{{4, 3, 2, 0, 0}}, `
		start: ann 0
		mail: >ann tick
		ann 0 tick -> 1
		ann 1 tick -> 2
		fault: 1 duplicate all`},
	// What is sent is there already.
	{"a message is duplicated without bound", []counted{{2, 2, 0, 0, 0}}, `
		start: ann 0
		mail: ann>ann tick, ann>ann tick
		ann 0 tick -> 1, send ann tick
		ann 1 tick -> 0
		fault: any duplicate all`},
	// 0t, 1t, 1: that more copies could come does not keep the last one from being an end.
	{"a message is duplicated without bound, and somebody asks about ends", []counted{{3, 4, 1, 0, 1}}, `
		start: ann 0
		mail: bob>ann tick
		ann 0 tick -> 1
		ann 1 tick -> 1
		fault: any duplicate all
		final: ann 2`},
	// From bob a is before b; what cid sends comes at any time.
	{"a channel keeps the order of each sender", []counted{{6, 7, 1, 0, 0}}, `
		start: ann 0
		mail: bob>ann a, bob>ann b, cid>ann c
		ann 0 a -> 1
		ann 0 b -> wrong
		ann 1 b -> 2
		ann 0 c -> 0
		ann 1 c -> 1
		ann 2 c -> 2
		queues: all`},
	{"a message whose guard is false blocks its queue until it is lost", []counted{{3, 2, 2, 1, 0}}, `
		start: ann 0
		mail: bob>ann closed, bob>ann b
		ann 0 b -> 1
		queues: ann
		fault: 1 lose all`},
	// A head that stays is received again before what is behind it: 0ab, 1ab, 1b, 2b (b stays), 2.
	{"a queue duplicates its head without bound", []counted{{5, 6, 2, 1, 0}}, `
		start: ann 0
		mail: bob>ann a, bob>ann b
		ann 0 a -> 1
		ann 1 a -> 1
		ann 1 b -> 2
		ann 2 a -> fail late
		queues: all
		fault: any duplicate all`},
	{"a first message crosses no cut", []counted{{6, 7, 2, 0, 0}}, `
		start: ann 0
		mail: >ann a
		ann 0 a -> 1
		fault: 1 split ann`},
	// Ann 0 or 1 with bad there or lost, before, in and after the cut; before the cut nothing is lost.
	{"a handler that would fail does not get its message through a cut that is there all the time", []counted{{8, 11, 1, 0, 2}}, `
		start: ann 0, zoe 0
		ann 0 itself -> 1, send zoe bad
		zoe 0 bad -> fail it came through
		fault: 1 split ann`},
	{"any of the messages in a queue is lost at the cut, also one in the middle", []counted{{9, 9, 5, 4, 0}}, `
		start: ann 0, bob 0
		mail: bob>ann a, bob>ann b
		queues: all
		fault: 1 split ann`},
	{"a cut heals though the first actor of the side has stopped", []counted{{6, 7, 4, 0, 0}}, `
		start: ann 0, bob 0
		fault: 1 split ann
		fault: 1 stop ann`},
	// Delivery makes one state of four.
	{"two votes of different senders are taken together", []counted{{2, 1, 1, 0, 0}, {5, 5, 1, 0, 0}, {5, 5, 1, 0, 0}}, `
		start: ann 0
		mail: bob>ann yes, cid>ann yes
		ann 0 yes+yes -> 1
		together: yes 2`},
	{"two votes of one sender are not two votes", []counted{{1, 0, 1, 1, 0}, {3, 2, 1, 1, 0}, {3, 2, 1, 1, 0}}, `
		start: ann 0
		mail: bob>ann yes, bob>ann yes
		ann 0 yes+yes -> 1
		together: yes 2`},
	// How many of three equal ones are taken is all that there is to tell. With deliveries, in flight and delivered are
	// 30 21 12 03 in state 0; of the last two come, in state 1, 10 00 and 01 (in M-MP).
	{"two or three of three equal votes are taken together", []counted{{3, 2, 2, 1, 0}, {7, 6, 2, 1, 0}, {7, 7, 2, 1, 0}}, `
		start: ann 0
		mail: bob>ann yes, bob>ann yes, bob>ann yes
		ann 0 yes+yes -> 1
		ann 0 yes+yes+yes -> 1
		together: yes 0`},
	// In MP, what dot sends is not delivered before the two are taken, or they never are.
	{"only votes of the role count", []counted{{2, 1, 1, 1, 0}, {10, 14, 2, 2, 0}, {10, 15, 1, 1, 0}}, `
		start: ann 0
		mail: bob>ann yes, cid>ann yes, dot>ann yes
		ann 0 yes+yes -> 1
		role: voter bob cid
		together: yes 2 voter`},
	// Two handlers that take the same messages are one event with two outcomes.
	{"two handlers take the same votes", []counted{{3, 2, 2, 0, 0}, {6, 6, 2, 0, 0}, {6, 6, 2, 0, 0}}, `
		start: ann 0
		mail: bob>ann yes, cid>ann yes
		ann 0 yes+yes -> 1 | 2
		together: yes 2, yes 0`},
	// a and b are taken together, or a alone; b alone never is. Delivered are none, a, ab in state 0; none, b in state 1, where b may
	// still be in flight; none in state 2.
	{"of a queue its beginning is taken", []counted{{3, 2, 2, 1, 0}, {6, 5, 2, 1, 0}, {6, 6, 2, 1, 0}}, `
		start: ann 0
		mail: bob>ann a, bob>ann b
		ann 0 a -> 1
		ann 0 a+b -> 2
		ann 0 b -> fail b overtook a
		together: a 0, b 0
		queues: all`},
	// Where x is lost before a is taken, a and b are next to each other. With deliveries it is lost when a was delivered.
	{"what is lost in a queue was between two that are taken together", []counted{{5, 4, 4, 3, 0}, {11, 10, 4, 3, 0}, {11, 10, 4, 3, 0}}, `
		start: ann 0
		mail: bob>ann a, bob>ann x, bob>ann b
		ann 0 a+b -> 1
		together: a 0, b 0
		queues: all
		fault: 1 lose all`},
	// In flight and delivered are ab and none, b and a, none and ab; with two a, ab and a, b and aa, none and aab; with
	// two b, b and ab, none and abb.
	{"a copy of what is not next is taken together with all before it", []counted{{4, 3, 3, 2, 0}, {9, 8, 3, 2, 0}, {9, 8, 3, 2, 0}}, `
		start: ann 0
		mail: bob>ann a, bob>ann b
		ann 0 a+b+b -> 1
		together: a 0, b 0
		queues: all
		fault: 1 duplicate all`},
	// Before the cut in flight, delivered, consumed; in it and after it lost as well.
	{"what was delivered before a cut is received in it", []counted{{8, 8, 3, 0, 0}, {11, 13, 3, 0, 0}, {11, 13, 3, 0, 0}}, `
		start: ann 0, bob 0
		mail: bob>ann a
		ann 0 a -> 1
		fault: 1 split ann`},
	// In MP ann must take a before she acts by herself, if it was delivered.
	{"who has messages acts by itself later", []counted{{4, 3, 2, 0, 0}, {6, 5, 2, 0, 0}, {6, 6, 2, 0, 0}}, `
		start: ann 0
		mail: bob>ann a
		ann 0 itself -> 1
		ann 0 a -> 2
		ann 1 a -> 3`},
	{"what was delivered outlives a crash", []counted{{4, 3, 2, 0, 0}, {6, 6, 2, 0, 0}, {6, 6, 2, 0, 0}}, `
		start: ann 0
		mail: bob>ann a
		ann 0 a -> 1
		ann 0 restart -> 0
		fault: 1 restart all`},
	{"what was delivered to one that stops is gone", []counted{{2, 1, 2, 1, 0}, {3, 3, 2, 1, 0}, {3, 3, 2, 1, 0}}, `
		start: ann 0
		mail: bob>ann a
		fault: 1 stop all`},
	// What is in flight stays there, and is delivered once at a time.
	{"a message is delivered without bound", []counted{{2, 2, 0, 0, 0}, {4, 6, 0, 0, 0}, {4, 6, 0, 0, 0}}, `
		start: ann 0
		mail: bob>ann tick
		ann 0 tick -> 1
		ann 1 tick -> 0
		fault: any duplicate all`},
	// Forged or not, once; the answer to it vanishes.
	{"an adversary sends one of two messages, or none", []counted{{5, 4, 3, 0, 1}, {7, 6, 3, 0, 1}, {7, 6, 3, 0, 1}}, `
		start: ann 0
		ann 0 a -> 1, send eve thanks
		ann 0 b -> bad
		forged: 1 eve>ann a, eve>ann b, eve>ann a
		never: ann bad
		never: eve`},
	{"an adversary on the other side of a cut", []counted{{11, 13, 5, 0, 0}, {14, 18, 5, 0, 0}, {14, 18, 5, 0, 0}}, `
		start: ann 0, bob 0
		ann 0 a -> 1
		fault: 1 split ann
		forged: 1 eve>ann a`},
	{"an adversary that the network cuts off from all actors", []counted{{11, 13, 5, 0, 0}, {14, 18, 5, 0, 0}, {14, 18, 5, 0, 0}}, `
		start: ann 0
		ann 0 a -> 1
		fault: 1 split eve
		forged: 1 eve>ann a`},
	// Each may spend what both have together. In MP two that were delivered are one too many.
	{"two adversaries have one budget", []counted{{10, 16, 3, 0, 0}, {21, 32, 6, 3, 0}, {21, 36, 3, 0, 0}}, `
		start: ann 0
		ann 0 a -> 1
		ann 1 a -> 2
		forged: 2 eve>ann a, fay>ann a`},
}

// TestSearchCountsWhatCanBeCountedByHand holds searches, and the twin, to what was counted.
func TestSearchCountsWhatCanBeCountedByHand(t *testing.T) {
	for _, c := range cases {
		p := toy.Read(c.script)
		inM := twin.Explore(p, twin.Options{KeepVectors: true})
		for i, want := range c.want {
			p.Passing = passings[i]
			found := twin.Explore(p, twin.Options{KeepVectors: true})
			if problem := inequivalence(inM, found); problem != "" {
				t.Errorf("%s, M and %s: %s", c.name, p.Passing, problem)
			}
			for _, order := range orders {
				t.Run(fmt.Sprintf("%s/%s/%s", c.name, p.Passing, order.name), func(t *testing.T) {
					got := search(context.Background(), p, dbss.Options{Order: order.Order, KeepGoing: true, MaxStates: want.states + 20})
					if got.err != nil {
						t.Fatal(got.err)
					}
					if figures := (counted{got.States, got.Transitions, got.Terminal, got.Leftover, got.Violations}); figures != want {
						t.Errorf("%+v, want %+v", figures, want)
					}
					if problem := counterexampleProblem(got, order.Order, found.Shortest); problem != "" {
						t.Error(problem)
					}
					if problem := got.disagreement(found); problem != "" {
						t.Error(problem)
					}
					first := search(context.Background(), p, dbss.Options{Order: order.Order})
					if first.err != nil || first.Violations != min(want.violations, 1) || first.Complete != (want.violations == 0) {
						t.Errorf("to the first violation: %d violations, complete %v, error %v", first.Violations, first.Complete, first.err)
					}
				})
			}
		}
	}
}

func TestNoDeadlockLeavesTheLastStatesUnchecked(t *testing.T) {
	for _, order := range orders {
		for _, unchecked := range []bool{false, true} {
			got := search(context.Background(), toy.Read("start: ann stuck\n final: ann done"), dbss.Options{Order: order.Order, NoDeadlock: unchecked})
			if got.err != nil || got.Complete != unchecked || (got.Violation == nil) != unchecked || got.Terminal != 1 {
				t.Errorf("%s, unchecked %v: %+v, error %v", order.name, unchecked, got.Result, got.err)
			}
		}
	}
}

// TestANameIsGivenOnce: neither to two actors, nor again to one where another one has stopped.
func TestANameIsGivenOnce(t *testing.T) {
	for _, p := range []*toy.Script{
		toy.Read(`
			start: ann 0
			mail: >ann make, >ann make
			ann 0 make -> 1, create kid new
			ann 1 make -> 2, create kid new`),
		toy.Read(`
			start: ann 0, kid 0
			mail: >kid make
			kid 0 make -> 0, stop, send ann make
			ann 0 make -> 1, create kid new`),
	} {
		for _, order := range orders {
			got := search(context.Background(), p, dbss.Options{Order: order.Order})
			if got.err == nil || !strings.Contains(got.err.Error(), "kid is created twice") || got.Complete || got.States != 2 {
				t.Errorf("%s: %d states, error %v", order.name, got.States, got.err)
			}
		}
		if r := twin.Explore(p, twin.Options{}); r.Err == nil {
			t.Error("the twin does not notice")
		}
		run, err := model.NewRun(p, model.Decomposition{})
		for err == nil && len(run.Pending()) > 0 {
			m := run.Pending()[0]
			_, err = run.Take(context.Background(), model.Action{Actor: m.Receiver, Event: model.Event{Messages: []model.Message{m}}})
		}
		if err == nil || !strings.Contains(err.Error(), "kid is created twice") {
			t.Errorf("a run: %v", err)
		}
	}
}

func TestStatesOfOneRelevantPartMustActAlike(t *testing.T) {
	p := toy.Read(`
		start: ann a/1
		mail: >ann go
		ann a/1 go -> a/2
		ann a/2 itself -> b`)
	got := searchDecomposed(context.Background(), p, model.Decomposition{Relevant: beforeSlash}, dbss.Options{})
	if got.err == nil || !strings.Contains(got.err.Error(), "local states of ann with equal relevant parts, one acts by itself") {
		t.Errorf("%v", got.err)
	}
}

// TestWhatMakesNoSenseIsRefused has the whole text, or of errors of usage a part of it.
func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		lines, text string
		by          model.Passing
	}{
		{"fault: 1 split nobody", `the fault "split" cuts off no actor`, model.M},
		{"fault: 1 heal all", `the fault "heal" is of the kind "heal", which is none of a fault`, model.M},
		// Of a message that may stay any number of times it is not known how many of a quorum stay.
		{"together: yes 0\n fault: any duplicate all\n final: ann 0", `where together may take several messages at once`, model.M},
		{"together: yes 0\n fault: any duplicate kid\n final: ann 0\n ann 0 itself -> 1, create kid 0", `where together may take several`, model.M},
		{"together: yes 0\n fault: any duplicate all\n queues: all", `in a FIFO channel where together may take several`, model.M},
		{"together: yes 0\n fault: 3 duplicate all\n final: ann 0", "", model.M},
		{"together: yes 0\n fault: any duplicate all", "", model.M},
		// A queue of which any message may be delivered once more would grow without end.
		{"queues: ann\n fault: any duplicate all", "", model.M},
		{"queues: ann\n fault: any duplicate all", "under the model MP", model.MP},
		{"queues: all\n fault: any duplicate all", "under the model M-MP", model.MMP},
		{"fault: any duplicate all", "", model.MMP},
	} {
		p := toy.Read("start: ann 0\n" + c.lines)
		p.Passing = c.by
		err := search(context.Background(), p, dbss.Options{}).err
		var usage *model.UsageError
		switch isUsage := errors.As(err, &usage); {
		case c.text == "" && err == nil:
		case err == nil || !isUsage && err.Error() != c.text || isUsage && !strings.Contains(err.Error(), c.text):
			t.Errorf("%s, %s: %v, want %q", c.lines, c.by, err, c.text)
		}
	}
}

// recording is a program of which there may only be one record.
type recording struct{ *toy.Script }

func (r recording) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	for _, e := range extensions {
		if len(e.History) > 0 {
			return nil, &model.RuleError{Text: "ann begins an operation while it has one"}
		}
	}
	return r.Script.Record(context.Background(), extensions)
}

// What a step records need not make sense where the step is not enabled, so it must not be asked.
func TestRecordsOfStepsThatAreNotEnabledAreNotAsked(t *testing.T) {
	p := recording{toy.Read(`
		start: ann 0
		ann 0 restart -> 0, record up
		fault: 1 restart all`)}
	for _, order := range orders {
		got := search(context.Background(), p, dbss.Options{Order: order.Order})
		if got.err != nil || got.States != 2 || got.Transitions != 1 {
			t.Errorf("%s: %+v, %v", order.name, got.Result, got.err)
		}
	}
}

// Nothing is asked of ends under MP, where what was delivered may be more than a handler takes.
func TestNothingIsAskedOfEndsUnderMP(t *testing.T) {
	p := toy.Read(`
		start: ann 0
		mail: bob>ann a, cid>ann a
		ann 0 a -> 1
		ann 1 a -> 2
		final: ann 2`)
	for _, p.Passing = range passings {
		if r := twin.Explore(p, twin.Options{}); r.Deadlocks > 0 || (r.Leftover > 0) != (p.Passing == model.MP) {
			t.Errorf("%s: %d deadlocks, %d ends with messages", p.Passing, r.Deadlocks, r.Leftover)
		}
		if got := search(context.Background(), p, dbss.Options{}); got.err != nil || !got.Complete {
			t.Errorf("%s: %+v, %v", p.Passing, got.Violation, got.err)
		}
	}
}
