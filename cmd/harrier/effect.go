package main

import (
	"fmt"

	"harrier/dbss"
	"harrier/model"
	"harrier/report"
	"harrier/symmetry"
)

// withoutEffect are remarks on flags that were given and changed nothing. Limits are not among them, as they are for what
// need not happen, and neither are values that switch something off, but for the limit of memory that there is anyway.
func (k *check) withoutEffect(actors *model.Actors, group *symmetry.Group, result *dbss.Result, s *report.Summary) []string {
	var remarks []string
	usual, _ := newMemoryLimit("")
	for _, f := range []struct {
		name   string
		isIdle bool
		why    string
	}{
		{"symmetry", k.symmetry == "auto" && group == nil, "--search stateless remembers no states"},
		{"symmetry", group != nil && group.IsTrivial(), "no actors are symmetric: " + firstObstacle(group)},
		{"por", k.por != "off" && result.Reduced == 0, "no transition was left out"},
		{"reduction", k.reduction == "macro" && result.Internal == 0, "every step shows outside of its component"},
		{"hashing", k.hashing == "selective" && !actors.Decomposes(), "no field is auxiliary"},
		{"audit", (s.Audit == nil || s.Audit.Variants == 0) && (s.POR == nil || s.POR.Audit == nil || s.POR.Audit.Pairs == 0),
			"no two states met differ in auxiliary fields only, and partial-order reduction left nothing out"},
		{"push", result.Frameless == 0, "every state has several transitions"},
		{"keep-going", result.Violation == nil, "no violation was met"},
		{"max-memory", k.memory.bytes == 0 && s.PeakMemoryBytes < usual.bytes,
			fmt.Sprintf("without it the limit is %s, and %s were taken", sizeText(usual.bytes), sizeText(s.PeakMemoryBytes))},
		{"no-deadlock", !hasFinal(actors.Program()), "the scenario has no expectFinal()"},
		{"workers", k.workers != "auto" && k.workerCount > 1 && result.Busy < k.workerCount, fmt.Sprintf("%d of them took a transition", result.Busy)},
	} {
		if flag := k.flags.Lookup(f.name); flag.Changed && f.isIdle {
			given := "--" + f.name
			if flag.Value.Type() != "bool" {
				given += " " + flag.Value.String()
			}
			remarks = append(remarks, fmt.Sprintf("%s had no effect: %s", given, f.why))
		}
	}
	return remarks
}
