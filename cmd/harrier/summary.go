package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/dbss"
	"harrier/internal/memory"
	"harrier/model"
	"harrier/property"
	"harrier/report"
)

// summary turns what a search found into a report, but for its times and the counterexample.
func (k *check) summary(actors *model.Actors, checker *property.Checker, result *dbss.Result) *report.Summary {
	program, stats := actors.Program(), actors.Stats()
	s := &report.Summary{
		Version:         report.SummaryVersion,
		Program:         k.program,
		Scenario:        program.Scenario,
		Parameters:      append([]model.Parameter{}, program.Parameters...),
		Search:          k.search,
		Model:           k.delivery.String(),
		Hashing:         k.hashing,
		Push:            k.push,
		Store:           k.store,
		Reduction:       k.reduction,
		Workers:         k.workerCount,
		Fields:          len(program.FieldNames(func(model.Field) bool { return true })),
		Auxiliary:       auxiliaryFields(program),
		Properties:      k.properties(program),
		Verdict:         verdict(result),
		Complete:        result.Complete,
		States:          result.States,
		Transitions:     result.Transitions,
		Depth:           result.Depth,
		Terminal:        result.Terminal,
		Violations:      result.Violations,
		LocalStates:     stats.LocalStates,
		Messages:        stats.Messages,
		LocalSteps:      stats.LocalSteps,
		Executions:      stats.Executions,
		PeakMemoryBytes: memory.Peak(),
		MaxMemoryBytes:  k.memory.bytes,
		VisitedBytes:    result.VisitedBytes,
		TreeBytes:       result.TreeBytes,
		MemoBytes:       result.MemoBytes,
		FrontierBytes:   result.FrontierBytes,
		Reproduce:       k.reproduce,
	}
	terminal := result.Terminal
	if !k.asksFinal() {
		terminal = 0
	}
	s.Evaluations, s.Remembered = checker.Evaluations(result.States, terminal)
	if k.store == "compact" {
		omission := result.Omission()
		s.Omission = &omission
	}
	if s.Verdict == report.Inconclusive {
		s.Reason = result.Reason
	}
	for number := 1; number <= actors.Handlers(); number++ {
		runs := uint64(0)
		if number < len(result.HandlerRuns) {
			runs = result.HandlerRuns[number]
		}
		s.Handlers = append(s.Handlers, report.HandlerRuns{Handler: actors.HandlerLabel(number), Runs: runs})
	}
	for i, f := range actors.Program().Faults {
		taken := uint64(0)
		if i < len(result.FaultsTaken) {
			taken = result.FaultsTaken[i]
		}
		s.Faults = append(s.Faults, report.FaultsTaken{Fault: f.Label, Taken: taken})
	}
	s.Remarks = k.remarks(actors, result, s)
	s.NotReached = k.notReached(program, checker, s)
	return s
}

// notReached are the properties that were never put to the test.
func (k *check) notReached(program *model.Program, checker *property.Checker, s *report.Summary) []report.NotReached {
	list := []report.NotReached{}
	for i, p := range program.Properties {
		if reason := checker.NotReached(i); reason != "" && slices.Contains(s.Properties, p.Name) {
			list = append(list, report.NotReached{Property: p.Name, Reason: reason})
		}
	}
	if !slices.ContainsFunc(s.Handlers, func(h report.HandlerRuns) bool { return h.Runs > 0 }) {
		list = append(list, report.NotReached{Property: property.NoFailure, Reason: "no handler ran"})
	}
	return list
}

// marks says which fields are auxiliary only since they are marked so.
func marks(actors *model.Actors) []string {
	var rests []string
	for _, f := range actors.Program().Fields {
		text := fmt.Sprintf("the verdict rests on the mark @Auxiliary of %s, which the analysis does not confirm: %s; --audit compares all its variants",
			f, strings.Join(f.Reason, "; "))
		if isBelieved(f) && actors.Decomposes() && !slices.Contains(rests, text) { // it may be inherited
			rests = append(rests, text)
		}
	}
	return rests
}

// reserve notes what the verdict does not cover. With --strict it is inconclusive then. Handlers that never ran are no such
// thing: an actor may be of use in other scenarios as well, and what this one is to check is what it declares.
func (k *check) reserve(actors *model.Actors, s *report.Summary) {
	rests := marks(actors)
	if s.Audit != nil && s.Audit.Marks && s.Audit.Complete {
		rests = nil
	}
	s.Reserve(append(neverTaken(actors, s), rests...))
	if k.strict && len(s.Reservations) > 0 {
		s.Verdict, s.Reason = report.Inconclusive, strings.Join(s.Reservations, "; ")+" (--strict)"
	}
}

