// Package advice gives advice on a check that has ended.
//
//	Remarks, FlagRemarks   why a verdict may say less than it seems to
//	Reservations           which of these --strict takes for a reason not to verify
//	Growth, Multipliers    the state space of a search that a limit ended: growing parts, and causes of many states
//	Lines                  how such a search may come to its end
//
// Each looks at an Ended, and changes nothing. A new remark, or a new line of advice, is one function in one of the lists at the top of
// remarks.go, flags.go and advice.go.
package advice

import (
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/check/adversary"
	"harrier/internal/liveness"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/symmetry"
)

// Ended is a check whose search has ended.
type Ended struct {
	Actors  *space.Actors
	Group   *symmetry.Group // nil if no symmetric actors were looked for
	Result  *dbss.Result
	Summary *report.Summary

	Evaluations uint64             // of properties, in Java
	Remembered  uint64             // of properties, whose answers were known
	Runs        []liveness.Figures // of the search for runs
	Symmetry    *symmetry.Figures  // nil if no actors were permuted
	Multipliers []Multiplier       // if a limit ended the search
	Pairs       uint64             // of events that an audit executed both ways round
	Domains     []adversary.MessageDomain
	Limit       uint64 // of memory; 0 for none
	Auxiliary   int    // fields, and senders of messages, that are

	Given      map[string]string // the flags that were given, by name, with their values
	OfMode     []string          // those among them that --mode set
	NoDeadlock bool              // final conditions are not asked
	RunsLeft   bool              // some property of runs is not asked
	DrawsApart string            // the rule by which an actor draws values that follow from its name, so that none are permuted; "" without it
	ToldApart  []ToldApart
	Growth     []string // as from Growth
	Endless    []string // components that become new states without end by themselves
	Slow       string   // the step that ran when the search ended, if it had run for long
	HasAnswers bool     // some answer of the program may be kept for later checks
	Memory     uint64   // the limit of memory without --max-memory
}

// ToldApart are roles whose actors were permuted until a step turned out to tell them apart.
type ToldApart struct {
	Roles  []string
	Why    string
	States uint64 // explored until then
}

// given returns a flag as it was given.
func (e Ended) given(flag string) string {
	return strings.TrimSpace("--" + flag + " " + e.Given[flag])
}

// isGiven reports whether a flag was given.
func (e Ended) isGiven(flag string) bool {
	_, given := e.Given[flag]
	return given
}

// isOfMode reports whether --mode set a flag, which then cannot be given beside it.
func (e Ended) isOfMode(flag string) bool { return slices.Contains(e.OfMode, flag) }

// collect returns the lines of all sources, in order.
func (e Ended) collect(sources []func(Ended) []string) []string {
	lines := []string{}
	for _, of := range sources {
		lines = append(lines, of(e)...)
	}
	return lines
}
