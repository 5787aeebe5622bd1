package static

import (
	"harrier/internal/model"
	"harrier/por/footprint"
)

// Actors that classes are about have numbers: those that exist at the start, then adversaries, and these two.
const (
	scenario = 0 // which sends the first messages, and receives none
	children = 1 // all actors that are created at run time
)

// A wiring has the actors, and which of them fields name.
type wiring struct {
	program *model.Program
	names   []string
	numbers map[string]int
	class   []string // of actors; "" for actors that run no handler
	fields  footprint.Wiring
}

func newWiring(p *model.Program) *wiring {
	w := &wiring{program: p, numbers: map[string]int{}, fields: footprint.WiringOf(p)}
	w.add("", "")
	w.add("actors created at run time", "")
	for _, a := range p.Initial.Actors {
		w.add(a.Name, a.Class)
	}
	for _, name := range p.Adversaries() {
		if _, ok := w.numbers[name]; !ok {
			w.add(name, "")
		}
	}
	return w
}

func (w *wiring) add(name, class string) {
	w.numbers[name] = len(w.names)
	w.names, w.class = append(w.names, name), append(w.class, class)
}

// number is that of an actor by name. Who was not there at the start was created.
func (w *wiring) number(name string) int {
	if n, ok := w.numbers[name]; ok {
		return n
	}
	return children
}

// exists reports whether an actor is one of the start.
func (w *wiring) exists(actor int) bool { return actor > children && w.class[actor] != "" }

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
