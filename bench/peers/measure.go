package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"harrier/internal/compare"
	"harrier/internal/process/memory"
)

// measured is a run of a tool.
type measured struct {
	figures
	wall  float64 // seconds, from the start of the process to its end
	cpu   float64 // seconds of processors, of all its threads
	peak  uint64  // memory of the process, in bytes
	floor uint64  // what the system gives as its peak at least: the memory of this process, which started it
}

// comparison is what a table compares, and the results.
type comparison struct {
	settings
	sizes    []size
	tools    []tool // the first is harrier, whose figures are 1
	progress io.Writer
	runsOf   map[string]map[size][]measured // by the key of a tool
	failed   []error                        // of tools that could not be set up
}

// unequal says that a tool counts otherwise than harrier.
type unequal struct{ text string }

func (u unequal) Error() string { return u.text }

// measure runs all tools, one at a time and in turn, so that drift of the machine meets all of them. When
// each was run once, the equal counts are printed.
func (c *comparison) measure(ctx context.Context, stdout io.Writer) error {
	c.runsOf = map[string]map[size][]measured{}
	references := map[size]figures{}
	reference := &c.tools[slices.IndexFunc(c.tools, func(t tool) bool { return !t.own })]
	for _, z := range c.sizes {
		first, err := c.runTool(ctx, reference, z)
		if err != nil {
			return err
		}
		references[z] = first.figures
	}
	var present []*tool
	for i := range c.tools {
		t := &c.tools[i]
		c.setUp(ctx, t, references)
		if why := t.missing(); why != "" {
			fmt.Fprintf(c.progress, "%s is not run: %s\n", t.name, why)
			continue
		}
		present = append(present, t)
		c.runsOf[t.key] = map[size][]measured{}
	}
	for round := range c.runs {
		for _, z := range c.sizes {
			for _, t := range present {
				if err := c.round(ctx, round, t, z, references[z]); err != nil {
					return err
				}
			}
		}
		if round == 0 {
			if err := c.equalities(stdout, present, references); err != nil {
				return err
			}
		}
	}
	return nil
}

// setUp builds what a tool needs at each size, if its command is there, and notes where that fails.
func (c *comparison) setUp(ctx context.Context, t *tool, references map[size]figures) {
	for _, z := range c.sizes {
		if t.missing() != "" {
			return
		}
		if err := t.prepare(ctx, z, references[z], c.progress); err != nil {
			c.failed = append(c.failed, notSetUp{t.name, z.String(), err})
			t.failed = true
		}
	}
}

// round runs a tool in a round, and checks that it counts what harrier does.
func (c *comparison) round(ctx context.Context, round int, t *tool, z size, reference figures) error {
	const long = 60 // seconds; what takes as long is run once
	if round > 0 {
		if first := c.runsOf[t.key][z][0]; first.late || first.wall >= long {
			return nil
		}
	}
	fmt.Fprintf(c.progress, "round %d of %d, %s: %s, %s\n", round+1, c.runs, z, t.name, t.how)
	m, err := c.runTool(ctx, t, z)
	if err != nil {
		return err
	}
	ended := "ended"
	if m.late {
		ended = "was stopped"
	}
	fmt.Fprintf(c.progress, "\t%s after %.1f s with %d MB\n", ended, m.wall, m.peak>>20)
	c.runsOf[t.key][z] = append(c.runsOf[t.key][z], m)
	if t.own || m.late || m.states == reference.states && m.transitions == reference.transitions {
		return nil
	}
	return unequal{fmt.Sprintf("at %s, %s (%s) has %s states and %s transitions, harrier %s and %s", z, t.name, t.how,
		compare.Count(m.states), compare.Count(m.transitions), compare.Count(reference.states), compare.Count(reference.transitions))}
}

// runTool runs a tool to its end.
func (c *comparison) runTool(ctx context.Context, t *tool, z size) (measured, error) {
	output, m, err := c.execute(ctx, "", t.command(z))
	if m.late {
		return m, nil
	}
	if err == nil {
		m.figures, err = t.read(output)
	}
	if err != nil {
		return m, fmt.Errorf("%s at %s: %w", t.name, z, err)
	}
	return m, nil
}

// execute runs a command in a folder, "" for the present one, and returns what it printed. One that takes longer than it may is
// ended; it is late, which is no error. The error of one that failed has what it printed to standard error.
func (s settings) execute(ctx context.Context, folder string, command []string) (output string, m measured, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var stdout, stderr strings.Builder
	p := exec.CommandContext(ctx, command[0], command[1:]...)
	p.Dir, p.Stdout, p.Stderr = folder, &stdout, &stderr
	m.floor = memory.Resident()
	start := time.Now()
	err = p.Run()
	m.wall = time.Since(start).Seconds()
	if p.ProcessState != nil {
		m.peak = memory.PeakOf(p.ProcessState)
		m.cpu = (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds()
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		m.late = true
		return "", m, nil
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), m, err
}

// equalities prints which counts are equal.
func (c *comparison) equalities(w io.Writer, present []*tool, references map[size]figures) error {
	for _, z := range c.sizes {
		r := references[z]
		var names []string
		for _, t := range present {
			if !t.own && !c.runsOf[t.key][z][0].late && !slices.Contains(names, t.name) {
				names = append(names, t.name)
			}
		}
		if _, err := fmt.Fprintf(w, "- %s (proposers/acceptors/learners): %s states and %s transitions in each of: %s.\n",
			z, compare.Count(r.states), compare.Count(r.transitions), strings.Join(names, "; ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// median is that of a figure of several runs.
func median(runs []measured, figure func(m measured) float64) float64 {
	var all []float64
	for _, m := range runs {
		all = append(all, figure(m))
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
