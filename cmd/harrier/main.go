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

	"harrier/bridge"
)

// Version is set when harrier is built.
var Version = "development"

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit code.
func run(arguments []string, stdout, stderr io.Writer) int {
	ctx, stop := withSignals(context.Background())
	defer stop()
	root := &cobra.Command{
		Use:           "harrier",
		Short:         "Checks message-passing Java programs: every order in which messages can arrive",
		Version:       Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("there is no command %q; see 'harrier --help'", args[0])}
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetArgs(arguments)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(checkCommand(), compareCommand(), explainCommand(), replayCommand(), doctorCommand())
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	})
	c, err := root.ExecuteContextC(ctx)
	defer bridge.Leave()
	var documents io.Writer // where errors are told as a document too
	if f := c.Flags().Lookup("json"); f != nil && (f.Value.String() == "true" || slices.Contains(arguments, "--json")) {
		documents = stdout
	}
	return exitCode(ctx, err, stderr, documents)
}

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string {
	if i.signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

// withSignals ends the context at the first signal; the second one ends the process.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		s, ok := <-signals
		if !ok {
			return
		}
		cancel(interrupted{s.(syscall.Signal)})
		if s, ok = <-signals; ok {
			os.Exit(128 + int(s.(syscall.Signal)))
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(errors.New("done"))
	}
}
