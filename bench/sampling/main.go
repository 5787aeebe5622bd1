// Command sampling measures how soon random runs, the default search and breadth-first search alone meet the violations of the wrong
// examples, and prints a table for docs/benchmarks.md. `make bench-sampling` runs it.
//
// A time is that of the search, from when the program is set up, with what makes the run shorter and executes it again. Random runs are
// taken with some seeds, of which the median counts, and how many found the violation within the limit.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"harrier/bench/frame"
	"harrier/internal/report"
)

func main() { frame.Main("sampling", run) }

type settings struct {
	harrier, only, memory string
	timeout               time.Duration
	seeds                 int
}

// programs are violated.
var programs = []string{
	"examples/abp-faulty", "examples/byzantine-generals --set generals=3", "examples/kv-forgetful", "examples/kv-stale", "examples/one-paxos-faulty",
	"examples/paxos-faulty", "examples/paxos-faulty2", "examples/paxos-forgetful", "examples/paxos-node-faulty", "examples/randtree-faulty",
	"examples/register-wrong", "examples/zab-faulty", "examples/zab-faulty2", "bench/sampling/RaftVotes.java",
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	var s settings
	f := frame.Flags("sampling", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the `file` to run")
	f.StringVar(&s.only, "only", "", "programs whose name contains this `text`")
	f.StringVar(&s.memory, "max-memory", "4g", "limit of each run")
	f.DurationVar(&s.timeout, "timeout", time.Minute, "limit of each run")
	f.IntVar(&s.seeds, "seeds", 20, "how many seeds of random runs are taken")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	fmt.Fprintln(stdout, "| program | bfs | default, median | sample, median | steps of it | found by sample |")
	fmt.Fprintln(stdout, "|---|---:|---:|---:|---:|---:|")
	for _, p := range programs {
		if !strings.Contains(p, s.only) {
			continue
		}
		row, err := s.row(ctx, p)
		if err != nil {
			return frame.Impossible, err
		}
		fmt.Fprintln(stdout, row)
	}
	return frame.OK, nil
}

func (s *settings) row(ctx context.Context, program string) (string, error) {
	alone, err := s.search(ctx, program, "bfs", 1)
	if err != nil {
		return "", err
	}
	beside, err := s.search(ctx, program, "auto", s.seeds)
	if err != nil {
		return "", err
	}
	sampled, err := s.search(ctx, program, "sample", s.seeds)
	if err != nil {
		return "", err
	}
	steps := slices.Sorted(func(yield func(uint64) bool) {
		for _, r := range sampled.runs {
			if !yield(r.Transitions) {
				return
			}
		}
	})
	name, _, _ := strings.Cut(strings.TrimPrefix(program, "examples/"), " ")
	return fmt.Sprintf("| %s | %s | %s | %s | %d | %d of %d |", name, alone.text(s), beside.text(s), sampled.text(s), steps[len(steps)/2],
		len(sampled.seconds), s.seeds), nil
}

// found are the runs of a search, and the times after which they met a violation.
type found struct {
	runs    []*report.Summary
	seconds []float64
}

// text is the median time; that it is above the limit if most runs met no violation.
func (f *found) text(s *settings) string {
	all := slices.Clone(f.seconds)
	for len(all) < len(f.runs) {
		all = append(all, math.Inf(1))
	}
	slices.Sort(all)
	if median := all[len(all)/2]; !math.IsInf(median, 1) {
		return fmt.Sprintf("%.2f s", median)
	}
	return "> " + s.timeout.String()
}

func (s *settings) search(ctx context.Context, program, search string, seeds int) (*found, error) {
	f := &found{}
	for seed := 1; seed <= seeds; seed++ {
		arguments := append(strings.Fields(program), "--search", search, "--timeout", s.timeout.String(), "--max-memory", s.memory)
		if search != "bfs" {
			arguments = append(arguments, "--seed", strconv.Itoa(seed))
		}
		r, _, err := frame.Check(ctx, s.harrier, arguments...)
		if err != nil {
			return nil, err
		}
		if f.runs = append(f.runs, r); r.Verdict == report.Violated {
			f.seconds = append(f.seconds, r.Seconds)
			if search == "auto" && !r.Violation.Sampled {
				break // no seed makes a difference
			}
		}
	}
	return f, nil
}
