package main

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/cluster"
	"harrier/internal/partition"
	"harrier/internal/plan"
	"harrier/internal/process/sandbox"
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
	jdk, err := bridge.FindJDK(s.javaHome)
	if err != nil {
		return usageError{err}
	}
	home, err := bridge.Prepare(jdk, "", "")
	if err != nil {
		return err
	}
	defer home.Remove()
	engine, err := cluster.Join(c.Context(), s.cluster)
	if err != nil {
		return err
	}
	defer engine.Close()
	of := setup{JDK: jdk, Home: home}
	environment, _ := bridge.Environment()
	w := cluster.Worker{
		Engine: engine, Identity: identityOf(of), Threads: javaThreads(threads),
		Tell: func(line string) { complain(c.ErrOrStderr(), line, nil) },
		Start: func(_ context.Context, j cluster.Job, folder string) (cluster.Answerer, error) {
			o := bridge.Options{Heap: heap, Threads: javaThreads(threads), StepTime: j.StepTime}
			if c.Flags().Changed("step-timeout") {
				o.StepTime = s.stepTime
			}
			t := &task{reach: sandbox.Policy{Read: []string{folder}}, isolate: &o}
			w, err := s.startWorker(t, of, environment)
			if err != nil {
				return nil, err
			}
			jvm, err := bridge.Connect(w.conn, o)
			if err != nil {
				w.stop()
				return nil, err
			}
			return remote{jvm, w}, nil
		},
		Search: func(ctx context.Context, current func() (cluster.Answerer, []byte), t partition.MemberTransport) error {
			return partition.Serve(ctx, t, check.Share(threads, memory, func() (check.LoadedProgram, error) {
				by, facts := current()
				r, ok := by.(remote)
				if !ok {
					return nil, bridge.ErrGone
				}
				return r.Loaded(facts)
			}))
		},
	}
	end, err := serveMetrics(s.metrics, w.Metrics(), w.Tell)
	if err != nil {
		return err
	}
	defer end()
	err = w.Serve(c.Context())
	if cause := context.Cause(c.Context()); cause != nil {
		return cause
	}
	return err
}

// remote is a process that runs Java for a check elsewhere.
type remote struct {
	*bridge.JVM
	worker *worker
}

func (r remote) Close() { r.worker.stop() }
