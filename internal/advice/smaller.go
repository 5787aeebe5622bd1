package advice

import (
	"fmt"
	"strconv"

	"github.com/dustin/go-humanize"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/section"
)

// MostValues is the largest value of a parameter that is taken for a number of actors, messages or rounds, and not for a length or a time.
const MostValues = 100

// Numbers returns the parameters that may be made smaller, with their values.
func Numbers(parameters []model.Parameter) (found []model.Parameter, values []int) {
	for _, p := range parameters {
		if n, err := strconv.Atoi(p.Value); err == nil && n > 1 && n <= MostValues {
			found, values = append(found, p), append(values, n)
		}
	}
	return found, values
}

// Smaller is the result of a check with one parameter smaller.
type Smaller struct {
	Setting string // as --set takes it
	*report.Summary
	Seconds float64 // all of it
}

// Text returns the line for people: the verdict, and how to see a violation.
func (s *Smaller) Text() string {
	text := fmt.Sprintf("--set %s: %s in %s, %s states", s.Setting, s.Verdict, section.Seconds(s.Seconds), humanize.Comma(int64(s.States)))
	if v := s.Violation; v != nil {
		text += ": " + v.Property
		if v.Replay != "" {
			text += ": " + v.Replay
		}
	}
	return text
}
