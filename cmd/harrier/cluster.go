package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/cluster"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/search"
)

// clusterFlags are the flags of a check whose steps workers execute.
type clusterFlags struct {
	cluster string // a URL, or search.OwnCluster; "" for none
	answers string // once or twice
	metrics string // the address for Prometheus; "" for none
}

func (f *clusterFlags) register(c *cobra.Command, share *int) {
	c.Flags().StringVar(&f.cluster, "cluster", "", "have workers execute steps, at a `URL` or at that in a file; without, here")
	c.Flags().Lookup("cluster").NoOptDefVal = search.OwnCluster
	registerMetrics(c, &f.metrics)
	c.Flags().StringVar(&f.answers, "answers", "once", "ask one worker for each step, and another for a sample, or twice")
	c.Flags().IntVar(share, "share", 0, "have so many workers explore the states, too, on machines that you trust")
}

func registerMetrics(c *cobra.Command, address *string) {
	c.Flags().StringVar(address, "metrics", "", "an `address` at which Prometheus reads figures of the cluster")
}

// serveMetrics has Prometheus read metrics at an address, unless that is "".
func serveMetrics(address string, metrics []cluster.Metric, tell func(string)) (end func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	at, end, err := cluster.ServeMetrics(address, metrics)
	if err == nil {
		tell("metrics are at http://" + at + "/metrics")
	}
	return end, err
}

// takeURL takes the URL of --cluster from the arguments: that flag may have no value, so that what follows it is an argument.
func (f *clusterFlags) takeURL(c *cobra.Command, args []string) []string {
	if !c.Flags().Changed("cluster") {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		is := strings.Contains(a, "://")
		if is {
			f.cluster = a
		}
		return is
	})
}

// checkCredentials refuses a URL on a command line that should be in a file. How a file is named there is given.
func checkCredentials(at, named string) error {
	if !cluster.HasCredentials(at) {
		return nil
	}
	return errors.New("the URL of the cluster has credentials, which all users of this machine can see on a command line: " +
		"write it to a file that only you can read, and name that: " + named)
}

// parseCluster refuses options that do not go together with --cluster, or are only for it.
func (k *checking) parseCluster(c *cobra.Command) error {
	switch {
	case c.Flags().Changed("answers") && k.answers != "once" && k.answers != "twice":
		return fmt.Errorf("--answers is once or twice, not %q", k.answers)
	case k.cluster == "" && c.Flags().Changed("answers"):
		return errors.New("--answers is for --cluster: leave it out")
	case k.cluster == "" && k.metrics != "":
		return errors.New("--metrics is for --cluster: leave it out")
	case k.cluster == "":
		return nil
	case k.onChange:
		return errors.New("--cluster does not go together with --on-change: leave one of them out")
	}
	if err := checkCredentials(k.cluster, "--cluster=FILE"); err != nil {
		return err
	}
	if rule := check.InputRule(k.allow); rule != "" {
		return fmt.Errorf("--cluster does not go together with --allow %s: what the program reads beside its classes may differ from one machine to another", rule)
	}
	return nil
}

// spreading is a check's part in a cluster: it has the questions of the search answered by workers, and by the process that runs
// Java here.
type spreading struct {
	engine *cluster.Engine
	conn   *os.File // the search's end
	share  *os.File // the search's end of the connection to workers that explore states; nil for none
	cancel context.CancelFunc
	ended  chan struct{}
	stop   func() error
	err    error // set before ended is closed: why the spreading ended by itself; nil if the search or the process that runs Java ended first
}

