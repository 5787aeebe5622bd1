package check

import (
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/report"
)

// mostAdvice is how many lines of advice are given, at most.
const mostAdvice = 3

// advise puts into the summary what may let a search that a bound ended come to its end, each with what speaks for it.
func (c *Check) advise() {
	if c.Summary.Verdict != report.Inconclusive || c.Result.Complete {
		return
	}
	if c.Search == random {
		c.Summary.Advice = []string{"without --search sample: random runs verify nothing, and are taken beside a search that may end"}
		return
	}
	var advice []string
	for _, of := range []func() []string{c.fieldsThatPropertiesRead, c.rolesThatAreNearlySymmetric, c.fewer, c.channelsThatMayOvertake, c.moreWorkers} {
		advice = append(advice, of()...)
	}
	c.Summary.Advice = advice[:min(len(advice), mostAdvice)]
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

// fewer is a command line for smaller values of a parameter.
func (c *Check) fewer() []string {
	parameters, values := numbers(c.Actors().Program().Parameters)
	if len(parameters) == 0 {
		return nil
	}
	var larger []string
	for _, p := range parameters {
		larger = append(larger, p.Name+"="+p.Value)
	}
	return []string{fmt.Sprintf("--set %s=1..%d, which checks the smaller values first: with %s there are many states, and most bugs are there with fewer",
		parameters[0].Name, values[0], strings.Join(larger, ", "))}
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

// moreWorkers are for a machine with processors that did nothing.
func (c *Check) moreWorkers() []string {
	if processors := runtime.NumCPU(); c.Workers == 1 && processors > 1 && c.POR != "dynamic" && c.Reduction != "demeter" {
		return []string{fmt.Sprintf("--workers auto: one of %d processors searched", processors)}
	}
	return nil
}
