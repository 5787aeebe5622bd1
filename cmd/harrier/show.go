package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"harrier/internal/report"
	"harrier/internal/report/picture"
)

// pictures are the forms in which show prints a trace.
var pictures = map[string]func(io.Writer, *report.Trace) error{
	"text": showText, "html": picture.HTML, "mermaid": picture.Mermaid, "plantuml": picture.PlantUML, "shiviz": picture.ShiViz,
}

func showCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "show TRACE",
		Short: "Show a counterexample as text or as a picture, without running it",
		Long: `Prints a counterexample as text, or as a picture, from the trace file that a check wrote. Nothing of the trace is run.

html is one page that a browser shows without a network: a column for each actor and thread, an arrow for each message from where it is
sent to where it arrives, what each step changes, and all local states. mermaid and plantuml are sequence diagrams, shiviz is
a log with vector clocks.`,
		Example: `  harrier show harrier-out/PaxosFaulty-52c1d0a7/trace.json --format html > trace.html
  harrier show harrier-out/PaxosFaulty-52c1d0a7/trace.json --format mermaid`,
		Args: exactly(1, traceArgument),
		RunE: func(c *cobra.Command, args []string) error {
			show := pictures[format]
			if show == nil {
				return usageError{fmt.Errorf("--format is text, html, mermaid, plantuml or shiviz, not %q", format)}
			}
			trace, err := report.ReadTrace(traceFile(args[0]))
			if err != nil {
				return usageError{err}
			}
			return show(c.OutOrStdout(), trace)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, html, mermaid, plantuml or shiviz")
	return c
}

const traceArgument = "one trace: the trace.json that a check wrote"

// traceFile is the file of a trace, which may be given by its folder.
func traceFile(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, report.TraceFile)
	}
	return path
}

func showText(w io.Writer, trace *report.Trace) error {
	painter := report.NewPainter(colours(w))
	execution, violation := report.ShortUUIDs(trace.Execution, trace.Violation)
	execution.Text(w, painter)
	report.ViolationText(w, painter, violation)
	return nil
}
