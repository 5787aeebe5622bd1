package report

import (
	"fmt"
	"math"
	"strings"

	"harrier/internal/check/audit"
	"harrier/internal/section"
)

// Reduction says how far partial-order reduction went: what a search did not follow, and what that rests on.
type Reduction struct {
	Method  string                 `json:"method"`  // static or dynamic
	Reduced uint64                 `json:"reduced"` // states from which some transitions were not followed
	Audit   *audit.ReductionReport `json:"audit,omitempty"`
}

// text says of how many states transitions were left out.
func (r *Reduction) text(states uint64) string {
	parts := []string{r.Method}
	switch {
	case r.Reduced == 0:
		parts[0] += ", which reduced none"
	case states > 0:
		percent := math.Round(100 * float64(r.Reduced) / float64(states))
		if r.Reduced < states {
			percent = min(percent, 99)
		}
		parts[0] += fmt.Sprintf(", which reduced %.0f%% of all", percent)
	}
	if r.Audit != nil {
		parts = append(parts, section.Plural(r.Audit.Pairs, "pair")+" of events executed both ways round")
		if !r.Audit.Complete {
			parts = append(parts, "not all: "+r.Audit.Reason)
		}
	}
	return strings.Join(parts, "; ")
}
