package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/explain"
	"harrier/internal/plan"
	"harrier/internal/report"
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

// explanation is what there is to print, for people or as a JSON document.
type explanation interface {
	Text(w io.Writer, p report.Painter)
}

// explaining is a command that prints what is found out about the program that its argument names, in a child process.
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
			plan := func() (*task, error) { return e.plan(args[0]) }
			return e.supervised(c, plan, func(c *cobra.Command) error {
				found, err := run(e, c.Context(), args[0])
				if err != nil {
					return err
				}
				if e.json {
					return report.WriteJSON(c.OutOrStdout(), found)
				}
				found.Text(c.OutOrStdout(), report.NewPainter(colours(c.OutOrStdout())))
				return nil
			})
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

// plan is what explaining the program at a path asks of the child process.
func (e *explainRun) plan(path string) (*task, error) {
	_, err := e.source(path)
	if err = errors.Join(e.parse(), err); err != nil {
		return nil, usageError{err}
	}
	return newTask(path, e.classPath, e.allow)
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
