package report

import (
	"fmt"

	"harrier/internal/section"
)

// Vacuous is a property that was put to the test and holds whatever the actors do, with the reason.
type Vacuous struct {
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// Vanished counts the messages of a kind to an actor that it could not consume any more, as it had stopped.
type Vanished struct {
	Message  string `json:"message"` // the kind
	Receiver string `json:"receiver"`
	Distinct uint64 `json:"distinct"` // different messages
	Example  string `json:"example"`  // one of them: the first by its text
}

// Add counts a message with a text.
func (v *Vanished) Add(text string) {
	if v.Distinct++; v.Distinct == 1 || text < v.Example {
		v.Example = text
	}
}

func (v Vanished) String() string {
	return fmt.Sprintf("%s, such as %s, vanished: %s had stopped", section.Plural(v.Distinct, "distinct "+v.Message+" message"), v.Example, v.Receiver)
}

// VacuityLines are the properties that hold whatever the actors do, and the messages that vanished, a line each.
func (s *Summary) VacuityLines() []string {
	var lines []string
	for _, v := range s.Vacuous {
		lines = append(lines, fmt.Sprintf("%q holds whatever the actors do: %s", v.Property, v.Reason))
	}
	for _, v := range s.Vanished {
		lines = append(lines, v.String())
	}
	return lines
}
