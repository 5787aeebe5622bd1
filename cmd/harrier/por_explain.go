package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"harrier/model"
	"harrier/por/static"
	"harrier/report"
	"harrier/serializer"
)

func explainPORCommand() *cobra.Command {
	return explaining("por", "Say which orders of events make a difference, and why",
		`Lists what --por static goes by: what the bytecode of each handler reads, writes and sends to whom, and which pairs of them
depend on each other; where that is not known, the instruction that made it so.

A search leaves out orders that make no difference with --por.`,
		"paxos", (*explain).por)
}

func (e *explain) por(ctx context.Context, path string) (explanation, error) {
	actors, err := e.actors(ctx, path)
	if err != nil {
		return nil, err
	}
	facts, err := static.New(actors, static.Options{})
	if err != nil {
		return nil, fmt.Errorf("finding what handlers depend on: %w", err)
	}
	program := actors.Program()
	return report.Independence{
		Heading: report.NewHeading(path, program), Visible: visibleFields(program), Static: staticFacts(program, facts.Relations()),
	}, nil
}

// visibleFields are the fields that invariants may read.
func visibleFields(program *model.Program) []report.FieldUse {
	uses := []report.FieldUse{}
	for _, f := range program.Fields {
		if where := program.Sight(f); where != "" {
			uses = append(uses, report.FieldUse{Field: f.String(), Where: where})
		}
	}
	if program.AgendaVisible() {
		uses = append(uses, report.FieldUse{Field: model.Agenda, Where: "an invariant reads of timers, tasks or clocks"})
	}
	return uses
}

// staticFacts are relations for people.
func staticFacts(program *model.Program, r static.Relations) report.StaticFacts {
	d := report.StaticFacts{Handlers: []report.HandlerEffects{}, Pairs: []report.HandlerPair{}, Renewable: append([]string{}, r.Renewable...)}
	for _, h := range r.Handlers {
		d.Handlers = append(d.Handlers, effects(program, h))
	}
	for _, p := range r.Pairs {
		d.Pairs = append(d.Pairs, report.HandlerPair{One: p.One, Other: p.Other, Answer: p.Answer.String(), Reason: p.Reason})
	}
	return d
}

// effects describes what a handler may do.
func effects(program *model.Program, h static.HandlerRelations) report.HandlerEffects {
	labels := serializer.Labels(program.Labels)
	d := report.HandlerEffects{
		Handler: h.Label, Known: h.IsKnown, Takes: append([]string{}, h.Takes...),
		GuardReads: fieldUses(labels, h.GuardReads), Reads: fieldUses(labels, h.Reads), Writes: fieldUses(labels, h.Writes),
		Sends: []report.Sending{}, Also: []string{}, After: append([]string{}, h.NeedsSenders...), Unlocks: append([]string{}, h.Unlocks...),
	}
	for _, s := range h.Sends {
		d.Sends = append(d.Sends, report.Sending(s))
	}
	for _, also := range []struct {
		does bool
		what string
	}{
		{h.Creates, "creates actors"}, {h.Stops, "stops its actor"}, {h.Records, "begins or ends operations"},
	} {
		if also.does {
			d.Also = append(d.Also, also.what)
		}
	}
	d.Visible = slices.ContainsFunc(h.Writes, func(t model.Touch) bool { return isVisible(program, t.Field) })
	return d
}

func isVisible(program *model.Program, field string) bool {
	if field == model.Agenda {
		return program.AgendaVisible()
	}
	return slices.ContainsFunc(program.Fields, func(f model.Field) bool {
		return program.Sight(f) != "" && (field == model.AnyField || f.Declared() == field)
	})
}

func fieldUses(labels serializer.Labels, touches []model.Touch) []report.FieldUse {
	uses := []report.FieldUse{}
	for _, t := range touches {
		name := labels.Field(t.Field)
		if t.Field == model.AnyField {
			name = "any field"
		}
		if use := (report.FieldUse{Field: name, Where: t.Where}); !slices.Contains(uses, use) {
			uses = append(uses, use)
		}
	}
	return uses
}
