package advice

import (
	"bytes"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/internal/section"
	"harrier/symmetry"
)

// mostAdvice is how many lines of advice are given, at most.
const mostAdvice = 4

// advice has the kinds of advice that may let a search that a limit ended come to its end. Causes that no larger limit cures come first:
// growth before all others, as no setting lessens its states.
var advice = []func(Ended) []string{
	whatGrows, actorsWithoutEnd, stepThatDoesNotReturn, runsThatAreOpen, costlySettings, macroStepsThatCost, largerMaxStates,
	fieldsThatPropertiesRead, rolesThatAreNearlySymmetric, smallerParameters, channelsThatMayOvertake,
}

// How a check searches, as Method.Search has it.
const local, sampled = "local", "sample"

// Lines returns advice on a check: the fairness that a lasso lacks, or how a search, or the audit after it, that a limit
// ended may come to its end.
func Lines(e Ended) []string {
	if v := e.Summary.Violation; v != nil && v.Loop > 0 {
		return channelsThatLoseForEver(e.Actors.Program().Fairness, v)
	}
	if !e.Summary.IsCutShort() {
		return comparisonsLeft(e)
	}
	if e.Summary.Search == sampled {
		return append(slices.Clone(e.Growth), "without --search sample: random runs verify nothing, and are taken beside a search that may end")
	}
	lines := e.collect(advice)
	if len(lines) > 0 {
		lines = append(lines, moreWorkers(e)...) // which are no advice of their own
	}
	return lines[:min(len(lines), mostAdvice)]
}

// channelsThatLoseForEver are lines on actors whose messages are lost, and not received, in the loop of a lasso: with strong fairness that
// is no fair run.
func channelsThatLoseForEver(fairness model.Fairness, v *report.SummaryViolation) (lines []string) {
	loop := v.Steps[len(v.Steps)-v.Loop:]
	for i, s := range loop {
		if s.Event != model.Lose.String() || fairness.Strong.Has(s.Actor) {
			continue
		}
		isSame := func(of report.Step) bool { return of.Event == s.Event && of.Actor == s.Actor }
		isReceived := func(of report.Step) bool {
			return of.Event != s.Event && of.Actor == s.Actor && slices.ContainsFunc(of.Receives, func(m report.Message) bool {
				return slices.ContainsFunc(s.Receives, func(lost report.Message) bool {
					return m.Sender == lost.Sender && bytes.Equal(m.Payload, lost.Payload)
				})
			})
		}
		if !slices.ContainsFunc(loop[:i], isSame) && !slices.ContainsFunc(loop, isReceived) {
			name := strconv.Quote(s.Actor)
			if strings.Contains(s.Actor, "/") {
				name = "" // of all: actors that handlers create cannot be named
			}
			lines = append(lines, fmt.Sprintf("fairness().strong(%s), if what is sent to %s again and again arrives some time: "+
				"in the loop it is lost again and again", name, s.Actor))
		}
	}
	return lines
}

// isEndless reports whether more of the same search is likely to see more of the same: something grows.
func (e Ended) isEndless() bool { return len(e.Growth)+len(e.Endless) > 0 }

// whatGrows returns the lines of Growth.
func whatGrows(e Ended) []string { return e.Growth }

// actorsWithoutEnd advises to bound the actors that become new states without end by themselves, unless something was seen to grow.
func actorsWithoutEnd(e Ended) []string {
	if len(e.Growth) > 0 || len(e.Endless) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("bound what %s keeps, as by a guard: it can become very many states by itself, perhaps without end", strings.Join(e.Endless, " and "))}
}

func stepThatDoesNotReturn(e Ended) []string {
	if e.Slow == "" {
		return nil
	}
	return []string{"a lower --step-timeout, which shows the run to a step that does not return: the search ended in " + e.Slow}
}

