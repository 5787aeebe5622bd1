package toy

import (
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// UsesSender reports whether what actors of a class do with a message may depend on who sent it.
func (p *Protocol) UsesSender(class string, m model.Message) bool {
	read, err := readMessage(m.Payload)
	return err != nil || p.classOf(local{class: class}).usesSender(read.Kind)
}

func (c *Class) usesSender(kind int) bool {
	return slices.ContainsFunc(c.Handlers, func(h Handler) bool {
		return h.Kind != Itself && h.kinds()>>kind&1 == 1 && h.usesSender()
	})
}

func (h *Handler) usesSender() bool {
	return slices.ContainsFunc(h.Guard, isOfSender) ||
		slices.ContainsFunc(slices.Concat(h.Outcomes...), func(a Act) bool { return a.usesSender() || slices.ContainsFunc(a.When, isOfSender) })
}

func isOfSender(t Test) bool {
	return slices.Contains([]int{OfSender, OfPeer, OfKnowledge, OfVotes, OfSenders}, t.Field)
}

// usesSender reports whether what an act does depends on the sender, and is not auxiliary.
func (a Act) usesSender() bool {
	switch a.Do {
	case "note":
		return false
	case "befriend", "learn", "list", "vote":
		return a.Who == "" || a.Who == "sender" || a.Who == "senders"
	}
	return a.To == "sender" || a.To == "senders" || a.Who == "sender"
}

// senders are those of all kinds of messages at actors of all classes.
func (p *Protocol) senders(kinds int) []model.Sender {
	var all []model.Sender
	for i := range p.Classes {
		for kind := range kinds {
			s := model.Sender{Message: kindClass(kind), Actor: p.Classes[i].Name, Verdict: model.Inferred}
			if p.Classes[i].usesSender(kind) {
				s.Verdict, s.Reason = model.Relevant, []string{"a handler uses it"}
			}
			all = append(all, s)
		}
	}
	return all
}

// Sender is what of a message's sender is relevant.
func (p *Protocol) Sender(m model.Message) string {
	read, err := readMessage(m.Payload)
	if err != nil {
		return m.Sender
	}
	return p.Program().RelevantSender(kindClass(read.Kind), m)
}

// SenderFact returns the analysis of the sender of a message, and whether there is one.
func (p *Protocol) SenderFact(m model.Message) (model.Sender, bool) {
	read, err := readMessage(m.Payload)
	if err != nil {
		return model.Sender{}, false
	}
	return p.Program().SenderFact(kindClass(read.Kind), m.Receiver)
}

// Relevance has the relevant parts of local states and messages, senders included.
func (p *Protocol) Relevance() space.Decomposition {
	return space.Decomposition{Relevant: p.Relevant, Sender: p.Sender}
}

// hush takes the acts that use senders out of some handlers: messages to the sender go to the peer. It draws from a sequence of its own.
func (d *dice) hush(seed uint64) {
	random := rand.New(rand.NewPCG(seed, d.mix.salt^0x2545f4914f6cdd1d))
	for i := range d.Classes {
		hushed := uint(random.IntN(1 << leastKinds))
		for k := range d.Classes[i].Handlers {
			if h := &d.Classes[i].Handlers[k]; h.Kind != Itself && h.Quorum == nil && hushed>>h.Kind&1 == 1 {
				h.hush()
			}
		}
	}
}

func (h *Handler) hush() {
	h.Guard = slices.DeleteFunc(slices.Clone(h.Guard), isOfSender)
	for k, acts := range h.Outcomes {
		acts = slices.Clone(acts)
		for i := range acts {
			a := &acts[i]
			a.When = slices.DeleteFunc(slices.Clone(a.When), isOfSender)
			if !a.usesSender() {
				continue
			}
			if a.Do != "send" || a.Who == "sender" {
				a.Who = "peer"
			}
			if a.To == "sender" {
				a.To = "peer"
			}
		}
		h.Outcomes[k] = acts
	}
}
