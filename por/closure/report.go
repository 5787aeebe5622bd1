package closure

import (
	"maps"
	"slices"
)

// Report says what came of a reduction. It is for after the search.
type Report struct {
	// Everywhere, Here and Without are states in which one event was followed alone: since it may be so wherever it is enabled, by
	// what the state can lead to, and by what it can lead to without the event.
	Everywhere, Here, Without uint64
	Whole                     uint64    // states in which all events of one actor were followed
	None                      uint64    // states with several transitions all of which were followed
	Unknown                   []Unknown // by the actors' names
}

// Unknown is an actor of which it is not known what it may come to do.
type Unknown struct {
	Actor  string
	Reason string
}

// Report adds up what the workers did.
func (c *Closure) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out Report
	reasons := map[string]string{}
	for _, r := range c.reducers {
		out.Everywhere += r.choices[fromStart]
		out.Here += r.choices[fromState]
		out.Without += r.choices[fromWithout]
		out.Whole += r.choices[fromWhole]
		out.None += r.choices[fromNone]
		for position, reason := range r.limits {
			reasons[c.steps.Name(position)] = reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		out.Unknown = append(out.Unknown, Unknown{name, reasons[name]})
	}
	return out
}
