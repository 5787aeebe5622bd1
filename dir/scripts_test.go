package dir_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// scripts are programs written by hand, each for what would be lost in it.
var scripts = map[string]func() model.Oracle{
	"a message that is not ignored where nothing comes but what is put off": putOff("mail: ann>ann late"),
	"a message that arrives where nothing comes but what is put off":        putOff("cid 0 itself -> 1, send ann late"),
	// That cid sends to ann is seen only where both messages of bob have arrived at cid.
	"two messages of one step to one actor": script(`
		start: ann 0, bob 0, cid 0
		mail: ann>ann begin, ann>ann end
		ann 0 begin -> 1, send bob ask
		ann 1 end -> 0, send cid ended | 2, send cid ended
		ann 0 late -> 1
		ann 1 late -> 1
		bob 0 ask -> 0, send cid one, send cid two
		cid 0 one -> 1, send ann late`),
	"a label that another one disables": script(`
		start: ann 0, bob 0
		mail: ann>ann one, ann>ann two
		ann 0 one -> 0, send bob hello
		ann 0 two -> 1, send bob hi
		ann 1 itself -> 1`),
	"one of two futures":   futures("one", "two"),
	"the other one of two": futures("two", "one"),
	// The actor that bob creates sends to ann.
	"an actor that is created": script(`
		start: ann 1, bob 0, cid 0
		mail: ann>ann end, bob>bob ask
		ann 1 end -> 0, send cid ended | 2, send cid ended
		ann 0 late -> 1
		ann 1 late -> 1
		bob 0 ask -> 1, create bob/kid 0
		bob/kid 0 itself -> 1, send ann late`),
	// Which message of ann is first in bob's queue decides.
	"a queue": script(`
		start: ann 0, bob 0
		mail: ann>ann one, ann>ann two
		queues: bob
		ann 0 one -> 0, send bob first
		ann 0 two -> 0, send bob second
		bob 0 first -> 1
		bob 0 second -> 2
		bob 1 second -> 3
		bob 2 first -> 4`),
	// An invariant knows that ann's component has one actor more afterwards.
	"who exists in a component": func() model.Oracle {
		s := toy.Read(`
			start: ann 0, bob 0, cid 0
			mail: ann>ann make, cid>cid go
			ann 0 make -> 1, create ann/kid 0, send cid made
			cid 0 go -> 0, send bob went
			bob 0 went -> 1, send cid there
			never: nobody`)
		return knower{s, func(bob string, kidExists bool) bool { return bob == "bob=1" && !kidExists }}
	},
	// Ann could go on alone for ever.
	"a cycle of one label": script(`
		start: ann 0, bob 0, cid 0
		fault: any duplicate bob
		ann 0 itself -> 0, send bob hello
		cid 0 itself -> fail alone`),
	// Bob passes on what cid sends twice, as the same message.
	"two arrivals that are equal": counted(`
		cid 0 itself -> 1, send bob ask
		cid 1 itself -> 2, send bob ask
		bob 0 ask -> 0, send ann late`),
	"two arrivals from one actor": counted(`
		cid 0 itself -> 1, send ann late
		cid 1 itself -> 2, send ann late`),
	// Ann may be done without the message, when cid is done as well.
	"a terminal state": script(`
		start: ann 0, bob 0, cid 0
		mail: ann>ann one
		cid 0 itself -> 1, send bob there
		ann 0 itself -> 1
		ann 0 one -> 0, send bob hello`),
	// Either ann or cid crashes.
	"a budget": script(`
		start: ann 0, bob 0, cid 0
		fault: 1 restart all
		ann 0 itself -> 0
		ann 0 restart -> 1
		ann 1 itself -> 1
		ann 1 restart -> 1
		cid 0 itself -> 1, send bob hello
		cid 1 restart -> fail crashed`),
	// Ann fails where she comes to by herself, and so does cid.
	"a label that fails": script(`
		start: ann 0, bob 0, cid 0
		ann 0 itself -> 1
		ann 1 itself -> fail ann
		cid 0 itself -> 1, send bob hello
		cid 1 itself -> fail cid`),
	// Nobody ever takes what may be lost.
	"a message that may be lost": script(`
		start: ann 0, bob 0
		mail: ann>ann never, ann>ann one
		fault: any lose all
		ann 0 one -> 1, send bob hello`),
	// What ann does with it changes nothing, but for what she sends herself.
	"a message to the actor itself": script(`
		start: ann 0, bob 0
		mail: ann>ann two
		bob 0 itself -> 1, send ann one
		ann 0 one -> 0, send ann more
		ann 0 more -> 1
		ann 1 one -> 1
		ann 2 one -> 2
		ann 3 one -> 3
		ann 0 two -> 2, send bob hello
		ann 1 two -> 3, send bob hello`),
	// After a crash ann does not ignore what she ignored before.
	"a message that is ignored until a crash": script(`
		start: ann 0, bob 0
		mail: ann>ann one
		fault: 1 restart ann
		ann 0 one -> 1, send bob hello
		ann 0 late -> 0
		ann 1 late -> 1
		ann 0 restart -> 0
		ann 1 restart -> 2
		ann 2 late -> 3, send bob bad
		bob 0 itself -> 0s, send ann late
		bob 0s bad -> fail bad`),
	// An invariant may read the history and what bob is.
	"a label that adds to the history": script(`
		start: ann 0, bob 0
		mail: ann>ann a, bob>bob b
		ann 0 a -> 0, record x
		bob 0 b -> 1, send ann c`),
	"two labels that add to the history": script(`
		start: ann 0, bob 0
		mail: ann>ann a, ann>ann b
		ann 0 a -> 0, record x
		ann 0 b -> 0, record y`),
	"another one adds to the history later": script(`
		start: ann 0, bob 0
		mail: ann>ann a, bob>bob b, bob>bob d
		ann 0 a -> 0, record x
		bob 0 b -> 1, send ann c
		bob 1 d -> 1, record y`),
}

