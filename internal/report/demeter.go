package report

import (
	"fmt"

	"harrier/internal/section"
	"harrier/por/demeter"
)

// DemeterText says what a search of global skeletons counted, and the reduction ratio.
func DemeterText(f *demeter.Figures) string {
	text := fmt.Sprintf("%s of %s in %s", section.Plural(f.LocalTraces, "local trace"), section.Plural(uint64(f.Components), "component"),
		section.Plural(f.GlobalSkeletons, "complete global skeleton"))
	if f.LocalTraces == 0 {
		return text
	}
	return fmt.Sprintf("%s, which make up %s: reduction ratio %.4g", text, section.Plural(uint64(f.GlobalTraces), "global trace"), f.ReductionRatio)
}
