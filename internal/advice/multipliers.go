package advice

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"harrier/dbss"
	"harrier/internal/ds/wordset"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/section"
	"harrier/serializer"
)

const (
	multipliedStates = 1 << 14 // that are looked at, at most: those nearest to the start
	leastMultiplier  = 1.1     // that is reported
)

// A Multiplier is a part of states whose values multiply them: an actor, a field of actors, or a kind of messages in flight.
type Multiplier struct {
	What   string  `json:"what"`   // such as Server.round, server1, or Tick messages
	Values int     `json:"values"` // distinct ones; of an actor, with its inbox
	Times  float64 `json:"times"`  // how many times as many states there are as if it were always the same
	Field  bool    `json:"field"`  // it is a field of actors
}

// Section is the part of a summary on them.
func Section(all []Multiplier) section.Section {
	s := section.Section{Name: "multiplied", Value: struct {
		// Multipliers are, where a bound ended the search, the parts that multiply the states near the start, the largest factor first.
		Multipliers []Multiplier `json:"multipliers,omitempty"`
	}{all}}
	if len(all) == 0 {
		return s
	}
	const most = 4
	var texts []string
	for _, m := range all[:min(len(all), most)] {
		texts = append(texts, fmt.Sprintf("%s (%s, %.1f times)", m.What, section.Plural(uint64(m.Values), "value"), m.Times))
	}
	s.Add("multiplied", "near the start by %s", strings.Join(texts, ", "))
	return s
}

