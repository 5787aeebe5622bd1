package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/model"
	"harrier/property"
	"harrier/report"
	"harrier/report/minimal"
)

// How long a check that is interrupted, or has used up its time, goes on to print what it found.
const (
	recordTime = 10 * time.Second
	notesTime  = 2 * time.Second // which a step that does not return may hold up
)

// recordingContext is for telling what was found, even if the search was interrupted after that. It
// ends some time after ctx, and not before.
func recordingContext(ctx context.Context, extra time.Duration) (context.Context, context.CancelFunc) {
	recording, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(extra, func() { cancel(context.Cause(ctx)) })
	})
	return recording, func() { stop(); cancel(nil) }
}

// counterexample executes a violation again, from the initial state, writes its trace, and puts both
// into the summary.
func (k *check) counterexample(ctx context.Context, program *bridge.Program, actors *model.Actors, checker *property.Checker, v *dbss.Violation, summary *report.Summary) error {
	found := len(v.Path)
	run, err := minimal.Path(ctx, actors, checker, minimal.Violation{Kind: v.Kind, Property: v.Property}, v.Path)
	if err != nil {
		return fmt.Errorf("making the counterexample shorter: %w", err)
	}
	actions, err := actors.Actions(run)
	if err != nil {
		return err
	}
	trace, err := report.Record(ctx, actors.Oracle(), actors.Decomposition, report.Found{Kind: v.Kind, Property: v.Property, Actions: actions})
	if err != nil {
		return fmt.Errorf("the counterexample could not be executed again: %w", err)
	}
	notes, err := program.Notes(ctx)
	if err != nil {
		return err
	}
	trace.Program, trace.Allow, trace.Show, trace.FoundSteps = k.program, notes.Allowed, k.show, found
	if trace.Classes, trace.Libraries, trace.Resources, err = program.Classes(ctx); err != nil {
		return err
	}
	summary.Violation = &report.SummaryViolation{Violation: trace.Violation, Execution: trace.Execution, Found: found}
	// A violation is printed even where its trace cannot be kept.
	path, err := trace.Write(filepath.Join(k.out, trace.Name()))
	if err != nil {
		summary.Remarks = append(summary.Remarks, err.Error()+"; --out names another folder")
		return nil
	}
	summary.Violation.Trace, summary.Violation.Replay = path, report.CommandLine(os.Args[0], "replay", path)
	k.draw(trace, path, summary)
	return nil
}
