package dir_test

import (
	"context"
	"slices"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

type thens = map[string][]toy.Then

// scripts are programs written by hand, each for what would be lost in it.
var scripts = map[string]func() model.Oracle{
	"a message that is not ignored where nothing comes but what is put off": func() model.Oracle {
		return putOff(thens{}, "ann>ann late")
	},
	"a message that arrives where nothing comes but what is put off": func() model.Oracle {
		return putOff(thens{"cid 0 itself": {{Become: "1", Send: []string{"ann late"}}}})
	},
	// That cid sends to ann is seen only where both messages of bob have arrived at cid.
	"two messages of one step to one actor": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann begin", "ann>ann end"}, Rules: thens{
			"ann 0 begin": {{Become: "1", Send: []string{"bob ask"}}},
			"ann 1 end":   {{Become: "0", Send: []string{"cid ended"}}, {Become: "2", Send: []string{"cid ended"}}},
			"ann 0 late":  {{Become: "1"}},
			"ann 1 late":  {{Become: "1"}},
			"bob 0 ask":   {{Become: "0", Send: []string{"cid one", "cid two"}}},
			"cid 0 one":   {{Become: "1", Send: []string{"ann late"}}},
		}}
	},
	"a label that another one disables": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Mail: []string{"ann>ann one", "ann>ann two"}, Rules: thens{
			"ann 0 one":    {{Become: "0", Send: []string{"bob hello"}}},
			"ann 0 two":    {{Become: "1", Send: []string{"bob hi"}}},
			"ann 1 itself": {{Become: "1"}},
		}}
	},
	"one of two futures":   func() model.Oracle { return futures("one", "two") },
	"the other one of two": func() model.Oracle { return futures("two", "one") },
	// The actor that bob creates sends to ann.
	"an actor that is created": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "1", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann end", "bob>bob ask"}, Rules: thens{
			"ann 1 end":        {{Become: "0", Send: []string{"cid ended"}}, {Become: "2", Send: []string{"cid ended"}}},
			"ann 0 late":       {{Become: "1"}},
			"ann 1 late":       {{Become: "1"}},
			"bob 0 ask":        {{Become: "1", Create: map[string]string{"bob/kid": "0"}}},
			"bob/kid 0 itself": {{Become: "1", Send: []string{"ann late"}}},
		}}
	},
	// Which message of ann is first in bob's queue decides.
	"a queue": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Mail: []string{"ann>ann one", "ann>ann two"},
			FIFO: model.Scope{Names: []string{"bob"}}, Rules: thens{
				"ann 0 one":    {{Become: "0", Send: []string{"bob first"}}},
				"ann 0 two":    {{Become: "0", Send: []string{"bob second"}}},
				"bob 0 first":  {{Become: "1"}},
				"bob 0 second": {{Become: "2"}},
				"bob 1 second": {{Become: "3"}},
				"bob 2 first":  {{Become: "4"}},
			}}
	},
	// An invariant knows that ann's component has one actor more afterwards.
	"who exists in a component": func() model.Oracle {
		return knower{&toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann make", "cid>cid go"}, Rules: thens{
			"ann 0 make": {{Become: "1", Create: map[string]string{"ann/kid": "0"}, Send: []string{"cid made"}}},
			"cid 0 go":   {{Become: "0", Send: []string{"bob went"}}},
			"bob 0 went": {{Become: "1", Send: []string{"cid there"}}},
		}, Invariants: make([]toy.Condition, 1)}, func(bob string, kidExists bool) bool { return bob == "bob=1" && !kidExists }}
	},
	// Ann could go on alone for ever.
	"a cycle of one label": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"},
			Faults: []model.Fault{{Kind: model.Duplicate, Budget: model.Unbounded, Scope: model.Scope{Names: []string{"bob"}}, Label: "copies"}}, Rules: thens{
				"ann 0 itself": {{Become: "0", Send: []string{"bob hello"}}},
				"cid 0 itself": {{Fail: "alone"}},
			}}
	},
	// Bob passes on what cid sends twice, as the same message.
	"two arrivals that are equal": func() model.Oracle {
		return counted(thens{
			"cid 0 itself": {{Become: "1", Send: []string{"bob ask"}}},
			"cid 1 itself": {{Become: "2", Send: []string{"bob ask"}}},
			"bob 0 ask":    {{Become: "0", Send: []string{"ann late"}}},
		})
	},
	"two arrivals from one actor": func() model.Oracle {
		return counted(thens{
			"cid 0 itself": {{Become: "1", Send: []string{"ann late"}}},
			"cid 1 itself": {{Become: "2", Send: []string{"ann late"}}},
		})
	},
	// Ann may be done without the message, when cid is done as well.
	"a terminal state": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann one"}, Rules: thens{
			"cid 0 itself": {{Become: "1", Send: []string{"bob there"}}},
			"ann 0 itself": {{Become: "1"}},
			"ann 0 one":    {{Become: "0", Send: []string{"bob hello"}}},
		}}
	},
	// Either ann or cid crashes.
	"a budget": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"},
			Faults: []model.Fault{{Kind: model.Restart, Budget: 1, Scope: model.Scope{All: true}, Label: "a crash"}}, Rules: thens{
				"ann 0 itself":  {{Become: "0"}},
				"ann 0 restart": {{Become: "1"}},
				"ann 1 itself":  {{Become: "1"}},
				"ann 1 restart": {{Become: "1"}},
				"cid 0 itself":  {{Become: "1", Send: []string{"bob hello"}}},
				"cid 1 restart": {{Fail: "crashed"}},
			}}
	},
	// Ann fails where she comes to by herself, and so does cid.
	"a label that fails": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"}, Rules: thens{
			"ann 0 itself": {{Become: "1"}},
			"ann 1 itself": {{Fail: "ann"}},
			"cid 0 itself": {{Become: "1", Send: []string{"bob hello"}}},
			"cid 1 itself": {{Fail: "cid"}},
		}}
	},
	// Nobody ever takes what may be lost.
	"a message that may be lost": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Mail: []string{"ann>ann never", "ann>ann one"},
			Faults: []model.Fault{{Kind: model.Lose, Budget: model.Unbounded, Scope: model.Scope{All: true}, Label: "a loss"}}, Rules: thens{
				"ann 0 one": {{Become: "1", Send: []string{"bob hello"}}},
			}}
	},
	// What ann does with it changes nothing, but for what she sends herself.
	"a message to the actor itself": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Mail: []string{"ann>ann two"}, Rules: thens{
			"bob 0 itself": {{Become: "1", Send: []string{"ann one"}}},
			"ann 0 one":    {{Become: "0", Send: []string{"ann more"}}},
			"ann 0 more":   {{Become: "1"}},
			"ann 1 one":    {{Become: "1"}},
			"ann 2 one":    {{Become: "2"}},
			"ann 3 one":    {{Become: "3"}},
			"ann 0 two":    {{Become: "2", Send: []string{"bob hello"}}},
			"ann 1 two":    {{Become: "3", Send: []string{"bob hello"}}},
		}}
	},
	// After a crash ann does not ignore what she ignored before.
	"a message that is ignored until a crash": func() model.Oracle {
		return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Mail: []string{"ann>ann one"},
			Faults: []model.Fault{{Kind: model.Restart, Budget: 1, Scope: model.Scope{Names: []string{"ann"}}, Label: "a crash"}}, Rules: thens{
				"ann 0 one":     {{Become: "1", Send: []string{"bob hello"}}},
				"ann 0 late":    {{Become: "0"}},
				"ann 1 late":    {{Become: "1"}},
				"ann 0 restart": {{Become: "0"}},
				"ann 1 restart": {{Become: "2"}},
				"ann 2 late":    {{Become: "3", Send: []string{"bob bad"}}},
				"bob 0 itself":  {{Become: "0s", Send: []string{"ann late"}}},
				"bob 0s bad":    {{Fail: "bad"}},
			}}
	},
	// An invariant may read the history and what bob is.
	"a label that adds to the history": func() model.Oracle {
		return talking([]string{"ann a", "bob b"}, map[string][]entry{"ann0a": {{next: "0", record: "x"}}, "bob0b": {{next: "1", sends: []string{"annc"}}}})
	},
	"two labels that add to the history": func() model.Oracle {
		return talking([]string{"ann a", "ann b"}, map[string][]entry{"ann0a": {{next: "0", record: "x"}}, "ann0b": {{next: "0", record: "y"}}})
	},
	"another one adds to the history later": func() model.Oracle {
		return talking([]string{"ann a", "bob b", "bob d"}, map[string][]entry{
			"ann0a": {{next: "0", record: "x"}}, "bob0b": {{next: "1", sends: []string{"annc"}}}, "bob1d": {{next: "1", record: "y"}},
		})
	},
}

