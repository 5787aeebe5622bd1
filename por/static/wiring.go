package static

import (
	"strings"

	"harrier/model"
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
	class   []string // of actors; "" if there is none that could run a handler
	fields  []map[string][]int
}

func newWiring(p *model.Program) *wiring {
	w := &wiring{program: p, numbers: map[string]int{}}
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
	w.fields = make([]map[string][]int, len(w.names))
	for name, fields := range footprint.Named(p) {
		numbers := map[string][]int{}
		for field, who := range fields {
			numbers[field] = nil
			for _, of := range who {
				numbers[field] = append(numbers[field], w.number(of))
			}
		}
		w.fields[w.numbers[name]] = numbers
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

// in are the actors that a field of an actor names from the start; not ok if that is not known.
func (w *wiring) in(actor int, field string) (who []int, ok bool) {
	who, ok = w.fields[actor][field[strings.LastIndexByte(field, '.')+1:]]
	return who, ok
}
