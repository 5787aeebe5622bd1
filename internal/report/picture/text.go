package picture

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/report"
)

// longest is how many characters of a text are in a diagram for other tools.
const longest = 120

// end is a word that Mermaid takes for its own wherever it stands.
var end = regexp.MustCompile(`(?i)\bend\b`)

// mermaidText escapes whatever is more than plain writing, as Mermaid does it.
func mermaidText(text string) string {
	text = end.ReplaceAllStringFunc(cut(text, longest), func(w string) string { return w[:1] + "\x00" + w[1:] })
	return escapeRunes(text, func(r rune) string {
		if r == 0 {
			return "#8203;" // an empty space, which makes it another word
		}
		return fmt.Sprintf("#%d;", r)
	})
}

// plantText escapes whatever is more than plain writing, as PlantUML does it.
func plantText(text string) string {
	return escapeRunes(cut(text, longest), func(r rune) string { return fmt.Sprintf("<U+%04X>", r) })
}

func escapeRunes(text string, escape func(rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(" .,=()[]'+→|", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// dialect is how a language for sequence diagrams writes their elements. Actors are given by number.
type dialect struct {
	begin, end    string
	participant   string // name, number
	message, lost string // sender, receiver, text
	note          string // number, text
	over          string // first number, last number, text
	loop, endLoop string // around the steps that are repeated: text
	line          string // between the lines of a note
	text          func(string) string
}

var mermaid = dialect{
	begin: "sequenceDiagram\n", participant: "    participant a%[2]d as %[1]s\n",
	message: "    a%d->>a%d: %s\n", lost: "    a%d-xa%d: %s\n", note: "    Note over a%d: %s\n", over: "    Note over a%d,a%d: %s\n",
	loop: "    loop %s\n", endLoop: "    end\n", line: "<br/>", text: mermaidText,
}

var plantUML = dialect{
	begin: "@startuml\n", end: "@enduml\n", participant: "participant \"%s\" as a%d\n",
	message: "a%d -> a%d: %s\n", lost: "a%d ->x a%d: %s\n", note: "note over a%d: %s\n", over: "note over a%d, a%d: %s\n",
	loop: "loop %s\n", endLoop: "end\n", line: `\n`, text: plantText,
}

// Mermaid writes a trace as a sequence diagram of Mermaid. Messages are where they arrive.
func Mermaid(w io.Writer, trace *report.Trace) error { return mermaid.write(w, draw(trace)) }

// PlantUML writes a trace as a sequence diagram of PlantUML. Messages are where they arrive.
func PlantUML(w io.Writer, trace *report.Trace) error { return plantUML.write(w, draw(trace)) }

func (l dialect) write(w io.Writer, d *diagram) error {
	var b strings.Builder
	b.WriteString(l.begin)
	for i, name := range d.columns {
		fmt.Fprintf(&b, l.participant, l.text(name), i)
	}
	for i, s := range d.trace.Steps {
		if d.isFirstRepeated(i + 1) {
			fmt.Fprintf(&b, l.loop, repeated)
		}
		for _, number := range d.arriving[i+1] {
			a := d.arrows[number]
			form := l.message
			if a.lost {
				form = l.lost
			}
			fmt.Fprintf(&b, form, a.from.column, a.to.column, l.text(fmt.Sprintf("%d. %s", i+1, a.text)))
		}
		lines := notes(s)
		if s.Event != model.Receive.String() && s.Event != model.Lose.String() {
			lines = append([]string{fmt.Sprintf("%d. %s", i+1, label(s))}, lines...)
		}
		for j, line := range lines {
			lines[j] = l.text(line)
		}
		if len(lines) > 0 {
			fmt.Fprintf(&b, l.note, d.of(s), strings.Join(lines, l.line))
		}
	}
	if d.trace.Loop > 0 {
		b.WriteString(l.endLoop)
	}
	if len(d.columns) > 0 {
		fmt.Fprintf(&b, l.over, 0, len(d.columns)-1, l.text(d.trace.Violation.Message))
	}
	b.WriteString(l.end)
	_, err := io.WriteString(w, b.String())
	return err
}

// ShiViz writes a trace as a log of ShiViz with vector clocks, in the form that its default parser expression reads: the actor
// or thread and its clock, and in the next line the event. Each step of an actor knows of the one before, whichever threads take
// them. Events of the network have no actor.
func ShiViz(w io.Writer, trace *report.Trace) error {
	d := draw(trace)
	clocks := map[string]map[string]int{} // by actor
	sent := map[point]map[string]int{}    // as they were at a step
	var b strings.Builder
	tick := func(actor string, at point, text string) error {
		host := strings.ReplaceAll(d.columns[at.column], " ", "_")
		if clocks[actor] == nil {
			clocks[actor] = map[string]int{}
		}
		clock := clocks[actor]
		for _, number := range d.arriving[at.step] {
			for name, time := range sent[d.arrows[number].from] {
				clock[name] = max(clock[name], time)
			}
		}
		clock[host]++
		sent[at] = maps.Clone(clock)
		written, err := json.Marshal(clock)
		fmt.Fprintf(&b, "%s %s\n%s\n", host, written, text)
		return err
	}
	for i, name := range d.columns {
		if name == scenario || slices.Contains(d.trace.Start.Creates, name) {
			if err := tick(name, point{0, i}, "start"); err != nil {
				return err
			}
		}
	}
	for i, s := range d.trace.Steps {
		switch s.Event {
		case model.Lose.String(), model.Split.String(), model.Heal.String(), model.Tick.String():
			continue
		}
		text := strings.Join(append([]string{s.EventText()}, notes(s)...), "; ")
		if d.isRepeated(i + 1) {
			text = repeated + ": " + text
		}
		if err := tick(s.Actor, point{i + 1, d.of(s)}, text); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
