package static

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/por/footprint"
	"harrier/serializer"
)

// Relations are the relations of a program's classes, for people and programs.
type Relations struct {
	Handlers  []Handler `json:"handlers"`
	Pairs     []Pair    `json:"pairs"`
	Renewable []string  `json:"renewable"` // messages that may be sent again and again, as in "Ping from bob to ann"; the reduction does not rest on taking these
}

// Handler is what a handler may do, whichever actor's it is.
type Handler struct {
	Label      string     `json:"handler"`
	Known      bool       `json:"known"` // its code was analysed; else it may do anything
	Takes      []string   `json:"takes"` // messages, as in "Ping from bob to ann"
	GuardReads []FieldUse `json:"guardReads"`
	Reads      []FieldUse `json:"reads"` // without auxiliary fields, as Writes
	Writes     []FieldUse `json:"writes"`
	Sends      []Sent     `json:"sends"`
	Also       []string   `json:"also"`    // other effects that it may have, in words
	Visible    bool       `json:"visible"` // it may write fields that invariants may read
	After      []string   `json:"after"`   // labels: of handlers of which one has to send a message for it
	Unlocks    []string   `json:"unlocks"` // labels: whose guards it may make true
}

// FieldUse is a field that a handler may read or write.
type FieldUse struct {
	Field string `json:"field"`
	Where string `json:"where"` // the instruction
}

// Sent is a message that a handler may send.
type Sent struct {
	What  string `json:"what"` // as in "Ping from bob to ann"
	Where string `json:"where"`
}

// Pair is how two handlers of one actor are related; or one handler with itself, for two messages.
type Pair struct {
	One    string `json:"one"` // labels
	Other  string `json:"other"`
	Answer string `json:"answer"`
	Reason string `json:"reason"` // with the instruction; "" if they are independent
}

// The answers: independent handlers of one actor may run in either order, dependent ones may not; maybe stands for a dependence
// that the analysis could not rule out.
const (
	independent = "independent"
	dependent   = "dependent"
	maybe       = "maybe"
)

// Visible are the fields that invariants may read.
func (s *Static) Visible() []FieldUse {
	program, uses := s.wiring.program, []FieldUse{}
	for _, f := range program.Fields {
		if where := program.VisibleAt(f); where != "" {
			uses = append(uses, FieldUse{f.String(), where})
		}
	}
	if program.AgendaVisible() {
		uses = append(uses, FieldUse{model.Agenda, "an invariant reads of timers, tasks or clocks"})
	}
	return uses
}

func (s *Static) isVisible(t model.Touch) bool {
	program := s.wiring.program
	if t.Field == model.Agenda {
		return program.AgendaVisible()
	}
	return slices.ContainsFunc(program.Fields, func(f model.Field) bool {
		return program.VisibleAt(f) != "" && (t.Field == model.AnyField || f.Declared() == t.Field)
	})
}

// uses lists the fields that are touched, each once for each instruction.
func (s *Static) uses(t touches) []FieldUse {
	uses := []FieldUse{}
	for _, t := range t.where {
		name := serializer.Labels(s.wiring.program.Labels).Field(t.Field)
		if t.Field == model.AnyField {
			name = "any field"
		}
		if use := (FieldUse{name, t.Where}); !slices.Contains(uses, use) {
			uses = append(uses, use)
		}
	}
	return uses
}

// Relations returns the relations found.
func (s *Static) Relations() Relations {
	r := Relations{[]Handler{}, []Pair{}, []string{}}
	for _, h := range s.wiring.program.Handlers {
		if of := s.classesOf(h); len(of) > 0 {
			r.Handlers = append(r.Handlers, s.ofHandler(h, of))
		}
	}
	for i, one := range s.wiring.program.Handlers {
		for _, other := range s.wiring.program.Handlers[i:] {
			if p, ok := s.pair(one, other); ok {
				r.Pairs = append(r.Pairs, p)
			}
		}
	}
	for k := range s.keys {
		if s.renewable[k] && s.isToSomebody(k) {
			r.Renewable = append(r.Renewable, s.describe(k))
		}
	}
	return r
}

