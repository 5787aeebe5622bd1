package report

import (
	"fmt"
	"strings"
)

// Reduction says how far partial-order reduction went: what a search did not follow, and what that rests on.
type Reduction struct {
	Method  string `json:"method"`  // persistent (over macro steps), static or dynamic
	Reduced uint64 `json:"reduced"` // states from which some transitions were not followed
	// SpeculativeSteps are local steps that were asked for before it was known whether a run takes them.
	SpeculativeSteps uint64          `json:"speculativeSteps"`
	Audit            *ReductionAudit `json:"audit,omitempty"`
}

// ReductionAudit is what was executed both ways round.
type ReductionAudit struct {
	Pairs    uint64 `json:"pairs"`    // of an event that was followed and one that was not
	Complete bool   `json:"complete"` // all of those of the search
	Reason   string `json:"reason"`   // why not all
}

// text says of how many states transitions were left out.
func (r *Reduction) text(states uint64) string {
	parts := []string{r.Method}
	switch {
	case r.Reduced == 0:
		parts[0] += ", which reduced none"
	case states > 0:
		parts[0] += fmt.Sprintf(", which reduced %.0f%% of all", 100*float64(r.Reduced)/float64(states))
	}
	if r.SpeculativeSteps > 0 {
		parts = append(parts, fmt.Sprintf("%s asked for ahead of the search", plural(r.SpeculativeSteps, "local step")))
	}
	if r.Audit != nil {
		parts = append(parts, r.Audit.String())
	}
	return strings.Join(parts, "; ")
}

// String says what was executed both ways round.
func (a *ReductionAudit) String() string {
	text := plural(a.Pairs, "pair") + " of events executed both ways round"
	if !a.Complete {
		text += "; not all: " + a.Reason
	}
	return text
}
