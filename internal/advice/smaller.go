package advice

import (
	"fmt"
	"strconv"
	"strings"

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
		if n, err := strconv.Atoi(p.Value); err == nil && n > 1 && n <= MostValues && p.Name != model.FirstState {
			found, values = append(found, p), append(values, n)
		}
	}
	return found, values
}

// smallerParameters are command lines with one parameter smaller by one each: most behaviours remain possible with these, which
// the smallest values may exclude. Where something grows without bound, they have as many states.
func smallerParameters(e Ended) []string {
	parameters, values := Numbers(e.Actors.Program().Parameters)
	if e.isEndless() || len(parameters) == 0 {
		return nil
	}
	var settings []string
	for i, p := range parameters {
		settings = append(settings, fmt.Sprintf("%s%s=%d", setting, p.Name, values[i]-1))
	}
	return []string{strings.Join(settings, ", or ") + ", in place of the values above: there are fewer states, and most bugs are there with fewer"}
}

// setting begins the line of smallerParameters, and no other.
const setting = "--set "

// CutSmaller returns lines of advice without the one to set parameters to smaller values, and that one; "" if there is none.
func CutSmaller(lines []string) (rest []string, smaller string) {
	for _, line := range lines {
		if strings.HasPrefix(line, setting) {
			smaller = line
		} else {
			rest = append(rest, line)
		}
	}
	return rest, smaller
}

// Smaller is the result of a check with one parameter smaller.
type Smaller struct {
	Setting string // as --set takes it
	*report.Summary
	States  uint64
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