// runsThatAreOpen says how far the search for runs came, where only that is left.
func runsThatAreOpen(e Ended) []string {
	if len(e.Summary.Undecided) == 0 {
		return nil
	}
	limit := "more time or memory"
	if flag := limitReached(e.Summary); flag != "" {
		limit = "a larger " + flag
	}
	var open []string
	for _, of := range e.Runs {
		if !of.Decided {
			open = append(open, fmt.Sprintf("%s states so far for %q", humanize.Comma(int64(of.States)), of.Property))
		}
	}
	return []string{fmt.Sprintf("%s: all %s states of the program are explored, and the search for runs is left: %s", limit,
		humanize.Comma(int64(e.Result.States)), strings.Join(open, ", "))}
}

// limitReached returns the flag of the limit that ended the search, as the reason names it; "" if that names none.
func limitReached(s *report.Summary) (reached string) {
	for _, flag := range []string{"--timeout", "--max-states", "--max-memory"} {
		if strings.Contains(s.Reason, flag) {
			reached = flag
		}
	}
	return reached
}

// comparisonsLeft is about a search that explored all states, and after which a limit ended the comparisons that symmetry rests on.
func comparisonsLeft(e Ended) []string {
	of := e.Symmetry
	if e.Summary.Verdict != report.Inconclusive || of == nil || of.Check == nil || of.Check.Complete || !e.Result.Complete || e.isOfMode("symmetry") {
		return nil
	}
	lines := []string{fmt.Sprintf("--symmetry off, which compares nothing: all states are explored, and what is left is to compare steps and evaluations of properties with their images under %s permutations",
		humanize.BigComma(of.Permutations))}
	if n := of.Check.Looking; n > 0 {
		lines = append(lines, fmt.Sprintf("properties that do not find out in which order actors come, as loops and findFirst do; allMatch, noneMatch, count, sum and "+
			"toList().stream() do not: %s compared with all images", section.Plural(n, "evaluation")))
	}
	return lines
}

// costlySettings are flags that have a search explore more states than it has to. Where most states need evaluations of their own, macro
// steps and symmetry have as many to make, and are left as they are; so is a mode, which is for comparisons.
func costlySettings(e Ended) (lines []string) {
	s, isRemembered := e.Summary, e.Remembered >= e.Evaluations
	takesAny := s.Search != "stateless" && !e.isGiven("mode") && !e.Actors.Program().SeesInFlight
	for _, f := range []struct {
		name  string
		costs bool
		why   string
	}{
		{"reduction", e.Given["reduction"] == "off" && takesAny && isRemembered && !e.isGiven("por") && !e.isGiven("max-depth"),
			"macro steps take the steps of an actor that no other can notice together with the next that one can"},
		{"symmetry", e.Given["symmetry"] == "off" && takesAny && isRemembered && e.DrawsApart == "" && e.hasSymmetricActors(),
			"actors are symmetric, as 'harrier explain symmetry' shows, and states that differ by a permutation of them are taken as one"},
		{"hashing", (s.Hashing == "full" || s.Hashing == "last") && takesAny && e.Auxiliary > 0,
			"states are told apart by what is auxiliary, as 'harrier explain decomposition' shows"},
	} {
		if e.isGiven(f.name) && f.costs {
			lines = append(lines, fmt.Sprintf("without %s: %s", e.given(f.name), f.why))
		}
	}
	return lines
}

// hasSymmetricActors reports whether a search could permute actors.
func (e Ended) hasSymmetricActors() bool {
	group, err := symmetry.Find(e.Actors)
	return err == nil && !group.IsTrivial()
}

// largerMaxStates is for a search of states that --max-states ended, unless something grows.
func largerMaxStates(e Ended) []string {
	if e.isEndless() || e.Summary.Complete || limitReached(e.Summary) != "--max-states" {
		return nil
	}
	return []string{fmt.Sprintf("a larger --max-states, or none: in the first %s states nothing was seen to grow", humanize.Comma(int64(e.Result.States)))}
}

