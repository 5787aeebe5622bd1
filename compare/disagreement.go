package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Disagreement is a finding: searches of one program that answered, and not the same.
type Disagreement struct {
	Program  string   `json:"program"`
	Verified []string `json:"verified"` // the modes
	Violated []string `json:"violated"`
}

func (d Disagreement) String() string {
	return fmt.Sprintf("the verdicts on %s disagree: verified by %s, violated by %s",
		d.Program, strings.Join(d.Verified, ", "), strings.Join(d.Violated, ", "))
}

// Disagreements lists the programs whose verdicts disagree.
func (t *Table) Disagreements() []Disagreement {
	all := []Disagreement{}
	for _, runs := range t.programs() {
		d := Disagreement{Program: runs[0].Program}
		for i := range runs {
			switch r := &runs[i]; {
			case slices.ContainsFunc(runs, r.denies):
				d.Verified = append(d.Verified, r.Mode)
			case slices.ContainsFunc(runs, func(o Result) bool { return o.denies(*r) }):
				d.Violated = append(d.Violated, r.Mode)
			}
		}
		if d.Verified != nil {
			all = append(all, d)
		}
	}
	return all
}

// denies says whether a run verified what another one found violated.
func (r *Result) denies(other Result) bool {
	return r.Verdict == Verified && other.Verdict == Violated && slices.Contains(r.Properties, other.Property)
}
