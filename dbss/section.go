package dbss

import (
	"strings"

	"harrier/internal/distributed/tasks"
	"harrier/internal/section"
)

// Discarded are searches that were given up before the one that counts are of.
type Discarded struct {
	// GivenUp are the searches that were given up before this one, as a message or a symmetry that they left out makes a difference, or an
	// actor becomes new states without end by itself; missing if there are none.
	GivenUp []GivenUp `json:"givenUp,omitempty"`
	// StatesGivenUp are the states of all of them.
	StatesGivenUp uint64 `json:"statesGivenUp,omitempty"`
}

// Discarded are those that were given up so far.
func (p *Progress) Discarded() Discarded { return Discarded{p.GivenUp(), p.StatesGivenUp()} }

// Section is the part of a summary on these searches.
func (d Discarded) Section() section.Section {
	s := section.Section{Name: "discarded", Value: d}
	for _, g := range d.GivenUp {
		s.Add("discarded", "%s and %s, after which it turned out that %s", section.Plural(g.States, "state"), section.Plural(g.Transitions, "transition"), g.Reason)
	}
	return s
}

// LevelsSection is the part of a summary on the states at each distance, on the manifest of the last level in files, and on the phases of a
// shared search. It prints the last of the numbers of states if open: a bound ended the search.
func LevelsSection(levels []uint64, manifest string, phases []tasks.Phase, open bool) section.Section {
	s := section.Section{Name: "levels", Value: struct {
		// Levels is, of breadth-first search, how many new states there are at each distance from the start; of the last perhaps not all.
		Levels []uint64 `json:"levels,omitempty"`
		// Manifest is, with a checkpoint, the SHA-256 of the manifest of the last complete level, which has that of the one before, and so on:
		// the levels that the verdict rests on.
		Manifest string `json:"manifest,omitempty"`
		// Phases are, where workers share the states, two for each level: the tasks that take the transitions of the level before, and those
		// that find its states among where they lead.
		Phases []tasks.Phase `json:"phases,omitempty"`
	}{levels, manifest, phases}}
	if len(levels) == 0 || !open {
		return s
	}
	const most = 6
	from := max(0, len(levels)-most)
	var texts []string
	if from > 0 {
		texts = []string{"…"}
	}
	for _, n := range levels[from:] {
		texts = append(texts, section.Count(n))
	}
	s.Add("levels", "%s new states; the last is not over", strings.Join(texts, ", "))
	return s
}
