package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/property"
)

// Text writes the start and the steps, numbered, with the changes of each.
func (e Execution) Text(w io.Writer, p Painter) {
	var text strings.Builder
	Escaped(e).steps(&text, p)
	if strings.Contains(text.String(), leftOut) {
		fmt.Fprintf(&text, "%s\n\n", p.Faint.Sprint("long values are cut: --show CLASS=METHOD, or @Show on the scenario, shows objects of a class by a text of their own"))
	}
	io.WriteString(w, text.String())
}

func (e Execution) steps(w io.Writer, p Painter) {
	fmt.Fprintf(w, "%4d  %s with %s\n", 0, p.Strong.Sprint(e.Start.word()), strings.Join(e.Start.Creates, ", "))
	for _, state := range e.Start.Live {
		fmt.Fprintf(w, "        %s\n", Cut(state))
	}
	if names := e.Start.Adversaries; len(names) > 0 {
		fmt.Fprintf(w, "        adversaries: %s\n", strings.Join(names, ", "))
	}
	for _, what := range e.Start.Watches {
		fmt.Fprintf(w, "        %s\n", what)
	}
	for _, m := range sendsText(e.Start.Sends, true) {
		fmt.Fprintf(w, "        %s\n", m)
	}
	for i, s := range e.Steps {
		if e.Loop > 0 && i == len(e.Steps)-e.Loop {
			fmt.Fprintf(w, "      %s\n", p.Strong.Sprint("for ever:"))
		}
		fmt.Fprintf(w, "%4d  %s\n", i+1, strings.TrimRight(s.eventText(p)+"  "+p.Faint.Sprint(s.HandlerText()), " "))
		if len(s.Choices) > 0 {
			fmt.Fprintf(w, "        chooses %s\n", strings.Trim(fmt.Sprint(s.Choices), "[]"))
		}
		for _, c := range s.Changes {
			before, after := cutBoth(c.Old, c.New)
			fmt.Fprintf(w, "        %s: %s -> %s\n", c.Path, before, after)
		}
		for _, name := range s.Creates {
			fmt.Fprintf(w, "        creates %s\n", name)
		}
		for _, o := range s.Records {
			fmt.Fprintf(w, "        %s %s %s\n", o.Actor, o.Kind, Cut(o.Text))
		}
		for _, m := range sendsText(s.Sends, false) {
			fmt.Fprintf(w, "        %s\n", m)
		}
		for _, what := range s.Watches {
			fmt.Fprintf(w, "        %s\n", what)
		}
		for _, what := range s.Lost {
			fmt.Fprintf(w, "        %s is lost\n", Cut(what))
		}
		for _, what := range s.SetsAnew {
			fmt.Fprintf(w, "        sets %s anew\n", Cut(what))
		}
		if s.StopsItself() {
			fmt.Fprintf(w, "        stops\n")
		}
	}
	fmt.Fprintln(w)
}

// word is what people call it.
func (s Start) word() string {
	if s.Live != nil {
		return "live state"
	}
	return "start"
}

// StopsItself reports whether the actor stops in a step, and not by a fault.
func (s Step) StopsItself() bool {
	return s.Stopped && s.Event != model.Stop.String() && s.Event != model.StopWithin.String()
}

// EventText describes the event of a step, in a line.
func (s Step) EventText() string { return s.eventText(NewPainter(false)) }

// eventText describes the event of a step.
func (s Step) eventText(p Painter) string {
	message, actor := receivedText(s.Receives), p.Strong.Sprint(s.Actor)
	switch kind, _ := network.ParseEventKind(s.Event); kind {
	case model.Internal:
		return s.internalText(actor)
	case model.Restart:
		return actor + " crashes and restarts"
	case model.Stop:
		return actor + " crashes for good"
	case model.Crash:
		return actor + " crashes and is down"
	case model.Recover:
		return actor + " restarts"
	case model.Tick:
		return s.clocksText()
	case model.Notify:
		return actor + " is told that " + s.Receives[0].Sender + " has gone"
	case model.Disconnect:
		return actor + " is told that its connection with " + s.Receives[0].Sender + " has closed"
	case model.Drop:
		return actor + " receives no more from " + s.Receives[0].Sender + " on a connection that has closed"
	case model.Break:
		return "the connection between " + actor + " and " + s.Receives[0].Receiver + " breaks"
	case model.Refuse:
		return actor + " refuses a connection with " + s.Receives[0].Receiver
	case model.Lose:
		return message + " to " + actor + " is lost"
	case model.Duplicate:
		if s.Handler == "" {
			return "a copy of " + message + " reaches " + actor
		}
		return actor + " receives " + message + ", and may do so again"
	case model.Split:
		return s.CutText("the network splits", "are cut off")
	case model.Heal:
		return s.CutText("the network heals", "pass again")
	case model.Deliver:
		return message + " is delivered to " + actor
	case model.RestartWithin, model.StopWithin, model.CrashWithin:
		if len(s.Receives) == 0 {
			return s.internalText(actor) + ", " + actor + " " + s.CrashText()
		}
		return actor + " receives " + message + ", " + s.CrashText()
	case model.Byzantine:
		return actor + " (Byzantine) sends " + Cut(s.Receives[0].Text) + " to " + s.Receives[0].Receiver
	default:
		return actor + " receives " + message
	}
}