// Multipliers returns the multipliers of the states near the initial one, the largest first. It explores no more states than the search had, as more
// would take longer than that did, and fewer if ctx ends.
func Multipliers(ctx context.Context, actors *space.Actors, had uint64) []Multiplier {
	m := newMultiplying(actors)
	o := dbss.Options{Order: dbss.BreadthFirst, MaxStates: max(1, min(had, multipliedStates)), KeepGoing: true, NoDeadlock: true}
	dbss.Search(ctx, actors, m, o, &dbss.Progress{}) // whatever ends it, the states that were met count
	var found []Multiplier
	for i, p := range m.projections {
		if without := len(m.without[i]); without > 0 && len(p.values) > 1 {
			p.Values, p.Times = len(p.values), float64(len(m.states))/float64(without)
			if p.Times >= leastMultiplier {
				found = append(found, p.Multiplier)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Multiplier) int { return cmp.Compare(b.Times, a.Times) })
	return found
}

// multiplying is a checker that notes each state in place of testing it.
type multiplying struct {
	*property.Checker // of bounds

	actors      *space.Actors
	projections []*projection
	states      map[uint64]struct{}   // hashes
	without     []map[uint64]struct{} // by projection: hashes of states after the projection
	nodes       map[model.NodeID][]remainder
	positions   map[uint32]int          // of actors, to the index of the projection
	kinds       map[string]int          // of messages, likewise
	messages    map[model.MessageID]int // likewise, by their kinds
	scratch     []uint64
}

// A remainder is a node after a projection; its number is larger than any NodeID.
type remainder struct {
	projection int
	number     uint64
}

// A projection leaves an actor, a field of actors or a kind of messages out of nodes.
type projection struct {
	Multiplier
	class, name string                 // of the field that it leaves out, as in structured bytes
	fields      *serializer.Projection // leaves out the field; nil unless the projection is of a field
	values      map[uint64]struct{}
}

func newMultiplying(actors *space.Actors) *multiplying {
	m := &multiplying{Checker: property.NewChecker(actors.LocalSteps.Oracle(), actors), actors: actors, states: map[uint64]struct{}{}, nodes: map[model.NodeID][]remainder{},
		positions: map[uint32]int{}, kinds: map[string]int{}, messages: map[model.MessageID]int{}}
	labels := serializer.Labels(actors.Program().Labels)
	classes := map[string]bool{}
	for _, a := range actors.Program().Initial.Actors {
		classes[a.Class] = true
	}
	isRelevant := func(f model.Field) bool { return !f.Verdict.Auxiliary() }
	for _, f := range actors.Program().Fields {
		if classes[f.Class] && isRelevant(f) {
			m.addField(f.Class, f.Name, f.String())
		}
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		for _, name := range serializer.AgendaFields() {
			m.addField(class, name, labels.Of(class)+"."+name)
		}
	}
	return m
}

func (m *multiplying) addField(class, name, label string) {
	fields := serializer.NewProjection([]serializer.FieldName{{Class: class, Field: name}})
	m.add(&projection{Multiplier: Multiplier{What: label, Field: true}, class: class, name: name, fields: fields})
}

// add adds a projection that leaves nothing out of the states so far, and returns its index.
func (m *multiplying) add(p *projection) int {
	p.values = map[uint64]struct{}{}
	m.projections = append(m.projections, p)
	m.without = append(m.without, maps.Clone(m.states))
	return len(m.projections) - 1
}

// Terminal implements dbss.Checker.
func (m *multiplying) Terminal(context.Context, model.State, bool, bool) (model.State, *property.Violation, error) {
	return nil, nil, nil
}

// Invariants implements dbss.Checker. It ends with ctx: it takes longer than a transition, after many of which a search
// looks at ctx.
func (m *multiplying) Invariants(ctx context.Context, s model.State) (*property.Violation, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	whole := mixed(uint64(s[0]), 0)
	for position := 1; position < len(s); position++ {
		if s[position] != 0 {
			m.node(uint32(position), s[position])
			whole ^= mixed(uint64(s[position]), position)
		}
	}
	m.states[whole] = struct{}{}
	m.scratch = m.scratch[:0]
	for range m.projections {
		m.scratch = append(m.scratch, whole)
	}
	for position := 1; position < len(s); position++ {
		for _, r := range m.nodes[s[position]] {
			m.scratch[r.projection] ^= mixed(uint64(s[position]), position) ^ mixed(r.number, position)
		}
	}
	for i, without := range m.scratch {
		m.without[i][without] = struct{}{}
	}
	return nil, nil
}

// mixed hashes the node or remainder at a position of a state.
func mixed(what uint64, position int) uint64 {
	return wordset.Mix(wordset.Mix(what) + uint64(position))
}

// node computes the remainders of a node.
func (m *multiplying) node(position uint32, n model.NodeID) {
	if _, known := m.nodes[n]; known {
		return
	}
	m.nodes[n] = nil
	leave := func(projection int, number uint64, values ...uint64) {
		m.nodes[n] = append(m.nodes[n], remainder{projection, 1<<40 + number})
		for _, value := range values {
			m.projections[projection].values[value] = struct{}{}
		}
	}
	parts := m.actors.Nodes.Parts(n)
	messages := slices.Concat(parts.Waiting, parts.Delivered)
	leave(m.actor(position), 0, uint64(n))
	ofKind := map[int][]uint64{}
	for _, id := range messages {
		ofKind[m.kindOf(id)] = append(ofKind[m.kindOf(id)], uint64(id))
	}
	for _, kind := range slices.Sorted(maps.Keys(ofKind)) {
		isOfKind := func(id model.MessageID) bool { return m.kindOf(id) == kind }
		leave(kind, hashOf(uint64(parts.Local), slices.DeleteFunc(slices.Clone(messages), isOfKind)), ofKind[kind]...)
	}
	if parts.Local == 0 {
		return
	}
	actor := m.actors.Values.Actor(parts.Local)
	for i, p := range m.projections {
		if p.fields == nil || p.class != actor.Class {
			continue
		}
		if rest, err := p.fields.Project(actor.Local); err == nil {
			leave(i, hashOf(xxhash.Sum64(rest), messages), fieldOf(actor.Local, p.name))
		}
	}
}

// actor is the index of the projection that leaves out the actor at a position.
func (m *multiplying) actor(position uint32) int {
	i, known := m.positions[position]
	if !known {
		i = m.add(&projection{Multiplier: Multiplier{What: m.actors.Values.PositionName(int(position))}})
		m.positions[position] = i
	}
	return i
}

// kindOf is the index of the projection that leaves out messages of the kind of one.
func (m *multiplying) kindOf(id model.MessageID) int {
	i, known := m.messages[id]
	if !known {
		i = m.kind(serializer.ClassOf(m.actors.Values.Message(id).Payload))
		m.messages[id] = i
	}
	return i
}

// kind is the index of the projection that leaves out a kind of messages.
func (m *multiplying) kind(kind string) int {
	i, known := m.kinds[kind]
	if !known {
		labels := serializer.Labels(m.actors.Program().Labels)
		i = m.add(&projection{Multiplier: Multiplier{What: cmp.Or(labels.Of(kind), "other") + " messages"}})
		m.kinds[kind] = i
	}
	return i
}

func hashOf(local uint64, messages []model.MessageID) uint64 {
	h := mixed(local, 0)
	for i, id := range messages {
		h = mixed(h^uint64(id), i+1)
	}
	return h >> 20
}

// fieldOf hashes the value of a field of an actor.
func fieldOf(local []byte, name string) uint64 {
	v, err := serializer.Decode(local)
	if err != nil {
		return 0
	}
	for _, f := range v.Fields {
		if f.Name == name {
			return xxhash.Sum64String(fmt.Sprint(f.Value))
		}
	}
	return 0
}
