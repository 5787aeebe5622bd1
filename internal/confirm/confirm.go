// Package confirm executes what a search found: the run of a violation, from the initial state, over whole states, each step by Java
// whatever answers are kept. What a check reports has happened so, and its trace has all that is needed to have it happen again
// elsewhere.
package confirm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/report/minimal"
)

// Program is a loaded program.
type Program interface {
	// Anew answers as the program does, by executing each question, whatever answers are kept.
	Anew() model.Oracle
	// Notes gives what was noted of it so far.
	Notes(ctx context.Context) (bridge.Notes, error)
	// Classes gives all that it needs to be loaded again.
	Classes(ctx context.Context) (classes, libraries, resources map[string][]byte, err error)
}

// Grounds are what a search found something on.
type Grounds struct {
	Actors  *space.Actors
	Checker *property.Checker
}

// Counterexample leaves out of the run of a violation what it does not need, until shorten ends, and executes the rest. The trace says
// how long the run was that was found.
func Counterexample(shorten, ctx context.Context, p Program, source bridge.Source, on Grounds, found *dbss.Counterexample) (*report.Trace, error) {
	run, steps := found.Path, len(found.Path)
	if !found.Kind.IsOfRuns() { // which are short already
		var err error
		if run, err = minimal.Path(shorten, on.Actors, on.Checker, found.Violation, on.Actors.Initial(), run); err != nil {
			return nil, fmt.Errorf("making the counterexample shorter: %w", err)
		}
	}
	trace, err := Run(ctx, p, source, on.Actors, found.Violation, run)
	if err != nil {
		return nil, err
	}
	trace.FoundSteps = steps
	return trace, nil
}

// Run executes a run of actors from the initial state that ends in a violation, or in none. The error is a *report.Departure if it does
// not.
func Run(ctx context.Context, p Program, source bridge.Source, actors *space.Actors, v property.Violation, run []model.Transition) (*report.Trace, error) {
	actions, err := actors.Actions(run)
	if err != nil {
		return nil, err
	}
	trace, err := report.Record(ctx, p.Anew(), actors.Values.Decomposition, v, actions)
	if err != nil {
		return nil, fmt.Errorf("the run could not be executed again: %w", err)
	}
	return trace, Complete(ctx, trace, p, source)
}

// Complete puts into a trace all that is needed to load its program again.
func Complete(ctx context.Context, trace *report.Trace, p Program, source bridge.Source) error {
	notes, err := p.Notes(ctx)
	if err != nil {
		return err
	}
	trace.Program, trace.Allow, trace.Show, trace.Asked = source.Path, notes.Allowed, source.Show, source.Properties
	if source.Threads != bridge.Blocking {
		trace.Threads = source.Threads
	}
	trace.Classes, trace.Libraries, trace.Resources, err = p.Classes(ctx)
	return err
}

// Cause returns why a counterexample departs from what the search found, if err is a *report.Departure, and err otherwise: kept answers that
// are wrong, or parts that matter although they were taken to be auxiliary. Steps with other auxiliary parts may show which: their
// error is a *space.VariationError.
func Cause(ctx context.Context, err error, actors *space.Actors, source bridge.Source) error {
	var departure *report.Departure
	if !errors.As(err, &departure) {
		return err
	}
	if actors.LocalSteps.Stats().Kept > 0 {
		return fmt.Errorf("%w; answers that earlier checks kept may be wrong: remove %s", err, source.Answers)
	}
	if !actors.Values.Decomposition.Decomposes() {
		return err
	}
	if found := space.Retry(ctx, actors.LocalSteps); found != nil {
		return found
	}
	program := actors.Program()
	return &model.RuleError{
		Text: "the auxiliary fields matter: a violation that the search met does not come about when they are kept: " +
			"check with --hashing full, and remove @Auxiliary where it stands",
		Detail: []string{departure.Text, "auxiliary: " + strings.Join(program.AuxiliaryFields(), ", "),
			"senders: " + strings.Join(program.AuxiliarySenderLabels(), ", ")},
	}
}
