package advice

import (
	"fmt"
	"strings"

	"harrier/internal/process/memory"
)

// flagRemarks are remarks on how the check was set up, for which its summary has to be complete.
var flagRemarks = []func(Ended) []string{withoutEffect, adversaries, notPermuted}

// FlagRemarks returns the remarks on flags and declarations that turned out otherwise than they say.
func FlagRemarks(e Ended) []string { return e.collect(flagRemarks) }

// withoutEffect are the flags that were given and changed nothing. Limits are not among them, as they need not be reached, and
// neither are values that switch something off, but for the limit of memory that there is anyway. Nor are flags that a mode sets, which is for
// comparisons.
func withoutEffect(e Ended) (lines []string) {
	s, result, program := e.Summary, e.Result, e.Actors.Program()
	for _, f := range []struct {
		name string
		idle bool
		why  string
	}{
		{"symmetry", e.Given["symmetry"] == "auto" && s.Search == "stateless", "--search stateless remembers no states"},
		{"symmetry", e.Group != nil && e.Group.IsTrivial(), "no actors are symmetric: " + e.Group.FirstObstacle()},
		{"por", e.Given["por"] != "off" && result.Reduced == 0, "no transition was left out"},
		{"reduction", s.Reduction == "macro" && result.Internal == 0 && (result.Complete || result.Transitions > 0),
			"every step shows outside of its component"},
		{"hashing", (s.Hashing == "selective" || s.Hashing == "fields") && !e.Actors.Values.Decomposition.Decomposes(), "nothing is auxiliary"},
		{"audit", e.Pairs == 0, "partial-order reduction left nothing out"},
		{"cache", !e.HasAnswers, "no answer may be kept: each fails, leaves a remark, or depends on more than the program"},
		{"keep-going", result.Violation == nil, "no violation was met"},
		{"max-memory", e.Limit == 0 && memory.Peak() < e.Memory,
			fmt.Sprintf("without it the limit is %s, and %s were taken", memory.SizeText(e.Memory), memory.SizeText(memory.Peak()))},
		{"no-deadlock", !program.AsksTerminalStates(), "the scenario has no final condition"},
		{"workers", s.Search != local && e.Given["workers"] != "auto" && s.Workers > 1 && result.Busy < s.Workers,
			fmt.Sprintf("%d of them took a transition", result.Busy)},
	} {
		if e.isGiven(f.name) && !e.isOfMode(f.name) && f.idle {
			lines = append(lines, fmt.Sprintf("%s had no effect: %s", e.given(f.name), f.why))
		}
	}
	return lines
}

// adversaries are the messages that were made up for adversaries to send.
func adversaries(e Ended) (lines []string) {
	for _, d := range e.Domains {
		states := fmt.Sprintf("all %d states of the program without adversaries", d.States)
		if !d.Complete {
			states = fmt.Sprintf("the first %d states of the program without adversaries; others may be declared", d.States)
		}
		lines = append(lines, fmt.Sprintf("%s may send %d messages, made of the values in %s",
			strings.Join(d.Names, ", "), d.Messages, states))
	}
	return lines
}

// notPermuted are the actors that a search gave up to permute.
func notPermuted(e Ended) (lines []string) {
	for _, of := range e.ToldApart {
		lines = append(lines, fmt.Sprintf("the actors of %s are not permuted: %s (--symmetry on shows them), so the search began anew after %d states",
			strings.Join(of.Roles, " and "), of.Why, of.States))
	}
	return lines
}
