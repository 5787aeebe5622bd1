package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/confirm"
	"harrier/internal/model/network"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/property"
	"harrier/internal/report"
)

type replay struct {
	jvmFlags
	program   string
	classPath []string
	allow     []string
	debug     int
}

func replayCommand() *cobra.Command {
	r := &replay{}
	c := &cobra.Command{
		Use:   "replay TRACE",
		Short: "Execute a counterexample again, step by step",
		Long: `Executes a counterexample again, step by step, from the trace file that a check wrote.

The trace holds the program as it was checked. With --program, another version of the program is run
instead. What the program prints goes to standard error.

Exit codes: 1 the violation came about again, 0 it did not (with --program), 2 wrong use, or a trace that is
damaged or does not replay, 4 the program broke a rule, 5 internal error.`,
		Example: "  harrier replay harrier-out/PaxosFaulty-52c1d0a7/trace.json",
		Args:    exactly(1, traceArgument),
		RunE: func(c *cobra.Command, args []string) error {
			path := traceFile(args[0])
			return r.supervised(c, job{
				plan: func() (*launch.Task, error) { return r.plan(c, path) },
				run:  func(c *cobra.Command) error { return r.run(c, path) },
			})
		},
	}
	r.register(c)
	c.Flags().StringVar(&r.program, "program", "", "run this program instead of the one in the trace")
	registerClassPath(c, &r.classPath)
	registerAllow(c, &r.allow)
	c.Flags().IntVar(&r.debug, "debug", 0, "wait for a debugger at this port, and run the trace's handlers only")
	c.Flags().Lookup("debug").NoOptDefVal = "5005"
	return c
}

// plan makes the child process's task of replaying. The trace is read there: it may come from somewhere else.
func (r *replay) plan(c *cobra.Command, trace string) (*launch.Task, error) {
	if err := errors.Join(r.parse(), checkAllow(r.allow), codebase.DemandFiles(trace), r.awaitDebugger(c)); err != nil {
		return nil, usageError{err}
	}
	if r.program == "" {
		t := launch.ForTrace(trace)
		t.Prints, t.Reach.Port = true, r.debug
		return t, nil
	}
	t, err := launch.NewTask(r.program, r.classPath, r.allow)
	if err != nil {
		return nil, err
	}
	t.Prints = true
	t.Reach.Read, t.Reach.Port = append(t.Reach.Read, trace), r.debug
	return t, nil
}

func (r *replay) run(c *cobra.Command, path string) error {
	trace, source, err := r.read(path)
	if err != nil {
		return err
	}
	jvm, err := r.open(c.Context(), plan.MemoryLimit{}, 1)
	if err != nil {
		return err
	}
	return r.execute(c.Context(), jvm, source, trace, c.OutOrStdout())
}

// read reads a trace, and returns the source to load for it.
func (r *replay) read(path string) (*report.Trace, bridge.Source, error) {
	trace, err := report.ReadTrace(path)
	if err != nil {
		return nil, bridge.Source{}, usageError{err}
	}
	source, err := r.source(trace)
	if err != nil {
		return nil, source, usageError{err}
	}
	return trace, source, nil
}

// execute executes a trace, and prints the result. Only steps that harrier cannot take for reasons of its own are
// internal errors: the trace may be anybody's.
func (r *replay) execute(ctx context.Context, jvm *bridge.JVM, source bridge.Source, trace *report.Trace, out io.Writer) error {
	program, err := jvm.Load(ctx, source)
	if err != nil {
		return err
	}
	again, err := confirm.Again(ctx, program, trace, r.debug != 0)
	var departure *report.Departure
	var internal *bridge.InternalError
	if errors.As(err, &departure) && r.program != "" {
		fmt.Fprintf(out, "%s\n", report.Plain(fmt.Sprintf("%s does not repeat the trace: %v", r.program, err)))
		return nil
	}
	if departure != nil || errors.As(err, &internal) && internal.IsFormat {
		return usageError{fmt.Errorf("the trace does not replay: %v: it was changed, or another Java or harrier wrote it", err)}
	}
	if err != nil {
		return err
	}
	if err := showText(out, again); err != nil {
		return err
	}
	if again.Violation.Kind == property.None {
		fmt.Fprintf(out, "the run came about again, as in the trace\n")
		return nil
	}
	fmt.Fprintf(out, "the violation came about again, as in the trace\n")
	return verdictError{report.Violated}
}

func (r *replay) source(trace *report.Trace) (bridge.Source, error) {
	s := bridge.Source{
		Path: trace.Program, Scenario: trace.Scenario, Parameters: map[string]string{},
		Output: true, Classes: trace.Classes, Libraries: trace.Libraries, Resources: trace.Resources, Traced: trace.Allow, Threads: trace.Threads,
		Allow: r.allow, Show: trace.Show, Properties: trace.Asked,
	}
	var err error
	if s.Delivery, err = network.ParseDeliveryModel(trace.Model); err != nil {
		return s, err
	}
	for _, p := range trace.Parameters {
		s.Parameters[p.Name] = p.Value
	}
	if r.program == "" {
		if r.classPath != nil {
			return s, errors.New("--classpath goes with --program: a trace holds all classes that it needs")
		}
		return s, nil
	}
	s.Path, s.Classes, s.Libraries, s.Resources = r.program, nil, nil, nil
	s.ClassPath, err = codebase.ExpandClassPath(r.classPath)
	return s, err
}

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
