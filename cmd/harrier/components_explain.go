package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/por/macro"
	"harrier/serializer"
)

func explainComponentsCommand() *cobra.Command {
	o := plan.Default()
	o.Symmetry = "off"
	c := explaining("components", "Print what components show one another, and what is internal",
		`Explores the macro states of a program. Prints for each component the labels of its macro steps (messages to others,
records of the history, budgets of faults), the events that are internal, and how many states it can become by
internal steps: all of them are explored in each macro step. It gives no verdict.`,
		"paxos --components proposer1+acceptor1",
		func(e *explain, ctx context.Context, path string) (explanation, error) {
			return e.components(ctx, path, o)
		})
	registerComponents(c, &o.Components)
	c.Flags().Uint64Var(&o.MaxStates, "max-states", 0, "end after this many macro states")
	return c
}

func (e *explain) components(ctx context.Context, path string, o plan.Options) (explanation, error) {
	c, err := e.stages(ctx, path, o, check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	system, options := c.MacroSystem(), dbss.Options{MaxStates: o.MaxStates, KeepGoing: true, NoDeadlock: true}
	result, err := system.Search(ctx, options, &dbss.Progress{})
	if err != nil {
		return nil, err
	}
	d := report.Components{
		Heading: report.NewHeading(path, c.Program.Program()), States: result.States, Complete: result.Complete,
		Reason: result.Reason, Components: []report.Component{},
	}
	for _, i := range system.Interfaces() {
		d.Components = append(d.Components, component(c.Actors(), i))
	}
	return d, nil
}

// component describes an interface.
func component(actors *model.Actors, i macro.Interface) report.Component {
	d := report.Component{States: i.States, LargestInside: i.Largest, Shows: []report.Shown{}, Inside: []report.InternalEvent{}}
	for _, position := range i.Positions {
		d.Actors = append(d.Actors, actors.Values.PositionName(int(position)))
	}
	if i.States > 0 {
		d.MeanInside = float64(i.Members) / float64(i.States)
	}
	shown := map[string][]string{}
	for _, x := range i.Exits {
		for _, what := range shows(actors, x) {
			if by := eventName(actors, x.Event); !slices.Contains(shown[what], by) {
				shown[what] = append(shown[what], by)
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(shown)) {
		d.Shows = append(d.Shows, report.Shown{What: what, By: slices.Sorted(slices.Values(shown[what]))})
	}
	for event, steps := range i.Internal {
		d.Inside = append(d.Inside, report.InternalEvent{Event: eventName(actors, event), Steps: steps})
	}
	slices.SortFunc(d.Inside, func(x, y report.InternalEvent) int { return cmp.Compare(x.Event, y.Event) })
	return d
}

// shows lists what an exit shows.
func shows(actors *model.Actors, x macro.Exit) []string {
	var all []string
	for _, e := range x.Outside {
		if e.Message != 0 {
			all = append(all, messageName(actors, actors.Values.Message(e.Message)))
		} else {
			all = append(all, "creates an actor")
		}
	}
	records, refusable, _ := actors.Globals.UpdateParts(x.Update)
	for _, also := range []struct {
		does bool
		what string
	}{
		{x.Failure != 0, "fails"}, {records, "a record of the history"},
		{refusable && x.Fault != 0, "the budget of a fault"}, {refusable && x.Fault == 0, "a partition has a say"},
	} {
		if also.does {
			all = append(all, also.what)
		}
	}
	return all
}

// messageName says what is sent to whom. Actors of one role are not told apart.
func messageName(actors *model.Actors, m model.Message) string {
	to := m.Receiver
	for _, r := range actors.Program().Roles {
		if slices.Contains(r.Actors, to) && len(r.Actors) > 1 {
			to = r.Name + "*"
		}
	}
	what := "a message"
	if v, err := serializer.Decode(m.Payload); err == nil {
		what = serializer.Labels(actors.Program().Labels).Of(v.ClassName)
	}
	return fmt.Sprintf("%s to %s", what, to)
}

// eventName is the handler or fault of an event.
func eventName(actors *model.Actors, e macro.Event) string {
	switch {
	case e.Fault != 0:
		return actors.Program().FaultName(int(e.Fault) - 1)
	case e.Handler != 0:
		return actors.Values.HandlerLabel(int(e.Handler))
	}
	return "delivery"
}
