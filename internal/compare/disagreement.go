package compare

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/plan"
	"harrier/internal/report"
)

// Disagreement is a finding: complete searches of one program that came to different verdicts or numbers of
// terminal states.
type Disagreement struct {
	Program  string   `json:"program"`
	Verified []string `json:"verified"` // the modes
	Violated []string `json:"violated"`
	// Terminal are the terminal states of modes that should have met as many.
	Terminal []TerminalCount `json:"terminal,omitempty"`
}

// TerminalCount is how many terminal states a run met.
type TerminalCount struct {
	Mode     string `json:"mode"`
	Terminal uint64 `json:"terminal"`
}

func (d Disagreement) String() string {
	if d.Terminal == nil {
		return fmt.Sprintf("the verdicts on %s disagree: verified by %s, violated by %s",
			d.Program, strings.Join(d.Verified, ", "), strings.Join(d.Violated, ", "))
	}
	var counts []string
	for _, e := range d.Terminal {
		counts = append(counts, fmt.Sprintf("%s by %s", Count(e.Terminal), e.Mode))
	}
	return fmt.Sprintf("the terminal states of %s disagree: %s", d.Program, strings.Join(counts, ", "))
}

// Disagreements lists where runs of one program disagree. How many states and transitions they met says nothing: that modes
// differ there is what they are for.
func (t *Table) Disagreements() []Disagreement {
	all := []Disagreement{}
	for _, runs := range programs(t.Runs) {
		if d := verdicts(runs); d.Verified != nil {
			all = append(all, d)
		}
		all = append(all, terminal(runs)...)
	}
	return all
}

// verdicts compares the verdicts on a program.
func verdicts(runs []Result) Disagreement {
	d := Disagreement{Program: runs[0].Program}
	for i := range runs {
		switch r := &runs[i]; {
		case slices.ContainsFunc(runs, r.denies):
			d.Verified = with(d.Verified, r.Mode)
		case slices.ContainsFunc(runs, func(o Result) bool { return o.denies(*r) }):
			d.Violated = with(d.Violated, r.Mode)
		}
	}
	return d
}

// with is a list with an element, which it has once.
func with[E comparable](list []E, element E) []E {
	if slices.Contains(list, element) {
		return list
	}
	return append(list, element)
}

// denies reports whether a run verified what another one found violated.
func (r *Result) denies(other Result) bool {
	return r.Verdict == report.Verified && other.Verdict == report.Violated && slices.Contains(r.Properties, other.Property)
}

// terminal compares how many terminal states of a program those runs met that should have met as many.
func terminal(runs []Result) []Disagreement {
	counts := map[string][]TerminalCount{}
	var kinds []string
	for _, r := range runs {
		mode, _ := plan.FindMode(r.Mode)
		kind := terminalKind(mode)
		if kind == "" || r.Verdict != report.Verified || r.Figures == nil {
			continue
		}
		if counts[kind] == nil {
			kinds = append(kinds, kind)
		}
		counts[kind] = with(counts[kind], TerminalCount{r.Mode, r.Terminal})
	}
	var all []Disagreement
	for _, kind := range kinds {
		of := counts[kind]
		if slices.ContainsFunc(of, func(c TerminalCount) bool { return c.Terminal != of[0].Terminal }) {
			all = append(all, Disagreement{Program: runs[0].Program, Verified: []string{}, Violated: []string{}, Terminal: of})
		}
	}
	return all
}