// classesOf are the classes of a handler.
func (s *Static) classesOf(h model.Handler) []int {
	var of []int
	for i := range s.classes {
		c := &s.classes[i]
		restart := c.kind == model.Restart && h.Kind == model.Restart
		if (restart || c.handler != nil && c.handler.Label == h.Label) && s.wiring.class[c.actor] == h.Class {
			of = append(of, i)
		}
	}
	return of
}

func (s *Static) ofHandler(h model.Handler, of []int) Handler {
	p := s.summary(h.Label)
	r := Handler{
		Label: h.Label, Known: p.known, GuardReads: s.uses(p.guard), Reads: s.uses(p.reads), Writes: s.uses(p.writes),
		Visible: slices.ContainsFunc(p.writes.where, s.isVisible),
		Takes:   []string{}, Sends: []Sent{}, Also: []string{}, After: []string{}, Unlocks: []string{},
	}
	if p.creates {
		r.Also = append(r.Also, "creates actors")
	}
	if p.stops {
		r.Also = append(r.Also, "stops its actor")
	}
	if p.records {
		r.Also = append(r.Also, "begins or ends operations")
	}
	for _, i := range of {
		c := &s.classes[i]
		for _, k := range c.keys {
			r.Takes = added(r.Takes, s.describe(k))
		}
		for k := range c.sends.All {
			if !s.isToSomebody(k) {
				continue
			}
			for _, sent := range p.sends {
				if s.isOf(c, sent, k) {
					r.Sends = append(r.Sends, Sent{s.describe(k), sent.Where})
					break
				}
			}
		}
		for j := range s.enablers[i].All {
			r.After = added(r.After, s.label(j))
		}
		for j := range s.classes {
			if s.guardEnablers[j].Has(i) && i != j {
				r.Unlocks = added(r.Unlocks, s.label(j))
			}
		}
	}
	slices.SortFunc(r.Sends, func(a, b Sent) int { return strings.Compare(a.What, b.What) })
	r.Sends = slices.Compact(r.Sends)
	return r
}

// isToSomebody reports whether anybody may be there to receive messages of a key. Whoever is unknown may be somebody who never
// is, too.
func (s *Static) isToSomebody(k int) bool { return s.mayCreate || s.keys[k].receiver != children }

// isOf reports whether a class may send a message of a key where an instruction sends one.
func (s *Static) isOf(c *class, sent model.Sending, k int) bool {
	of, _ := footprint.PlainType(sent.Type)
	return s.keys[k].of == of && slices.Contains(s.receivers(c, sent), s.keys[k].receiver)
}

func added(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// label is the handler or fault of a class.
func (s *Static) label(i int) string {
	switch c := &s.classes[i]; {
	case c.handler != nil:
		return c.handler.Label
	case c.fault >= 0:
		return s.wiring.program.FaultName(c.fault)
	case c.actor == children:
		return s.wiring.names[children]
	case c.kind == model.Deliver:
		return "" // a delivery needs no mention
	default:
		return "tasks of " + s.wiring.names[c.actor]
	}
}

// pair relates two handlers; not ok if no actor has both.
func (s *Static) pair(one, other model.Handler) (p Pair, ok bool) {
	p = Pair{One: one.Label, Other: other.Label, Answer: independent}
	for _, i := range s.classesOf(one) {
		for _, j := range s.classesOf(other) {
			if s.classes[i].actor != s.classes[j].actor {
				continue
			}
			ok = true
			if c := s.conflict(i, j); c != nil && p.Answer != dependent {
				p.Answer, p.Reason = c.answer(), c.String()
			}
		}
	}
	return p, ok
}

func (c *conflict) answer() string {
	if c.text == "" && (c.one.Field == model.AnyField || c.other.Field == model.AnyField) {
		return maybe
	}
	return dependent
}

// String says why two classes depend on each other.
func (c *conflict) String() string {
	switch {
	case c.text != "":
		return c.text
	case c.one.Field == model.AnyField:
		return fmt.Sprintf("the first may touch any field (%s)", c.one.Where)
	case c.other.Field == model.AnyField:
		return fmt.Sprintf("the second may touch any field (%s)", c.other.Where)
	}
	return fmt.Sprintf("both touch %s (%s; %s)", c.one.Field, c.one.Where, c.other.Where)
}
