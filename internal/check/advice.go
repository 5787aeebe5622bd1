package check

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

// advise puts advice into the summary: the fairness that a lasso lacks, or what may let a search that a limit ended come to its end. A
// cause that no larger limit cures comes first; what grows without bound is in the summary already.
func (c *Check) advise() {
	if v := c.Summary.Violation; v != nil && v.Loop > 0 {
		c.Summary.Advice = c.channelsThatLoseForEver(v)
	}
	if !c.Summary.IsCutShort() {
		return
	}
	sources := []func() []string{c.actorsWithoutEnd, c.stepThatDoesNotReturn, c.runsThatAreOpen, c.macroStepsThatCost,
		c.fieldsThatPropertiesRead, c.rolesThatAreNearlySymmetric, c.fewer, c.channelsThatMayOvertake, c.moreWorkers}
	if c.Search == random {
		sources = []func() []string{func() []string {
			return []string{"without --search sample: random runs verify nothing, and are taken beside a search that may end"}
		}}
	}
	for _, of := range sources {
		c.Summary.Advice = append(c.Summary.Advice, of()...)
	}
	c.Summary.Advice = c.Summary.Advice[:min(len(c.Summary.Advice), mostAdvice)]
}

// channelsThatLoseForEver are lines on actors whose messages are lost, and not received, in the loop of a lasso: with strong fairness that
// is no fair run.
func (c *Check) channelsThatLoseForEver(v *report.SummaryViolation) (advice []string) {
	fairness := c.Actors().Program().Fairness
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
			advice = append(advice, fmt.Sprintf("fairness().strong(%s), if what is sent to %s again and again arrives some time: "+
				"in the loop it is lost again and again", name, s.Actor))
		}
	}
	return advice
}

// isEndless reports whether more of the same search is likely to see more of the same: something grows.
func (c *Check) isEndless() bool { return c.grows || len(c.endless) > 0 }

// actorsWithoutEnd advises to bound the actors that become new states without end by themselves, unless something was seen to grow.
func (c *Check) actorsWithoutEnd() []string {
	if len(c.Summary.Advice) > 0 || len(c.endless) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("bound what %s keeps, as by a guard: it can become new states without end by itself", strings.Join(c.endless, " and "))}
}

// stepThatDoesNotReturn is the step that ran when the search ended, if it had run for long.
func (c *Check) stepThatDoesNotReturn() []string {
	if c.JVM == nil || c.JVM.Slow() == "" {
		return nil
	}
	return []string{"a lower --step-timeout, which shows the run to a step that does not return: the search ended in " + c.JVM.Slow()}
}

// runsThatAreOpen says how far the search for runs came, where that is what is left.
func (c *Check) runsThatAreOpen() []string {
	if len(c.Summary.Undecided) == 0 {
		return nil
	}
	limit := "more time or memory"
	if flag := c.limitReached(); flag != "" {
		limit = "a larger " + flag
	}
	var open []string
	for _, of := range c.runs.searches {
		if !of.decided {
			open = append(open, fmt.Sprintf("%s of the %s states that are known for %q are explored",
				humanize.Comma(int64(of.States())), humanize.Comma(int64(of.Known())), of.of.Title()))
		}
	}
	return []string{fmt.Sprintf("%s: all %s states of the program are explored, and the search for runs is left: %s", limit,
		humanize.Comma(int64(c.Summary.States)), strings.Join(open, ", "))}
}

// limitReached is the flag of the limit that ended the search, as its reason names it; "" if that names none.
func (c *Check) limitReached() (reached string) {
	for _, flag := range []string{"--timeout", "--max-states", "--max-memory"} {
		if strings.Contains(c.Summary.Reason, flag) {
			reached = flag
		}
	}
	return reached
}

// macroStepsThatCost reports macro steps that take more evaluations of properties than transitions: a transition of single steps leads to
// one state, and takes one evaluation of each property at most.
func (c *Check) macroStepsThatCost() []string {
	s := c.Summary
	if c.Reduction != "macro" || c.Search == local || s.Complete || s.Evaluations <= (s.Transitions+1)*uint64(len(s.Properties)) {
		return nil
	}
	return []string{fmt.Sprintf("--reduction off: properties were evaluated %s times for %s transitions of macro steps, and take one evaluation each for a single step at most",
		humanize.Comma(int64(s.Evaluations)), humanize.Comma(int64(s.Transitions)))}
}

// fieldsThatPropertiesRead are fields that multiply states, and are relevant only as properties depend on them.
func (c *Check) fieldsThatPropertiesRead() (advice []string) {
	for _, m := range c.multipliers {
		i := slices.IndexFunc(c.Actors().Program().Fields, func(f model.Field) bool {
			return m.Field && f.Class == m.class && f.Name == m.name && f.ForProperties
		})
		if i >= 0 && m.Times >= 2 {
			f := c.Actors().Program().Fields[i]
			advice = append(advice, fmt.Sprintf("leave the properties that depend on %s to a check of their own (--property): it makes %.1f times as many states, and matters only for properties (%s)",
				f, m.Times, strings.Join(f.Reason, "; ")))
		}
	}
	return advice
}

// rolesThatAreNearlySymmetric are roles of actors that would be permuted but for something in their initial states.
func (c *Check) rolesThatAreNearlySymmetric() (advice []string) {
	if c.Group == nil {
		return nil
	}
	for _, o := range c.Group.Obstacles {
		i := slices.IndexFunc(c.Actors().Program().Roles, func(r model.Role) bool { return r.Name == o.Role })
		if i < 0 {
			continue
		}
		actors := c.Actors().Program().Roles[i].Actors
		permutations := new(big.Int).MulRange(1, int64(len(actors)))
		why := o.Text
		for _, d := range c.differences { // which the search met, where nothing in the initial states tells them apart
			if slices.ContainsFunc(rolesApart(c.Actors().Program(), d.Difference), func(r model.Role) bool { return r.Name == o.Role }) {
				why = d.text()
			}
		}
		advice = append(advice, fmt.Sprintf("make the %d actors of %s symmetric, for up to %s times fewer states; they are not: %s",
			len(actors), o.Role, permutations, why))
	}
	return advice
}

// fewer are command lines with one parameter smaller by one each: what can come about with most values can with these, which the
// smallest ones may not have. Where something grows without bound, they have as many states.
func (c *Check) fewer() []string {
	if c.isEndless() {
		return nil
	}
	parameters, values := numbers(c.Actors().Program().Parameters)
	var settings []string
	for i, p := range parameters {
		settings = append(settings, fmt.Sprintf("--set %s=%d", p.Name, values[i]-1))
	}
	if len(settings) == 0 {
		return nil
	}
	return []string{strings.Join(settings, ", or ") + ", in place of the values above: there are fewer states, and most bugs are there with fewer"}
}

// mostInboxes is how many are looked at.
const mostInboxes = 10_000

// channelsThatMayOvertake counts the inboxes in which messages from one actor wait that may overtake each other.
func (c *Check) channelsThatMayOvertake() []string {
	actors := c.Actors()
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

// moreWorkers are for a machine with processors that did nothing. They are no advice of their own, and none where the same states would
// only be counted, or something would only grow, sooner.
func (c *Check) moreWorkers() []string {
	processors, mayHave := runtime.NumCPU(), c.POR != "dynamic" && c.Reduction != "demeter"
	if c.Workers != 1 || processors == 1 || !mayHave || len(c.Summary.Advice) == 0 || c.isEndless() || c.limitReached() == "--max-states" {
		return nil
	}
	return []string{fmt.Sprintf("--workers auto: one of %d processors searched", processors)}
}
