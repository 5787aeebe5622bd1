package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/explain"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/report"
	"harrier/por/static"
)

// explainRun is one run of an explain command.
type explainRun struct {
	jvmFlags
	programFlags
	json bool
}

func explainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain",
		Short: "Print what harrier finds out about a program, and why",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is nothing called %q to explain%s; see 'harrier explain --help'", args[0], didYouMean(args[0], commandNames(c)))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(explainDecompositionCommand(), explainSymmetryCommand(), explainPORCommand(), explainComponentsCommand())
	return c
}

// explanation is the output, for people or as a JSON document.
type explanation interface {
	Text(w io.Writer, p report.Painter)
}

// explaining is a command that prints an analysis of the program that its argument names, made in a child process.
func explaining(what, short, long, example string,
	run func(e *explainRun, ctx context.Context, path string) (explanation, error)) *cobra.Command {
	e := &explainRun{}
	c := &cobra.Command{
		Use:     what + " PROGRAM",
		Short:   short,
		Long:    long,
		Example: "  harrier explain " + what + " examples/" + example,
		Args:    exactly(1, programArgument),
		RunE: func(c *cobra.Command, args []string) error {
			plan := func() (*launch.Task, error) { return e.plan(args[0]) }
			return e.supervised(c, job{plan: plan, run: func(c *cobra.Command) error {
				found, err := run(e, c.Context(), args[0])
				if err != nil {
					return err
				}
				if e.json {
					return report.WriteJSON(c.OutOrStdout(), found)
				}
				found.Text(c.OutOrStdout(), report.NewPainter(colours(c.OutOrStdout())))
				return nil
			}})
		},
	}
	e.jvmFlags.register(c)
	e.programFlags.register(c)
	c.Flags().BoolVar(&e.json, "json", false, "print one JSON document instead of text")
	return c
}

func explainDecompositionCommand() *cobra.Command {
	return explaining("decomposition", "Print which fields of actors and messages are relevant, and why",
		`Lists every field of every actor and message with its part in the decomposition of states, and the
senders of the messages that actors take.

A field is relevant if it may influence what is enabled, sent, created or chosen, a failure, another
relevant field or a property; the reason is the chain of reads by which it does. All others are auxiliary:
states that differ in them only are one state to a search with selective hashing. Fields marked @Auxiliary
are checked: the analysis refuses a mark that it can contradict.`,
		"paxos", (*explainRun).decomposition)
}

// plan makes the child process's task of explaining the program at a path.
func (e *explainRun) plan(path string) (*launch.Task, error) {
	_, err := e.source(path)
	if err = errors.Join(e.parse(), err); err != nil {
		return nil, usageError{err}
	}
	return launch.NewTask(path, e.classPath, e.allow)
}

// start starts Java for the program at a path.
func (e *explainRun) start(ctx context.Context, path string) (*bridge.JVM, bridge.Source, error) {
	source, err := e.source(path)
	if err != nil {
		return nil, source, usageError{err}
	}
	jvm, err := e.open(ctx, plan.MemoryLimit{}, 1)
	return jvm, source, err
}

// stages takes the program at a path through stages of a check.
func (e *explainRun) stages(ctx context.Context, path string, o plan.Options, stages ...check.Stage) (*check.Check, error) {
	jvm, source, err := e.start(ctx, path)
	if err != nil {
		return nil, err
	}
	o.Source = source
	p, err := plan.Resolve(o)
	if err != nil {
		return nil, usageError{err}
	}
	c := check.New(p, check.Environment{})
	c.JVM = jvm
	return c, c.Do(ctx, stages...)
}

func (e *explainRun) decomposition(ctx context.Context, path string) (explanation, error) {
	jvm, source, err := e.start(ctx, path)
	if err != nil {
		return nil, err
	}
	program, err := jvm.Load(ctx, source)
	if err != nil {
		return nil, err
	}
	return explain.OfDecomposition(path, program.Program()), nil
}

func explainComponentsCommand() *cobra.Command {
	o := plan.Default()
	o.Symmetry = "off"
	c := explaining("components", "Print what components show one another, and what is internal",
		`Explores the macro states of a program. Prints for each component the labels of its macro steps (messages to others,
records of the history, budgets of faults), the events that are internal, and how many states it can become by
internal steps: all of them are explored in each macro step. It gives no verdict.`,
		"paxos --components proposer1+acceptor1",
		func(e *explainRun, ctx context.Context, path string) (explanation, error) {
			return e.components(ctx, path, o)
		})
	registerComponents(c, &o.Components)
	c.Flags().Uint64Var(&o.MaxStates, "max-states", 0, "end after this many macro states")
	return c
}

func (e *explainRun) components(ctx context.Context, path string, o plan.Options) (explanation, error) {
	c, err := e.stages(ctx, path, o, check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	system, options := c.MacroSystem(), dbss.Options{MaxStates: o.MaxStates, KeepGoing: true, NoDeadlock: true}
	result, err := system.Search(ctx, options, &dbss.Progress{})
	if err != nil {
		return nil, err
	}
	return explain.OfComponents(path, c.Actors(), system, result), nil
}

func explainSymmetryCommand() *cobra.Command {
	return explaining("symmetry", "Print which actors are symmetric, and what distinguishes the others",
		`Lists the roles of a scenario with the actors that are symmetric: there is a permutation of actors, each within
its role, that maps the initial state to itself and one of them to the other. For actors of a role that are not all
symmetric it names what distinguishes some of them first: a field, a message, or what the scenario declares.

A search takes states that differ by such a permutation as one, unless --symmetry off is given.`,
		"paxos", (*explainRun).symmetry)
}

func (e *explainRun) symmetry(ctx context.Context, path string) (explanation, error) {
	c, err := e.stages(ctx, path, plan.Default(), check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	return explain.OfSymmetry(path, c.Program.Program(), c.Group), nil
}

func explainPORCommand() *cobra.Command {
	return explaining("por", "Print which handlers depend on each other, and why",
		`Lists what --por static relies on: what the bytecode of each handler reads, writes and sends to whom, and which pairs of them
depend on each other; where that is not known, the instruction that made it so.

A search leaves out orders that make no difference with --por.`,
		"paxos", (*explainRun).por)
}

func (e *explainRun) por(ctx context.Context, path string) (explanation, error) {
	o := plan.Default()
	o.POR = "static"
	c, err := e.stages(ctx, path, o, check.Load, check.Decompose)
	if err != nil {
		return nil, err
	}
	facts, err := static.New(c.Actors(), static.Options{})
	if err != nil {
		return nil, fmt.Errorf("finding what handlers depend on: %w", err)
	}
	return explain.OfPOR(path, c.Program.Program(), facts), nil
}
