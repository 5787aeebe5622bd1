package toy

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

// roleLocal is a decoded local state of a Symmetric.
type roleLocal struct {
	name, class            string
	control, counter, fuel int
	peer                   string // "" for none
	known                  []string
	log                    []string
	votes                  map[string]int
	hasChild               bool
	stir                   int    // auxiliary
	seen                   string // auxiliary
}

type roleMessage struct {
	kind, hops int
	about      string
	names      []string
	stir       int // auxiliary
}

// roleOperation is an operation in the history of a Symmetric.
type roleOperation struct {
	actor      string
	moment     int
	invocation serializer.Value
}

const (
	messageClass   = "toy.Message"
	historyClass   = "harrier.History"
	operationClass = "harrier.Operation"
)

func (l roleLocal) copied() roleLocal {
	l.known, l.log = slices.Clone(l.known), slices.Clone(l.log)
	votes := map[string]int{}
	maps.Copy(votes, l.votes)
	l.votes = votes
	return l
}

func integer(n int) serializer.Value { return serializer.Value{Kind: serializer.Int, Int: int64(n)} }

func number(n int) []byte { return serializer.Encode(integer(n)) }

// named is a name, or null for none.
func named(name string) serializer.Value {
	if name == "" {
		return serializer.Value{}
	}
	return serializer.Value{Kind: serializer.Name, Text: name}
}

func list(kind serializer.Kind, names []string) serializer.Value {
	v := serializer.Value{Kind: kind}
	for _, name := range names {
		v.Elements = append(v.Elements, named(name))
	}
	if kind == serializer.ImmutableSet {
		slices.SortFunc(v.Elements, func(a, b serializer.Value) int { return bytes.Compare(serializer.Encode(a), serializer.Encode(b)) })
	}
	return v
}

func record(class string, fields ...serializer.Field) serializer.Value {
	return serializer.Value{Kind: serializer.Record, ClassName: class, Fields: fields}
}

// The auxiliary fields come last.
func (l roleLocal) encode() []byte {
	votes := serializer.Value{Kind: serializer.ImmutableMap}
	for name, n := range l.votes {
		if n > 0 {
			votes.Entries = append(votes.Entries, serializer.Entry{Key: named(name), Value: integer(n)})
		}
	}
	slices.SortFunc(votes.Entries, func(a, b serializer.Entry) int {
		return bytes.Compare(serializer.Encode(a.Key), serializer.Encode(b.Key))
	})
	child := 0
	if l.hasChild {
		child = 1
	}
	return serializer.Encode(serializer.Value{Kind: serializer.Actor, Text: l.name, Int: int64(child), ClassName: l.class, Fields: []serializer.Field{
		{Name: "control", Value: integer(l.control)}, {Name: "counter", Value: integer(l.counter)}, {Name: "fuel", Value: integer(l.fuel)},
		{Name: "peer", Value: named(l.peer)}, {Name: "known", Value: list(serializer.ImmutableSet, l.known)},
		{Name: "log", Value: list(serializer.ImmutableList, l.log)}, {Name: "votes", Value: votes},
		{Name: "stir", Value: integer(l.stir)}, {Name: "seen", Value: named(l.seen)},
	}})
}

