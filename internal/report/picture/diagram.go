// Package picture draws traces: as an HTML page that needs nothing else, and as text for tools that draw diagrams.
//
// A diagram (diagram.go) has the content of all of them: who takes each step, and which send each message that arrives came from.
// A trace may come from anywhere, so no text of one gets into a picture unescaped.
package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/property"
	"harrier/internal/report"
)

// scenario is the sender of messages that no actor sent.
const scenario = "scenario"

// How a run that violates a property of runs goes on for ever: by its loop, or not at all.
const (
	repeated = "repeated for ever"
	stands   = "nothing happens any more"
)

// diagram is a trace with each message followed from its sender to where it ends.
type diagram struct {
	trace   *report.Trace // all texts plain
	columns []string      // actors, each before its threads; the scenario first if it sends
	column  map[string]int
	threads map[string][]string // that act, as columns, by actor
	arrows  []arrow
	// arriving are the arrows that end at a step, by its number from 1.
	arriving   map[int][]int
	operations []operation
}

// point is where an arrow begins or ends: step 0 is the start.
type point struct{ step, column int }

// arrow is a message on its way. A pending one has not arrived when the trace ends.
type arrow struct {
	from, to      point
	text          string
	lost, pending bool
}

// flight identifies messages on their way, as far as a trace distinguishes them.
type flight struct {
	sender, receiver, text string
	delivered              bool // and not consumed yet, where that is a step of its own
}

// draw follows the messages of a trace.
func draw(trace *report.Trace) *diagram {
	plain := *trace
	plain.Program, plain.Scenario = report.Plain(trace.Program), report.Plain(trace.Scenario)
	plain.Parameters = report.Escaped(trace.Parameters)
	plain.Execution, plain.Violation = report.ShortUUIDs(report.Escaped(trace.Execution), report.Escaped(trace.Violation))
	d := &diagram{trace: &plain, column: map[string]int{}, threads: map[string][]string{}, arriving: map[int][]int{}}
	for _, s := range plain.Steps {
		if s.Thread != "" && !slices.Contains(d.threads[s.Actor], thread(s)) {
			d.threads[s.Actor] = append(d.threads[s.Actor], thread(s))
		}
	}
	for _, m := range plain.Start.Sends {
		if m.Sender == "" {
			d.at(scenario)
		}
	}
	for _, name := range append(slices.Clone(plain.Start.Creates), plain.Start.Adversaries...) {
		d.at(name)
	}
	open := map[flight][]point{}
	send := func(step int, m report.Message) {
		f := flight{sender: m.Sender, receiver: m.Receiver, text: m.Text}
		from := d.at(sender(m))
		if step > 0 && plain.Steps[step-1].Actor == m.Sender {
			from = d.of(plain.Steps[step-1])
		}
		open[f] = append(open[f], point{step, from})
	}
	for _, m := range plain.Start.Sends {
		send(0, m)
	}
	for i, s := range plain.Steps {
		d.at(s.Actor)
		for _, m := range s.Receives {
			if network.IsOfNetwork(m.Payload) {
				continue // nobody sent it
			}
			if s.Event == model.Byzantine.String() {
				send(i+1, m)
			} else {
				d.arrive(open, i+1, s, m)
			}
		}
		for _, m := range s.Sends {
			send(i+1, m)
		}
		for _, name := range s.Creates {
			d.at(name)
		}
	}
	var pending []arrow
	for f, sent := range open {
		for _, from := range sent {
			if !f.delivered {
				pending = append(pending, arrow{from: from, to: point{len(plain.Steps) + 1, d.at(f.receiver)}, text: f.text, pending: true})
			}
		}
	}
	slices.SortFunc(pending, func(a, b arrow) int {
		return cmp.Or(a.from.step-b.from.step, a.from.column-b.from.column, a.to.column-b.to.column, strings.Compare(a.text, b.text))
	})
	d.arrows = append(d.arrows, pending...)
	d.operations = d.follow()
	return d
}

// arrive ends the flight of a message, or a part of it. It takes the message that was sent first of those that are the same.
func (d *diagram) arrive(open map[flight][]point, step int, s report.Step, m report.Message) {
	f := flight{sender: m.Sender, receiver: m.Receiver, text: m.Text}
	here := point{step, d.at(m.Receiver)}
	if done := (flight{f.sender, f.receiver, f.text, true}); takes(s) && len(open[done]) > 0 {
		f = done
	}
	from := point{step, d.at(sender(m))}
	if waiting := open[f]; len(waiting) > 0 {
		from = waiting[0]
		if s.Event != model.Duplicate.String() {
			open[f] = waiting[1:]
		}
	}
	if s.Event == model.Deliver.String() || s.Event == model.Duplicate.String() && s.Handler == "" {
		done := flight{f.sender, f.receiver, f.text, true}
		open[done] = append(open[done], here)
	}
	d.arriving[step] = append(d.arriving[step], len(d.arrows))
	d.arrows = append(d.arrows, arrow{from: from, to: here, text: m.Text, lost: s.Event == model.Lose.String()})
}