func script(text string) func() model.Oracle { return func() model.Oracle { return toy.Read(text) } }

// PutOff is a program in which ann ignores late once she has taken swift. Before, she does not where she comes to by slowly and step.
func putOff(more string) func() model.Oracle {
	text := `
		start: ann 0, bob 0, cid 0
		` + more + `
		mail: ann>ann slowly, ann>ann swift, ann>ann step
		bob 0 bad -> fail bad
		bob 0 from swift -> 0
		bob 0 from slowly -> 0
		ann 2 late -> 2, send bob bad`
	for _, stage := range []string{"0", "1"} {
		text += fmt.Sprintf("\n ann %s late -> %[1]s", stage)
	}
	for _, stage := range []string{"0", "1", "2"} {
		text += fmt.Sprintf("\n ann %s swift -> %[1]sq, send bob from swift \n ann %[1]sq late -> %[1]sq", stage)
	}
	for _, done := range []string{"", "q"} {
		text += fmt.Sprintf("\n ann 0%s slowly -> 1%[1]s, send bob from slowly \n ann 1%[1]s step -> 2%[1]s", done)
	}
	return script(text)
}

// Futures is a program in which bob sends to ann, or to cid.
func futures(toAnn, toCid string) func() model.Oracle {
	return script(`
		start: ann 1, bob 0, cid 0
		mail: ann>ann end, bob>bob one, bob>bob two
		ann 1 end -> 0, send cid ended | 2, send cid ended
		ann 0 late -> 1
		ann 1 late -> 1
		bob 0 ` + toAnn + ` -> 1, send ann late
		bob 0 ` + toCid + ` -> 2, send cid early`)
}

// Counted is a program in which ann counts what is late. It makes a difference to her end if she has two.
func counted(more string) func() model.Oracle {
	return script(`
		start: ann 0, bob 0, cid 0, dot 0
		mail: ann>ann end
		ann 0 end -> e0, send dot ended
		ann 1 end -> e1, send dot ended
		ann 2 end -> bad, send dot ended
		ann 0 late -> 1
		ann 1 late -> 2
		ann e0 late -> e1
		ann e1 late -> e2` + more)
}

// A knower knows of an actor whether it exists, without reading it.
type knower struct {
	*toy.Script
	violates func(bob string, kidExists bool) bool
}

// Evaluate implements model.Oracle.
func (k knower) Evaluate(_ context.Context, evaluations []model.Evaluation) (all []model.Judgement, err error) {
	for _, e := range evaluations {
		find := func(name string) int {
			return slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == name })
		}
		bob := find("bob")
		all = append(all, model.Judgement{Holds: !k.violates(string(e.Actors[bob].Local), find("ann/kid") >= 0), Reads: []int{bob}})
	}
	return all, nil
}

// InGroups is a program with components of several actors.
type inGroups struct {
	model.Oracle
	groups [][]string
}

// Program implements model.Oracle.
func (g inGroups) Program() *model.Program {
	p := *g.Oracle.Program()
	p.Components = g.groups
	return &p
}

// TestScriptsAgreeWithTwin holds persistent labels to the dumb twin on programs written by hand, whatever invariants read.
func TestScriptsAgreeWithTwin(t *testing.T) {
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			p := script()
			want := twin.Explore(p, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for _, groups := range [][][]string{nil, {{"ann"}}, {{"ann", "bob"}}} {
				s := subject{Oracle: inGroups{p, groups}}
				s.group(t, groups, false)
				for set := range 1 << (s.actors.Positions() + 1) {
					var seen []uint32
					for position := range s.actors.Positions() + 1 {
						if set>>position&1 == 1 {
							seen = append(seen, uint32(position))
						}
					}
					macro, reduced, problem := s.persistentProblem(context.Background(), want, seen)
					if problem != "" {
						t.Fatalf("groups %v, invariants read %v: %s", groups, seen, problem)
					}
					if set == 0 {
						t.Logf("groups %v: %d states, %d macro states, %d with persistent labels", groups, want.States, macro, reduced)
					}
				}
			}
		})
	}
}
