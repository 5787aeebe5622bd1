package main

import (
	"context"
	"fmt"
	"net"
	"slices"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/report"
)

// awaitDebugger says how to attach a debugger, if one is wanted.
func (r *replay) awaitDebugger(c *cobra.Command) error {
	if !c.Flags().Changed("debug") {
		return nil
	}
	if r.debug < 1 || r.debug > 65535 {
		return fmt.Errorf("--debug=%d: ports are 1 to 65535", r.debug)
	}
	address := fmt.Sprintf("127.0.0.1:%d", r.debug)
	l, err := net.Listen("tcp4", address)
	if err != nil {
		return fmt.Errorf("--debug=%d: something else listens at this port, or it may not be used: name another one", r.debug)
	}
	l.Close()
	fmt.Fprintf(c.ErrOrStderr(), `waiting for a debugger at %[1]s
  IntelliJ IDEA, Eclipse, VS Code: attach to a remote JVM, host 127.0.0.1, port %[2]d
  jdb -attach %[1]s -sourcepath FOLDER
The method harrier.runtime.step.Breakpoint.before(step, actor, handler) is called before each handler of the trace.
`, address, r.debug)
	return nil
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
	if model.IsSpeculative(ctx) {
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
