package toy

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/serializer"
)

// local is a decoded local state.
type local struct {
	name, class  string
	children     int
	fields       []int
	peer, friend string // "" for none
	group        []string
	armed        bool
	wait, must   int      // where time goes on: after how many ticks the timer may fire, and must
	clock        int      // likewise: how many ticks it went on
	firings      int      // how often the timer fired, where that is bounded
	was, stays   bool     // in a step: the timer was pending before it, and is still the same one
	known, list  []string // with Names; known is sorted
	votes        map[string]int
	log          []int  // auxiliary
	noted        string // auxiliary, with Names
}

// message is a decoded message.
type message struct {
	Mail  // without sender and receiver
	names []string
	tag   int // auxiliary
}

// Shown is content for people. Histories are no structured bytes here, and are shown as text.
func Shown(_ context.Context, b []byte, _ bool) ([]byte, error) {
	if _, err := serializer.Decode(b); err != nil {
		return serializer.Encode(serializer.Value{Kind: serializer.String, Text: fmt.Sprintf("%x", b)}), nil
	}
	return b, nil
}

func fieldName(i int) string { return fmt.Sprint("f", i) }

// kindClass is the class of messages of a kind.
func kindClass(kind int) string { return fmt.Sprint("toy.Kind", kind) }

func integer(n int) serializer.Value { return serializer.Value{Kind: serializer.Int, Int: int64(n)} }

// theTimer is the content of the timer that each actor has.
const theTimer = 0

func number(n int) []byte { return serializer.Encode(integer(n)) }

// named is a name, or null for none.
func named(name string) serializer.Value {
	if name == "" {
		return serializer.Value{}
	}
	return serializer.Value{Kind: serializer.Name, Text: name}
}

func list(names []string) serializer.Value {
	v := serializer.Value{Kind: serializer.ImmutableList}
	for _, name := range names {
		v.Elements = append(v.Elements, named(name))
	}
	return v
}

func set(names []string) serializer.Value {
	v := list(names)
	v.Kind = serializer.ImmutableSet
	slices.SortFunc(v.Elements, byEncoding)
	return v
}

func byEncoding(a, b serializer.Value) int {
	return bytes.Compare(serializer.Encode(a), serializer.Encode(b))
}

func field(name string, v serializer.Value) serializer.Field {
	return serializer.Field{Name: name, Value: v}
}

func record(class string, fields ...serializer.Field) serializer.Value {
	return serializer.Value{Kind: serializer.Record, ClassName: class, Fields: fields}
}

func (l *local) encode(logs, names bool) []byte {
	v := serializer.Value{Kind: serializer.Actor, Text: l.name, Int: int64(l.children), ClassName: l.class}
	for i, n := range l.fields {
		v.Fields = append(v.Fields, field(fieldName(i), integer(n)))
	}
	v.Fields = append(v.Fields, field("peer", named(l.peer)), field("group", list(l.group)), field("friend", named(l.friend)))
	if names {
		votes := serializer.Value{Kind: serializer.ImmutableMap}
		for name, n := range l.votes {
			if n > 0 {
				votes.Entries = append(votes.Entries, serializer.Entry{Key: named(name), Value: integer(n)})
			}
		}
		slices.SortFunc(votes.Entries, func(a, b serializer.Entry) int { return byEncoding(a.Key, b.Key) })
		v.Fields = append(v.Fields, field("known", set(l.known)), field("list", list(l.list)), field("votes", votes))
	}
	if logs {
		log := serializer.Value{Kind: serializer.ImmutableList}
		for _, n := range l.log {
			log.Elements = append(log.Elements, integer(n))
		}
		v.Fields = append(v.Fields, field("log", log))
	}
	if logs && names {
		v.Fields = append(v.Fields, field("noted", named(l.noted)))
	}
	if l.armed {
		v.Fields = append(v.Fields,
			field(serializer.AgendaTimers, serializer.Value{Kind: serializer.ImmutableList, Elements: []serializer.Value{integer(theTimer + 8*l.wait + l.must)}}))
	}
	if l.clock > 0 {
		v.Fields = append(v.Fields, field(serializer.AgendaClock, integer(l.clock)))
	}
	if l.firings > 0 {
		v.Fields = append(v.Fields, field(serializer.AgendaFirings, integer(l.firings)))
	}
	return serializer.Encode(v)
}

func readLocal(b []byte) (local, error) {
	v, err := serializer.Decode(b)
	if err != nil || v.Kind != serializer.Actor {
		return local{}, cmp.Or(err, fmt.Errorf("no local state: %x", b))
	}
	l := local{name: v.Text, class: v.ClassName, children: int(v.Int), votes: map[string]int{}}
	for _, f := range v.Fields {
		switch f.Name {
		case "peer":
			l.peer = f.Value.Text
		case "group":
			l.group = texts(f.Value)
		case "friend":
			l.friend = f.Value.Text
		case "known":
			l.known = texts(f.Value)
			slices.Sort(l.known)
		case "list":
			l.list = texts(f.Value)
		case "votes":
			for _, e := range f.Value.Entries {
				l.votes[e.Key.Text] = int(e.Value.Int)
			}
		case "log":
			for _, e := range f.Value.Elements {
				l.log = append(l.log, int(e.Int))
			}
		case "noted":
			l.noted = f.Value.Text
		case serializer.AgendaTimers:
			l.armed, l.was, l.stays = true, true, true
			wait := int(f.Value.Elements[0].Int) - theTimer
			l.wait, l.must = wait/8, wait%8
		case serializer.AgendaFirings:
			l.firings = int(f.Value.Int)
		case serializer.AgendaClock:
			l.clock = int(f.Value.Int)
		default:
			l.fields = append(l.fields, int(f.Value.Int))
		}
	}
	return l, nil
}

func texts(v serializer.Value) []string {
	var names []string
	for _, e := range v.Elements {
		names = append(names, e.Text)
	}
	return names
}

// copied is a local state that may be changed.
func (l local) copied() local {
	l.fields, l.known, l.list, l.log = slices.Clone(l.fields), slices.Clone(l.known), slices.Clone(l.list), slices.Clone(l.log)
	l.votes = maps.Clone(l.votes)
	return l
}

// logged is the last entry of the log.
func (l *local) logged() int {
	if len(l.log) == 0 {
		return 0
	}
	return l.log[len(l.log)-1]
}

func (m message) encode(names bool) []byte {
	fields := []serializer.Field{field("value", integer(m.Value)), field("hops", integer(m.Hops))}
	if names {
		fields = append(fields, field("about", named(m.About)), field("names", set(m.names)))
	}
	return serializer.Encode(record(kindClass(m.Kind), append(fields, field("tag", integer(m.tag)))...))
}

func readMessage(b []byte) (message, error) {
	v, err := serializer.Decode(b)
	if err != nil || v.Kind != serializer.Record {
		return message{}, cmp.Or(err, fmt.Errorf("no message: %x", b))
	}
	var m message
	for _, f := range v.Fields {
		switch n := int(f.Value.Int); f.Name {
		case "value":
			m.Value = n
		case "hops":
			m.Hops = n
		case "about":
			m.About = f.Value.Text
		case "names":
			m.names = texts(f.Value)
		case "tag":
			m.tag = n
		}
	}
	_, err = fmt.Sscanf(strings.TrimPrefix(v.ClassName, "toy."), "Kind%d", &m.Kind)
	return m, err
}

// union is the names of two sets, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func isSubset(of, all []string) bool {
	return !slices.ContainsFunc(of, func(name string) bool { return !slices.Contains(all, name) })
}
