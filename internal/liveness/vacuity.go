package liveness

import (
	"fmt"
	"strings"

	"harrier/internal/liveness/ltl"
)

// Vacuity is the reason why the property is satisfied whatever the runs do, as far as predicates hold in all states that were explored,
// in none, or in the initial one; "" without one. The search is complete and found no violation.
func (s *Search) Vacuity() string {
	if !s.kind.Fair && !s.kind.Wanted || len(s.labels) == 0 {
		return ""
	}
	if s.formula.SatisfiedAt(s.labels[0]) {
		return "the initial state satisfies it, whatever comes later"
	}
	if s.kind.Wanted {
		return ""
	}
	known := ltl.Known{Always: ^ltl.Label(0)}
	for _, l := range s.labels {
		known.Always &= l
		known.Never |= l
	}
	known.Never = ^known.Never
	irrelevant := s.formula.Irrelevant(known)
	if irrelevant == 0 {
		return ""
	}
	var why []string
	for i, a := range s.atoms {
		switch {
		case known.Never>>i&1 == 1:
			why = append(why, a.Name+" holds in no state")
		case known.Always>>i&1 == 1:
			why = append(why, a.Name+" holds in every state")
		}
	}
	return fmt.Sprintf("%s makes no difference to it, as %s", strings.Join(s.named(irrelevant), " or "), strings.Join(why, ", and "))
}

// named are the names of some atoms.
func (s *Search) named(some ltl.Label) (names []string) {
	for i, a := range s.atoms {
		if some>>i&1 == 1 {
			names = append(names, a.Name)
		}
	}
	return names
}
