package toy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"harrier/serializer"
)

// fieldedLocal is a decoded local state of a Fielded.
type fieldedLocal struct {
	name, class  string
	children     int
	fields       []int
	peer, friend string
	group        []string
	armed        bool
	log          []int // auxiliary
}

type fieldedMessage struct {
	FieldedMail     // without its ends
	tag         int // auxiliary
}

const timersField = "pending timers" // as docs/format.md has it

func fieldName(i int) string { return fmt.Sprint("f", i) }

// kindClass is the class of messages of a kind.
func kindClass(kind int) string { return fmt.Sprint("toy.Kind", kind) }

func (l *fieldedLocal) encode(logs bool) []byte {
	v := serializer.Value{Kind: serializer.Actor, Text: l.name, Int: int64(l.children), ClassName: l.class}
	add := func(name string, value serializer.Value) {
		v.Fields = append(v.Fields, serializer.Field{Name: name, Value: value})
	}
	for i, n := range l.fields {
		add(fieldName(i), integer(n))
	}
	add("peer", named(l.peer))
	add("group", list(serializer.ImmutableList, l.group))
	add("friend", named(l.friend))
	if logs {
		log := serializer.Value{Kind: serializer.ImmutableList}
		for _, n := range l.log {
			log.Elements = append(log.Elements, integer(n))
		}
		add("log", log)
	}
	if l.armed {
		add(timersField, serializer.Value{Kind: serializer.ImmutableList, Elements: []serializer.Value{integer(0)}})
	}
	return serializer.Encode(v)
}

func readFielded(b []byte) (fieldedLocal, error) {
	v, err := serializer.Decode(b)
	if err != nil || v.Kind != serializer.Actor {
		return fieldedLocal{}, cmp.Or(err, fmt.Errorf("no local state: %x", b))
	}
	l := fieldedLocal{name: v.Text, class: v.ClassName, children: int(v.Int)}
	for _, f := range v.Fields {
		switch f.Name {
		case "peer":
			l.peer = f.Value.Text
		case "group":
			l.group = texts(f.Value)
		case "friend":
			l.friend = f.Value.Text
		case "log":
			for _, e := range f.Value.Elements {
				l.log = append(l.log, int(e.Int))
			}
		case timersField:
			l.armed = true
		default:
			l.fields = append(l.fields, int(f.Value.Int))
		}
	}
	return l, nil
}

func (m fieldedMessage) encode() []byte {
	return serializer.Encode(record(kindClass(m.Kind), serializer.Field{Name: "value", Value: integer(m.Value)},
		serializer.Field{Name: "hops", Value: integer(m.Hops)}, serializer.Field{Name: "tag", Value: integer(m.tag)}))
}

func readFieldedMessage(b []byte) (fieldedMessage, error) {
	v, err := serializer.Decode(b)
	if err != nil || len(v.Fields) != 3 {
		return fieldedMessage{}, cmp.Or(err, fmt.Errorf("no message: %x", b))
	}
	m := fieldedMessage{tag: int(v.Fields[2].Value.Int)}
	m.Value, m.Hops = int(v.Fields[0].Value.Int), int(v.Fields[1].Value.Int)
	_, err = fmt.Sscanf(strings.TrimPrefix(v.ClassName, "toy."), "Kind%d", &m.Kind)
	return m, err
}

// Rename gives actors other names in a local state or a message.
func (p *Fielded) Rename(b []byte, of func(name string) string) ([]byte, error) {
	if len(b) == 0 {
		return b, nil
	}
	v, err := serializer.Decode(b)
	if err != nil || v.Kind != serializer.Actor {
		return b, err
	}
	l, err := readFielded(b)
	rename := func(name string) string {
		if name == "" {
			return ""
		}
		return of(name)
	}
	l.name, l.peer, l.friend, l.group = of(l.name), rename(l.peer), rename(l.friend), slices.Clone(l.group)
	for i, name := range l.group {
		l.group[i] = rename(name)
	}
	return l.encode(p.Logs), err
}
