// Package footprint holds local steps to what the analysis of handlers' code says of them (model.Footprint). Static
// reduction goes by footprints, and by the handlers and messages that these lead to.
package footprint

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/serializer"
)

// Watch wraps an oracle: a step with effects that its handler's footprint rules out is an error, whoever
// asks for it. Reads of fields are not seen; docs/soundness.md says how these are covered.
func Watch(oracle model.Oracle) model.Oracle {
	w := &watch{Oracle: oracle, expected: map[string]*expected{}, wiring: WiringOf(oracle.Program()),
		declared: map[serializer.FieldName]string{}}
	for _, f := range oracle.Program().Fields {
		if !slices.Contains(serializer.AgendaFields(), f.Name) {
			w.declared[serializer.FieldName{Class: f.Class, Field: f.Name}] = f.Declared()
		}
	}
	for _, f := range oracle.Program().Footprints {
		if w.expected[f.Handler] == nil {
			w.expect(f.Handler)
		}
	}
	return w
}

type watch struct {
	model.Oracle
	expected map[string]*expected // by label
	wiring   Wiring
	declared map[serializer.FieldName]string // the program's fields with the classes that declare them
}

// expected has the effects that the footprint of a label allows.
type expected struct {
	model.Footprint
	written  map[string]bool // fields, with the classes that declare them, and their simple names for objects of the JDK
	anything bool            // any field may be written
}

func (w *watch) expect(label string) {
	f, _ := w.Program().Footprint(label)
	e := &expected{Footprint: f, written: map[string]bool{}}
	w.expected[label] = e
	for _, t := range f.Writes {
		switch t.Field {
		case model.AnyField:
			e.anything = true
		case model.Agenda:
			for _, name := range serializer.AgendaFields() {
				e.written[name] = true
			}
		default:
			e.written[t.Field], e.written[simple(t.Field)] = true, true
		}
	}
}

// simple is the name of a field without its class.
func simple(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }

// Steps implements model.Oracle.
func (w *watch) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := w.Oracle.Steps(ctx, questions)
	if err != nil {
		return nil, err
	}
	for i := range min(len(questions), len(answers)) {
		for _, o := range answers[i].Outcomes {
			if err := w.check(questions[i], o); err != nil {
				return nil, err
			}
		}
	}
	return answers, nil
}

func (w *watch) check(q model.Question, o model.Outcome) error {
	e := w.expected[o.Handler]
	if e == nil || o.Failure != nil {
		return nil // nothing is assumed of it, or it comes to nothing
	}
	did, err := w.surprise(e, q, o)
	if did == "" || err != nil {
		return err
	}
	return fmt.Errorf("%s %s, which the analysis of its code rules out; --por off checks without it", o.Handler, did)
}

// surprise is what an outcome has that is not expected, empty for nothing.
func (w *watch) surprise(e *expected, q model.Question, o model.Outcome) (string, error) {
	switch {
	case len(o.Creates) > 0 && !e.Creates:
		return "creates " + o.Creates[0].Name, nil
	case o.Stopped && !e.Stops:
		return "stops its actor", nil
	case len(o.Records) > 0 && !e.Records:
		return "records an operation", nil
	}
	var before serializer.Value
	if len(o.Sends) > 0 || !o.Stopped && !e.anything {
		var err error
		if before, err = serializer.Decode(q.Local); err != nil {
			return "", fmt.Errorf("reading a local state: %w", err)
		}
	}
	for _, m := range o.Sends {
		if !slices.ContainsFunc(e.Sends, func(s model.Sending) bool {
			return e.Creates && isOf(s, m) || w.allows(s, before.Text, q, m)
		}) {
			of, _ := TypeOf(m.Payload)
			return fmt.Sprintf("sends a message (%s) from %s to %s", of, m.Sender, m.Receiver), nil
		}
	}
	if o.Stopped || e.anything || q.Event.Kind == model.Restart {
		return "", nil // a crash resets fields that are not durable
	}
	return w.unwritten(e, before, o.Local, q.Event.Kind == model.Internal)
}

// allows reports whether a message may be sent by what the code of its sender's handler says.
func (w *watch) allows(s model.Sending, actor string, q model.Question, m model.Message) bool {
	var senders []string
	for _, consumed := range q.Event.Messages {
		senders = append(senders, consumed.Sender)
	}
	who, ok := w.wiring.Receivers(s, actor, senders)
	return isOf(s, m) && (!ok || slices.Contains(who, m.Receiver))
}

// isOf reports whether a message may be of the type that is sent.
func isOf(s model.Sending, m model.Message) bool {
	expected, how := PlainType(s.Type)
	if how != Exact {
		return true
	}
	of, how := TypeOf(m.Payload)
	return how == Perhaps || of == expected
}

// unwritten compares a local state with the one before: they may differ in nothing but fields that may be written. What an
// actor does by itself ends a timer or a task.
func (w *watch) unwritten(e *expected, before serializer.Value, local []byte, alone bool) (string, error) {
	after, err := serializer.Decode(local)
	if err != nil {
		return "", fmt.Errorf("reading a local state: %w", err)
	}
	if e.Creates {
		before.Int = after.Int // the count of children
	}
	met := map[serializer.FieldName]bool{}
	w.collect(e, &before, met)
	w.collect(e, &after, met)
	for _, name := range serializer.AgendaFields() {
		if alone {
			met[serializer.FieldName{Class: before.ClassName, Field: name}] = true
		}
	}
	rest := serializer.NewProjection(slices.Collect(maps.Keys(met)))
	one, err := rest.Project(serializer.Encode(before))
	if err != nil {
		return "", err
	}
	other, err := rest.Project(local)
	if err != nil || bytes.Equal(one, other) {
		return "", err
	}
	if before, err = serializer.Decode(one); err == nil {
		after, err = serializer.Decode(other)
	}
	for _, c := range serializer.Diff(before, after) {
		return "changes " + c.Path, err
	}
	return "changes what its actor holds", err
}

// collect finds the fields of a value, and of all within, that may be written.
func (w *watch) collect(e *expected, v *serializer.Value, met map[serializer.FieldName]bool) {
	for _, f := range v.Fields {
		field := serializer.FieldName{Class: v.ClassName, Field: f.Name}
		if e.written[cmp.Or(w.declared[field], simple(f.Name))] {
			met[field] = true
		}
	}
	v.Each(func(of *serializer.Value) { w.collect(e, of, met) })
}
