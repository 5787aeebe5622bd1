package launch

import (
	"context"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/cluster"
	"harrier/internal/distributed/tasks"
	"harrier/internal/plan"
	"harrier/internal/process/sandbox"
)

// WorkerOptions say how a worker executes steps for checks on other machines.
type WorkerOptions struct {
	Cluster     string // a URL, or a file that has it
	JavaHome    string // as in Task
	Sandbox     string // as in Task
	Java        bridge.Options
	OwnStepTime bool // the limit of a step is that of Java, and not the check's
	Workers     int  // how many goroutines explore states
	Memory      plan.MemoryLimit
	Metrics     string // the address for Prometheus; "" for none
	Tell        func(line string)
}

// Work executes steps for the checks of a cluster, until the context ends.
func Work(ctx context.Context, o WorkerOptions) error {
	jdk, err := bridge.FindJDK(o.JavaHome)
	if err != nil {
		return usage(err)
	}
	home, err := bridge.Prepare(jdk)
	if err != nil {
		return err
	}
	defer home.Remove()
	engine, err := cluster.Join(ctx, o.Cluster)
	if err != nil {
		return err
	}
	defer engine.Close()
	identity, err := identityOf(jdk)
	if err != nil {
		return err
	}
	of := Setup{JDK: jdk, Home: home}
	environment, _ := bridge.Environment()
	w := cluster.Worker{
		Engine: engine, Identity: identity, Threads: o.Java.Threads,
		Tell: o.Tell,
		Start: func(_ context.Context, j cluster.Job, folder string) (cluster.Answerer, error) {
			options := o.Java
			if !o.OwnStepTime {
				options.StepTime = j.StepTime
			}
			java, err := startJava(of, &options, o.Sandbox, sandbox.Policy{Read: []string{folder}}, environment)
			if err != nil {
				return nil, err
			}
			jvm, err := bridge.Connect(java.conn, options)
			if err != nil {
				java.stop()
				return nil, err
			}
			return remote{jvm, java}, nil
		},
		Search: func(ctx context.Context, store tasks.Store, self string, current func() (cluster.Answerer, []byte)) error {
			return check.Share(ctx, store, self, o.Workers, o.Memory, func() (check.LoadedProgram, error) {
				by, facts := current()
				r, ok := by.(remote)
				if !ok {
					return nil, bridge.ErrGone
				}
				return r.Loaded(facts)
			})
		},
	}
	end, err := serveMetrics(o.Metrics, w.Metrics(), w.Tell)
	if err != nil {
		return err
	}
	defer end()
	err = w.Serve(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// remote is a process that runs Java for a check elsewhere.
type remote struct {
	*bridge.JVM
	java *javaProcess
}

func (r remote) Close() { r.java.stop() }
