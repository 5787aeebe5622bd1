package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/model"
	"harrier/report"
)

// explain is one run of an explain command.
type explain struct {
	jvmFlags
	programFlags
	json bool
}

func explainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain",
		Short: "Say what harrier finds out about a program, and why",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is nothing called %q to explain; see 'harrier explain --help'", args[0])}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(explainDecompositionCommand(), explainSymmetryCommand(), explainPORCommand(), explainComponentsCommand())
	return c
}

func explainDecompositionCommand() *cobra.Command {
	e := &explain{}
	c := &cobra.Command{
		Use:   "decomposition PROGRAM",
		Short: "Say which fields of actors and messages are relevant, and why",
		Long: `Lists every field of every actor and message with its part in the decomposition of states.

A field is relevant if it may influence what is enabled, sent, created or chosen, a failure, another
relevant field or a property; the reason is the chain of reads by which it does. All others are auxiliary:
states that differ in them only are one state to a search with selective hashing. Fields marked @Auxiliary
are checked: the analysis refuses a mark that it can contradict.`,
		Example: "  harrier explain decomposition examples/paxos",
		Args:    exactly(1, programArgument),
		RunE:    e.supervisedBy(e.decomposition),
	}
	e.register(c)
	return c
}

func (e *explain) register(c *cobra.Command) {
	e.jvmFlags.register(c)
	e.programFlags.register(c)
	c.Flags().BoolVar(&e.json, "json", false, "print one JSON document instead of text")
}

// supervisedBy explains the program that the argument names in a child process.
func (e *explain) supervisedBy(run func(c *cobra.Command, path string) error) func(c *cobra.Command, args []string) error {
	return func(c *cobra.Command, args []string) error {
		plan := func() (*task, error) {
			source, err := e.source(args[0])
			if err = errors.Join(e.parse(), err); err != nil {
				return nil, usageError{err}
			}
			reach, err := reachOf(args[0], source.ClassPath)
			if err != nil {
				return nil, usageError{err}
			}
			return &task{program: args[0], reach: reach}, nil
		}
		return e.supervised(c, plan, func(c *cobra.Command) error { return run(c, args[0]) })
	}
}

// start starts Java for the program at a path.
func (e *explain) start(ctx context.Context, path string) (*bridge.JVM, bridge.Source, error) {
	source, err := e.source(path)
	if err != nil {
		return nil, source, usageError{err}
	}
	jvm, err := e.open(ctx, memoryLimit{}, 1)
	return jvm, source, err
}

// actors loads the program at a path, as a search takes it.
func (e *explain) actors(c *cobra.Command, path string) (*model.Actors, error) {
	jvm, source, err := e.start(c.Context(), path)
	if err != nil {
		return nil, err
	}
	program, _, err := loadProgram(c.Context(), jvm, source)
	if err != nil {
		return nil, err
	}
	return model.NewActors(program, program.Decomposition(model.Selective))
}

// explanation is what there is to print.
type explanation interface {
	JSON(w io.Writer) error
	Text(w io.Writer, p report.Painter)
}

func (e *explain) print(c *cobra.Command, what explanation) error {
	if e.json {
		return what.JSON(c.OutOrStdout())
	}
	what.Text(c.OutOrStdout(), report.NewPainter(colours(c.OutOrStdout())))
	return nil
}

func (e *explain) decomposition(c *cobra.Command, path string) error {
	jvm, source, err := e.start(c.Context(), path)
	if err != nil {
		return err
	}
	program, err := jvm.Load(c.Context(), source)
	if err != nil {
		return err
	}
	return e.print(c, report.NewDecomposition(path, program.Program()))
}
