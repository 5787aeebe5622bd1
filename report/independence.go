package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Independence says what partial-order reduction knows of a program by its bytecode. It is the JSON document too.
type Independence struct {
	Heading
	Visible []FieldUse  `json:"visible"` // fields that invariants may read
	Static  StaticFacts `json:"static"`
}

// StaticFacts is what --por static goes by.
type StaticFacts struct {
	Handlers  []HandlerEffects `json:"handlers"`
	Pairs     []HandlerPair    `json:"pairs"`
	Renewable []string         `json:"renewable"` // messages that may be sent again and again
}

// HandlerEffects are what a handler may do, as its bytecode says, of whichever actor it is.
type HandlerEffects struct {
	Handler    string     `json:"handler"`
	Known      bool       `json:"known"` // its code was analysed; else it may do anything
	Takes      []string   `json:"takes"`
	GuardReads []FieldUse `json:"guardReads"`
	Reads      []FieldUse `json:"reads"`
	Writes     []FieldUse `json:"writes"`
	Sends      []Sending  `json:"sends"`
	Also       []string   `json:"also"`    // what else it may do, in words
	Visible    bool       `json:"visible"` // it may write what invariants may read
	After      []string   `json:"after"`   // what has to run before it has a message to take
	Unlocks    []string   `json:"unlocks"` // whose guards it may make true
}

// FieldUse is a field that a handler may read or write.
type FieldUse struct {
	Field string `json:"field"`
	Where string `json:"where"` // the instruction
}

// Sending is a message that a handler may send.
type Sending struct {
	What  string `json:"what"` // as in "Ping from bob to ann"
	Where string `json:"where"`
}

// HandlerPair says whether the order of two handlers of one actor may make a difference; or of one, for two messages.
type HandlerPair struct {
	One    string `json:"one"`
	Other  string `json:"other"`
	Answer string `json:"answer"` // independent, dependent or maybe
	Reason string `json:"reason"` // with the instruction; "" if they are independent
}

// Text writes it for people: what is visible, the handlers.
func (d Independence) Text(w io.Writer, p Painter) {
	d = Escaped(d)
	fmt.Fprintln(w, p.strong.Sprint("what invariants may read"))
	for _, u := range d.Visible {
		fmt.Fprintf(w, "  %s %s\n", u.Field, p.faint.Sprint("("+u.Where+")"))
	}
	if len(d.Visible) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
	d.Static.text(w, p)
}

func (f StaticFacts) text(w io.Writer, p Painter) {
	fmt.Fprintln(w, p.strong.Sprint("\nhandlers, by their bytecode (--por static)"))
	for _, h := range f.Handlers {
		h.text(w, p)
	}
	fmt.Fprintln(w, p.strong.Sprint("\npairs of handlers of one actor"))
	for _, pair := range f.Pairs {
		pair.text(w, p)
	}
	if len(f.Renewable) > 0 {
		fmt.Fprintf(w, "\n  may come again and again: %s\n", few(alike(f.Renewable)))
	}
}

// numbered is the number in the name of an actor of a role.
var numbered = regexp.MustCompile(`(\p{L})\d+\b`)

// alike has messages of the same kind between actors of the same roles as one: those of "Ping from a1 to b1" and "Ping from a2 to b1"
// are "Ping from a* to b*".
func alike(messages []string) []string {
	var roles []string
	of := map[string][]string{}
	for _, m := range messages {
		what, between, _ := strings.Cut(m, " from ")
		role := what + " from " + numbered.ReplaceAllString(between, "$1*")
		if of[role] == nil {
			roles = append(roles, role)
		}
		of[role] = append(of[role], m)
	}
	for i, role := range roles {
		if len(of[role]) == 1 {
			roles[i] = of[role][0]
		}
	}
	return roles
}

func (h HandlerEffects) text(w io.Writer, p Painter) {
	fmt.Fprintln(w, " ", h.Handler)
	line := func(label string, what []string) {
		if len(what) > 0 {
			fmt.Fprintf(w, "    %-13s %s\n", label, few(what))
		}
	}
	if !h.Known {
		fmt.Fprintf(w, "    its code was not analysed, so it may do anything\n")
		return
	}
	line("takes", alike(h.Takes))
	line("guard reads", names(h.GuardReads))
	line("reads", names(h.Reads))
	line("writes", names(h.Writes))
	var sends []string
	for _, s := range h.Sends {
		sends = append(sends, s.What)
	}
	line("sends", alike(sends))
	line("also", h.Also)
	if h.Visible {
		line("visible", []string{"invariants may read what it writes"})
	}
	line("after", h.After)
	line("unlocks", h.Unlocks)
}

func (h HandlerPair) text(w io.Writer, p Painter) {
	answer := p.warn.Sprint(h.Answer)
	if h.Reason == "" {
		answer = p.good.Sprint(h.Answer)
	}
	fmt.Fprintf(w, "  %s, %s: %s", h.One, h.Other, answer)
	if h.Reason != "" {
		fmt.Fprintf(w, ": %s", h.Reason)
	}
	fmt.Fprintln(w)
}

// names are those of fields, each once.
func names(uses []FieldUse) []string {
	var all []string
	for _, u := range uses {
		if !slices.Contains(all, u.String()) {
			all = append(all, u.String())
		}
	}
	return all
}

// String names the field, and the instruction where the field alone says nothing.
func (u FieldUse) String() string {
	if strings.ContainsRune(u.Field, '.') {
		return u.Field
	}
	return fmt.Sprintf("%s (%s)", u.Field, u.Where)
}
