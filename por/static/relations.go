package static

import (
	"fmt"
	"slices"
	"strings"

	"harrier/model"
	"harrier/por/footprint"
)

// Relations are what is known of a program, for people.
type Relations struct {
	Handlers  []HandlerRelations
	Pairs     []Pair
	Renewable []string // messages that may be sent again and again, as in "Ping from bob to ann"; the reduction does not rest on taking these
}

// HandlerRelations is what a handler may do, whichever actor's it is.
type HandlerRelations struct {
	Label                 string
	IsKnown               bool     // its code was analysed; else it may do anything
	Takes                 []string // messages, as in "Ping from bob to ann"
	GuardReads            []model.Touch
	Reads, Writes         []model.Touch // without auxiliary fields
	Sends                 []Sent
	Creates, Records      bool
	Stops                 bool
	NeedsSenders, Unlocks []string // labels: of whom one has to send what it takes; whose guards it may make true
}

// Sent is a message that a handler may send.
type Sent struct {
	What  string // as in "Ping from bob to ann"
	Where string // the instruction
}

// Answer says whether handlers are dependent.
type Answer uint8

// The answers.
const (
	// Independent handlers of one actor may run in either order.
	Independent Answer = iota
	// Dependent ones may not.
	Dependent
	// Maybe stands for dependence that the analysis could not rule out.
	Maybe
)

// String says it in a word.
func (a Answer) String() string { return [...]string{"independent", "dependent", "maybe"}[a] }

// Pair is how two handlers of one actor are related; or one handler with itself, for two messages.
type Pair struct {
	One, Other string // labels
	Answer     Answer
	Reason     string // with the instruction; "" if they are independent
}

// Relations tells what was found.
func (s *Static) Relations() Relations {
	var r Relations
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
		isRestart := c.kind == model.Restart && h.Kind == model.Restart
		if (isRestart || c.handler != nil && c.handler.Label == h.Label) && s.wiring.class[c.actor] == h.Class {
			of = append(of, i)
		}
	}
	return of
}

func (s *Static) ofHandler(h model.Handler, of []int) HandlerRelations {
	p := s.print(h.Label)
	r := HandlerRelations{
		Label: h.Label, IsKnown: p.isKnown, GuardReads: p.guard.where, Reads: p.reads.where, Writes: p.writes.where,
		Creates: p.creates, Records: p.records, Stops: p.stops,
	}
	for _, i := range of {
		c := &s.classes[i]
		for _, k := range c.keys {
			r.Takes = added(r.Takes, s.describe(k))
		}
		for k := range c.sends.all() {
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
		for j := range s.enablers[i].all() {
			r.NeedsSenders = added(r.NeedsSenders, s.label(j))
		}
		for j := range s.classes {
			if s.openers[j].has(i) && i != j {
				r.Unlocks = added(r.Unlocks, s.label(j))
			}
		}
	}
	slices.SortFunc(r.Sends, func(a, b Sent) int { return strings.Compare(a.What, b.What) })
	r.Sends = slices.Compact(r.Sends)
	return r
}

// isToSomebody says whether anybody may be there to receive messages of a key. Whoever is unknown may be somebody who never is, too.
func (s *Static) isToSomebody(k int) bool { return s.hasBirths || s.keys[k].receiver != children }

// isOf says whether a class may send a message of a key where an instruction sends one.
func (s *Static) isOf(c *class, sent model.Sending, k int) bool {
	of, how := footprint.PlainType(sent.Type)
	if how != footprint.Exact {
		of = ""
	}
	return s.keys[k].of == of && slices.Contains(s.receivers(c, sent), s.keys[k].receiver)
}

func added(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// label is what runs in a class.
func (s *Static) label(i int) string {
	switch c := &s.classes[i]; {
	case c.handler != nil:
		return c.handler.Label
	case c.fault >= 0:
		return s.wiring.program.FaultName(c.fault)
	case c.actor == children:
		return s.wiring.names[children]
	case c.kind == model.Deliver:
		return "" // it goes without saying
	default:
		return "tasks of " + s.wiring.names[c.actor]
	}
}

// pair relates two handlers; not ok if no actor has both.
func (s *Static) pair(one, other model.Handler) (p Pair, ok bool) {
	p = Pair{One: one.Label, Other: other.Label}
	for _, i := range s.classesOf(one) {
		for _, j := range s.classesOf(other) {
			if s.classes[i].actor != s.classes[j].actor {
				continue
			}
			ok = true
			if c := s.conflict(i, j); c != nil && p.Answer != Dependent {
				p.Answer, p.Reason = c.answer(), c.String()
			}
		}
	}
	return p, ok
}

func (c *conflict) answer() Answer {
	if c.text == "" && (c.one.Field == model.AnyField || c.other.Field == model.AnyField) {
		return Maybe
	}
	return Dependent
}

// String says what is in the way of two classes.
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
