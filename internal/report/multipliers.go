package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/serializer"
)

// A Multiplier is what makes many states of few: an actor, a field of actors, or a kind of messages in flight.
type Multiplier struct {
	What   string  `json:"what"`   // such as Server.round, server1, or Tick messages
	Values int     `json:"values"` // different ones, of an actor with its inbox
	Times  float64 `json:"times"`  // by how much fewer states there would be if it were always the same
	Field  bool    `json:"field"`  // it is a field of actors
	Class  string  `json:"-"`      // of the field
	Name   string  `json:"-"`      // likewise, as in structured bytes
}

const (
	multipliedStates = 1 << 14 // that are looked at, at most: those nearest to the start
	leastMultiplier  = 1.1     // that is told
)

// Multipliers are what multiplies the states near the initial one, most first. It looks at no more states than the search had, which
// would take longer than that did. ctx ends the search for them early.
func Multipliers(ctx context.Context, actors *model.Actors, had uint64) []Multiplier {
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
	actors      *model.Actors
	projections []*projection
	states      map[uint64]struct{}   // hashes
	without     []map[uint64]struct{} // by projection: hashes of states without what it leaves out
	nodes       map[model.NodeID][]uint64
}

// A projection leaves something out of nodes.
type projection struct {
	Multiplier
	position uint32                 // of the actor that is left out; 0 if it is none
	fields   *serializer.Projection // leaves out the field; nil if it is none
	kind     string                 // of messages; "" if it is none
	values   map[uint64]struct{}
}

func newMultiplying(actors *model.Actors) *multiplying {
	m := &multiplying{actors: actors, states: map[uint64]struct{}{}, nodes: map[model.NodeID][]uint64{}}
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
	for class := range classes {
		for _, name := range serializer.AgendaFields() {
			m.addField(class, name, labels.Of(class)+"."+name)
		}
	}
	return m
}

func (m *multiplying) addField(class, name, label string) {
	fields := serializer.NewProjection([]serializer.FieldName{{Class: class, Field: name}})
	m.add(&projection{Multiplier: Multiplier{What: label, Field: true, Class: class, Name: name}, fields: fields})
}

// add adds a projection that leaves nothing out of the states so far.
func (m *multiplying) add(p *projection) {
	p.values = map[uint64]struct{}{}
	m.projections = append(m.projections, p)
	m.without = append(m.without, maps.Clone(m.states))
}

// Terminal implements dbss.Checker.
func (m *multiplying) Terminal(context.Context, model.State, bool, bool) (model.State, *property.Violation, error) {
	return nil, nil, nil
}

// Invariants implements dbss.Checker.
func (m *multiplying) Invariants(_ context.Context, s model.State) (*property.Violation, error) {
	whole := mixed(uint64(s[0]), 0)
	for position := 1; position < len(s); position++ {
		if s[position] != 0 {
			m.node(uint32(position), s[position])
			whole ^= mixed(uint64(s[position]), position)
		}
	}
	m.states[whole] = struct{}{}
	for i, p := range m.projections {
		without := whole
		for position := 1; position < len(s); position++ {
			n := s[position]
			if n == 0 || p.position != 0 && int(p.position) != position {
				continue
			}
			if of := m.nodes[n]; i < len(of) && of[i] != 0 {
				without ^= mixed(uint64(n), position) ^ mixed(of[i], position)
			}
		}
		m.without[i][without] = struct{}{}
	}
	return nil, nil
}

// mixed hashes what is at a position of a state.
func mixed(what uint64, position int) uint64 {
	high, low := bits.Mul64(what+0x9e3779b97f4a7c15, uint64(position)*0xd1b54a32d192ed03+0xe7037ed1a0b428db)
	return high ^ low
}

// node works out what is left of a node by each projection, by numbers that are larger than those of nodes; 0 if all is.
func (m *multiplying) node(position uint32, n model.NodeID) {
	if m.nodes[n] != nil {
		return
	}
	parts := m.actors.Nodes.Parts(n)
	messages := slices.Concat(parts.Waiting, parts.Delivered)
	m.know(position, messages)
	of := make([]uint64, len(m.projections))
	local := m.actors.Values.Actor(parts.Local).Local
	for i, p := range m.projections {
		switch {
		case p.position == position:
			of[i] = 1 << 40
			p.values[uint64(n)] = struct{}{}
		case p.kind != "":
			of[i] = m.withoutKind(p, parts, messages)
		case p.fields != nil && parts.Local != 0 && m.actors.Values.Actor(parts.Local).Class == p.Class:
			rest, err := p.fields.Project(local)
			if err != nil {
				continue
			}
			of[i] = 1<<40 + hashOf(xxhash.Sum64(rest), messages)
			p.values[fieldOf(local, p.Name)] = struct{}{}
		}
	}
	m.nodes[n] = of
}

// know adds projections for an actor and for kinds of messages that are met for the first time.
func (m *multiplying) know(position uint32, messages []model.MessageID) {
	if !slices.ContainsFunc(m.projections, func(p *projection) bool { return p.position == position }) {
		m.add(&projection{Multiplier: Multiplier{What: m.actors.Values.PositionName(int(position))}, position: position})
	}
	labels := serializer.Labels(m.actors.Program().Labels)
	for _, id := range messages {
		kind := kindOf(m.actors.Values.Message(id).Payload)
		if kind != "" && !slices.ContainsFunc(m.projections, func(p *projection) bool { return p.kind == kind }) {
			m.add(&projection{Multiplier: Multiplier{What: labels.Of(kind) + " messages"}, kind: kind})
		}
	}
}

func (m *multiplying) withoutKind(p *projection, parts model.NodeParts, messages []model.MessageID) uint64 {
	isOfKind := func(id model.MessageID) bool { return kindOf(m.actors.Values.Message(id).Payload) == p.kind }
	rest := slices.DeleteFunc(slices.Clone(messages), isOfKind)
	if len(rest) == len(messages) {
		return 0
	}
	for _, id := range messages {
		if isOfKind(id) {
			p.values[uint64(id)] = struct{}{}
		}
	}
	return 1<<40 + hashOf(uint64(parts.Local), rest)
}

func hashOf(local uint64, messages []model.MessageID) uint64 {
	h := mixed(local, 0)
	for i, id := range messages {
		h = mixed(h^uint64(id), i+1)
	}
	return h >> 20
}

// kindOf is the class of a message, or the kind of its value; "" if its bytes do not say.
func kindOf(payload []byte) string {
	v, err := serializer.Decode(payload)
	if err != nil {
		return ""
	}
	return cmp.Or(v.ClassName, v.Kind.String())
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

// multipliersText names the first of what multiplies states.
func multipliersText(all []Multiplier) string {
	const most = 4
	var texts []string
	for _, m := range all[:min(len(all), most)] {
		texts = append(texts, fmt.Sprintf("%s (%s, %.1f times)", m.What, plural(uint64(m.Values), "value"), m.Times))
	}
	return strings.Join(texts, ", ")
}
