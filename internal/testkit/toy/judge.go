package toy

import (
	"cmp"
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/serializer"
)

// Evaluate implements model.Oracle. It reads actors until it finds a fact that is not true.
func (p *Protocol) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		property := p.properties()[e.Property]
		j := model.Judgement{Holds: true}
		holds, err := p.allTrue(property.Facts, e, &j)
		if err != nil {
			return nil, err
		}
		if holds && property.History {
			j.Reads = append(j.Reads, model.ReadHistory)
			holds, err = p.isRepeated(e.History)
		}
		j.Holds = !holds && j.Failure == nil
		judgements = append(judgements, j)
		if err != nil {
			return nil, err
		}
	}
	return judgements, nil
}

func (p *Protocol) allTrue(facts []Fact, e model.Evaluation, j *model.Judgement) (bool, error) {
	for _, f := range facts {
		matching, least := 0, max(1, f.Least)
		if f.Sent != nil {
			j.Reads = append(j.Reads, model.ReadNetwork)
			sent, err := f.Sent.count(e.InFlight)
			if err != nil {
				return false, err
			}
			if f.Fewer == (sent >= least) {
				return false, nil
			}
			continue
		}
		for i, a := range e.Actors {
			if a.Stopped != f.Stopped || a.Name != f.Actor && (f.Actor != "" || a.Class != p.Classes[f.Class].Name) || matching == least {
				continue
			}
			if !slices.Contains(j.Reads, i) {
				j.Reads = append(j.Reads, i)
			}
			class := slices.IndexFunc(p.Classes, func(c Class) bool { return c.Name == a.Class })
			if read := fieldNumber(class, f.Field); !slices.Contains(j.Fields, read) {
				j.Fields = append(j.Fields, read)
			}
			l, err := p.decoded(a.Local)
			if err != nil {
				return false, err
			}
			if (!f.Down || a.Down) && f.passes(l.value(f.Field, input{})) {
				matching++
			}
		}
		if f.Needs && !slices.ContainsFunc(e.Actors, func(a model.Actor) bool { return a.Name == f.Actor }) {
			j.Failure = &model.Failure{Kind: model.Exception, Text: "there is no " + f.Actor}
			return false, nil
		}
		if f.Fewer == (matching == least) {
			return false, nil
		}
	}
	return true, nil
}

// count is how many of some messages are to the actor and of the kind of m, and from an actor if m is.
func (m *Mail) count(messages []model.Message) (n int, err error) {
	for _, sent := range messages {
		read, err := readMessage(sent.Payload)
		if err != nil {
			return 0, err
		}
		if sent.Receiver == m.To && read.Kind == m.Kind && (m.From == "" || m.From == sent.Sender) {
			n++
		}
	}
	return n, nil
}

// decoded is a local state, which nobody may change.
func (p *Protocol) decoded(b []byte) (l local, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, known := p.locals[string(b)]
	if !known {
		if l, err = readLocal(b); p.locals == nil {
			p.locals = map[string]local{}
		}
		p.locals[string(b)] = l
	}
	return l, err
}

// isRepeated reports whether a history is one that properties of histories forbid.
func (p *Protocol) isRepeated(history []byte) (bool, error) {
	if !p.Names {
		return len(history) == 2 && history[0] == history[1], nil
	}
	operations, err := readHistory(history)
	return len(operations) == maxRecords && operations[0].actor == operations[1].actor, err
}

// Record implements model.Oracle. A history is the last two words that were recorded. With Names it is the first operations, of
// which two follow one another in a moment, whoever's they are.
func (p *Protocol) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		if p.Names {
			operations, err := readHistory(e.History)
			if err != nil {
				return nil, err
			}
			for _, r := range e.Records[:min(len(e.Records), maxRecords-len(operations))] {
				operations = append(operations, operation{actor: r.Actor, moment: len(operations) / 2, invocation: integer(int(r.Payload[1]))})
			}
			histories = append(histories, encodeHistory(operations))
			continue
		}
		h := slices.Clone(e.History)
		for _, r := range e.Records {
			h = append(h, r.Payload[1])
		}
		histories = append(histories, h[max(0, len(h)-2):])
	}
	return histories, nil
}

// An operation is one in a history with names.
type operation struct {
	actor      string
	moment     int
	invocation serializer.Value
}

const historyClass = "harrier.History"

// encodeHistory sorts by moments and, among the operations of one moment, by the names of actors.
func encodeHistory(operations []operation) []byte {
	if len(operations) == 0 {
		return nil
	}
	slices.SortStableFunc(operations, func(a, b operation) int {
		return cmp.Or(cmp.Compare(a.moment, b.moment), cmp.Compare(a.actor, b.actor))
	})
	all := serializer.Value{Kind: serializer.ImmutableList}
	for _, o := range operations {
		all.Elements = append(all.Elements, record("harrier.Operation", field("actor", named(o.actor)), field("invocation", o.invocation),
			field("result", serializer.Value{}), field("invokedAt", integer(o.moment)), field("returnedAt", integer(-1))))
	}
	return serializer.Encode(record(historyClass, field("operations", all)))
}

func readHistory(b []byte) ([]operation, error) {
	if len(b) == 0 {
		return nil, nil
	}
	v, err := serializer.Decode(b)
	if err != nil {
		return nil, err
	}
	var operations []operation
	for _, e := range v.Fields[0].Value.Elements {
		operations = append(operations, operation{
			actor: e.Fields[0].Value.Text, invocation: e.Fields[1].Value, moment: int(e.Fields[3].Value.Int),
		})
	}
	return operations, nil
}