// takes reports whether a step consumes messages.
func takes(s report.Step) bool {
	kind, _ := network.ParseEventKind(s.Event)
	return kind == model.Receive || kind.IsWithin()
}

// at is the column of an actor, behind which there are those of its threads.
func (d *diagram) at(name string) int {
	if _, ok := d.column[name]; !ok {
		for _, column := range append([]string{name}, d.threads[name]...) {
			d.column[column] = len(d.columns)
			d.columns = append(d.columns, column)
		}
	}
	return d.column[name]
}

// of is the column of the thread or actor that takes a step.
func (d *diagram) of(s report.Step) int {
	if s.Thread != "" {
		return d.column[thread(s)]
	}
	return d.at(s.Actor)
}

// thread is the name of the column of the thread that takes a step.
func thread(s report.Step) string { return s.Actor + ": " + s.Thread }

func sender(m report.Message) string {
	if m.Sender == "" {
		return scenario
	}
	return m.Sender
}

// label is the text of a step's event, without its actor.
func label(s report.Step) string {
	var texts []string
	for _, m := range s.Receives {
		if len(texts) == 0 || texts[len(texts)-1] != m.Text {
			texts = append(texts, m.Text)
		}
	}
	message := strings.Join(texts, " + ")
	if n := len(s.Receives); n > len(texts) {
		message = fmt.Sprintf("%d × %s", n, message)
	}
	switch kind, _ := network.ParseEventKind(s.Event); kind {
	case model.Internal:
		if s.Timer != "" {
			return "timer " + s.Timer + " fires"
		}
		return s.Handler
	case model.Restart:
		return "crashes, restarts"
	case model.Stop:
		return "crashes for good"
	case model.Crash:
		return "crashes, is down"
	case model.Recover:
		return "restarts"
	case model.Notify:
		return "is told that " + s.Receives[0].Sender + " has gone"
	case model.Disconnect, model.Break, model.Refuse, model.Drop:
		return s.EventText()
	case model.RestartWithin, model.StopWithin, model.CrashWithin:
		return cmp.Or(message, s.Timer, s.Handler) + ", " + s.CrashText()
	case model.Lose:
		return message + " is lost"
	case model.Duplicate:
		return message + ", duplicated"
	case model.Tick:
		return s.EventText()
	case model.Split:
		return s.CutText("network splits", "are cut off")
	case model.Heal:
		return s.CutText("network heals", "pass again")
	case model.Deliver:
		return message + " is delivered"
	case model.Byzantine:
		return "sends " + message + " (Byzantine)"
	}
	return message
}

// isViolation reports whether the trace ends in a violation.
func (d *diagram) isViolation() bool { return d.trace.Violation.Kind != property.None }

// isRepeated reports whether a step, by its number from 1, is one of the loop.
func (d *diagram) isRepeated(step int) bool { return step > len(d.trace.Steps)-d.trace.Loop }

// isFirstRepeated reports whether the loop begins with a step.
func (d *diagram) isFirstRepeated(step int) bool { return d.isRepeated(step) && !d.isRepeated(step-1) }

// isStanding reports whether the trace violates a property as nothing happens any more after it.
func (d *diagram) isStanding() bool {
	return d.trace.Violation.Kind.HasLoop() && d.trace.Loop == 0
}

// isFault reports whether a step is a fault.
func isFault(s report.Step) bool {
	kind, _ := network.ParseEventKind(s.Event)
	return kind.IsFault()
}

// notes are what a step changed, created and recorded, a line each.
func notes(s report.Step) []string {
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, c.Path+": "+c.Old+" → "+c.New)
	}
	for _, name := range s.Creates {
		lines = append(lines, "creates "+name)
	}
	for _, o := range s.Records {
		lines = append(lines, o.Kind+" "+o.Text)
	}
	for _, what := range s.Lost {
		lines = append(lines, what+" is lost")
	}
	for _, what := range s.SetsAnew {
		lines = append(lines, "sets "+what+" anew")
	}
	if s.StopsItself() {
		lines = append(lines, "stops")
	}
	if s.Failure != nil {
		lines = append(lines, "fails: "+s.Failure.Text)
	}
	return lines
}

// cut is the beginning of a text that is longer than so many characters.
func cut(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
}
