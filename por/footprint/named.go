package footprint

import (
	"slices"

	"harrier/internal/model"
	"harrier/serializer"
)

// Wiring is the actors that each actor of the start names there: by its name, and by the name of a field without its class,
// those that are named somewhere in a field of that name. Objects within the actor have fields, too.
type Wiring map[string]map[string][]string

// Receivers are whom an actor may send a message to that it sends when it consumes messages of some senders; not ok if that may
// be anybody.
func (w Wiring) Receivers(s model.Sending, actor string, senders []string) (who []string, ok bool) {
	switch s.To {
	case model.ToSelf:
		return []string{actor}, true
	case model.ToSender:
		return senders, true
	case model.ToField:
		who, ok = w[actor][simple(s.Field)]
	}
	return who, ok
}

// WiringOf is that of a program.
func WiringOf(p *model.Program) Wiring {
	named := Wiring{}
	for _, a := range p.Initial.Actors {
		v, err := serializer.Decode(a.Local)
		if err != nil {
			continue // not a local state of Java: its fields are not known
		}
		n := naming{roles: p.Roles, numbered: map[int]*serializer.Value{}, found: map[string][]string{}}
		n.number(&v)
		n.fieldsOf(&v)
		named[a.Name] = n.found
	}
	return named
}

type naming struct {
	roles    []model.Role
	numbered map[int]*serializer.Value
	found    map[string][]string
}

func (n *naming) number(v *serializer.Value) {
	if v.Kind.Numbered() {
		n.numbered[v.Number] = v
	}
	v.Each(n.number)
}

func (n *naming) fieldsOf(v *serializer.Value) {
	for i := range v.Fields {
		f := &v.Fields[i]
		name := simple(f.Name)
		who := n.found[name]
		n.collect(&f.Value, &who, map[*serializer.Value]bool{})
		n.found[name] = who
	}
	v.Each(n.fieldsOf)
}

// collect adds the actors that a value names.
func (n *naming) collect(v *serializer.Value, who *[]string, met map[*serializer.Value]bool) {
	if v.Kind == serializer.Ref {
		v = n.numbered[v.Number]
	}
	if met[v] {
		return
	}
	met[v] = true
	switch {
	case v.Kind == serializer.Name:
		put(who, v.Text)
	case v.Kind == serializer.Record && v.ClassName == "harrier.Role":
		for _, r := range n.roles {
			if r.Name == v.Fields[0].Value.Text {
				for _, name := range r.Actors {
					put(who, name)
				}
			}
		}
	}
	v.Each(func(of *serializer.Value) { n.collect(of, who, met) })
}

func put(who *[]string, name string) {
	if !slices.Contains(*who, name) {
		*who = append(*who, name)
	}
}
