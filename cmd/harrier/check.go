package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/process/launch/verdicts"
	"harrier/internal/report"
)

func checkCommand() *cobra.Command {
	k := &checking{}
	c := &cobra.Command{
		Use:   "check PROGRAM",
		Short: "Explore every order in which a program's messages can arrive",
		Long: `Explores every order in which a program's messages can arrive and tests its properties in every state.

PROGRAM is a .java file, a folder of sources, a folder of classes, or a jar. It holds a scenario: a class
that extends harrier.Scenario. Libraries that it needs are named with --classpath.

With --set n=1..4 or n=1,2,4 each of these values is checked, smallest first, up to the first violation.

Exit codes: 0 verified, 1 violated, 2 wrong use, 3 inconclusive, 4 the program broke a rule (a step is not
a function of state and message, state that cannot be captured), 5 internal error, 129, 130, 131 and 143 on signals.`,
		Example: `  harrier check examples/paxos
  harrier check Paxos.java --set acceptors=5
  harrier check Paxos.java --set acceptors=3..5 --set proposers=1,2
  harrier check Cluster.java --classpath 'lib/*'
  harrier check build/classes --scenario MyScenario --timeout 10m --json`,
		Args: func(c *cobra.Command, args []string) error {
			args = k.takeURL(c, args)
			if k.checkpoint.Resumed != "" {
				return exactly(0, "no program with --resume, which has it from the checkpoint")(c, args)
			}
			return exactly(1, programArgument)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			args = k.takeURL(c, args)
			if k.program, err = k.begin(c, args); err != nil {
				return usageError{err}
			}
			var settings []plan.Set
			set, err := plan.ParseSet(k.set)
			if err == nil && !k.InSweep {
				settings, err = set.Settings()
			}
			switch {
			case err != nil:
				return usageError{err}
			case settings != nil && k.checkpoint.New != "":
				return usageError{errors.New("--checkpoint is of one search: give each parameter one value")}
			case settings != nil:
				return k.sweep(c, settings)
			}
			if err := k.parse(c); err != nil {
				return usageError{err}
			}
			switch {
			case k.checkpoint.New != "" && (k.onChange || k.From != ""):
				return usageError{errors.New("--checkpoint does not go together with --on-change and --from, which begin anew: leave it out")}
			case c.Flags().Changed("every") && k.checkpoint.Given() == "":
				return usageError{errors.New("--every is for --checkpoint: leave it out")}
			case k.onChange && k.json:
				return usageError{errors.New("--on-change does not go together with --json, which is one document: leave one of them out")}
			case k.onChange && childOf(c.Context()) == nil:
				return k.checkOnChanges(c)
			}
			return k.supervised(c, job{
				plan: func() (*launch.Task, error) {
					t, err := k.plan(c)
					if err == nil && k.cache != "" && k.From == "" {
						// --timeout is not in the line: only verdicts that it cannot change are kept.
						t.Verdict = &verdicts.Check{Line: commandLine(c, []string{"check", k.program}, "timeout", "json"), Results: k.out}
					}
					return t, err
				},
				run:    k.run,
				answer: func(summary *report.Summary) error { return k.answer(c, summary) },
			})
		},
	}
	k.register(c)
	k.keeping.register(c)
	k.clusterFlags.register(c, &k.Share)
	c.Flags().BoolVar(&k.onChange, "on-change", false, "check again whenever the program changes, until Ctrl-C")
	c.Flags().StringVar(&k.From, "from", "", "begin in the state of a live run, from a `file` that watch wrote")
	return c
}

// verdictOf gives the verdict of an exit code of check.
var verdictOf = map[int]report.Verdict{
	report.ExitVerified: report.Verified, report.ExitViolated: report.Violated, report.ExitInconclusive: report.Inconclusive,
}

// checkOnChanges checks, and again whenever the program or its libraries change, until it is interrupted. It says how verdicts differ.
func (k *checking) checkOnChanges(c *cobra.Command) error {
	next := k.ahead(c, false)
	for last := report.Verdict(""); ; {
		before := launch.Stamp(k.program, k.classPath)
		o, err := next.Run()
		if o.Lost && c.Context().Err() == nil {
			next = k.ahead(c, false)
			o, err = next.Run()
		}
		err = resultOf(o, err, func(summary *report.Summary) error { return k.answer(c, summary) })
		if c.Context().Err() != nil {
			return err
		}
		now, ok := verdictOf[exitCode(c.Context(), err, c.ErrOrStderr(), nil)]
		if !ok {
			now = "not checked"
		}
		change := ""
		switch last {
		case "":
		case now:
			change = ", as before"
		default:
			change = ", and was " + string(last) + " before"
		}
		complain(c.ErrOrStderr(), fmt.Sprintf("%s%s; waiting for changes of %s", now, change, k.program), nil)
		last, next = now, k.ahead(c, ok)
		if !launch.AwaitChange(c.Context(), k.program, k.classPath, before) {
			next.Stop()
			return c.Context().Err()
		}
		if !next.CanRead(k.program, k.classPath, k.allow) {
			next.Stop()
			next = k.ahead(c, false)
		}
	}
}

// ahead starts the next check, before the program changes.
func (k *checking) ahead(c *cobra.Command, loads bool) *launch.Next {
	return launch.Ahead(func() (*launch.Task, error) {
		t, err := k.plan(c)
		if err == nil {
			k.wire(c, t)
			t.Signals = notify()
		}
		return t, err
	}, loads)
}
