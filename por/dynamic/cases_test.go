package dynamic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/replayed"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/dynamic"
	"harrier/property"
)

func search(ctx context.Context, s *toy.Script, o dbss.Options) (*dbss.Result, *model.Actors, error) {
	actors, err := model.NewActors(s, model.Decomposition{})
	if err != nil {
		return nil, nil, err
	}
	r, err := dynamic.Search(ctx, actors, property.NewChecker(s, actors), o, &dbss.Progress{})
	return r, actors, err
}

// found is what a search to the end finds. Its counterexample is executed again.
func found(t *testing.T, s *toy.Script, o dbss.Options) *dbss.Result {
	t.Helper()
	o.KeepGoing = true
	r, actors, err := search(context.Background(), s, o)
	if err != nil || !r.Complete {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Violation != nil {
		if problem := replayed.Problem(s, actors, r.Violation); problem != "" {
			t.Errorf("executing the counterexample again: %s", problem)
		}
	}
	return r
}

// bothWays are a script, and the same one with the names of ann and bob exchanged, so that whoever comes first comes last.
func bothWays(text string) []*toy.Script {
	return []*toy.Script{toy.Read(text), toy.Read(strings.NewReplacer("ann", "bob", "bob", "ann").Replace(text))}
}

// Counts are those of runs that differ in more than the order of steps that commute.
type counts struct{ ends, leftover, violations uint64 }

// TestBothOrdersAreFollowed has programs in which one order of two steps leads to something that the other order does not.
func TestBothOrdersAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		want   counts
		script string
	}{
		"a message comes before or after another one is taken": {counts{2, 0, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob go
			bob idle go -> gone, send ann y
			ann idle x -> x
			ann idle y -> y
			ann x y -> xy
			ann y x -> yx`},
		"what was taken closes the guard for it": {counts{2, 2, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob go
			bob idle go -> gone, send ann y
			ann idle x -> x
			ann idle y -> y`},
		"it is sent at the end of a chain": {counts{2, 2, 0}, `
			start: ann idle, bob idle, cid idle, dot idle
			mail: ann>ann x, bob>bob go
			bob idle go -> gone, send cid on
			cid idle on -> gone, send dot on
			dot idle on -> gone, send ann y
			ann idle x -> x
			ann idle y -> y`},
		"two messages are taken together, or one before the other comes": {counts{2, 1, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob go
			bob idle go -> gone, send ann y
			ann idle x -> x
			ann idle x+y -> both
			together: x 0, y 0`},
		"what an actor does by itself": {counts{2, 1, 0}, `
			start: ann idle, bob idle
			mail: bob>bob go
			bob idle go -> gone, send ann y
			ann idle itself -> fired
			ann idle y -> y`},
		"three messages of three senders": {counts{6, 0, 0}, `
			start: ann 0, bob idle, cid idle, dot idle
			mail: bob>bob go, cid>cid go, dot>dot go
			bob idle go -> gone, send ann 1
			cid idle go -> gone, send ann 2
			dot idle go -> gone, send ann 3
			ann 0 1 -> 1
			ann 0 2 -> 2
			ann 0 3 -> 3
			ann 1 2 -> 12
			ann 1 3 -> 13
			ann 2 1 -> 21
			ann 2 3 -> 23
			ann 3 1 -> 31
			ann 3 2 -> 32
			ann 12 3 -> 123
			ann 13 2 -> 132
			ann 21 3 -> 213
			ann 23 1 -> 231
			ann 31 2 -> 312
			ann 32 1 -> 321`},
		"whoever is followed first may fail, and so may others": {counts{0, 0, 2}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob x, bob>bob y
			ann idle x -> fail ann
			bob idle x -> on
			bob on y -> fail bob`},
		"a state in which only a fault may happen is an end": {counts{4, 2, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob closed
			ann idle x -> x
			fault: any lose ann bob`},
		"faults that share a budget": {counts{5, 2, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob x
			ann idle x -> x
			bob idle x -> x
			ann idle restart -> new
			bob idle restart -> new
			ann x restart -> again
			bob x restart -> again
			fault: 1 restart all`},
		"a message is lost while the network is split, and not once it has healed": {counts{3, 2, 0}, `
			start: ann idle, bob idle
			mail: bob>ann nobody takes it
			fault: 1 split bob`},
		"two operations are recorded": {counts{2, 0, 0}, `
			start: ann idle, bob idle
			mail: ann>ann x, bob>bob x
			ann idle x -> x, record ann
			bob idle x -> x, record bob`},
		"an invariant reads two actors": {counts{6, 0, 2}, `
			start: ann 0, bob 0
			mail: ann>ann x, bob>bob x
			ann 0 x -> 1, send ann x
			ann 1 x -> 2
			bob 0 x -> 1, send bob x
			bob 1 x -> 2
			never: ann 1, bob 1`},
		"an invariant sees that an actor was created": {counts{3, 0, 2}, seesWhoExists("create cid new", "cid new, bob 1")},
		"or is not yet":             {counts{3, 0, 1}, seesWhoExists("create cid new", "cid gone, bob 2")},
		"that an actor has stopped": {counts{3, 0, 2}, seesWhoExists("stop", "ann gone, bob 1")},
		"or has not yet":            {counts{3, 0, 1}, seesWhoExists("stop", "ann idle, bob 2")},
	} {
		for _, s := range bothWays(c.script) {
			for _, s.FIFO.All = range []bool{false, len(s.Quorums)+len(s.Faults) == 0} {
				r := found(t, s, dbss.Options{})
				if got := (counts{r.Terminal, r.Leftover, r.Violations}); got != c.want {
					t.Errorf("%s: %+v, want %+v", name, got, c.want)
				}
			}
		}
	}
}

// seesWhoExists is a program with an invariant that sees whether an actor exists, while its creator stays as it is.
func seesWhoExists(does, never string) string {
	return `
		start: ann idle, bob 0
		mail: ann>ann x, bob>bob x
		ann idle x -> idle, ` + does + `
		bob 0 x -> 1, send bob x
		bob 1 x -> 2
		never: ` + never
}

// Steps of different actors that have nothing to do with each other are followed in one order.
func TestIndependentStepsHaveOneOrder(t *testing.T) {
	s := toy.Read("")
	for _, name := range []string{"ann", "bob", "cid", "dot", "eve"} {
		s.Start[name] = "idle"
		s.Mail = append(s.Mail, name+">"+name+" go")
		s.Rules[name+" idle go"] = []toy.Then{{Become: "gone"}}
	}
	if r := found(t, s, dbss.Options{}); r.States != 6 || r.Transitions != 5 || r.Terminal != 1 || r.Reduced != 4 || r.Depth != 5 {
		t.Errorf("%+v", r.Counts)
	}
	s.Invariants = []toy.Condition{func(map[string]string) bool { return true }} // which reads all of them
	if r := found(t, s, dbss.Options{}); r.Terminal != 120 {
		t.Errorf("with an invariant: %+v", r.Counts)
	}
}

// Where a step could come before another one, nobody is followed but who leads to it: by messages, and by creating who sends them.
// Eve has nothing to do with it.
func TestOnlyThoseWhoLeadToARaceAreFollowed(t *testing.T) {
	s := toy.Read(`
		start: ann idle, bob idle, eve 0, zed idle
		mail: zed>zed x, bob>bob go, eve>eve on
		zed idle x -> x
		zed idle y -> y
		eve 0 on -> 1, send eve on | 2, send eve on
		bob idle go -> gone, send ann go
		ann idle go -> gone, create cid new
		cid new itself -> old, send zed y`)
	if r := found(t, s, dbss.Options{}); r.Terminal != 4 || r.Transitions != 18 {
		t.Errorf("%+v", r.Counts)
	}
}

// endless is an actor that goes on for ever.
func endless() *toy.Script {
	return toy.Read("start: ann idle\n mail: ann>ann x\n ann idle x -> idle, send ann x")
}

func TestBoundsEndASearch(t *testing.T) {
	r, _, err := search(context.Background(), endless(), dbss.Options{MaxStates: 5})
	if err != nil || r.Complete || r.States != 5 || r.Reason != "the search ended after 5 states (--max-states)" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, errors.New("time is up"))
	defer cancel()
	r, _, err = search(ctx, endless(), dbss.Options{})
	if err != nil || r.Complete || r.Reason != "time is up" {
		t.Errorf("%+v, %v", r, err)
	}
	var usage *model.UsageError
	if _, _, err = search(context.Background(), endless(), dbss.Options{MaxDepth: 5}); !errors.As(err, &usage) {
		t.Errorf("a bound on the depth: %v", err)
	}
}

// The first violation ends a search, unless it is to keep going; then the shortest is told.
func TestViolationsAreCounted(t *testing.T) {
	s := toy.Read(`
		start: ann idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x
		ann x y -> fail late
		ann idle y -> fail at once`)
	r, _, err := search(context.Background(), s, dbss.Options{})
	if err != nil || r.Complete || r.Violations != 1 || fmt.Sprint(r.Violation.Failure.Text) != "late" || len(r.Violation.Path) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r := found(t, s, dbss.Options{}); r.Violations != 2 || r.Violation.Failure.Text != "at once" || len(r.Violation.Path) != 1 {
		t.Errorf("%+v", r)
	}
	s = toy.Read(`
		start: ann idle
		mail: ann>ann x, ann>ann y
		ann idle x -> x
		final: ann done`)
	if r := found(t, s, dbss.Options{}); r.Violations != 1 || r.Violation.Kind != property.Deadlock || r.Leftover != 1 {
		t.Errorf("%+v", r)
	}
	if r := found(t, s, dbss.Options{NoDeadlock: true}); r.Violations != 0 {
		t.Errorf("%+v", r)
	}
}
