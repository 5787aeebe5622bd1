package closure

import (
	"maps"
	"slices"
)

// Report says what came of a reduction. It is for after the search.
type Report struct {
	Unknown []Unknown // by the actors' names
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
		for position, reason := range r.limits {
			reasons[c.steps.Name(position)] = reason
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		out.Unknown = append(out.Unknown, Unknown{name, reasons[name]})
	}
	return out
}
