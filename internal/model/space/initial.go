package space

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// start makes the initial state.
func (a *Actors) start() error {
	initial := a.Values.program.Initial
	messages, requests := network.Requests(initial.Messages)
	if err := a.Values.mayWatch(requests); err != nil {
		return err
	}
	effects, err := a.LocalSteps.internEffects(born(initial.Actors, 0, requests), messages)
	if err != nil {
		return err
	}
	links, _ := initial.Links.After(network.LinkChange{Requests: requests})
	s := model.State{a.Globals.global(global{history: a.Globals.history(initial.History), links: a.Globals.link(links), round: uint32(initial.Round)})}
	if s, err = a.declare(s, a.Values.program.Faults); err != nil {
		return err
	}
	if effects, err = a.opening(effects, initial.Open); err != nil {
		return err
	}
	if a.initial, _, err = a.affect(s, effects, nil); err != nil {
		return fmt.Errorf("making the initial state: %w", err)
	}
	clear(a.Nodes.comesOrGoes)
	return nil
}

// maxFaults is how many faults a program may declare at most.
const maxFaults = 1<<16 - 1

// declare prepares for faults that may happen, and puts adversaries in their places.
func (a *Actors) declare(s model.State, faults []model.Fault) (model.State, error) {
	if len(faults) > maxFaults {
		return s, fmt.Errorf("the program declares %d faults, and may %d", len(faults), maxFaults)
	}
	if err := mayBoundDelays(a.Values.program); err != nil {
		return s, err
	}
	if err := mayTrackConnections(a.Values.program); err != nil {
		return s, err
	}
	if err := mayDrop(a.Values.program); err != nil {
		return s, err
	}
	a.Moves.domains, a.Moves.splitters = make([][]sending, len(faults)), map[int]uint32{}
	for i, f := range faults {
		switch f.Kind {
		case model.Stop:
			a.Nodes.varies.Store(true)
		case model.Split:
			name, err := splitter(a.Values.program, f)
			if err != nil {
				return s, err
			}
			a.Moves.splitters[i] = a.Values.position(name)
		case model.Byzantine:
			var err error
			if s, err = a.admit(s, i); err != nil {
				return s, err
			}
		case model.Duplicate:
			if err := mayRepeat(a.Values.program, f); err != nil {
				return s, err
			}
		case model.Restart, model.Crash, model.Lose:
		default:
			return s, fmt.Errorf("the fault %q is of the kind %q, which is none of a fault", f.Label, f.Kind)
		}
	}
	return s, nil
}

// mayRepeat refuses a Duplicate without bound of messages delivered in order: there would always be one more copy
// to deliver, and so no end of states.
func mayRepeat(p *model.Program, f model.Fault) error {
	if p.Delivery == model.M || !f.Repeats() {
		return nil
	}
	if slices.ContainsFunc(p.Channels, func(d network.Declared) bool { return d.KeepsOrder() && d.To.Meets(f.Scope) }) {
		return &model.UsageError{Text: fmt.Sprintf("%q without a bound has no end of states in a FIFO channel under the model %s: give it a budget, or use the model M",
			f.Label, p.Delivery)}
	}
	return nil
}

// mayDrop refuses mailboxes under a delivery model whose delivered messages have left the inbox, where they would no longer fill the mailbox.
func mayDrop(p *model.Program) error {
	if p.Delivery == model.M || !p.HasMailboxes() {
		return nil
	}
	return &model.UsageError{Text: fmt.Sprintf("network().mailbox is for the delivery model M, not %s, which delivers messages by events of their own: a mailbox drops them as they arrive", p.Delivery)}
}

// mayCollect refuses an actor for which copies of messages count where there is no end of them: properties read the messages in flight, or
// receiving and duplicating a message without bound are two events, and a handler may take several copies, or crash with one.
func mayCollect(p *model.Program, name, class string) error {
	if !p.CountsCopies(name, class) || p.NeverEmpties(name) && !p.SeesInFlight {
		return nil
	}
	why := name + " may crash within handlers"
	if handler := p.QuorumHandler(class); handler != "" {
		why = handler + " may take several messages at once"
	}
	for _, f := range p.Faults {
		if !f.Repeats() || !f.Scope.Has(name) {
			continue
		}
		reason := "with final conditions or liveness where " + why
		switch {
		case p.SeesInFlight:
			reason = "where properties call inFlight(), as there is no end of copies"
		case p.Channel(name).KeepsOrder():
			reason = "in a FIFO channel where " + why
		}
		return &model.UsageError{Text: fmt.Sprintf("%q without a bound cannot be checked %s: give it a budget", f.Label, reason)}
	}
	return nil
}

// splitter is the actor whose event the Split of a fault is: the first one of that side. Any one would do that
// there is from the beginning: the event neither depends on that actor nor changes it, and is there even when
// the actor has stopped, or is an adversary.
func splitter(p *model.Program, f model.Fault) (string, error) {
	var side []string
	for _, a := range p.Initial.Actors {
		if f.Scope.Has(a.Name) {
			side = append(side, a.Name)
		}
	}
	for _, name := range p.Adversaries() {
		if f.Scope.Has(name) {
			side = append(side, name)
		}
	}
	if len(side) == 0 {
		return "", fmt.Errorf("the fault %q cuts off no actor", f.Label)
	}
	return slices.Min(side), nil
}

// admit puts the adversaries of a fault in their places, and interns the messages that they may send. An adversary has no local state, and
// messages to it vanish, as with an actor that has stopped; so it has the node of one, from the start.
func (a *Actors) admit(s model.State, fault int) (model.State, error) {
	f := a.Values.program.Faults[fault]
	if f.Domain == nil {
		return s, fmt.Errorf("it is not known which messages %q is about", f.Label)
	}
	for _, name := range f.Scope.Names {
		position := a.Values.position(name)
		s, _ = s.Put(position, a.Nodes.stop(position, 0), nil)
	}
	for _, m := range f.Domain {
		if !f.Scope.Has(m.Sender) {
			return s, fmt.Errorf("%q has a message from %s, which is none of its adversaries", f.Label, m.Sender)
		}
		id, err := a.Values.internMessage(m)
		if err != nil {
			return s, err
		}
		if s := (sending{a.Values.position(m.Sender), id}); !slices.Contains(a.Moves.domains[fault], s) {
			a.Moves.domains[fault] = append(a.Moves.domains[fault], s)
		}
	}
	return s, nil
}
