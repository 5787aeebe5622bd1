package report

import (
	"fmt"
	"maps"
	"slices"

	"harrier/internal/section"

	"github.com/dustin/go-humanize/english"
)

// Coverage says which code of the handlers, and of what they call, some local step executed. Lines that no step executed are
// executed in no run; a line that some step executed may be executed in none, as reductions and local search ask also for steps
// that no run takes.
type Coverage struct {
	Covered
	// Kept is how many local steps are not counted, as earlier checks executed them. There are no figures then.
	Kept    uint64          `json:"localStepsKept,omitempty"`
	Methods []MethodCovered `json:"methods"`
	// NeverDelivered are the kinds of messages that some actor takes and no local step consumes.
	NeverDelivered []string `json:"neverDelivered"`
}

// Covered are figures of some code.
type Covered struct {
	Lines            int `json:"lines"`
	LinesExecuted    int `json:"linesExecuted"`
	Branches         int `json:"branches"`
	BranchesExecuted int `json:"branchesExecuted"`
}

// MethodCovered says what was executed of a method, with the bodies of its lambdas.
type MethodCovered struct {
	Method  string `json:"method"`
	Handler bool   `json:"handler"`
	File    string `json:"file"`
	Covered
	MissedLines    []int `json:"missedLines"`
	MissedBranches []int `json:"missedBranches"` // the lines of branches that were not executed, one each
}

// Add counts a method.
func (c *Coverage) Add(m MethodCovered) {
	c.Methods = append(c.Methods, m)
	c.Lines += m.Lines
	c.LinesExecuted += m.LinesExecuted
	c.Branches += m.Branches
	c.BranchesExecuted += m.BranchesExecuted
}

func (c Covered) String() string {
	text := fmt.Sprintf("%s of %s", section.Count(uint64(c.LinesExecuted)), section.Plural(uint64(c.Lines), "line"))
	if c.Branches > 0 {
		text += fmt.Sprintf(", %s of %s %s", section.Count(uint64(c.BranchesExecuted)), section.Count(uint64(c.Branches)),
			english.PluralWord(c.Branches, "branch", "branches"))
	}
	return text
}

// coverageText writes the figures, and what no step of a whole search executed.
func (s *Summary) coverageText(line func(label, format string, args ...any)) {
	c := s.Coverage
	switch {
	case c == nil:
		return
	case c.Kept > 0:
		line("coverage", "not known, as %s of the local steps are kept from earlier checks", section.Count(c.Kept))
		return
	case c.Lines == 0:
		return
	case s.Search == "local":
		line("coverage", "%s of handlers and what they call, also in local states that perhaps no run reaches", c.Covered)
	default:
		line("coverage", "%s of handlers and what they call", c.Covered)
	}
	if missed := c.missed(); len(missed) > 0 && s.Complete {
		line("never run", "%s", section.Few(missed))
	}
}

// missed are the lines that were not executed, such as "Acceptor.java:31, 40-42", and those with branches that were not.
func (c *Coverage) missed() []string {
	lines, branches := map[string][]int{}, map[string][]int{}
	for _, m := range c.Methods {
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
