package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"harrier/internal/report"
	"harrier/internal/report/picture"
)

func showCommand() *cobra.Command {
	var html string
	var mermaid, plantUML, shiViz bool
	c := &cobra.Command{
		Use:   "show TRACE",
		Short: "Show a counterexample as a picture, without running it",
		Long: `Shows a counterexample as text, or as a picture, from the trace file that a check wrote. Nothing of the trace is run.

--html writes one file that a browser shows without a network: a column for each actor, an arrow for each message from
where it is sent to where it arrives, what each step changes, and all local states. The other formats are printed.`,
		Example: `  harrier show harrier-out/PaxosFaulty-52c1d0a7/trace.json --html trace.html
  harrier show harrier-out/PaxosFaulty-52c1d0a7/trace.json --mermaid`,
		Args: exactly(1, traceArgument),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().NFlag() > 1 {
				return usageError{errors.New("show makes one picture at a time: give one of --html, --mermaid, --plantuml and --shiviz")}
			}
			trace, err := report.ReadTrace(traceFile(args[0]))
			if err != nil {
				return usageError{err}
			}
			w := c.OutOrStdout()
			switch {
			case html != "":
				if err := picture.WriteHTML(html, trace); err != nil {
					return usageError{fmt.Errorf("--html: %w", err)}
				}
				return nil
			case mermaid:
				return picture.Mermaid(w, trace)
			case plantUML:
				return picture.PlantUML(w, trace)
			case shiViz:
				return picture.ShiViz(w, trace)
			}
			showText(w, trace)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&html, "html", "", "write a page for a browser to a `file`")
	f.BoolVar(&mermaid, "mermaid", false, "print a sequence diagram of Mermaid")
	f.BoolVar(&plantUML, "plantuml", false, "print a sequence diagram of PlantUML")
	f.BoolVar(&shiViz, "shiviz", false, "print a log with vector clocks for ShiViz")
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

func showText(w io.Writer, trace *report.Trace) {
	painter := report.NewPainter(colours(w))
	trace.Execution.Text(w, painter)
	report.ViolationText(w, painter, trace.Violation)
}
