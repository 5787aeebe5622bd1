package audit

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/model/space"
)

const withoutReduction = "check with --por off"

// together is the error of two events that do not commute in a state.
func (r *Reduction) together(s model.State, e, u space.NodeStep, what string, further ...string) error {
	return &model.RuleError{
		Text: fmt.Sprintf("partial-order reduction took %s and %s to be independent, but %s: %s",
			r.described(e), r.described(u), what, withoutReduction),
		Detail: append([]string{r.shown("the state:        ", s)}, further...),
	}
}

// alone is the error of a transition that must not be followed while others are put off.
func (r *Reduction) alone(s model.State, a space.NodeStep, what string) error {
	return &model.RuleError{
		Text: fmt.Sprintf("partial-order reduction put off what may happen beside %s, but %s: %s", r.described(a), what,
			withoutReduction),
		Detail: []string{r.shown("the state:        ", s)},
	}
}

// described names a transition: who does what with which messages.
func (r *Reduction) described(a space.NodeStep) string {
	does := a.Kind.String()
	if a.Handler != 0 {
		does = fmt.Sprintf("%q", r.actors.Values.HandlerLabel(int(a.Handler)))
	}
	text := fmt.Sprintf("%s of %s", does, r.actors.Values.PositionName(int(a.Slot)+1))
	if len(a.Messages) == 0 {
		return text
	}
	return fmt.Sprintf("%s (%s)", text, differ.Messages(r.actors, a.Messages))
}

// differing says in what two states differ.
func (r *Reduction) differing(one, other model.State) string {
	for position := uint32(1); int(position) < max(len(one), len(other)); position++ {
		a, b, name := r.actors.Nodes.Parts(one.At(position)), r.actors.Nodes.Parts(other.At(position)), r.actors.Values.PositionName(int(position))
		switch {
		case a.Local != b.Local || a.Stopped != b.Stopped:
			return name + " is in another state if they are swapped"
		case !slices.Equal(a.Waiting, b.Waiting):
			return "other messages wait for " + name + ", or in another order, if they are swapped"
		case !slices.Equal(a.Delivered, b.Delivered):
			return "other messages are delivered to " + name + " if they are swapped"
		}
	}
	if string(r.actors.Globals.History(one)) != string(r.actors.Globals.History(other)) {
		return "the history is another one if they are swapped"
	}
	return "faults have spent or cut something else if they are swapped"
}

// shown shows a state.
func (r *Reduction) shown(title string, s model.State) string {
	return title + differ.State(r.actors, s)
}
