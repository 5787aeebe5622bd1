package coverage

import (
	"fmt"
	"maps"
	"slices"

	"harrier/internal/section"
)

// Section is the part of a summary on coverage. f is nil where Java could not be asked any more. local reports whether the search is a
// local one, and complete whether it was, so that lines that no step executed are executed in no run.
func Section(f *Figures, local, complete bool) section.Section {
	s := section.Section{Name: "coverage", Value: struct {
		// Coverage is the part of the program's code that steps executed; missing if time was used up ([guide](guide.md#coverage)).
		Coverage *Figures `json:"coverage,omitempty"`
	}{f}}
	switch {
	case f == nil:
		return s
	case f.Kept > 0:
		s.Add("coverage", "not known, as %s of the local steps are kept from earlier checks", section.Count(f.Kept))
		return s
	case f.Lines == 0:
		return s
	case local:
		s.Add("coverage", "%s of handlers and what they call, also in local states that perhaps no run reaches", f.Covered)
	default:
		s.Add("coverage", "%s of handlers and what they call", f.Covered)
	}
	if missed := f.missed(); len(missed) > 0 && complete {
		s.Add("never run", "%s", section.Few(missed))
	}
	return s
}

// missed are the lines that were not executed, such as "Acceptor.java:31, 40-42", and those with branches that were not.
func (f *Figures) missed() []string {
	lines, branches := map[string][]int{}, map[string][]int{}
	for _, m := range f.Methods {
		lines[m.File] = append(lines[m.File], m.MissedLines...)
		for _, b := range m.MissedBranches {
			if !slices.Contains(m.MissedLines, b) {
				branches[m.File] = append(branches[m.File], b)
			}
		}
	}
	return append(places("", lines), places("a branch of ", branches)...)
}

// places writes lines by file, which only the first of each names.
func places(what string, lines map[string][]int) (texts []string) {
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		for i, span := range spans(lines[file]) {
			if i == 0 {
				span = what + file + ":" + span
			}
			texts = append(texts, span)
		}
	}
	return texts
}

// spans writes numbers, of which several may be the same, with a dash between the ends of those that follow on one another.
func spans(numbers []int) (texts []string) {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for i := 0; i < len(numbers); i++ {
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		if first == i {
			texts = append(texts, fmt.Sprint(numbers[i]))
		} else {
			texts = append(texts, fmt.Sprintf("%d-%d", numbers[first], numbers[i]))
		}
	}
	return texts
}
