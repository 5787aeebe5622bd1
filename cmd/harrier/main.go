// Command harrier checks message-passing Java programs.
//
// Each command is one file. They meet in exit.go, which turns what went wrong into one line and an
// exit code.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	_ "harrier/internal/process/limits"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// Version is set when harrier is built.
var Version = "development"

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit code. A process that a supervisor started reports it.
func run(arguments []string, stdout, stderr io.Writer) int {
	child, err := attach()
	if child != nil {
		stdout, stderr = printing{child.link.Stdout, child.link}, child.link.Stderr
	}
	if err != nil {
		complain(stderr, err.Error(), nil)
		return report.ExitUsage
	}
	if child != nil && child.setup.Java != nil {
		if err := child.answer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return report.ExitInternal
	}
	code := execute(child.in(context.Background()), child.signals(), arguments, stdout, stderr)
	if child != nil {
		child.link.Exit(code)
	}
	return code
}

func execute(parent context.Context, signals chan os.Signal, arguments []string, stdout, stderr io.Writer) int {
	ctx, stop := withSignals(parent, signals)
	defer stop()
	root := rootCommand()
	root.SetArgs(arguments)
	out := &output{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	c, err := root.ExecuteContextC(ctx)
	if out.err != nil {
		err = usageError{fmt.Errorf("printing the result: %w", out.err)}
	}
	var documents io.Writer // where errors are printed as a document too
	if f := c.Flags().Lookup("json"); f != nil && (f.Value.String() == "true" || slices.Contains(arguments, "--json")) {
		documents = stdout
	}
	return exitCode(ctx, err, stderr, documents)
}

// rootCommand returns the command line's tree of commands.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "harrier",
		Short:         "Checks message-passing Java programs: every order in which messages can arrive",
		Version:       Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no command %q%s; see 'harrier --help'", args[0], didYouMean(args[0], commandNames(c)))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(checkCommand(), compareCommand(), explainCommand(), replayCommand(), showCommand(), runCommand(),
		watchCommand(), exploreCommand(), doctorCommand(), workerCommand(), statusCommand())
	root.SetFlagErrorFunc(flagError)
	root.InitDefaultHelpCmd()
	refuseUnknownTopics(root)
	groupFlags(root)
	root.InitDefaultCompletionCmd()
	completeFlags(root)
	refuseWrongUse(root)
	return root
}

// output is standard output, and keeps the first error: nobody can believe half of a result.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string {
	switch i.signal {
	case syscall.SIGTERM:
		return "terminated"
	case syscall.SIGHUP:
		return "the terminal was closed"
	}
	return "interrupted"
}

// notify gives the signals that ask the process to end. Under nohup, that a terminal is closed is none of them.
func notify() chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range supervisor.Passed {
		if s != syscall.SIGHUP || !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// withSignals ends the context at the first signal; the second one ends the process.
func withSignals(parent context.Context, signals chan os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		cancel(interrupted{(<-signals).(syscall.Signal)})
		os.Exit(report.ExitSignal + int((<-signals).(syscall.Signal)))
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(errors.New("done"))
	}
}
