package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"harrier/bridge"
	"harrier/internal/cluster"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/search"
)

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
func (t *Task) startSpreading(s Setup, java *javaProcess) (sp *spreading, err error) {
	identity, err := identityOf(s.JDK)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background()) // the search, which is told of signals, goes on to its end
	sp = &spreading{cancel: cancel, ended: make(chan struct{})}
	sp.stop = sync.OnceValue(sp.end)
	wait := func() { t.Tell("waiting for a worker to join " + cluster.Hidden(t.Cluster.At)) }
	if t.Cluster.At == search.OwnCluster {
		sp.engine, err = cluster.Start(ctx)
		wait = func() { t.Tell("waiting for a worker: harrier worker --cluster " + sp.engine.File) }
	} else {
		sp.engine, err = cluster.Join(ctx, t.Cluster.At)
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
	if t.Cluster.Share != "" {
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
		job := cluster.Job{Program: t.Program, Identity: identity, StepTime: t.StepTime, Share: t.Cluster.Share, Kept: t.Command.Kept, Key: t.Command.Key}
		err := sp.serve(ctx, t, job, java, own, shared, wait)
		if ctx.Err() == nil && !errors.Is(err, bridge.ErrGone) {
			sp.err = err
		}
	}()
	return sp, nil
}

// serve has the questions of the search answered, which come over own, until that is closed. Over shared, unless it is nil, the search
// has workers explore states.
func (sp *spreading) serve(ctx context.Context, t *Task, j cluster.Job, java *javaProcess, own, shared *os.File, wait func()) error {
	jvm, err := bridge.Connect(java.conn, bridge.Options{Threads: t.Isolate.Threads, StepTime: j.StepTime})
	if err != nil {
		return err // the search is told by the end of the connection
	}
	shipped, err := t.shipped()
	if err != nil {
		return err
	}
	spread, err := cluster.NewSpread(ctx, sp.engine, j, shipped, local{jvm}, t.Isolate.Threads, t.Cluster.Twice, t.Tell, wait)
	if err != nil {
		return err
	}
	defer func() { t.Tell(spread.Counts().String()) }()
	defer spread.Close()
	end, err := serveMetrics(t.Cluster.Metrics, spread.Metrics(), t.Tell)
	if err != nil {
		return err
	}
	defer end()
	if shared != nil {
		ctx, cancel := context.WithCancel(ctx)
		store, err := spread.Store(ctx)
		if err != nil {
			cancel()
			return err
		}
		lent := make(chan struct{})
		defer func() { cancel(); shared.Close(); <-lent }() // files are removed before the engine is closed
		go func() {
			defer close(lent)
			spread.Lend(ctx, store, shared)
			shared.Close()
		}()
	}
	return bridge.Relay(own, func(operation int, question []byte, confirm bool) ([]byte, error) {
		return spread.Answer(ctx, operation, question, confirm)
	})
}

// shipped are the files that workers get: sources, classes and jars of the program and of its class path, as far as it may read them.
func (t *Task) shipped() ([][]string, error) {
	lists, err := codebase.Files(t.Program, t.ClassPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a missing file is reported by the process that loads the program
		return nil, fmt.Errorf("--cluster: reading the program: %w", err)
	}
	for i, list := range lists {
		lists[i] = codebase.Readable(t.Reach, list)
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

// identityOf is the identity of this process, which uses a JDK.
func identityOf(jdk *bridge.JDK) (cluster.Identity, error) {
	build, err := codebase.OwnIdentity(jdk.Version)
	return cluster.Identity{Java: jdk.Version, Build: build}, err
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
