package frame

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"harrier/bridge"
	"harrier/compare"
	"harrier/internal/memory"
)

// Runs say how runs are made.
type Runs struct {
	Harrier  string // the command
	Examples string // the folder
	Out      string
	Fresh    bool
	Limits   compare.Limits // of each
	Within   time.Duration  // of all together; 0 for no limit

	maxMemory string
}

// Register adds the flags.
func (r *Runs) Register(f *flag.FlagSet) {
	f.StringVar(&r.Harrier, "harrier", "bin/harrier", "the harrier to run")
	f.StringVar(&r.Examples, "examples", "examples", "folder of the examples")
	f.StringVar(&r.Out, "out", "harrier-out/compare", "folder in which results are kept, as those of harrier compare are")
	f.BoolVar(&r.Fresh, "fresh", false, "make all runs again, also those that were kept")
	f.DurationVar(&r.Limits.Time, "timeout", 10*time.Minute, "end the search of a run after this long")
	f.StringVar(&r.maxMemory, "max-memory", "20g", "end a run that takes this much memory")
}

// Check refuses values that there are not, once flags are parsed.
func (r *Runs) Check() error {
	var err error
	if r.Limits.Memory, err = memory.Parse(r.maxMemory); err != nil {
		return fmt.Errorf("-max-memory: %w", err)
	}
	if r.Limits.Time <= 0 {
		return errors.New("-timeout must be more than 0")
	}
	return nil
}

// errUsedUp ends runs that take too long together.
var errUsedUp = errors.New("the time of all runs is used up")

// Make makes the runs of jobs, or finds them where they are kept. It tells of each that it makes. Where their time is
// used up the results are those of the first jobs; the same again goes on.
func (r *Runs) Make(ctx context.Context, jobs []compare.Job, progress io.Writer) ([]compare.Result, error) {
	jdk, err := bridge.FindJDK("")
	if err != nil {
		return nil, err
	}
	identity, err := compare.Identity(r.Harrier, jdk.Version)
	if err != nil {
		return nil, err
	}
	runner := compare.Runner{
		Executable: r.Harrier, Name: r.Harrier, Identity: identity, Flags: []string{},
		Store: compare.Store{Dir: r.Out}, Fresh: r.Fresh,
		Starting: func(i int) {
			fmt.Fprintf(progress, "run %d of %d: %s %s, at most %v\n", i+1, len(jobs), jobs[i].Program, jobs[i].Mode.Name, jobs[i].Limits.Time)
		},
	}
	limited := ctx
	if r.Within > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, r.Within, errUsedUp)
		defer cancel()
	}
	results, err := runner.Run(limited, jobs)
	switch {
	case ctx.Err() != nil && err != nil:
		err = errors.New("interrupted; what is finished is kept, the same command goes on")
	case errors.Is(err, errUsedUp):
		err = nil
	}
	return results, err
}
