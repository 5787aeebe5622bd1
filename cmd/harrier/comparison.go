package main

import (
	"bytes"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/compare"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/report"
)

// run makes the runs, prints their results, and gives the error with the exit code.
func (k *comparing) run(c *cobra.Command, programs []string) error {
	if err := k.parse(c, programs); err != nil {
		return usageError{err}
	}
	jdk, err := bridge.FindJDK(k.javaHome)
	if err != nil {
		return usageError{err}
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding harrier's own file: %w", err)
	}
	identity, err := codebase.Identity(executable, jdk.Version)
	if err != nil {
		return err
	}
	var running atomic.Pointer[current]
	runner := compare.Runner{
		Executable: executable, Name: os.Args[0], Identity: identity, Flags: append(setJavaFlags(c), k.allowFlags()...),
		Store: compare.Store{Dir: k.out}, Fresh: k.fresh,
		Starting: func(number int) { running.Store(&current{number, time.Now()}) },
	}
	origin := compare.NewOrigin(Version, jdk.Version)
	stopProgress := k.showProgress(c, &running)
	results, err := runner.Run(c.Context(), k.jobs)
	stopProgress()
	interrupted := c.Context().Err() != nil
	if err != nil && !interrupted {
		return usageError{err}
	}
	table := compare.NewTable(k.chosen, k.baseline, k.limits, results, len(k.jobs)-len(results))
	table.Origin = &origin
	if err := k.print(c, table); err != nil {
		return err
	}
	if interrupted && table.Missing > 0 {
		complain(c.ErrOrStderr(), fmt.Sprintf("%d of %d runs are done; go on with: %s",
			len(results), len(k.jobs), commandLine(c, append([]string{c.Name()}, programs...), "fresh")), nil)
		return err
	}
	if code := table.ExitCode(); code != report.ExitVerified {
		return reportedError{code}
	}
	return nil
}

// print prints the table, and beside it what must not be missed.
func (k *comparing) print(c *cobra.Command, table *compare.Table) error {
	if n := table.Reused(); n > 0 {
		complain(c.ErrOrStderr(), fmt.Sprintf("%d of %d runs were kept in %s and are not made again; --fresh makes them",
			n, len(k.jobs), k.out), nil)
	}
	var text bytes.Buffer
	err := formats[k.format](table, &text)
	if err == nil {
		_, err = text.WriteTo(c.OutOrStdout())
	}
	if err != nil {
		return err
	}
	for _, d := range table.Disagreements() {
		complain(c.ErrOrStderr(), d.String(), nil)
	}
	if table.Missing > 0 {
		return nil
	}
	for _, p := range k.plots {
		var svg bytes.Buffer
		if err := p.Draw(table, &svg); err != nil {
			return err
		}
		if err := os.WriteFile(p.file, svg.Bytes(), 0o644); err != nil {
			return usageError{fmt.Errorf("--plot: %w", err)}
		}
	}
	return nil
}

// current is the run that is being made: its number, from 0, and since when.
type current struct {
	number  int
	started time.Time
}

// showProgress shows which run is being made, and for how long.
func (k *comparing) showProgress(c *cobra.Command, running *atomic.Pointer[current]) func() {
	w := c.ErrOrStderr()
	return report.StartLine(w, width(w), func(time.Duration) string {
		r := running.Load()
		if r == nil {
			return ""
		}
		job := k.jobs[r.number]
		line := fmt.Sprintf("%s  run %d of %d: %s %s", time.Since(r.started).Round(time.Second), r.number+1, len(k.jobs),
			job.Program, job.Mode.Name)
		if job.Limits.Time > 0 {
			line += fmt.Sprintf(", at most %v", job.Limits.Time)
		}
		return line
	}).Stop
}
