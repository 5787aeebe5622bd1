package audit

import (
	"fmt"
	"math"
	"strings"

	"harrier/internal/section"
)

// Figures say how far partial-order reduction went, and what that rests on.
type Figures struct {
	Method  string           `json:"method"`          // static, or dynamic in stateless search
	Reduced uint64           `json:"reduced"`         // states from which some transitions were not followed
	Audit   *ReductionReport `json:"audit,omitempty"` // with --por static --audit
}

// Section is the part of a summary on partial-order reduction in a search of so many states. f is nil where it is off.
func Section(f *Figures, states uint64) section.Section {
	s := section.Section{Name: "por", Value: struct {
		// POR is how far partial-order reduction went; missing where it is off. States and transitions are those that were visited, and
		// terminal states as without. With --keep-going, violations are counted in the visited states.
		POR *Figures `json:"por,omitempty"`
	}{f}}
	if f == nil {
		return s
	}
	parts := []string{f.Method}
	switch {
	case f.Reduced == 0:
		parts[0] += ", which reduced none"
	case states > 0:
		percent := math.Round(100 * float64(f.Reduced) / float64(states))
		if f.Reduced < states {
			percent = min(percent, 99)
		}
		parts[0] += fmt.Sprintf(", which reduced %.0f%% of all", percent)
	}
	if f.Audit != nil {
		parts = append(parts, section.Plural(f.Audit.Pairs, "pair")+" of events executed both ways round")
		if !f.Audit.Complete {
			parts = append(parts, "not all: "+f.Audit.Reason)
		}
	}
	s.Add("por", "%s", strings.Join(parts, "; "))
	return s
}