// Talking is a program with ann and bob, who get some messages at first.
func talking(mail []string, rules map[string][]entry) *conversations {
	p := &conversations{rules: rules}
	p.program.Initial.Actors = []model.Actor{p.actor("ann", "0"), p.actor("bob", "0")}
	for _, m := range mail {
		p.program.Initial.Messages = append(p.program.Initial.Messages, model.Message{Receiver: m[:3], Payload: []byte{m[4], '1'}})
	}
	return p
}

// PutOff is a program in which ann ignores late once she has taken swift. Before, she does not where she comes to by slowly and step.
func putOff(rules thens, mail ...string) *toy.Script {
	rules["bob 0 bad"] = []toy.Then{{Fail: "bad"}}
	for _, text := range []string{"swift", "slowly"} {
		rules["bob 0 from "+text] = []toy.Then{{Become: "0"}}
	}
	for _, stage := range []string{"0", "1", "2"} {
		rules["ann "+stage+" swift"] = []toy.Then{{Become: stage + "q", Send: []string{"bob from swift"}}}
		rules["ann "+stage+" late"] = []toy.Then{{Become: stage}}
		rules["ann "+stage+"q late"] = []toy.Then{{Become: stage + "q"}}
	}
	for _, done := range []string{"", "q"} {
		rules["ann 0"+done+" slowly"] = []toy.Then{{Become: "1" + done, Send: []string{"bob from slowly"}}}
		rules["ann 1"+done+" step"] = []toy.Then{{Become: "2" + done}}
	}
	rules["ann 2 late"] = []toy.Then{{Become: "2", Send: []string{"bob bad"}}}
	return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0"},
		Mail: append(mail, "ann>ann slowly", "ann>ann swift", "ann>ann step"), Rules: rules}
}

