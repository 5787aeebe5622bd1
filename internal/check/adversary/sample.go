package adversary

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// A sample has the types of the messages seen.
type sample struct {
	classOf map[string]string // of actors
	types   []*messageType    // in the order in which they were met
	byName  map[string]*messageType
}

// A messageType is a class of payloads that can be taken apart into fields, or a single payload that cannot.
type messageType struct {
	whole  serializer.Value // a payload
	fields []fieldDomain    // of whole, in its order
	flows  map[flow]bool
}

// A flow says that actors of a class sent messages of a type to an actor.
type flow struct{ senderClass, receiver string }

// A fieldDomain is the values that were seen in a field.
type fieldDomain struct {
	values []serializer.Value
	met    map[string]bool // by their bytes
}

// newSample collects the messages that a search met.
func newSample(actors *space.Actors) (*sample, error) {
	s := &sample{classOf: map[string]string{}, byName: map[string]*messageType{}}
	stats := actors.LocalSteps.Stats()
	for l := range uint32(stats.LocalStates) {
		a := actors.Values.Actor(l + 1)
		s.classOf[a.Name] = a.Class
	}
	for m := range uint32(stats.Messages) {
		if err := s.add(actors.Values.Message(m + 1)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *sample) add(m model.Message) error {
	payload, err := serializer.Decode(m.Payload)
	if err != nil {
		return fmt.Errorf("reading the message from %q to %s: %w", m.Sender, m.Receiver, err)
	}
	fields := (payload.Kind == serializer.Record || payload.Kind == serializer.Object) && !hasRef(payload)
	name := payload.ClassName
	if !fields {
		name = string(m.Payload)
	}
	t := s.byName[name]
	if t == nil {
		t = &messageType{whole: payload, flows: map[flow]bool{}}
		if fields {
			t.fields = make([]fieldDomain, len(payload.Fields))
		}
		s.byName[name] = t
		s.types = append(s.types, t)
	}
	for i := range t.fields {
		t.fields[i].add(payload.Fields[i].Value)
	}
	t.flows[flow{s.classOf[m.Sender], m.Receiver}] = true
	return nil
}

// hasRef reports whether a part of a value names another part by its number. In another combination of fields, numbers
// would name something else.
func hasRef(v serializer.Value) bool {
	return v.Kind == serializer.Ref ||
		slices.ContainsFunc(v.Fields, func(f serializer.Field) bool { return hasRef(f.Value) }) ||
		slices.ContainsFunc(v.Elements, hasRef) ||
		slices.ContainsFunc(v.Entries, func(e serializer.Entry) bool { return hasRef(e.Key) || hasRef(e.Value) })
}

// add adds a value. Of booleans there are always both.
func (d *fieldDomain) add(v serializer.Value) {
	if v.Kind == serializer.True || v.Kind == serializer.False {
		d.addOne(serializer.Value{Kind: serializer.False})
		d.addOne(serializer.Value{Kind: serializer.True})
		return
	}
	d.addOne(v)
}

func (d *fieldDomain) addOne(v serializer.Value) {
	b := string(serializer.Encode(v))
	if d.met[b] {
		return
	}
	if d.met == nil {
		d.met = map[string]bool{}
	}
	d.met[b] = true
	d.values = append(d.values, v)
}

// messageDomain is all messages that the adversaries of a fault may send.
func (s *sample) messageDomain(f model.Fault, program *model.Program) ([]model.Message, error) {
	var domain []model.Message
	for _, adversary := range f.Scope.Names {
		for _, t := range s.types {
			var payloads [][]byte
			for _, receiver := range t.receivers(s.classOf[adversary], program) {
				if payloads == nil {
					payloads = t.payloads(mostMessages + 1)
				}
				for _, p := range payloads {
					domain = append(domain, model.Message{Sender: adversary, Receiver: receiver, Payload: p})
				}
			}
			if len(domain) > mostMessages {
				return nil, tooMany(f, t, program.Labels)
			}
		}
	}
	if len(domain) == 0 {
		return nil, &model.UsageError{Text: fmt.Sprintf("%s: there is nothing that %s could send: without adversaries, no actor of a class of theirs "+
			"sends the other actors anything in the states explored; %s", f.Label, strings.Join(f.Scope.Names, ", "), mend)}
	}
	return domain, nil
}

// receivers are the actors, sorted, to which those of a class were seen to send the type, adversaries and their children left
// out. Some may be created only later.
func (t *messageType) receivers(class string, program *model.Program) []string {
	var names []string
	for f := range t.flows {
		first, _ := model.Origin(f.receiver)
		if f.senderClass == class && !slices.Contains(program.Adversaries(), first) {
			names = append(names, f.receiver)
		}
	}
	slices.Sort(names)
	return names
}

const mend = "declare the messages: faults().byzantine(budget, messages, actors)"

func tooMany(f model.Fault, t *messageType, labels serializer.Labels) error {
	var counts []string
	for i, d := range t.fields {
		counts = append(counts, fmt.Sprintf("%d of %s", len(d.values), t.whole.Fields[i].Name))
	}
	return &model.UsageError{Text: fmt.Sprintf("%s: there are more than %d if the values seen in the fields of each type are combined (%s: %s); %s",
		f.Label, mostMessages, labels.Of(t.whole.ClassName), strings.Join(counts, ", "), mend)}
}

// payloads are all combinations of the values of the fields, but no more than a number of them.
func (t *messageType) payloads(most int) [][]byte {
	v := t.whole
	v.Fields = slices.Clone(v.Fields)
	var all [][]byte
	var choose func(field int)
	choose = func(field int) {
		switch {
		case len(all) == most:
		case field == len(t.fields):
			all = append(all, serializer.Encode(v))
		default:
			for _, value := range t.fields[field].values {
				v.Fields[field].Value = value
				choose(field + 1)
			}
		}
	}
	choose(0)
	return all
}
