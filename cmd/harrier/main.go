// Command harrier checks message-passing Java programs.
//
// Each command is one file. They meet in exit.go, which turns what went wrong into one line and an
// exit code.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"harrier/internal/process/launch"
	_ "harrier/internal/process/limits"
	"harrier/internal/report"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit code. A process that a supervisor started reports it.
func run(arguments []string, stdout, stderr io.Writer) int {
	child, err := launch.Attach()
	if child != nil {
		stdout, stderr = child.Stdout(), child.Link.Stderr
	}
	if err != nil {
		complain(stderr, err.Error(), nil)
		return report.ExitUsage
	}
	if child != nil && child.Setup.Java != nil {
		if err := child.Serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return report.ExitInternal
	}
	code := execute(withChild(context.Background(), child), signalsOf(child), arguments, stdout, stderr)
	if child != nil {
		child.Link.Exit(code)
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
