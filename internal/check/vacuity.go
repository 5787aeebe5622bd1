package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/section"
	"harrier/serializer"
)

// Vacuity has the parts of a scenario on which the verdict of a complete search does not depend.
type Vacuity struct {
	// Vacuous are properties that were put to the test and hold [whatever the actors do](guide.md#properties-that-hold-whatever-the-actors-do);
	// missing if there are none.
	Vacuous []Vacuous `json:"vacuous,omitempty"`
	// Vanished are messages to actors that had called stop(); missing if there are none, and after a local proof.
	Vanished []Vanished `json:"vanished,omitempty"`
}

// Vacuous is a property with the reason why it holds whatever the actors do.
type Vacuous struct {
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// Vanished counts the messages of a kind to an actor that it could not consume any more, as it had stopped.
type Vanished struct {
	Message  string `json:"message"` // the kind
	Receiver string `json:"receiver"`
	Distinct uint64 `json:"distinct"` // how many different ones, without auxiliary parts
	Example  string `json:"example"`  // one of them: the first by its text
}

// add counts a message with a text.
func (v *Vanished) add(text string) {
	if v.Distinct++; v.Distinct == 1 || text < v.Example {
		v.Example = text
	}
}

// lines are one for each property and each kind of messages.
func (v Vacuity) lines() (lines []string) {
	for _, p := range v.Vacuous {
		lines = append(lines, fmt.Sprintf("%q holds whatever the actors do: %s", p.Property, p.Reason))
	}
	for _, m := range v.Vanished {
		lines = append(lines, fmt.Sprintf("%s, such as %s, vanished: %s had stopped",
			section.Plural(m.Distinct, "distinct "+m.Message+" message"), m.Example, m.Receiver))
	}
	return lines
}

// judgeVacuity notes of a complete search which of the properties that hold say nothing of what the actors do, and
// which messages vanished.
func (c *Check) judgeVacuity(ctx context.Context) error {
	if !c.Result.Complete || c.Result.States+c.Result.Internal < 2 {
		return nil // of one state all is the same
	}
	answers, err := c.askLast(ctx, func(ctx context.Context) (err error) {
		if c.Shared == nil { // else others evaluated them
			c.known.vacuity.Vacuous, err = c.vacuous(ctx)
		}
		return err
	})
	if !answers || err != nil {
		return err
	}
	c.known.vacuity.Vanished = vanished(c.Actors())
	c.remark(c.known.vacuity.lines()...)
	return nil
}

// vacuous are the properties, of all kinds, that were put to the test and hold whatever the actors do.
func (c *Check) vacuous(ctx context.Context) (list []Vacuous, err error) {
	program := c.Actors().Program()
	for i, p := range program.Properties {
		if !slices.Contains(c.Summary.Properties, p.Name) || c.untestedReason(program, i) != "" || c.Checker.Violated(i) {
			continue
		}
		reason, err := c.Checker.Vacuity(ctx, i)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			list = append(list, Vacuous{Property: p.Name, Reason: reason})
		}
	}
	var names []string // of properties of runs, of which each may be asked for several actors
	for _, of := range c.runs.searches {
		if !slices.Contains(names, of.of.Name) && !slices.Contains(c.Summary.Undecided, livenessName(of.of)) {
			names = append(names, of.of.Name)
		}
	}
	for _, name := range names {
		reason, err := c.vacuousRuns(ctx, name)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			list = append(list, Vacuous{Property: name, Reason: reason})
		}
	}
	return list, nil
}

// vacuousRuns is the reason why a property of runs holds whatever the actors do: for each actor that it is asked for, all of its
// predicates do, or the formula is satisfied whatever some of them are.
func (c *Check) vacuousRuns(ctx context.Context, name string) (reason string, err error) {
	for _, of := range c.runs.searches {
		if of.of.Name != name {
			continue
		}
		if reason = of.Vacuity(); reason == "" {
			if reason, err = c.vacuousPredicates(ctx, of.of); err != nil {
				return "", err
			}
		}
		if reason == "" {
			return "", nil
		}
	}
	return reason, nil
}

// vacuousPredicates is the reason of the last predicate of a formula if each has one.
func (c *Check) vacuousPredicates(ctx context.Context, of model.Liveness) (reason string, err error) {
	for _, a := range of.Atoms {
		if reason, err = c.Checker.Vacuity(ctx, a.Property); reason == "" || err != nil {
			return "", err
		}
	}
	return reason, nil
}

// vanished counts the messages to actors that had stopped, by receiver and kind.
func vanished(actors *space.Actors) (list []Vanished) {
	labels := serializer.Labels(actors.Program().Labels)
	for _, id := range space.Vanished(actors) {
		m := actors.Values.Message(id)
		kind := labels.Of(serializer.ClassOf(m.Payload))
		i := slices.IndexFunc(list, func(of Vanished) bool { return of.Message == kind && of.Receiver == m.Receiver })
		if i < 0 {
			i = len(list)
			list = append(list, Vanished{Message: kind, Receiver: m.Receiver})
		}
		text := "a message"
		if value, err := serializer.Decode(m.Payload); err == nil {
			text = labels.Format(value)
		}
		list[i].add(text)
	}
	slices.SortFunc(list, func(a, b Vanished) int {
		return strings.Compare(fmt.Sprint(a.Receiver, " ", a.Message), fmt.Sprint(b.Receiver, " ", b.Message))
	})
	return list
}
