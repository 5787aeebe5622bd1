package main

import (
	"cmp"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
)

// serving is one run of the worker command.
type serving struct {
	jvmFlags
	cluster string
	workers string
	memory  string
	metrics string
}

func workerCommand() *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "worker",
		Short: "Execute steps for checks on other machines",
		Long: `Executes steps for checks with --cluster, of one program after another, until it is told to end.

It fetches the files of a program, checks their hashes, and runs it in the sandbox. It needs no files of its own, the same harrier and
the same version of Java as the check. It may be killed at any moment: others are asked again.`,
		Example: "  harrier worker --cluster FILE",
		Args:    exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkCredentials(s.cluster, "--cluster=FILE"); err != nil {
				return usageError{err}
			}
			if s.cluster = cmp.Or(s.cluster, os.Getenv("NATS_URL")); s.cluster == "" {
				return usageError{errors.New("--cluster names the servers to join: a URL, or a file that has one, as 'harrier check --cluster' prints it")}
			}
			return s.serve(c)
		},
	}
	s.jvmFlags.register(c)
	f := c.Flags()
	f.Lookup("step-timeout").Usage = "how much processor time a handler may take here (default: as the check has it); 0 for no limit"
	f.Lookup("step-timeout").DefValue = "0s" // which help does not print
	f.StringVar(&s.cluster, "cluster", "", "the `URL` of the servers to join, or a file that has it (default: NATS_URL)")
	registerMetrics(c, &s.metrics)
	f.StringVar(&s.workers, "workers", "auto", "how many steps are executed at once: a number, or auto for one each processor")
	f.StringVar(&s.memory, "max-memory", "", "give up a search for which this process needs so much memory")
	return c
}

func (s *serving) serve(c *cobra.Command) error {
	threads, err := parseWorkers(s.workers)
	if err == nil {
		err = s.parse()
	}
	memory, badLimit := plan.NewMemoryLimit(s.memory)
	heap, tooLarge := memory.Heap(s.heap)
	if err = errors.Join(err, badLimit, tooLarge); err != nil {
		return usageError{err}
	}
	return launch.Work(c.Context(), launch.WorkerOptions{
		Cluster: s.cluster, JavaHome: s.javaHome, Sandbox: s.sandbox,
		Java:        bridge.Options{Heap: heap, Threads: launch.Threads(threads), StepTime: s.stepTime},
		OwnStepTime: c.Flags().Changed("step-timeout"), Workers: threads, Memory: memory, Metrics: s.metrics,
		Tell: tellOn(c.ErrOrStderr()),
	})
}
