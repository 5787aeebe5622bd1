package macro_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
)

// TestEndlessComponents has the steps of a component that becomes new states without end taken one by one, and no others.
func TestEndlessComponents(t *testing.T) {
	var mail, votes []string // ann knows which of 12 messages she has consumed: that makes 4,096 local states
	for m := range 12 {
		mail = append(mail, fmt.Sprintf("ann>ann m%d", m))
		for set := range 1 << 12 {
			if set>>m&1 == 0 {
				votes = append(votes, fmt.Sprintf("ann %d m%d -> %d", set, m, set|1<<m))
			}
		}
	}
	for _, c := range []struct {
		name, rules string
		endless     []string
	}{
		{"messages to herself", "mail: ann>ann one\nann 0 one -> 0, send ann one, send ann two", []string{"ann"}},
		{"by turns", "mail: ann>ann one\nann 0 one -> 1, send ann one, send ann two\nann 1 one -> 0, send ann one", []string{"ann"}},
		{"in a queue", "queues: ann\nmail: ann>ann one\nann 0 one -> 0, send ann one, send ann two\nann 0 two -> 0, send ann two", []string{"ann"}},
		{"one message for another", "mail: ann>ann one\nann 0 one -> 0, send ann two\nann 0 two -> 0, send ann one", nil},
		{"a set", "fault: any duplicate ann\nmail: ann>ann one\nann 0 one -> 0, send ann one, send ann two", nil},
		{"many messages", "mail: " + strings.Join(mail, ", ") + "\n" + strings.Join(votes, "\n"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := toy.Read("start: ann 0, bob 0\n" + c.rules + "\nbob 0 itself -> 1\nbob 1 itself -> fail bob\n")
			actors := must.Get(space.NewActors(script, space.Decomposition{}))
			system := macro.New(actors, property.NewChecker(script, actors))
			o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: 20}
			r := must.Get(system.Search(context.Background(), o, &dbss.Progress{}))
			if got := system.Endless(); !slices.Equal(got, c.endless) || r.Violations == 0 || r.Complete != (c.endless == nil) {
				t.Errorf("%v are endless, not %v; %d violations, complete: %v", got, c.endless, r.Violations, r.Complete)
			}
		})
	}
}