func readLocal(b []byte) (roleLocal, error) {
	v, err := serializer.Decode(b)
	if err != nil || len(v.Fields) != 9 {
		return roleLocal{}, cmp.Or(err, fmt.Errorf("no local state: %x", b))
	}
	of := func(i int) serializer.Value { return v.Fields[i].Value }
	l := roleLocal{
		name: v.Text, class: v.ClassName, hasChild: v.Int > 0, control: int(of(0).Int), counter: int(of(1).Int), fuel: int(of(2).Int),
		peer: of(3).Text, known: texts(of(4)), log: texts(of(5)), votes: map[string]int{}, stir: int(of(7).Int), seen: of(8).Text,
	}
	slices.Sort(l.known)
	for _, e := range of(6).Entries {
		l.votes[e.Key.Text] = int(e.Value.Int)
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

func (m roleMessage) encode() []byte {
	return serializer.Encode(record(messageClass,
		serializer.Field{Name: "kind", Value: integer(m.kind)}, serializer.Field{Name: "hops", Value: integer(m.hops)},
		serializer.Field{Name: "about", Value: named(m.about)}, serializer.Field{Name: "names", Value: list(serializer.ImmutableSet, m.names)},
		serializer.Field{Name: "stir", Value: integer(m.stir)}))
}

func readMessage(b []byte) (roleMessage, error) {
	v, err := serializer.Decode(b)
	if err != nil || len(v.Fields) != 5 {
		return roleMessage{}, cmp.Or(err, fmt.Errorf("no message: %x", b))
	}
	of := func(i int) serializer.Value { return v.Fields[i].Value }
	return roleMessage{int(of(0).Int), int(of(1).Int), of(2).Text, texts(of(3)), int(of(4).Int)}, nil
}

// encodeHistory sorts by moments and, among the operations of one moment, by the names of actors.
func encodeHistory(operations []roleOperation) []byte {
	if len(operations) == 0 {
		return nil
	}
	slices.SortStableFunc(operations, func(a, b roleOperation) int {
		return cmp.Or(cmp.Compare(a.moment, b.moment), cmp.Compare(a.actor, b.actor))
	})
	all := serializer.Value{Kind: serializer.ImmutableList}
	for _, o := range operations {
		all.Elements = append(all.Elements, record(operationClass,
			serializer.Field{Name: "actor", Value: named(o.actor)}, serializer.Field{Name: "invocation", Value: o.invocation},
			serializer.Field{Name: "result"}, serializer.Field{Name: "invokedAt", Value: integer(o.moment)},
			serializer.Field{Name: "returnedAt", Value: integer(-1)}))
	}
	return serializer.Encode(record(historyClass, serializer.Field{Name: "operations", Value: all}))
}

func readHistory(b []byte) ([]roleOperation, error) {
	if len(b) == 0 {
		return nil, nil
	}
	v, err := serializer.Decode(b)
	if err != nil {
		return nil, err
	}
	var operations []roleOperation
	for _, e := range v.Fields[0].Value.Elements {
		operations = append(operations, roleOperation{
			actor: e.Fields[0].Value.Text, invocation: e.Fields[1].Value, moment: int(e.Fields[3].Value.Int),
		})
	}
	return operations, nil
}

// Relevant is the relevant part of a local state, a message or what fired: all but the auxiliary fields.
func (p *Symmetric) Relevant(b []byte) ([]byte, error) {
	v, err := serializer.Decode(b)
	switch {
	case err != nil:
		return nil, err
	case v.Kind == serializer.Actor:
		l, err := readLocal(b)
		l.stir, l.seen = 0, ""
		return l.encode(), err
	case v.ClassName == messageClass:
		m, err := readMessage(b)
		m.stir = 0
		return m.encode(), err
	}
	return b, nil
}

// Rename gives actors other names in a local state, a message or a history. It knows what is in there, and nothing of the
// format but how to read and write it.
func (p *Symmetric) Rename(b []byte, of func(name string) string) ([]byte, error) {
	if len(b) == 0 {
		return b, nil
	}
	v, err := serializer.Decode(b)
	switch {
	case err != nil:
		return nil, err
	case v.Kind == serializer.Actor:
		l, err := readLocal(b)
		votes := map[string]int{}
		for name, n := range l.votes {
			votes[of(name)] = n
		}
		l.name, l.peer, l.seen, l.votes = of(l.name), of(l.peer), of(l.seen), votes
		l.known, l.log = renamedNames(l.known, of), renamedNames(l.log, of)
		return l.encode(), err
	case v.ClassName == messageClass:
		m, err := readMessage(b)
		m.about, m.names = of(m.about), renamedNames(m.names, of)
		return m.encode(), err
	case v.ClassName == historyClass:
		operations, err := readHistory(b)
		for i := range operations {
			operations[i].actor = of(operations[i].actor)
		}
		return encodeHistory(operations), err
	}
	return b, nil
}

func renamedNames(names []string, of func(name string) string) []string {
	var out []string
	for _, name := range names {
		out = append(out, of(name))
	}
	return out
}

// Moved is the name that takes the place of another: that of an actor that p moves, or of what it created.
func Moved(p map[string]string, name string) string {
	for from, to := range p {
		if name == from {
			return to
		}
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			return to + "/" + rest
		}
	}
	return name
}

// Keeps says whether a permutation of actors maps the start of the program, and what is declared about it, to itself.
func (p *Symmetric) Keeps(moves map[string]string) bool {
	of := func(name string) string { return Moved(moves, name) }
	before, after := p.start(func(name string) string { return name }), p.start(of)
	return slices.Equal(before, after)
}

// start is the start of the program as lines, with other names.
func (p *Symmetric) start(of func(name string) string) []string {
	var lines []string
	bytes := func(b []byte) []byte {
		b, _ = p.Rename(b, of)
		return b
	}
	isQueue := p.program.FIFO.Has
	queues := map[string]string{}
	for _, a := range p.program.Initial.Actors {
		lines = append(lines, fmt.Sprintf("actor %s %x", of(a.Name), bytes(a.Local)))
	}
	for _, m := range p.program.Initial.Messages {
		line := fmt.Sprintf("message %s %s", of(m.Sender), of(m.Receiver))
		if isQueue(m.Receiver) {
			queues[line] += fmt.Sprintf(" %x", bytes(m.Payload))
		} else {
			lines = append(lines, fmt.Sprintf("%s %x", line, bytes(m.Payload)))
		}
	}
	for line, queue := range queues {
		lines = append(lines, line+queue)
	}
	scope := func(what string, s model.Scope) {
		for _, name := range s.Names {
			lines = append(lines, fmt.Sprintf("%s %s", what, of(name)))
		}
	}
	scope("fifo", p.program.FIFO)
	for i, f := range p.program.Faults {
		scope(fmt.Sprint("fault ", i), f.Scope)
		for _, m := range f.Forged {
			lines = append(lines, fmt.Sprintf("forged %d %s %s %x", i, of(m.Sender), of(m.Receiver), bytes(m.Payload)))
		}
	}
	lines = append(lines, fmt.Sprintf("history %x", bytes(p.program.Initial.History)))
	slices.Sort(lines)
	return lines
}
