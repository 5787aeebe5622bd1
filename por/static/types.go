package static

import "harrier/model"

// takers are the handlers of a class that may take a message of a type. A handler of exactly that type excludes all others, and one
// of exactly another type does not take it.
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
