package sample

import (
	"fmt"
	"strings"

	"harrier/internal/section"
)

// Section is the part of a summary on random runs, nil if there were none. rate is what follows their number: of runs that are the search
// itself how fast they were, else "". decided reports whether there is a verdict: what is unseen is no question then.
func Section(f *Figures, rate string, decided bool) section.Section {
	s := section.Section{Name: "sampled", Value: struct {
		// Sampling is what random runs came to; missing where the program is verified, or a search found the violation.
		Sampling *Figures `json:"sampling,omitempty"`
	}{f}}
	if f == nil {
		return s
	}
	if rate == "" {
		rate = "beside the search"
	}
	s.Add("sampled", "%s, %s, seed %d, %s", section.Plural(f.Runs, "random run"), section.Plural(f.Steps, "step"), f.Seed, rate)
	if len(f.Unseen) == 0 || decided {
		return s
	}
	var chances []string
	for _, u := range f.Unseen {
		chances = append(chances, fmt.Sprintf("%s %s to %s", u.What, percent(u.Low), percent(u.High)))
	}
	s.Add("unseen", "chance that one more random run shows something new: %s (95 %% intervals, from %s)", strings.Join(chances, ", "),
		section.Plural(f.Unseen[0].Runs, "uniform run"))
	return s
}

// percent writes a chance with two digits or more.
func percent(chance float64) string {
	digits := 2
	if chance > 0 && chance < 0.0001 {
		return "< 0.01 %"
	} else if chance >= 0.1 {
		digits = 0
	} else if chance >= 0.01 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %%", digits, 100*chance)
}
