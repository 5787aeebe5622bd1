package report

import "fmt"

// Local has the figures of a local search: of the local states that each actor reaches when messages that were sent stay in the
// network, and of their combinations.
type Local struct {
	LocalStates  uint64 `json:"localStates"`
	Ways         uint64 `json:"ways"` // in which they are reached, told apart by the messages consumed
	Messages     uint64 `json:"messages"`
	LocalSteps   uint64 `json:"localSteps"`
	Combinations uint64 `json:"combinations"` // of what properties read
	Suspicious   uint64 `json:"suspicious"`   // of these, and local states in which a handler fails
	Rounds       int    `json:"rounds"`       // with --max-local-events
}

// text says what became of what was suspicious.
func (l *Local) text(s *Summary) string {
	of := plural(l.Combinations, "combination") + " of local states"
	switch {
	case s.Proof == "local":
		return "proved locally: none of " + of + " is bad, so no global state was searched"
	case s.Verdict == Verified && l.Suspicious == 1:
		return "1 combination or local state is suspicious, and no run reaches it"
	case s.Verdict == Verified:
		return fmt.Sprintf("%s combinations and local states are suspicious, and no run reaches any", count(l.Suspicious))
	}
	return fmt.Sprintf("%s suspicious, of %s", count(l.Suspicious), of)
}