// clocksText says to when time goes on, and which clocks show another time.
func (s Step) clocksText() string {
	text := "time goes on to " + s.Time
	for i, c := range s.Clocks {
		before := ", "
		if i == 0 {
			before = "; "
		}
		text += before + "the clock of " + c.Actor + " shows " + c.Time
	}
	return text
}

// CutText says what an event does to a cut that divides the network, or to the messages that one of one way stops.
func (s Step) CutText(network, messages string) string {
	if s.From == nil {
		return network + ": " + strings.Join(s.Side, ", ") + " | the others"
	}
	from := slices.DeleteFunc(slices.Clone(s.From), func(name string) bool { return strings.HasSuffix(name, "/") }) // with their children
	return "messages from " + strings.Join(from, ", ") + " to " + cmp.Or(strings.Join(s.Side, ", "), "others") + " " + messages
}

// CrashText says how the actor crashes in a step, within a handler.
func (s Step) CrashText() string {
	crashes, then := "crashes", ", restarts"
	switch s.Event {
	case model.StopWithin.String():
		crashes, then = "crashes for good", ""
	case model.CrashWithin.String():
		then = ", is down"
	}
	where := "within the handler"
	if s.Point != nil {
		where = s.Point.Where
	}
	return crashes + " " + where + then
}

// receivedText joins messages that an event consumes, and equal ones of several senders.
func receivedText(messages []Message) string {
	return strings.Join(joined(messages, " from ", func(m Message) (what, who string) {
		if who = SenderText(m.Sender); m.Sent != "" {
			who += " (sent " + m.Sent + ")"
		}
		return m.Text, who
	}), " and ")
}

// joined writes equal messages once, with whoever they go with behind a preposition.
func joined(messages []Message, preposition string, split func(m Message) (what, who string)) []string {
	var texts []string
	with := map[string][]string{}
	for _, m := range messages {
		what, who := split(m)
		if with[what] == nil {
			texts = append(texts, what)
		}
		with[what] = append(with[what], who)
	}
	for i, what := range texts {
		texts[i] = Cut(what) + preposition + strings.Join(with[what], ", ")
	}
	return texts
}

func (s Step) internalText(actor string) string {
	switch {
	case s.Thread != "" && strings.HasSuffix(s.Handler, timesOut):
		return "thread " + s.Thread + " of " + actor + timesOut
	case s.Thread != "":
		return "thread " + s.Thread + " of " + actor + " goes on"
	case s.Timer != "":
		return "timer " + s.Timer + " of " + actor + " fires"
	case strings.HasPrefix(s.Handler, "task "):
		return actor + " runs a task"
	default:
		return actor + " acts"
	}
}

// timesOut ends the label of the event in which a thread has waited for as long as it may.
const timesOut = " times out"

// HandlerText is the label of the handler that ran, unless the event says it, as that of a thread that runs no task, or it is of a host.
func (s Step) HandlerText() string {
	if s.Host || s.Thread != "" && strings.TrimSuffix(s.Handler, timesOut) == "thread "+s.Thread {
		return ""
	}
	return s.Handler
}

// sendsText joins equal messages to several receivers. Senders are named where they are not clear.
func sendsText(sends []Message, senders bool) []string {
	return joined(sends, " to ", func(m Message) (what, who string) {
		if senders {
			return SenderText(m.Sender) + " sends " + m.Text, m.Receiver
		}
		return "sends " + m.Text, m.Receiver
	})
}

// ViolationText writes a violation, with the frames of its exception.
func ViolationText(w io.Writer, p Painter, v Violation) {
	v = Escaped(v)
	colour := p.Bad
	if v.Kind == property.None {
		colour = p.Strong
	}
	fmt.Fprintf(w, "%s\n", colour.Sprint(v.Message))
	if v.Failure != nil {
		for _, line := range v.Failure.Lines() {
			fmt.Fprintf(w, "        %s\n", line)
		}
	}
	for _, name := range v.Also {
		fmt.Fprintf(w, "also violated: %s\n", name)
	}
	for _, s := range v.States {
		fmt.Fprintf(w, "        %s\n", Cut(s.Text))
	}
	for _, m := range v.Pending {
		fmt.Fprintf(w, "        pending: %s from %s to %s\n", Cut(m.Text), SenderText(m.Sender), m.Receiver)
	}
	fmt.Fprintln(w)
}

// longest is how many characters are shown of a value. A trace file has all of it.
const longest = 400

const leftOut = " more characters"

// Cut returns the beginning of a long text, with how much is left out.
func Cut(text string) string {
	if characters := []rune(text); len(characters) > longest {
		return fmt.Sprintf("%s… (%d%s)", string(characters[:longest]), len(characters)-longest, leftOut)
	}
	return text
}

// cutBoth cuts two texts. Where they differ only after much that is the same, they begin shortly before that.
func cutBoth(a, b string) (string, string) {
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	if same > longest/2 && max(len(x), len(y)) > longest {
		a, b = "…"+string(x[same-longest/10:]), "…"+string(y[same-longest/10:])
	}
	return Cut(a), Cut(b)
}

// SenderText names the sender of a message; "" stands for the scenario.
func SenderText(sender string) string {
	if sender == "" {
		return "the scenario"
	}
	return sender
}
