package compare

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/report"
	"harrier/por/demeter"
)

// Runner makes runs.
type Runner struct {
	Executable string   // what is run
	Name       string   // how it is called, for command lines that are shown
	Identity   string   // of the build and the version of Java: codebase.Identity
	Flags      []string // of check, for all runs
	Store      Store
	Fresh      bool // make runs again that are kept already
	// Starting is called for each job, by its number from 0, before it is run. It may be nil.
	Starting func(number int)
}

// Run makes the runs of jobs, one after another. Each that can be made again with no other result is
// kept at once. The results are in the order of the jobs; with an error, which may be the cause that
// ended ctx, they are those of the first jobs.
func (r *Runner) Run(ctx context.Context, jobs []Job) ([]Result, error) {
	keys := make([]key, len(jobs))
	for i, job := range jobs {
		var err error
		if keys[i], err = r.key(job); err != nil {
			return nil, err
		}
	}
	commits := map[string]string{}
	commit := func(path string) string {
		if _, known := commits[path]; !known {
			commits[path] = Commit(path)
		}
		return commits[path]
	}
	results := []Result{}
	for i, job := range jobs {
		if ctx.Err() != nil {
			return results, context.Cause(ctx)
		}
		result, found := Result{}, false
		if !r.Fresh {
			result, found = r.Store.find(job, keys[i])
		}
		if !found {
			if r.Starting != nil {
				r.Starting(i)
			}
			var err error
			if result, err = r.run(ctx, job); err != nil {
				return results, err
			}
			if repeatable(&result) {
				if err := r.Store.keep(job, keys[i], result); err != nil {
					return results, err
				}
			}
		}
		// Another program may have the same content.
		r.name(&result, job)
		result.Commit = commit(job.Program.Path)
		result.Reused = found
		results = append(results, result)
	}
	return results, nil
}

func (r *Runner) key(job Job) (key, error) {
	content, err := codebase.Digest(job.Program.Path, job.Program.ClassPath)
	return key{
		Content: content, Scenario: job.Program.Scenario, Parameters: job.Program.Parameters,
		Flags:   append(flagsOf(job.Mode), r.Flags...),
		Seconds: job.Limits.Time.Seconds(), Memory: job.Limits.Memory, Harrier: r.Identity, Machine: ThisMachine(), Round: job.Round,
	}, err
}

// repeatable reports whether a run would come out the same again, as long as the program and what it read are the same. Wrong use may be
// mended, a breakdown may pass by.
func repeatable(r *Result) bool {
	if r.input {
		return false
	}
	return r.Figures != nil || r.Verdict == report.Inconclusive || r.ExitCode == report.ExitRule
}

// run makes one run.
func (r *Runner) run(ctx context.Context, job Job) (Result, error) {
	flags := append(r.flags(job), "--json", "--out", r.Store.traces(), job.Program.Path)
	started, load := time.Now(), Load()
	e, err := runCheck(ctx, r.Executable, append([]string{r.Name}, flags...))
	if err != nil {
		return Result{}, err
	}
	result := e.result()
	result.Started, result.ProcessSeconds, result.Load = started.UTC().Truncate(time.Second), time.Since(started).Seconds(), load
	return result, nil
}

// flags are the arguments that make the run of a job, but for the program and where its output goes.
func (r *Runner) flags(job Job) []string {
	flags := append([]string{"check"}, flagsOf(job.Mode)...)
	flags = append(flags, job.Program.flags()...)
	if job.Limits.Time > 0 {
		flags = append(flags, "--timeout", job.Limits.Time.String())
	}
	return append(append(flags, "--max-memory", memoryFlag(job.Limits.Memory)), r.Flags...)
}

// memoryFlag writes a limit of so many bytes as --max-memory takes it.
func memoryFlag(bytes uint64) string {
	switch {
	case bytes == 0:
		return "none"
	case bytes%(1<<30) == 0:
		return fmt.Sprintf("%dg", bytes>>30)
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%dm", bytes>>20)
	}
	return strconv.FormatUint(bytes, 10)
}

// name says in a result which job it is of.
func (r *Runner) name(result *Result, job Job) {
	result.Program, result.Scenario, result.Mode = job.Program.String(), job.Program.Scenario, job.Mode.Name
	result.Parameters = append([]model.Parameter{}, job.Program.Parameters...)
	result.Reproduce = report.CommandLine(append(append([]string{r.Name}, r.flags(job)...), job.Program.Path)...)
}

// checkFigures are what a comparison reads of the document of a check.
type checkFigures struct {
	report.Answer
	dbss.Counts
	space.Stats
	check.Times
	PeakMemoryBytes uint64
	Local           *lmc.Figures
	Demeter         *demeter.Figures
	report.Details
}

// summary takes over what check printed.
func (r *Result) summary(s *checkFigures) {
	r.Verdict, r.Note, r.PeakMemoryBytes, r.beside, r.input = s.Verdict, s.Reason, s.PeakMemoryBytes, s.Beside, s.Input
	r.Figures = &Figures{
		States: s.States, Transitions: s.Transitions, Depth: s.Depth, Terminal: s.Terminal, LocalSteps: s.LocalSteps,
		Executions: s.Executions, Demeter: s.Demeter, SetUpSeconds: s.SetUpSeconds, Seconds: s.Seconds, Properties: s.Properties,
	}
	if l := s.Local; l != nil { // beside the searches that verify combinations
		r.States, r.Transitions = s.States+l.LocalStates, s.Transitions+l.LocalSteps
	}
	if v := s.Violation; v != nil {
		r.Property, r.Steps, r.Trace = v.Property, len(v.Steps), v.Trace
	}
}
