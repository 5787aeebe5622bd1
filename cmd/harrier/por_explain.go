package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harrier/model"
	"harrier/report"
)

func explainPORCommand() *cobra.Command {
	e := &explain{}
	c := &cobra.Command{
		Use:   "por PROGRAM",
		Short: "Say which orders of events make a difference, and why",
		Long: `Lists what partial-order reduction goes by. For --por static that is what the bytecode of each handler reads, writes and
sends to whom, and which pairs of them depend on each other; where that is not known, the instruction that made it so. For
--por closure it is what may happen to each actor from the initial state on, which of its events can always be taken before
its others, and why the rest cannot, and which messages may come again and again.

A search leaves out orders that make no difference, unless --por off is given.`,
		Example: "  harrier explain por examples/paxos",
		Args:    exactly(1, programArgument),
		RunE:    func(c *cobra.Command, args []string) error { return e.por(c, args[0]) },
	}
	e.register(c)
	return c
}

func (e *explain) por(c *cobra.Command, path string) error {
	jvm, source, err := e.start(path)
	if err != nil {
		return err
	}
	program, _, err := loadProgram(c.Context(), jvm, source)
	if err != nil {
		return err
	}
	actors, err := model.NewActors(program, program.Decomposition(model.Selective))
	if err != nil {
		return err
	}
	d := report.Independence{
		Version: report.IndependenceVersion, Program: path, Scenario: program.Program().Scenario,
		Visible: visibleFields(program.Program()), Handlers: []report.HandlerEffects{}, Dependences: []report.Dependence{},
		Actors: []report.ActorClosure{}, Commutations: []report.Commutation{}, Renewable: []string{}, Remarks: []string{},
	}
	for _, f := range program.Program().Footprints {
		d.Handlers = append(d.Handlers, effects(program.Program(), f))
	}
	_ = actors
	return e.print(c, d)
}

// visibleFields are the fields that invariants may read.
func visibleFields(program *model.Program) []report.FieldUse {
	uses := []report.FieldUse{}
	for _, f := range program.Fields {
		if f.Visible {
			uses = append(uses, report.FieldUse{Field: f.String(), Where: f.Seen})
		}
	}
	if program.AgendaVisible {
		uses = append(uses, report.FieldUse{Field: model.Agenda, Where: "an invariant reads of timers, tasks or clocks"})
	}
	return uses
}

// effects describes what a handler may do.
func effects(program *model.Program, f model.Footprint) report.HandlerEffects {
	d := report.HandlerEffects{
		Handler: f.Handler, GuardReads: fieldUses(f.GuardReads), Reads: fieldUses(f.Reads), Writes: fieldUses(f.Writes),
		Sends: []report.Sending{}, Also: []string{},
	}
	for _, s := range f.Sends {
		d.Sends = append(d.Sends, report.Sending{Type: messageType(s.Type), To: recipient(s), Where: s.Where})
	}
	for _, also := range []struct {
		does bool
		what string
	}{
		{f.Creates, "creates actors"}, {f.Chooses, "chooses"}, {f.Stops, "stops its actor"}, {f.Records, "begins or ends operations"},
	} {
		if also.does {
			d.Also = append(d.Also, also.what)
		}
	}
	d.Visible = slices.ContainsFunc(f.Writes, func(t model.Touch) bool { return isVisible(program, t.Field) })
	return d
}

func isVisible(program *model.Program, field string) bool {
	if field == model.Agenda {
		return program.AgendaVisible
	}
	return slices.ContainsFunc(program.Fields, func(f model.Field) bool {
		return f.Visible && (field == model.AnyField || field == f.Class+"."+f.Name)
	})
}

func fieldUses(touches []model.Touch) []report.FieldUse {
	uses := []report.FieldUse{}
	for _, t := range touches {
		name := shortField(t.Field)
		if t.Field == model.AnyField {
			name = "any field"
		}
		if use := (report.FieldUse{Field: name, Where: t.Where}); !slices.Contains(uses, use) {
			uses = append(uses, use)
		}
	}
	return uses
}

// shortField is a field with its class, without packages and outer classes.
func shortField(field string) string {
	class, name, ok := strings.Cut(field, ".")
	if i := strings.LastIndexByte(field, '.'); i >= 0 {
		class, name = field[:i], field[i+1:]
	}
	if !ok {
		return field
	}
	return simpleName(class) + "." + name
}

func simpleName(class string) string { return class[strings.LastIndexAny(class, ".$")+1:] }

func messageType(class string) string {
	if class == "" {
		return "any message"
	}
	return simpleName(class)
}

func recipient(s model.Sending) string {
	switch s.To {
	case model.ToSender:
		return "the sender of what it consumes"
	case model.ToSelf:
		return "itself"
	case model.ToField:
		return fmt.Sprintf("whom %s names", shortField(s.Field))
	}
	return "anybody"
}
