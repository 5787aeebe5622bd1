package audit

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/differ"
	"harrier/model"
)

const withoutReduction = "check with --por off"

// together is the error of two events that do not commute in a state.
func (p *pairing) together(s model.State, e, u act, what string, further ...string) error {
	return &model.RuleError{
		Text: fmt.Sprintf("partial-order reduction took %s and %s to be independent, but %s: %s",
			p.described(e), p.described(u), what, withoutReduction),
		Detail: append([]string{p.shown("the state:        ", s)}, further...),
	}
}

// alone is the error of a transition that must not be followed while others are put off.
func (p *pairing) alone(s model.State, a act, what string) error {
	return &model.RuleError{
		Text:   fmt.Sprintf("partial-order reduction put off what may happen beside %s, but %s: %s", p.described(a), what, withoutReduction),
		Detail: []string{p.shown("the state:        ", s)},
	}
}

// described names a transition: who does what with which messages.
func (p *pairing) described(a act) string {
	does := a.Kind.String()
	if a.Handler != 0 {
		does = fmt.Sprintf("%q", p.actors.HandlerLabel(int(a.Handler)))
	}
	text := fmt.Sprintf("%s of %s", does, p.actors.PositionName(int(a.Slot)+1))
	if len(a.Messages) == 0 {
		return text
	}
	return fmt.Sprintf("%s (%s)", text, p.listed(a.Messages))
}

func (p *pairing) listed(messages []model.MessageID) string {
	var texts []string
	for _, id := range messages {
		m := p.actors.Message(id)
		text := differ.Text(p.actors.Program(), m.Payload)
		if m.Sender != "" {
			text += " from " + m.Sender
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// differing says in what two states differ.
func (p *pairing) differing(one, other model.State) string {
	for position := 1; position < max(len(one), len(other)); position++ {
		a, b, name := p.partsAt(one, position), p.partsAt(other, position), p.actors.PositionName(position)
		switch {
		case p.relevant.local(a.Local) != p.relevant.local(b.Local) || a.Stopped != b.Stopped:
			return name + " is in another state if they are exchanged"
		case !slices.Equal(p.relevant.mailbox(a.Waiting), p.relevant.mailbox(b.Waiting)):
			return "other messages wait for " + name + ", or in another order, if they are exchanged"
		case !slices.Equal(p.relevant.mailbox(a.Delivered), p.relevant.mailbox(b.Delivered)):
			return "other messages are delivered to " + name + " if they are exchanged"
		}
	}
	if string(p.actors.GlobalParts(one[0]).History) != string(p.actors.GlobalParts(other[0]).History) {
		return "the history is another one if they are exchanged"
	}
	return "faults have spent or cut something else if they are exchanged"
}

func (p *pairing) partsAt(s model.State, position int) model.NodeParts {
	if position >= len(s) {
		return model.NodeParts{}
	}
	return p.actors.NodeParts(s[position])
}

// shown shows a state.
func (p *pairing) shown(title string, s model.State) string {
	var texts []string
	for position := 1; position < len(s); position++ {
		parts := p.actors.NodeParts(s[position])
		if s[position] == 0 {
			continue
		}
		text := p.actors.PositionName(position) + ": "
		switch {
		case parts.Stopped:
			text += "stopped"
		case parts.Local == 0:
			text += "not created yet"
		default:
			text += differ.Text(p.actors.Program(), p.actors.Actor(parts.Local).Local)
		}
		if len(parts.Waiting) > 0 {
			text += " before " + p.listed(parts.Waiting)
		}
		if len(parts.Delivered) > 0 {
			text += " with " + p.listed(parts.Delivered)
		}
		texts = append(texts, text)
	}
	return title + strings.Join(texts, "; ")
}
