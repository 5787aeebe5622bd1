package demeter

import (
	"fmt"

	"harrier/internal/section"
)

// Section is the part of a summary on traces. f is nil of other searches.
func Section(f *Figures) section.Section {
	s := section.Section{Name: "traces", Value: struct {
		// Demeter is what a search of global skeletons counted, whether it ended or not.
		Demeter *Figures `json:"demeter,omitempty"`
	}{f}}
	if f != nil {
		s.Add("traces", "%s", f)
	}
	return s
}

// String has the reduction ratio, if there are local traces.
func (f *Figures) String() string {
	text := fmt.Sprintf("%s of %s in %s", section.Plural(f.LocalTraces, "local trace"), section.Plural(uint64(f.Components), "component"),
		section.Plural(f.GlobalSkeletons, "complete global skeleton"))
	if f.LocalTraces == 0 {
		return text
	}
	return fmt.Sprintf("%s, which make up %s: reduction ratio %.4g", text, section.Plural(uint64(f.GlobalTraces), "global trace"), f.ReductionRatio)
}