// Futures is a program in which bob sends to ann, or to cid.
func futures(toAnn, toCid string) *toy.Script {
	return &toy.Script{Start: map[string]string{"ann": "1", "bob": "0", "cid": "0"}, Mail: []string{"ann>ann end", "bob>bob one", "bob>bob two"}, Rules: thens{
		"ann 1 end":      {{Become: "0", Send: []string{"cid ended"}}, {Become: "2", Send: []string{"cid ended"}}},
		"ann 0 late":     {{Become: "1"}},
		"ann 1 late":     {{Become: "1"}},
		"bob 0 " + toAnn: {{Become: "1", Send: []string{"ann late"}}},
		"bob 0 " + toCid: {{Become: "2", Send: []string{"cid early"}}},
	}}
}

// Counted is a program in which ann counts what is late. It makes a difference to her end if she has two.
func counted(rules thens) *toy.Script {
	rules["ann 2 end"] = []toy.Then{{Become: "bad", Send: []string{"dot ended"}}}
	for state, next := range map[string]string{"0": "1", "1": "2"} {
		rules["ann "+state+" end"] = []toy.Then{{Become: "e" + state, Send: []string{"dot ended"}}}
		rules["ann "+state+" late"] = []toy.Then{{Become: next}}
		rules["ann e"+state+" late"] = []toy.Then{{Become: "e" + next}}
	}
	return &toy.Script{Start: map[string]string{"ann": "0", "bob": "0", "cid": "0", "dot": "0"}, Mail: []string{"ann>ann end"}, Rules: rules}
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
				s := subject{Oracle: inGroups{p, groups}, groups: groups}
				s.actors = newActors(t, s.Oracle, model.Decomposition{})
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
