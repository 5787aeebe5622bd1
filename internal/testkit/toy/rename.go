package toy

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/serializer"
)

// Rename gives actors other names in a local state, a message or a history. It works on values, and uses the format only
// to read and write them.
func (p *Protocol) Rename(b []byte, of func(name string) string) ([]byte, error) {
	if len(b) == 0 {
		return b, nil
	}
	v, err := serializer.Decode(b)
	switch {
	case err != nil:
		return nil, err
	case v.Kind == serializer.Actor:
		l, err := readLocal(b)
		l.rename(of)
		return l.encode(p.Logs, p.Names), err
	case v.ClassName == historyClass:
		operations, err := readHistory(b)
		for i := range operations {
			operations[i].actor = of(operations[i].actor)
		}
		return encodeHistory(operations), err
	case v.Kind == serializer.Record:
		m, err := readMessage(b)
		m.About, m.names = renamed(m.About, of), renamedAll(m.names, of)
		return m.encode(p.Names), err
	}
	return b, nil
}

func (l *local) rename(of func(name string) string) {
	votes := map[string]int{}
	for name, n := range l.votes {
		votes[of(name)] = n
	}
	l.name, l.peer, l.friend, l.noted, l.votes = of(l.name), renamed(l.peer, of), renamed(l.friend, of), renamed(l.noted, of), votes
	l.group, l.known, l.list = renamedAll(l.group, of), renamedAll(l.known, of), renamedAll(l.list, of)
}

func renamed(name string, of func(name string) string) string {
	if name == "" {
		return ""
	}
	return of(name)
}

func renamedAll(names []string, of func(name string) string) []string {
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

// Keeps reports whether a permutation of actors maps the start of the program, and its declarations, to themselves.
func (p *Protocol) Keeps(moves map[string]string) bool {
	of := func(name string) string { return Moved(moves, name) }
	return slices.Equal(p.start(func(name string) string { return name }), p.start(of))
}

// start is the start of the program as lines, with other names.
func (p *Protocol) start(of func(name string) string) []string {
	var lines []string
	bytes := func(b []byte) []byte {
		b, _ = p.Rename(b, of)
		return b
	}
	program := p.Program()
	queues := map[string]string{}
	for _, a := range program.Initial.Actors {
		lines = append(lines, fmt.Sprintf("actor %s %x", of(a.Name), bytes(a.Local)))
	}
	for _, m := range program.Initial.Messages {
		line := fmt.Sprintf("message %s %s", of(m.Sender), of(m.Receiver))
		if program.Channel(m.Receiver).KeepsOrder() {
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
	for _, d := range program.Channels {
		scope(d.String(), d.To)
	}
	for i, f := range program.Faults {
		scope(fmt.Sprint("fault ", i), f.Scope)
		for _, m := range f.Domain {
			lines = append(lines, fmt.Sprintf("byzantine %d %s %s %x", i, of(m.Sender), of(m.Receiver), bytes(m.Payload)))
		}
	}
	slices.Sort(lines)
	return lines
}

// Bare is the program without its auxiliary parts.
func (p *Protocol) Bare() *Protocol {
	return &Protocol{
		Classes: p.Classes, Actors: p.Actors, Mail: p.Mail, Roles: p.Roles, Delivery: p.Delivery, FIFO: p.FIFO, Connected: p.Connected, Clocks: p.Clocks,
		Faults: p.Faults, Invariants: p.Invariants, Final: p.Final, Predicates: p.Predicates, Bounds: p.Bounds, Liveness: p.Liveness, Fairness: p.Fairness, Names: p.Names,
	}
}
