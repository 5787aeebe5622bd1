package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/confirm"
	"harrier/internal/explore"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/report"
)

// exploring is one run of the explore command.
type exploring struct {
	jvmFlags
	programFlags
	showFlags
	model     string
	from      string
	out       string
	port      uint16
	maxStates uint64
	program   string // "" for that of the trace
}

func exploreCommand() *cobra.Command {
	e := &exploring{}
	c := &cobra.Command{
		Use:   "explore PROGRAM | explore --from TRACE [PROGRAM]",
		Short: "Walk through the states of a program, in a browser",
		Long: `Prints the address of a page that shows a state of the program with the events that are enabled there. Take one, take it back,
try another: what was tried is a tree. Search for a violation from any state, and save any run as a trace.

--from begins with the run of a trace, such as a counterexample; with a PROGRAM, on that one in place of the trace's.
The page is on the loopback address only, and nobody who does not have its whole address gets an answer.

Ctrl-C ends it. Exit codes: 2 wrong use, 4 the program broke a rule, 5 internal error, 130 Ctrl-C.`,
		Example: `  harrier explore examples/paxos --set acceptors=2
  harrier explore --from harrier-out/PaxosFaulty-52c1d0a7/trace.json`,
		Args: func(c *cobra.Command, args []string) error {
			if e.from == "" || len(args) > 1 {
				return exactly(1, programArgument+", or --from and a trace")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				e.program = args[0]
			}
			return e.supervised(c, job{plan: func() (*launch.Task, error) { return e.plan(c) }, run: e.run})
		},
	}
	e.jvmFlags.register(c)
	e.programFlags.register(c)
	e.showFlags.register(c)
	f := c.Flags()
	f.StringVar(&e.model, "model", "M", "delivery model: M, MP or M-MP")
	f.StringVar(&e.from, "from", "", "begin with the run of a `trace`")
	f.StringVar(&e.out, "out", "harrier-out", "folder for traces")
	f.Uint16Var(&e.port, "port", 0, "port of the page (default: one that is free)")
	f.Uint64Var(&e.maxStates, "max-states", 1_000_000, "end a search after this many states")
	return c
}

// plan has this process listen for the browser: the one that runs Java may open no sockets.
func (e *exploring) plan(c *cobra.Command) (*launch.Task, error) {
	t, err := e.task(c)
	if err != nil {
		return nil, usageError{err}
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", e.port))
	if err != nil {
		return nil, usageError{fmt.Errorf("--port: %w", err)}
	}
	from, to, err := t.Connect()
	if err != nil {
		return nil, err
	}
	server := explore.NewServer(l, explore.Connect(from, to))
	go func() { // it ends with this process
		if server.Ask(&explore.Request{Do: "progress"}, &explore.Answer{}) == nil {
			fmt.Fprintf(c.OutOrStdout(), "explore:      %s\n", server.Address())
			_ = server.Serve(l)
		}
	}()
	return t, nil
}

// task returns the child process's task of exploring.
func (e *exploring) task(c *cobra.Command) (*launch.Task, error) {
	err := e.parse()
	if err == nil && e.from != "" {
		err = codebase.DemandFiles(e.from)
		for _, name := range []string{"set", "scenario", "model", "show", "hide"} {
			if c.Flags().Changed(name) {
				err = fmt.Errorf("--%s and --from do not go together: a trace has all that", name)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	var t *launch.Task
	if e.program == "" {
		t = launch.ForTrace(traceFile(e.from))
	} else if t, err = launch.NewTask(e.program, e.classPath, e.allow); err != nil {
		return nil, err
	} else if e.from != "" {
		t.Reach.Read = append(t.Reach.Read, traceFile(e.from))
	}
	return t, t.WriteTo(e.out, c.Flags().Changed("out"))
}

// run answers the browser's requests, in the process that runs Java.
func (e *exploring) run(c *cobra.Command) error {
	trace, source, err := e.read()
	if err != nil {
		return err
	}
	jvm, err := e.open(c.Context(), plan.MemoryLimit{}, 1)
	if err != nil {
		return err
	}
	program, _, err := check.LoadProgram(c.Context(), jvm, source)
	if err != nil {
		return err
	}
	session, err := e.session(c.Context(), program, source, trace)
	if err != nil {
		return err
	}
	child := childOf(c.Context())
	child.Link.Doing("exploring the program")
	from, to := child.Connection()
	go func() { _ = session.Answer(c.Context(), from, to) }()
	<-c.Context().Done()
	return c.Context().Err()
}

// read returns the source to load, and reads the trace, if any.
func (e *exploring) read() (*report.Trace, bridge.Source, error) {
	if e.from != "" {
		r := replay{jvmFlags: e.jvmFlags, program: e.program, classPath: e.classPath, allow: e.allow}
		trace, source, err := r.read(traceFile(e.from))
		source.Output = false
		return trace, source, err
	}
	source, err := e.source(e.program)
	source.Show = e.showFlags.texts()
	if err == nil {
		if source.Delivery, err = network.ParseDeliveryModel(e.model); err != nil {
			err = fmt.Errorf("--model: %w", err)
		}
	}
	if err != nil {
		return nil, source, usageError{err}
	}
	return nil, source, nil
}

func (e *exploring) session(ctx context.Context, program *bridge.Program, source bridge.Source,
	from *report.Trace) (*explore.Session, error) {
	if from != nil {
		from.Begin(program.Program())
	}
	keep := childOf(ctx).Keep(e.out)
	session, err := explore.NewSession(ctx, program, explore.Options{
		Decomposition: program.Decomposition(space.Selective), MaxStates: e.maxStates,
		Save: func(ctx context.Context, trace *report.Trace) (string, error) {
			if err := confirm.Complete(ctx, trace, program, source); err != nil {
				return "", err
			}
			path, err := trace.Keep(keep, nil)
			if err != nil {
				return "", err
			}
			return "Saved. Replay it: " + report.CommandLine(append([]string{os.Args[0], "replay", path}, e.allowFlags()...)...), nil
		},
	})
	if err != nil || from == nil {
		return session, err
	}
	found, actions, err := from.Claim(program.Program())
	if err == nil {
		err = session.Follow(ctx, found, actions)
	}
	var departure *report.Departure
	if errors.As(err, &departure) {
		return nil, usageError{fmt.Errorf("the trace does not replay: %w", err)}
	}
	return session, err
}
