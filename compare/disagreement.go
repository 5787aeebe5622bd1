package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Disagreement is a finding: searches of one program that went to their ends, and came to something else. It is of verdicts
// or of ends.
type Disagreement struct {
	Program  string   `json:"program"`
	Verified []string `json:"verified"` // the modes
	Violated []string `json:"violated"`
	// Ends are what modes counted that should have counted the same.
	Ends []EndCount `json:"ends,omitempty"`
}

// EndCount is how many ends a run met.
type EndCount struct {
	Mode string `json:"mode"`
	Ends uint64 `json:"ends"`
}

func (d Disagreement) String() string {
	if d.Ends == nil {
		return fmt.Sprintf("the verdicts on %s disagree: verified by %s, violated by %s",
			d.Program, strings.Join(d.Verified, ", "), strings.Join(d.Violated, ", "))
	}
	var counts []string
	for _, e := range d.Ends {
		counts = append(counts, fmt.Sprintf("%s by %s", Count(e.Ends), e.Mode))
	}
	return fmt.Sprintf("the ends of %s disagree: %s", d.Program, strings.Join(counts, ", "))
}

// Disagreements lists where runs of one program disagree. How many states and transitions they met says nothing: that modes
// differ there is what they are for.
func (t *Table) Disagreements() []Disagreement {
	all := []Disagreement{}
	for _, runs := range t.programs() {
		if d := verdicts(runs); d.Verified != nil {
			all = append(all, d)
		}
		all = append(all, ends(runs)...)
	}
	return all
}

// verdicts compares the verdicts on a program.
func verdicts(runs []Result) Disagreement {
	d := Disagreement{Program: runs[0].Program}
	for i := range runs {
		switch r := &runs[i]; {
		case slices.ContainsFunc(runs, r.denies):
			d.Verified = append(d.Verified, r.Mode)
		case slices.ContainsFunc(runs, func(o Result) bool { return o.denies(*r) }):
			d.Violated = append(d.Violated, r.Mode)
		}
	}
	return d
}

// denies reports whether a run verified what another one found violated.
func (r *Result) denies(other Result) bool {
	return r.Verdict == Verified && other.Verdict == Violated && slices.Contains(r.Properties, other.Property)
}

// ends compares how many ends of a program those runs met that should have met the same.
func ends(runs []Result) []Disagreement {
	counts := map[string][]EndCount{}
	var kinds []string
	for _, r := range runs {
		mode, _ := FindMode(r.Mode)
		kind := mode.endsLike()
		if kind == "" || r.Verdict != Verified || r.Figures == nil {
			continue
		}
		if counts[kind] == nil {
			kinds = append(kinds, kind)
		}
		counts[kind] = append(counts[kind], EndCount{r.Mode, r.Terminal})
	}
	var all []Disagreement
	for _, kind := range kinds {
		of := counts[kind]
		if slices.ContainsFunc(of, func(c EndCount) bool { return c.Ends != of[0].Ends }) {
			all = append(all, Disagreement{Program: runs[0].Program, Verified: []string{}, Violated: []string{}, Ends: of})
		}
	}
	return all
}
