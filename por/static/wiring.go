package static

import (
	"fmt"
	"slices"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

// Actors that classes are about have numbers: those that exist at the start, then adversaries, and these two.
const (
	scenario = 0 // which sends the first messages, and receives none
	children = 1 // all actors that are created at run time
)

// A wiring is who there is, and whom fields name.
type wiring struct {
	program *model.Program
	names   []string
	numbers map[string]int
	class   []string // of actors; "" if there is none that could run a handler
	fields  []map[string][]int
}

func newWiring(p *model.Program) (*wiring, error) {
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
	for _, a := range p.Initial.Actors {
		v, err := serializer.Decode(a.Local)
		if err != nil {
			continue // a local state that is none of Java's: nothing is known of its fields
		}
		fields, err := w.named(&v)
		if err != nil {
			return nil, fmt.Errorf("finding whom %s knows: %w", a.Name, err)
		}
		w.fields[w.numbers[a.Name]] = fields
	}
	return w, nil
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

// exists says whether an actor is one of the start.
func (w *wiring) exists(actor int) bool { return actor > children && w.class[actor] != "" }

// named are, by the name of a field without its class, the actors that are named somewhere in a field of that name. Objects
// within the actor have fields, too.
func (w *wiring) named(actor *serializer.Value) (map[string][]int, error) {
	n := naming{wiring: w, numbered: map[int]*serializer.Value{}, found: map[string][]int{}}
	n.number(actor)
	n.fieldsOf(actor, map[*serializer.Value]bool{})
	return n.found, nil
}

type naming struct {
	*wiring
	numbered map[int]*serializer.Value
	found    map[string][]int
}

func (n *naming) number(v *serializer.Value) {
	if v.Kind.Numbered() {
		n.numbered[v.Number] = v
	}
	v.Each(n.number)
}

func (n *naming) fieldsOf(v *serializer.Value, met map[*serializer.Value]bool) {
	if v.Kind == serializer.Ref || met[v] {
		return
	}
	met[v] = true
	for i := range v.Fields {
		f := &v.Fields[i]
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		who := n.found[name]
		n.collect(&f.Value, &who, map[*serializer.Value]bool{})
		n.found[name] = who
	}
	v.Each(func(of *serializer.Value) { n.fieldsOf(of, met) })
}

// collect adds the actors that a value names.
func (n *naming) collect(v *serializer.Value, who *[]int, met map[*serializer.Value]bool) {
	if v.Kind == serializer.Ref {
		v = n.numbered[v.Number]
	}
	if met[v] {
		return
	}
	met[v] = true
	switch {
	case v.Kind == serializer.Name:
		n.put(who, v.Text)
	case v.Kind == serializer.Record && v.ClassName == "harrier.Role":
		for _, r := range n.program.Roles {
			if r.Name == v.Fields[0].Value.Text {
				for _, name := range r.Actors {
					n.put(who, name)
				}
			}
		}
	}
	v.Each(func(of *serializer.Value) { n.collect(of, who, met) })
}

func (n *naming) put(who *[]int, name string) {
	if actor := n.wiring.number(name); !slices.Contains(*who, actor) {
		*who = append(*who, actor)
	}
}

// in are the actors that a field of an actor names from the start; not ok if that is not known.
func (w *wiring) in(actor int, field string) (who []int, ok bool) {
	who, ok = w.fields[actor][field[strings.LastIndexAny(field, ".")+1:]]
	return who, ok
}
