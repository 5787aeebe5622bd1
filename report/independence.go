package report

import (
	"fmt"
	"io"
	"strings"
)

// IndependenceVersion is the version of the JSON document of 'harrier explain por'.
const IndependenceVersion = 1

// Independence says what partial-order reduction knows of a program: from the bytecode (Handlers, Dependences), and from the
// closure of the initial state, which is all that may happen to each actor, and perhaps more. It is the JSON document too.
type Independence struct {
	Version  int    `json:"version"`
	Program  string `json:"program"`
	Scenario string `json:"scenario"`

	Visible     []FieldUse       `json:"visible"` // fields that invariants may read
	Handlers    []HandlerEffects `json:"handlers"`
	Dependences []Dependence     `json:"dependences"`

	Actors       []ActorClosure `json:"actors"`
	Commutations []Commutation  `json:"commutations"`
	Renewable    []string       `json:"renewable"` // messages that may come again and again
	Remarks      []string       `json:"remarks"`
}

// HandlerEffects are what a handler may do, as its bytecode says.
type HandlerEffects struct {
	Handler    string     `json:"handler"`
	GuardReads []FieldUse `json:"guardReads"`
	Reads      []FieldUse `json:"reads"`
	Writes     []FieldUse `json:"writes"`
	Sends      []Sending  `json:"sends"`
	Also       []string   `json:"also"`    // what else it may do, in words
	Visible    bool       `json:"visible"` // it may write what invariants may read
}

// FieldUse is a field that a handler may read or write.
type FieldUse struct {
	Field string `json:"field"`
	Where string `json:"where"` // the instruction
}

// Sending is a message that a handler may send.
type Sending struct {
	Type  string `json:"type"`
	To    string `json:"to"` // in words
	Where string `json:"where"`
}

// Dependence is a pair of what actors may do whose order may make a difference.
type Dependence struct {
	One   string `json:"one"`
	Other string `json:"other"`
	Why   string `json:"why"`
	Maybe string `json:"maybe"` // the instruction because of which it is not known; "" if it is
}

// ActorClosure is what may become of an actor.
type ActorClosure struct {
	Actor       string `json:"actor"`
	LocalStates int    `json:"localStates"`
	Messages    int    `json:"messages"` // that may ever be available to it
	Events      int    `json:"events"`
	Unknown     string `json:"unknown"` // why no more is known of it; "" if it is
}

// Commutation says whether an event of an actor can be taken before all others of the actor.
type Commutation struct {
	Actor string `json:"actor"`
	Event string `json:"event"`
	With  string `json:"with"` // the other event; "" for all others
	When  string `json:"when"` // always, sometimes or never
	Why   string `json:"why"`  // it does not, where it does not
}

// JSON writes it as one document.
func (d Independence) JSON(w io.Writer) error { return WriteJSON(w, d) }

// Text writes it for people: the handlers, the actors, and what can be exchanged.
func (d Independence) Text(w io.Writer, p Painter) {
	fmt.Fprintln(w, p.strong.Sprint("what invariants may read"))
	for _, u := range d.Visible {
		fmt.Fprintf(w, "  %s %s\n", u.Field, p.faint.Sprint("("+u.Where+")"))
	}
	if len(d.Visible) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
	fmt.Fprintln(w, p.strong.Sprint("\nhandlers, by their bytecode (--por static)"))
	for _, h := range d.Handlers {
		h.text(w, p)
	}
	d.dependences(w, p)
	fmt.Fprintln(w, p.strong.Sprint("\nwhat may happen to each actor from the start (--por closure)"))
	for _, a := range d.Actors {
		a.text(w, p)
	}
	d.commutations(w, p)
	if len(d.Renewable) > 0 {
		fmt.Fprintf(w, "\nmessages that may come again and again: %s\n", strings.Join(d.Renewable, ", "))
	}
	for _, r := range d.Remarks {
		fmt.Fprintln(w, "remark:", r)
	}
}

func (h HandlerEffects) text(w io.Writer, p Painter) {
	fmt.Fprintln(w, " ", h.Handler)
	uses := func(label string, uses []FieldUse) {
		var names []string
		for _, u := range uses {
			names = append(names, u.String())
		}
		if names != nil {
			fmt.Fprintf(w, "    %-13s %s\n", label, strings.Join(names, ", "))
		}
	}
	uses("guard reads", h.GuardReads)
	uses("reads", h.Reads)
	uses("writes", h.Writes)
	for _, s := range h.Sends {
		fmt.Fprintf(w, "    %-13s %s to %s %s\n", "sends", s.Type, s.To, p.faint.Sprint("("+s.Where+")"))
	}
	if h.Also != nil {
		fmt.Fprintf(w, "    %-13s %s\n", "also", strings.Join(h.Also, ", "))
	}
	if h.Visible {
		fmt.Fprintf(w, "    %-13s invariants may read what it writes\n", "visible")
	}
}

// String names the field, and the instruction where the field alone says nothing.
func (u FieldUse) String() string {
	if strings.ContainsRune(u.Field, '.') {
		return u.Field
	}
	return fmt.Sprintf("%s (%s)", u.Field, u.Where)
}

func (d Independence) dependences(w io.Writer, p Painter) {
	if len(d.Dependences) > 0 {
		fmt.Fprintln(w, "\ndependent")
	}
	for _, e := range d.Dependences {
		fmt.Fprintf(w, "  %s %s %s: %s", e.One, p.faint.Sprint("and"), e.Other, e.Why)
		if e.Maybe != "" {
			fmt.Fprintf(w, "; %s %s", p.warn.Sprint("maybe"), e.Maybe)
		}
		fmt.Fprintln(w)
	}
}

func (a ActorClosure) text(w io.Writer, p Painter) {
	fmt.Fprintf(w, "  %-13s %s, %s, %s", a.Actor, plural(uint64(a.LocalStates), "local state"),
		plural(uint64(a.Messages), "message"), plural(uint64(a.Events), "event"))
	if a.Unknown != "" {
		fmt.Fprintf(w, ", %s: %s", p.warn.Sprint("and perhaps more"), a.Unknown)
	}
	fmt.Fprintln(w)
}

func (d Independence) commutations(w io.Writer, p Painter) {
	actor := ""
	for _, c := range d.Commutations {
		if c.Actor != actor {
			actor = c.Actor
			fmt.Fprintf(w, "\n%s\n", p.strong.Sprint(actor))
		}
		c.text(w, p)
	}
}

func (c Commutation) text(w io.Writer, p Painter) {
	what := c.Event
	if c.With != "" {
		what += " before " + c.With
	}
	when := p.warn.Sprint(c.When)
	if c.When == "always" {
		when = p.good.Sprint(c.When)
	}
	fmt.Fprintf(w, "  %s: %s", what, when)
	if c.Why != "" {
		fmt.Fprintf(w, ", %s", c.Why)
	}
	fmt.Fprintln(w)
}