// startSpreading joins the cluster of a task, or starts one, and begins to serve the search.
func (f *jvmFlags) startSpreading(c *cobra.Command, t *task, s setup, w *worker) (sp *spreading, err error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.Context())) // the search, which is told of signals, goes on to its end
	sp = &spreading{cancel: cancel, ended: make(chan struct{})}
	sp.stop = sync.OnceValue(sp.end)
	stderr := c.ErrOrStderr()
	tell := func(line string) { complain(stderr, line, nil) }
	who := "a worker"
	if t.share > 1 {
		who = fmt.Sprintf("%d workers", t.share)
	}
	wait := func() { tell("waiting for " + who + " to join " + cluster.Hidden(t.cluster.cluster)) }
	if t.cluster.cluster == search.OwnCluster {
		sp.engine, err = cluster.Start(ctx)
		wait = func() { tell("waiting for " + who + ": harrier worker --cluster " + sp.engine.File) }
	} else {
		sp.engine, err = cluster.Join(ctx, t.cluster.cluster)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	search, own, err := socketPair()
	if err != nil {
		cancel()
		sp.engine.Close()
		return nil, notStarted(err)
	}
	sp.conn = search
	var shared *os.File
	if t.share > 0 {
		if sp.share, shared, err = socketPair(); err != nil {
			cancel()
			closeAll([]*os.File{search, own})
			sp.engine.Close()
			return nil, notStarted(err)
		}
	}
	go func() {
		defer close(sp.ended)
		defer closeAll([]*os.File{own, shared})
		job := cluster.Job{Program: t.program, Identity: identityOf(s), StepTime: f.stepTime, Share: t.share, Kept: t.command.Kept}
		err := sp.serve(ctx, t, job, w, own, shared, tell, wait)
		if ctx.Err() == nil && !errors.Is(err, bridge.ErrGone) {
			sp.err = err
		}
	}()
	return sp, nil
}

// serve has the questions of the search answered, which come over own, until that is closed. Over shared, unless it is nil, the search
// has workers explore states.
func (sp *spreading) serve(ctx context.Context, t *task, j cluster.Job, w *worker, own, shared *os.File, tell func(string), wait func()) error {
	jvm, err := bridge.Connect(w.conn, bridge.Options{Threads: t.isolate.Threads, StepTime: j.StepTime})
	if err != nil {
		return err // the search is told by the end of the connection
	}
	shipped, err := t.shipped()
	if err != nil {
		return err
	}
	spread, err := cluster.NewSpread(ctx, sp.engine, j, shipped, local{jvm}, t.isolate.Threads, t.cluster.answers == "twice", tell, wait)
	if err != nil {
		return err
	}
	defer func() { tell(spread.Counts().String()) }()
	end, err := serveMetrics(t.cluster.metrics, spread.Metrics(), tell)
	if err != nil {
		return err
	}
	defer end()
	if shared != nil {
		relayed := make(chan struct{})
		ctx, cancel := context.WithCancel(ctx)
		defer func() { cancel(); shared.Close(); <-relayed }() // what the workers kept is removed before the engine is closed
		go func() {
			defer close(relayed)
			spread.Relay(ctx, shared)
			shared.Close()
		}()
	}
	return bridge.Relay(own, func(operation int, question []byte, confirm bool) ([]byte, error) {
		return spread.Answer(ctx, operation, question, confirm)
	})
}

// shipped are the files that workers get: sources, classes and jars of the program and of its class path, as far as it may read them.
func (t *task) shipped() ([][]string, error) {
	lists, err := codebase.Files(t.program, t.entries)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // what is missing is reported by the process that loads the program
		return nil, fmt.Errorf("--cluster: reading the program: %w", err)
	}
	for i, list := range lists {
		lists[i] = codebase.Readable(t.reach, list)
	}
	return lists, nil
}

// end ends the spreading once the worker has ended, and returns its error if it ended by itself before.
func (sp *spreading) end() error {
	closeAll([]*os.File{sp.conn, sp.share})
	sp.cancel()
	<-sp.ended
	sp.engine.Close()
	return sp.err
}

// local is the process that runs Java on the machine of a check, or of a worker.
type local struct{ *bridge.JVM }

func (local) Close() {}

// identityOf is the identity of the machine with a setup.
func identityOf(s setup) cluster.Identity {
	return cluster.Identity{Java: s.JDK.Version, Runtime: bridge.RuntimeHash()}
}

// widen gives a search two workers for each question that the cluster answers at once, so that none waits for its next one. An error
// is left to the search, whose next question has it too.
func (k *checking) widen(ctx context.Context, run *check.Check) {
	if k.cluster == "" || k.Share > 0 || k.planned.Search == search.Local || k.planned.POR == "dynamic" {
		return
	}
	if n, err := run.JVM.Together(ctx); err == nil {
		run.Workers = max(run.Workers, min(2*n, mostWorkers))
	}
}
