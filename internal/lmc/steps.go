package lmc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/ds/bdd"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// mostAsked is how many local steps are asked for at once: so many that asking costs no more than answering, and so few that the
// questions take little memory.
const mostAsked = 1024

// asked is a local step to ask for.
type asked struct {
	*member
	place int // of the event
}

func (a *asked) event() *event { return &a.events[a.place] }

// ask answers the batch of local steps.
func (s *sets) ask(ctx context.Context) error {
	batch := s.batch
	s.batch = nil
	for some := range slices.Chunk(batch, mostAsked) {
		if err := s.answer(ctx, some); err != nil {
			return err
		}
	}
	s.steps += uint64(len(batch))
	for _, a := range batch {
		if err := s.connect(a); err != nil {
			return err
		}
	}
	return nil
}

// together finds the events that consume several messages.
func (s *sets) together() error {
	for _, of := range s.sets {
		for _, m := range of.members {
			if !m.collects {
				continue
			}
			if err := s.gather(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather adds the events of a member that consume several messages.
func (s *sets) gather(m *member) error {
	var inbox []model.MessageID
	known := map[uint32]bool{}
	for _, e := range m.events {
		known[e.id] = true
		if e.spends[0] >= together || e.state != answered {
			continue
		}
		message, copies := e.spends[0], 0
		for _, q := range s.actors.LocalSteps.Quorums(space.LocalStep{Local: m.local, Event: e.id}) {
			n, err := s.copiesFor(q, message)
			if err != nil {
				return err
			}
			copies = max(copies, n)
		}
		inbox = append(inbox, slices.Repeat([]model.MessageID{message}, copies)...)
	}
	if len(inbox) == m.inbox {
		return nil
	}
	m.inbox = len(inbox)
	events, err := s.actors.Moves.Together(m.local, inbox)
	if err != nil {
		return err
	}
	for _, id := range events {
		if !known[id] {
			m.run(s, model.Receive, together, s.actors.LocalSteps.EventMessages(id)...)
		}
	}
	s.queue(m)
	return nil
}

// copiesFor is how many copies of a message a quorum handler may take at once.
func (s *sets) copiesFor(q model.Quorum, m model.MessageID) (int, error) {
	receiver := s.actors.Values.Message(m).Receiver
	most, bounded := s.bounds[m]
	switch {
	case q.Size > 0 || s.program.Channel(receiver).IsSet():
		return 1, nil
	case s.program.Channel(receiver).KeepsOrder():
		return 0, &model.UsageError{Text: fmt.Sprintf("--search local does not know in which order %s takes messages from a FIFO channel: "+
			"declare how many it takes, such as @Handler(quorum = \"majority\"), or leave out --search local", q.Handler)}
	case !bounded:
		return 0, &model.UsageError{Text: fmt.Sprintf("--search local finds no bound on how many messages %s takes at once: "+
			"declare how many it takes, such as @Handler(quorum = \"majority\"), or leave out --search local", q.Handler)}
	}
	return most, nil
}

// answer asks for local steps. Perhaps no run takes a step that breaks a rule: a search decides that.
func (s *sets) answer(ctx context.Context, batch []asked) error {
	var events []space.LocalStep
	for _, a := range batch {
		events = append(events, space.LocalStep{Local: a.local, Event: a.event().id})
	}
	err := model.Doubted(s.actors.LocalSteps.Ask(ctx, events))
	var rule *model.RuleError
	if !errors.As(err, &rule) {
		return err
	}
	if len(batch) == 1 {
		s.fail(batch[0].member)
		batch[0].event().state = broken
		return nil
	}
	half := len(batch) / 2
	return errors.Join(s.answer(ctx, batch[:half]), s.answer(ctx, batch[half:]))
}

func (s *sets) fail(m *member) {
	if !m.fails {
		m.fails = true
		s.failing++
	}
}

// connect makes the edges of a local step that is answered.
func (s *sets) connect(a asked) error {
	if a.event().state == broken {
		return nil
	}
	for len(s.runs) <= s.actors.Values.Handlers() {
		s.runs = append(s.runs, 0)
	}
	var to []*member
	var fails, sends bool
	for o := range s.actors.LocalSteps.Outcomes(space.LocalStep{Local: a.local, Event: a.event().id}) {
		s.runs[o.Handler]++
		if o.Records {
			return errRecords
		}
		if o.Failure != 0 {
			fails = true
			s.fail(a.member)
			continue
		}
		if o.Local != 0 {
			to = append(to, a.set.member(s, o.Local))
		} else {
			to = append(to, a.set.stop(s))
		}
		sends = sends || len(o.Effects) > 0
		for _, f := range o.Effects {
			s.affect(f, o.Effects)
		}
	}
	e := a.event()
	e.state, e.outcomes, e.fails, e.sends = answered, span{s.edges.AddAll(to), uint32(len(to))}, fails, sends
	s.try(a.member, a.place)
	return nil
}

// affect takes in an effect, one of all that an outcome has: an actor that is created, or a message that is sent.
func (s *sets) affect(f space.Effect, all []space.Effect) {
	if f.Message == 0 {
		to := s.at(f.Position)
		created := to.member(s, f.Local)
		if to.absent != nil && !slices.ContainsFunc(to.absent.events, func(e event) bool { return s.leads(&e)[0] == created }) {
			to.absent.lead(s, created, 0)
		}
		s.reach(created, bdd.True)
		return
	}
	s.send(f.Message, sends(all, f.Message))
}

func sends(effects []space.Effect, m model.MessageID) int {
	n := 0
	for _, f := range effects {
		if f.Message == m {
			n++
		}
	}
	return n
}
