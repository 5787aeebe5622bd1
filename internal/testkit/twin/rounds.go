package twin

import (
	"slices"

	"harrier/internal/model"
)

// rounds lists how time may go on after a state with some events enabled: nothing has to happen before.
func (e *explorer) rounds(s state, enabled []event) []event {
	clocks := e.program.Clocks
	if s.round >= clocks.Rounds {
		return nil
	}
	for _, ev := range enabled {
		due := ev.kind == model.Internal && slices.ContainsFunc(ev.outcomes, func(o model.Outcome) bool { return o.Due })
		arrives := ev.kind == model.Deliver || ev.kind == model.Receive || ev.kind == model.Disconnect
		late := arrives && clocks.Delay >= 0 && slices.ContainsFunc(ev.messages, func(m model.Message) bool { return m.Age == clocks.Delay })
		if due || late {
			e.Met["due"] = e.Met["due"] || due
			e.Met["late"] = e.Met["late"] || late
			return nil
		}
	}
	all := [][]int{nil}
	for _, a := range s.actors {
		var longer [][]int
		for _, ticks := range all {
			for n := range 3 {
				// The clock shows round + ahead. It must not differ from the next round by more than the bound, and goes on by one if there is none.
				after := s.round + a.Ahead + n
				if after-(s.round+1) <= clocks.Drift && (s.round+1)-after <= clocks.Drift {
					longer = append(longer, append(slices.Clone(ticks), n))
				}
			}
		}
		all = longer
	}
	var rounds []event
	for _, ticks := range all {
		rounds = append(rounds, event{kind: model.Tick, ticks: ticks, outcomes: []model.Outcome{{}}})
	}
	return rounds
}

// afterRound is the state after a round.
func (e *explorer) afterRound(s state, ticks []int) state {
	next := s
	next.actors, next.pending, next.last = slices.Clone(s.actors), slices.Clone(s.pending), nil
	next.round, next.distance = s.round+1, s.distance+1
	for i, n := range ticks {
		a := &next.actors[i]
		if q := (model.Question{Local: a.Local, Event: model.Event{Kind: model.Tick}}); n > 0 {
			e.pairs[questionKey(q)] = true
			o := e.ask(q).Outcomes[n-1]
			a.Local, a.Acts = o.Local, o.Acts
		}
		a.Ahead += n - 1
		e.Met["drift"] = e.Met["drift"] || a.Ahead != 0
		e.Met["clocks of who is down"] = e.Met["clocks of who is down"] || a.Down
	}
	next.delivered = slices.Clone(s.delivered)
	for _, messages := range [][]model.Message{next.pending, next.delivered} {
		for i := range messages {
			if m := &messages[i]; e.program.Clocks.Delay >= 0 && m.Age < e.program.Clocks.Delay {
				m.Age++
			}
		}
		e.sort(messages)
	}
	return next
}

// ageless are messages as actors know them.
func ageless(messages []model.Message) []model.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Age = 0
	}
	return messages
}