// macroStepsThatCost reports macro steps that take more evaluations of properties than transitions: a transition of single steps leads to
// one state, and takes one evaluation of each property at most.
func macroStepsThatCost(e Ended) []string {
	s := e.Summary
	if s.Reduction != "macro" || s.Search == local || s.Complete || e.isOfMode("reduction") || e.Evaluations <= (e.Result.Transitions+1)*uint64(len(s.Properties)) {
		return nil
	}
	return []string{fmt.Sprintf("--reduction off: properties were evaluated %s times for %s transitions of macro steps, and take one evaluation each for a single step at most",
		humanize.Comma(int64(e.Evaluations)), humanize.Comma(int64(e.Result.Transitions)))}
}

// fieldsThatPropertiesRead are fields that multiply states, and are relevant only as properties depend on them. With one property beside
// that handlers do not fail there is nothing to check apart. (--property does not help: fields are relevant by all properties that a
// scenario declares.)
func fieldsThatPropertiesRead(e Ended) (lines []string) {
	fields := e.Actors.Program().Fields
	if len(e.Summary.Properties) <= 2 {
		return nil
	}
	for _, m := range e.Multipliers {
		i := slices.IndexFunc(fields, func(f model.Field) bool { return m.Field && f.String() == m.What && f.ForProperties })
		if i >= 0 && m.Times >= 2 {
			lines = append(lines, fmt.Sprintf("leave the properties that depend on %s to a scenario of their own: it makes %.1f times as many states, and matters only for properties (%s)",
				m.What, m.Times, strings.Join(fields[i].Reason, "; ")))
		}
	}
	return lines
}

// rolesThatAreNearlySymmetric are roles of actors that would be permuted but for something in their initial states, or for a step that
// tells them apart.
func rolesThatAreNearlySymmetric(e Ended) (lines []string) {
	if e.Group == nil {
		return nil
	}
	for _, o := range e.Group.Obstacles {
		i := slices.IndexFunc(e.Actors.Program().Roles, func(r model.Role) bool { return r.Name == o.Role })
		if i < 0 {
			continue
		}
		actors := e.Actors.Program().Roles[i].Actors
		why := o.Text
		for _, of := range e.ToldApart { // whose initial states do not tell them apart
			if slices.Contains(of.Roles, o.Role) {
				why = of.Why
			}
		}
		lines = append(lines, fmt.Sprintf("make the %d actors of %s symmetric, for up to %s times fewer states; they are not: %s",
			len(actors), o.Role, new(big.Int).MulRange(1, int64(len(actors))), why))
	}
	return lines
}

// mostInboxes is how many inboxes channelsThatMayOvertake looks at.
const mostInboxes = 10_000

// channelsThatMayOvertake counts the inboxes in which messages from one actor wait that may overtake each other.
func channelsThatMayOvertake(e Ended) []string {
	actors := e.Actors
	overtaking, all := 0, 0
	for id := 1; id <= min(actors.Nodes.Len(), mostInboxes); id++ {
		isUnordered, overtakes, senders := false, false, map[string]bool{}
		waiting, _ := space.Inbox(actors.Nodes, model.NodeID(id))
		for m := range waiting.Counts { // of a multiset each once
			of := actors.Values.Message(m)
			if isUnordered = actors.Program().Channel(of.Receiver) == network.Unordered; !isUnordered {
				break
			}
			overtakes = overtakes || senders[of.Sender]
			senders[of.Sender] = true
		}
		if isUnordered {
			all++
		}
		if overtakes {
			overtaking++
		}
	}
	if overtaking*4 < all || all == 0 {
		return nil
	}
	return []string{fmt.Sprintf("network().fifo(...), if the real network keeps the order of one sender's messages: in %d of %d inboxes they may overtake each other", overtaking, all)}
}

// moreWorkers are for a machine with processors that did nothing: not where the same states would only be counted or kept, or something
// would only grow, sooner.
func moreWorkers(e Ended) []string {
	processors, mayHave := runtime.NumCPU(), e.Given["por"] != "dynamic" && e.Given["share"] == "" && e.Summary.Reduction != "demeter"
	if e.Summary.Workers != 1 || processors == 1 || !mayHave || e.isEndless() || strings.Contains(e.Summary.Reason, "--max-") {
		return nil
	}
	return []string{fmt.Sprintf("--workers auto: one of %d processors searched", processors)}
}
