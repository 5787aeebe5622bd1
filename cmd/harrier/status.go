package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"harrier/internal/cluster"
	"harrier/internal/report"
)

func statusCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "status URL",
		Short: "List the checks and workers of a cluster",
		Long: `Lists the checks of a cluster, and its workers: what each does, how many steps and other questions it answered a second and in all, how
busy it is, and what it sent and received. URL is that of --cluster, or a file that has it; without it, NATS_URL.`,
		Example: "  harrier status FILE",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && os.Getenv("NATS_URL") != "" {
				return nil
			}
			return exactly(1, "the URL of a cluster")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := checkCredentials(args[0], "harrier status FILE"); err != nil {
					return usageError{err}
				}
			}
			engine, err := cluster.Join(c.Context(), append(args, os.Getenv("NATS_URL"))[0])
			if err != nil {
				return err
			}
			defer engine.Close()
			jobs, workers, err := engine.Members(c.Context())
			if err != nil {
				return fmt.Errorf("reading the members of the cluster: %w", err)
			}
			if asJSON {
				return report.WriteJSON(c.OutOrStdout(), newStatusDocument(jobs, workers))
			}
			return printStatus(c.OutOrStdout(), jobs, workers)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document instead of text")
	return c
}

func printStatus(to io.Writer, jobs []cluster.Job, workers []cluster.Member) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, j := range jobs {
		fmt.Fprintf(w, "check\t%s\tJava %s\n", report.Plain(j.Program), report.Plain(j.Identity.Java))
	}
	err := w.Flush()
	if len(jobs) == 0 {
		fmt.Fprintln(w, "no check")
	}
	if len(workers) == 0 {
		fmt.Fprintln(w, "no worker")
	} else {
		fmt.Fprintln(w, "worker\tthreads\tdoes\tprogram\ta second\tin all\tbusy\tsent\treceived")
	}
	for _, m := range workers {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.0f\t%d\t%.0f %%\t%s\t%s\n", report.Plain(m.ID), m.Threads, report.Plain(m.Doing),
			report.Plain(cmp.Or(m.Program, "-")), m.Rate, m.Answered, 100*m.Busy, humanize.IBytes(m.Out), humanize.IBytes(m.In))
	}
	return errors.Join(err, w.Flush())
}

// statusDocument is the document that --json prints.
type statusDocument struct {
	Version int            `json:"version"`
	Checks  []statusCheck  `json:"checks"`
	Workers []statusWorker `json:"workers"`
}

type statusCheck struct {
	ID      string `json:"id"`
	Program string `json:"program"`
	Java    string `json:"java"`
}

type statusWorker struct {
	ID       string  `json:"id"`
	Threads  int     `json:"threads"`
	Does     string  `json:"does"`
	Program  string  `json:"program"`
	Java     string  `json:"java"`
	Rate     float64 `json:"rate"` // questions a second
	Answered uint64  `json:"answered"`
	Busy     float64 `json:"busy"`     // the share of its threads, 0 to 1
	Sent     uint64  `json:"sent"`     // bytes
	Received uint64  `json:"received"` // bytes
}

func newStatusDocument(jobs []cluster.Job, workers []cluster.Member) statusDocument {
	d := statusDocument{Version: 1, Checks: []statusCheck{}, Workers: []statusWorker{}}
	for _, j := range jobs {
		d.Checks = append(d.Checks, statusCheck{j.ID, j.Program, j.Identity.Java})
	}
	for _, m := range workers {
		d.Workers = append(d.Workers, statusWorker{m.ID, m.Threads, m.Doing, m.Program, m.Identity.Java, m.Rate, m.Answered, m.Busy, m.Out, m.In})
	}
	return d
}
