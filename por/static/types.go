package static

import "harrier/model"

// takers are those of the handlers of an actor's class that may take a message of a type. Where one has just that type, no other
// may, and one that takes a single other type does not either.
func (s *Static) takers(class, of string) []model.Handler {
	var exact, all []model.Handler
	for _, h := range s.wiring.program.Handlers {
		if h.Class != class || h.Kind != model.Receive || of != "" && h.Exact && h.Takes != of {
			continue
		}
		all = append(all, h)
		if of != "" && h.Takes == of {
			exact = append(exact, h)
		}
	}
	if exact != nil {
		return exact
	}
	return all
}
