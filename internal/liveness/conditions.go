package liveness

import (
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// NeedsSingleSteps returns why macro steps do not preserve a property of a program, as the end of a sentence; "" if they do. That some
// state has a property they always preserve.
//
// For fair runs, macro steps put internal steps off, over arrivals. So an arrival must disable nothing, enable only its consumption, and not
// depend on the global.
func NeedsSingleSteps(p *model.Program, of model.Liveness) string {
	switch kind := property.OfRuns(of); {
	case p.Displaces():
		return "messages are displaced by others"
	case kind.Wanted, kind.SingleSteps != "":
		return kind.SingleSteps
	case slices.ContainsFunc(p.Handlers, func(h model.Handler) bool { return h.Quorum }):
		return "a handler takes several messages at once"
	case p.HasMailboxes():
		return "mailboxes may be full"
	case !p.Fairness.ByChoice.IsEmpty():
		return "choices are fair by their values"
	case p.Watches():
		return "actors may watch others"
	case p.TracksConnections():
		return "connections may close"
	case slices.ContainsFunc(p.Faults, func(f model.Fault) bool { return f.Kind == model.Split }):
		return "the network may be cut"
	}
	return ""
}