func verdict(result *dbss.Result) report.Verdict {
	switch {
	case result.Violation != nil:
		return report.Violated
	case result.Complete:
		return report.Verified
	}
	return report.Inconclusive
}

// asksFinal reports whether terminal states must be expected ones. Not so in MP: an actor to which two messages were delivered
// must consume both at once there, so runs get stuck that do not in M and M-MP.
func (k *check) asksFinal() bool { return !k.noDeadlock && k.delivery != model.MP }

func (k *check) properties(program *model.Program) []string {
	names := []string{}
	for _, p := range program.Properties {
		if p.Kind != model.Final || k.asksFinal() {
			names = append(names, p.Name)
		}
	}
	return append(names, property.NoFailure)
}

// remarks points out what may make a verdict say less than it seems to.
func (k *check) remarks(actors *model.Actors, result *dbss.Result, s *report.Summary) []string {
	program := actors.Program()
	remarks := append([]string{}, program.Remarks...)
	if !slices.ContainsFunc(program.Properties, func(p model.Property) bool { return p.Kind == model.Invariant }) {
		remarks = append(remarks, "the scenario has no @Invariant")
	}
	if result.Complete {
		for _, what := range append(neverRan(actors, s), neverTaken(actors, s)...) {
			remarks = append(remarks, what+never(result))
		}
	}
	remarks = append(remarks, marks(actors)...)
	return append(remarks, k.terminalStates(result, hasFinal(program))...)
}

// hasFinal reports whether the scenario says which terminal states are expected.
func hasFinal(program *model.Program) bool {
	return slices.ContainsFunc(program.Properties, func(p model.Property) bool { return p.Kind == model.Final })
}

// terminalStates points out what a verdict does not say of terminal states.
func (k *check) terminalStates(result *dbss.Result, hasFinal bool) []string {
	switch {
	case hasFinal && k.delivery == model.MP && !k.noDeadlock:
		return []string{"expectFinal() was not asked: under MP an actor must consume all that was delivered to it at once, " +
			"so a run may get stuck that does not under M and M-MP"}
	case result.Leftover > 0 && !hasFinal && k.delivery != model.MP:
		what := "terminal states"
		if k.reduction == "macro" {
			what = "macro states with a terminal state"
		}
		return []string{fmt.Sprintf(
			"%d of the %d %s have messages left that nobody accepts; expectFinal() says which of them are expected", result.Leftover, result.Terminal, what)}
	}
	return nil
}

// never says where it was looked for what was not met.
func never(result *dbss.Result) string {
	if result.Reduced > 0 {
		return " in the orders of events that were followed"
	}
	return ""
}

// neverRan are the handlers of actors that exist which never ran.
func neverRan(actors *model.Actors, s *report.Summary) []string {
	runs := map[string]uint64{}
	for _, h := range s.Handlers {
		runs[h.Handler] = h.Runs
	}
	var remarks []string
	listed := map[string]bool{}
	for _, h := range actors.Program().Handlers {
		if runs[h.Label] == 0 && actors.HasActors(h.Class) && !listed[h.Label] {
			listed[h.Label] = true
			remarks = append(remarks, h.Label+" never ran")
		}
	}
	return remarks
}

// neverTaken are the faults that were allowed and never taken.
func neverTaken(actors *model.Actors, s *report.Summary) []string {
	var remarks []string
	for i, f := range actors.Program().Faults {
		// Where messages may be received without bound, that they are received again is no event of its own.
		if s.Faults[i].Taken == 0 && !f.Repeats() {
			remarks = append(remarks, f.Label+" never happened")
		}
	}
	return remarks
}

// commandLine is the command that does the same again: its name with its arguments, and the flags that were set, but for
// some.
func commandLine(c *cobra.Command, arguments []string, without ...string) string {
	arguments = append([]string{os.Args[0]}, arguments...)
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(without, f.Name) {
			return
		}
		for _, v := range valuesOf(f) {
			switch {
			case f.Value.Type() != "bool":
				arguments = append(arguments, "--"+f.Name, v)
			case v == "true":
				arguments = append(arguments, "--"+f.Name)
			default:
				arguments = append(arguments, "--"+f.Name+"="+v)
			}
		}
	})
	return report.CommandLine(arguments...)
}
