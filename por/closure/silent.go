package closure

import (
	"slices"

	"harrier/model"
)

// silentClasses are the classes of actors of which the analysis of their code says that they send and create nothing, whatever
// they receive, and do nothing by themselves after that.
func silentClasses(p *model.Program) map[string]bool {
	footprints := map[string]*model.Footprint{}
	for i := range p.Footprints {
		footprints[p.Footprints[i].Handler] = &p.Footprints[i]
	}
	silent := map[string]bool{}
	for _, h := range p.Handlers {
		silent[h.Class] = true
	}
	for _, h := range p.Handlers {
		f := footprints[h.Label]
		if f == nil || len(f.Sends) > 0 || f.Creates || slices.ContainsFunc(f.Writes, func(w model.Touch) bool { return w.Field == model.Agenda }) {
			silent[h.Class] = false
		}
	}
	return silent
}

// isSilent says whether nothing that an actor does from a local state on matters to others. What it comes to do need not be known
// then, but where it is restrained. What adversaries and faults send and duplicate in its name is in a future without it.
func (t *tables) isSilent(f *future, l model.LocalID, isRestrained bool) (bool, error) {
	if l == 0 || isRestrained {
		return false, nil
	}
	parts, err := t.local(l)
	if err != nil {
		return false, err
	}
	return parts.silent && !parts.Acts && t.hazardsOf(f.faults, parts.Position).restarts == 0, nil
}
