package twin

import (
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A pair is an actor that watches another one.
type pair struct{ by, of string }

// watching is who watches whom, each with whether that one has gone since, and who is away.
type watching struct {
	gone map[pair]bool
	away map[string]bool
}

func (w watching) clone() watching { return watching{maps.Clone(w.gone), maps.Clone(w.away)} }

// ask has the requests among what actors send be done, and returns the messages.
func (w *watching) ask(sends []model.Message) []model.Message {
	if w.gone == nil {
		w.gone, w.away = map[pair]bool{}, map[string]bool{}
	}
	var messages []model.Message
	for _, m := range sends {
		p := pair{m.Sender, m.Receiver}
		_, watches := w.gone[p]
		switch {
		case !m.IsRequest():
			messages = append(messages, m)
		case p.by == p.of:
		case !m.IsWatch():
			delete(w.gone, p)
		case !watches:
			w.gone[p] = w.away[p.of]
		}
	}
	return messages
}

// goes has those who watch an actor be told, and the actor watch nobody.
func (w *watching) goes(name string, away bool) {
	for p := range w.gone {
		if p.by == name {
			delete(w.gone, p)
		} else if p.of == name {
			w.gone[p] = true
		}
	}
	if away {
		w.away[name] = true
	}
}

// notices lists the notices that an actor may get: there must be no message of the one that has gone.
func (e *explorer) notices(s state, name string) []event {
	var events []event
	for p, gone := range s.watching.gone {
		isFrom := func(m model.Message) bool { return m.Receiver == name && m.Sender == p.of }
		if p.by == name && !slices.ContainsFunc(s.pending, isFrom) && !slices.ContainsFunc(s.delivered, isFrom) {
			events = append(events, event{kind: model.Notify, actor: name, messages: []model.Message{network.Notice(name, p.of)}, disabled: !gone})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return compare(a.messages[0], b.messages[0]) })
	return events
}

// links are the same for equal watchings only.
func (w watching) links() (b []byte) {
	var lines []string
	for p, gone := range w.gone {
		line := p.by + ">" + p.of
		if gone {
			line += " gone"
		}
		lines = append(lines, line)
	}
	for name := range w.away {
		lines = append(lines, name+" away")
	}
	slices.Sort(lines)
	for _, line := range lines {
		b = appendBytes(b, []byte(line))
	}
	return b
}
