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
	"harrier/internal/report"
)

// mostAdvice is how many lines of advice are given, at most.
const mostAdvice = 3

// advice is what may let a search that a limit ended come to its end. A cause that no larger limit cures comes first. What grows is told
// before all else, as there are as many states of it with any setting.
var advice = []func(Ended) []string{
	whatGrows, actorsWithoutEnd, stepThatDoesNotReturn, runsThatAreOpen, macroStepsThatCost, fieldsThatPropertiesRead, rolesThatAreNearlySymmetric,
	smallerParameters, channelsThatMayOvertake,
}

// How a check searches, as Method.Search has it.
const local, sampled = "local", "sample"

// Lines returns advice on a check: the fairness that a lasso lacks, or what may let a search that a limit ended come to its end.
func Lines(e Ended) []string {
	if v := e.Summary.Violation; v != nil && v.Loop > 0 {
		return channelsThatLoseForEver(e.Actors.Program().Fairness, v)
	}
	if !e.Summary.IsCutShort() {
		return nil
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

// whatGrows is what would bound what was still growing.
func whatGrows(e Ended) []string { return e.Growth }

// actorsWithoutEnd advises to bound the actors that become new states without end by themselves, unless something was seen to grow.
func actorsWithoutEnd(e Ended) []string {
	if len(e.Growth) > 0 || len(e.Endless) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("bound what %s keeps, as by a guard: it can become new states without end by itself", strings.Join(e.Endless, " and "))}
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
	for _, of := range e.Open {
		open = append(open, fmt.Sprintf("%s of the %s states that are known for %q are explored",
			humanize.Comma(int64(of.States)), humanize.Comma(int64(of.Known)), of.Property))
	}
	return []string{fmt.Sprintf("%s: all %s states of the program are explored, and the search for runs is left: %s", limit,
		humanize.Comma(int64(e.Summary.States)), strings.Join(open, ", "))}
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

// macroStepsThatCost reports macro steps that take more evaluations of properties than transitions: a transition of single steps leads to
// one state, and takes one evaluation of each property at most.
func macroStepsThatCost(e Ended) []string {
	s := e.Summary
	if s.Reduction != "macro" || s.Search == local || s.Complete || s.Evaluations <= (s.Transitions+1)*uint64(len(s.Properties)) {
		return nil
	}
	return []string{fmt.Sprintf("--reduction off: properties were evaluated %s times for %s transitions of macro steps, and take one evaluation each for a single step at most",
		humanize.Comma(int64(s.Evaluations)), humanize.Comma(int64(s.Transitions)))}
}

// fieldsThatPropertiesRead are fields that multiply states, and are relevant only as properties depend on them.
func fieldsThatPropertiesRead(e Ended) (lines []string) {
	fields := e.Actors.Program().Fields
	for _, m := range e.Summary.Multipliers {
		i := slices.IndexFunc(fields, func(f model.Field) bool { return m.Field && f.String() == m.What && f.ForProperties })
		if i >= 0 && m.Times >= 2 {
			lines = append(lines, fmt.Sprintf("leave the properties that depend on %s to a check of their own (--property): it makes %.1f times as many states, and matters only for properties (%s)",
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

// smallerParameters are command lines with one parameter smaller by one each: what can come about with most values can with these, which
// the smallest ones may not have. Where something grows without bound, they have as many states.
func smallerParameters(e Ended) []string {
	parameters, values := Numbers(e.Actors.Program().Parameters)
	if e.isEndless() || len(parameters) == 0 {
		return nil
	}
	var settings []string
	for i, p := range parameters {
		settings = append(settings, fmt.Sprintf("--set %s=%d", p.Name, values[i]-1))
	}
	return []string{strings.Join(settings, ", or ") + ", in place of the values above: there are fewer states, and most bugs are there with fewer"}
}

// mostInboxes is how many inboxes channelsThatMayOvertake looks at.
const mostInboxes = 10_000

// channelsThatMayOvertake counts the inboxes in which messages from one actor wait that may overtake each other.
func channelsThatMayOvertake(e Ended) []string {
	actors := e.Actors
	overtaking, all := 0, 0
	for id := 1; id <= min(actors.Nodes.Len(), mostInboxes); id++ {
		waiting := actors.Nodes.Parts(model.NodeID(id)).Waiting
		if len(waiting) == 0 || actors.Program().Channel(actors.Values.Message(waiting[0]).Receiver) != network.Unordered {
			continue
		}
		all++
		senders := map[string]bool{}
		for _, m := range slices.Compact(slices.Sorted(slices.Values(waiting))) {
			sender := actors.Values.Message(m).Sender
			if senders[sender] {
				overtaking++
				break
			}
			senders[sender] = true
		}
	}
	if overtaking*4 < all || all == 0 {
		return nil
	}
	return []string{fmt.Sprintf("network().fifo(...), if the real network keeps the order of one sender's messages: in %d of %d inboxes they may overtake each other", overtaking, all)}
}

// moreWorkers are for a machine with processors that did nothing: not where the same states would only be counted, or something would
// only grow, sooner.
func moreWorkers(e Ended) []string {
	processors, mayHave := runtime.NumCPU(), e.Given["por"] != "dynamic" && e.Summary.Reduction != "demeter"
	if e.Summary.Workers != 1 || processors == 1 || !mayHave || e.isEndless() || limitReached(e.Summary) == "--max-states" {
		return nil
	}
	return []string{fmt.Sprintf("--workers auto: one of %d processors searched", processors)}
}
