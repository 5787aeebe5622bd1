package report

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// flight is what a trace tells messages on their way apart by.
type flight struct {
	sender, receiver, text string
	delivered              bool // and not consumed yet, where that is a step of its own
}

// flights follow the messages of a run. Of equal messages, the first sent arrives first.
type flights map[flight][]int // the steps that sent the messages on their way, 0 for the start

// NoteSendings notes with the messages that steps receive in which step they were sent, where equal ones were sent in several.
func (e *Execution) NoteSendings() {
	all := flights{} // never taken from
	e.follow(func(step int, m Message) { all.send(step, m) }, func(*Step, *Message) {})
	open := flights{}
	e.follow(func(step int, m Message) { open.send(step, m) }, func(s *Step, m *Message) {
		step, ok := open.arrive(s, *m)
		if steps := slices.Compact(slices.Clone(all[m.flight()])); !ok || len(steps) < 2 {
			return
		}
		m.Sent = fmt.Sprintf("in step %d", step)
		if step == 0 {
			m.Sent = "at the start"
		}
	})
}

// follow calls functions for each message sent, with the number of the step, and for each that arrives, in the order of the run.
func (e *Execution) follow(sent func(int, Message), arrives func(*Step, *Message)) {
	for _, m := range e.Start.Sends {
		sent(0, m)
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		for j := range s.Receives {
			if s.Event == model.Byzantine.String() {
				sent(i+1, s.Receives[j])
			} else {
				arrives(s, &s.Receives[j])
			}
		}
		for _, m := range s.Sends {
			sent(i+1, m)
		}
	}
}

func (m Message) flight() flight { return flight{sender: m.Sender, receiver: m.Receiver, text: m.Text} }

func (f flights) send(step int, m Message) { f[m.flight()] = append(f[m.flight()], step) }

// arrive is the step in which a message was sent that a step consumes, loses, delivers or duplicates.
func (f flights) arrive(s *Step, m Message) (step int, ok bool) {
	of, delivered := m.flight(), m.flight()
	delivered.delivered = true
	if kind, _ := network.ParseEventKind(s.Event); len(f[delivered]) > 0 && (kind == model.Receive || kind.IsWithin()) {
		of = delivered
	}
	if len(f[of]) == 0 {
		return 0, false
	}
	step = f[of][0]
	if s.Event != model.Duplicate.String() {
		f[of] = f[of][1:]
	}
	if s.Event == model.Deliver.String() || s.Event == model.Duplicate.String() && s.Handler == "" {
		f[delivered] = append(f[delivered], step)
	}
	return step, true
}
