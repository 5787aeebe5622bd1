package explain

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/section"
	"harrier/por/static"
)

// Independence says what partial-order reduction knows of a program by its bytecode. It is the JSON document too.
type Independence struct {
	Heading
	Visible []static.FieldUse `json:"visible"` // fields that invariants may read
	Static  static.Relations  `json:"static"`  // what --por static goes by
}

// OfPOR describes the handlers of the program at a path.
func OfPOR(path string, program *model.Program, facts *static.Static) Independence {
	return Independence{Heading: newHeading(path, program), Visible: facts.Visible(), Static: facts.Relations()}
}

// Text writes it for people: what is visible, the handlers.
func (d Independence) Text(w io.Writer, p report.Painter) {
	d = report.Escaped(d)
	fmt.Fprintln(w, p.Strong.Sprint("what invariants may read"))
	for _, u := range d.Visible {
		fmt.Fprintf(w, "  %s %s\n", u.Field, p.Faint.Sprint("("+u.Where+")"))
	}
	if len(d.Visible) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
	fmt.Fprintln(w, p.Strong.Sprint("\nhandlers, by their bytecode (--por static)"))
	for _, h := range d.Static.Handlers {
		handlerText(w, h)
	}
	fmt.Fprintln(w, p.Strong.Sprint("\npairs of handlers of one actor"))
	for _, pair := range d.Static.Pairs {
		pairText(w, p, pair)
	}
	if len(d.Static.Renewable) > 0 {
		fmt.Fprintf(w, "\n  may come again and again: %s\n", section.Few(byRole(d.Static.Renewable)))
	}
}

// numbered is the number in the name of an actor of a role.
var numbered = regexp.MustCompile(`(\p{L})\d+\b`)

// byRole joins messages of the same kind between actors of the same roles: those of "Ping from a1 to b1" and "Ping from a2 to b1"
// are "Ping from a* to b*".
func byRole(messages []string) []string {
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

func handlerText(w io.Writer, h static.Handler) {
	fmt.Fprintln(w, " ", h.Label)
	line := func(label string, what []string) {
		if len(what) > 0 {
			fmt.Fprintf(w, "    %-13s %s\n", label, section.Few(what))
		}
	}
	if !h.Known {
		fmt.Fprintf(w, "    its code was not analysed, so it may do anything\n")
		return
	}
	line("takes", byRole(h.Takes))
	line("guard reads", names(h.GuardReads))
	line("reads", names(h.Reads))
	line("writes", names(h.Writes))
	var sends []string
	for _, s := range h.Sends {
		sends = append(sends, s.What)
	}
	line("sends", byRole(sends))
	line("also", h.Also)
	if h.Visible {
		line("visible", []string{"invariants may read what it writes"})
	}
	line("after", h.After)
	line("unlocks", h.Unlocks)
}

func pairText(w io.Writer, p report.Painter, h static.Pair) {
	answer := p.Warn.Sprint(h.Answer)
	if h.Reason == "" {
		answer = p.Good.Sprint(h.Answer)
	}
	fmt.Fprintf(w, "  %s, %s: %s", h.One, h.Other, answer)
	if h.Reason != "" {
		fmt.Fprintf(w, ": %s", h.Reason)
	}
	fmt.Fprintln(w)
}

// names are those of fields, each once, with the instruction where the field alone says nothing.
func names(uses []static.FieldUse) []string {
	var all []string
	for _, u := range uses {
		name := u.Field
		if !strings.ContainsRune(name, '.') {
			name = fmt.Sprintf("%s (%s)", name, u.Where)
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
