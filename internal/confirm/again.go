package confirm

import (
	"context"
	"fmt"
	"slices"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/report"
)

// Again executes a trace that was written before, perhaps of another version of the program, and returns the trace of the execution. Where it
// departs from the trace, the error is a *report.Departure. To be debugged, only the handlers of the trace run. Where a loop has to lead back
// to, auxiliary fields may differ.
func Again(ctx context.Context, program *bridge.Program, trace *report.Trace, debug bool) (*report.Trace, error) {
	trace.Begin(program.Program())
	var oracle model.Oracle = program
	if debug {
		oracle = newDebugged(program, trace)
	}
	var decomposition space.Decomposition
	if trace.Violation.Kind.IsOfRuns() {
		decomposition = program.Decomposition(space.Selective)
	}
	found, actions, err := trace.Claim(oracle.Program())
	if err != nil {
		return nil, err
	}
	again, err := report.Record(ctx, oracle, decomposition, found, actions)
	if err != nil {
		return nil, err
	}
	return again, trace.Departs(again)
}

// debugged is a program of which only the handlers of a trace run, each once, those of its loop twice, as its steps are asked for in
// order. Nothing else is enabled in it.
type debugged struct {
	model.Oracle
	program *bridge.Program
	steps   []report.Step // with the loop a second time
	loop    int           // its length
	next    int
}

func newDebugged(program *bridge.Program, trace *report.Trace) *debugged {
	for i := range trace.Steps {
		if trace.Steps[i].Handler != "" {
			trace.Steps[i].Outcome = 0 // of those that Steps gives
		}
	}
	steps := slices.Concat(trace.Steps, trace.Steps[len(trace.Steps)-trace.Loop:])
	return &debugged{Oracle: program, program: program, steps: steps, loop: trace.Loop}
}

// Steps implements model.Oracle.
func (d *debugged) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if questions[0].Beside {
		return make([]model.Answer, len(questions)), nil
	}
	for d.next < len(d.steps) && d.steps[d.next].Handler == "" {
		d.next++ // it runs no Java
	}
	if d.next == len(d.steps) {
		return d.Oracle.Steps(ctx, questions)
	}
	step := &d.steps[d.next]
	d.next++
	number := d.next
	if number > len(d.steps)-d.loop {
		number -= d.loop
	}
	outcomes, err := d.program.Repeat(ctx, questions[0], bridge.Chosen{Number: number, Handler: step.Handler, Choices: step.Choices})
	if err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		is, err := step.IsOf(ctx, d.Program(), o)
		if err != nil {
			return nil, err
		}
		if is {
			return []model.Answer{{Outcomes: []model.Outcome{o}}}, nil
		}
	}
	return nil, &report.Departure{Text: fmt.Sprintf("step %d: %s does not run", number, step.Handler)}
}
