// Command sampling measures how soon random runs, the default search and breadth-first search alone meet the violations of the wrong
// examples, and makes a table for docs/benchmarks.md. `make bench-sampling` runs it.
//
// Seconds are those of the search, from when the program is set up, with what makes the run shorter and executes it again. Beside them
// are the processor time of the whole process, and transitions, which depend on no machine. Random runs are taken with some seeds, of
// which the medians count, and how many found the violation within the limit.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/report"
)

func main() { frame.Main("sampling", run) }

type settings struct {
	harrier, only, memory, into string
	timeout                     time.Duration
	seeds                       int
}

// programs are violated: the wrong examples, those that are wrong with a parameter, and some over single steps, which reductions do not help.
var programs = []string{
	"examples/abp-faulty",
	"examples/backup --set fifo=false",
	"examples/byzantine-generals --set generals=3",
	"examples/first-protocol --scenario TwoPhaseCommitFaulty",
	"examples/kv-forgetful",
	"examples/kv-stale",
	"examples/one-paxos-faulty",
	"examples/paxos-faulty",
	"examples/paxos-faulty2",
	"examples/paxos-forgetful",
	"examples/paxos-node-faulty",
	"examples/paxos-quorum --set alwaysAccept=true",
	"examples/paxos-quorum --set erroneous=true",
	"examples/randtree-faulty",
	"examples/register-wrong",
	"examples/retry --set inOrder=false",
	"examples/two-phase-commit --set missing=1",
	"examples/zab-faulty",
	"examples/zab-faulty2",
	"bench/sampling/RaftVotes.java",
	"examples/commit-live",
	"examples/election --set strong=false",
	"examples/prevote",
	"examples/zab-live --set leaders=3 --set ties=false",
	"examples/paxos-faulty2 --reduction off --symmetry off",
	"examples/zab-faulty2 --reduction off --symmetry off",
	"bench/sampling/RaftVotes.java --reduction off --symmetry off",
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	var s settings
	f := frame.Flags("sampling", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the `file` to run")
	f.StringVar(&s.only, "only", "", "programs whose name contains this `text`")
	f.StringVar(&s.memory, "max-memory", "4g", "limit of each run")
	f.DurationVar(&s.timeout, "timeout", 20*time.Second, "limit of each run")
	f.IntVar(&s.seeds, "seeds", 20, "how many seeds of random runs are taken; fewer where most met no violation")
	f.StringVar(&s.into, "into", "", "the `file` that gets the table between its marks (default: print it)")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	var table bytes.Buffer
	fmt.Fprintln(&table, compare.MarkdownHead([]string{
		"program", "bfs: s", "CPU s", "transitions", "default: s", "CPU s", "transitions", "sample: s", "CPU s", "steps", "found by sample",
	}, "lrrrrrrrrrr"))
	for _, p := range programs {
		if !strings.Contains(p, s.only) {
			continue
		}
		row, err := s.row(ctx, p)
		if err != nil {
			return frame.Impossible, err
		}
		fmt.Fprintln(stderr, row)
		fmt.Fprintln(&table, row)
	}
	fmt.Fprintf(&table, "\nOf %d seeds, with a limit of %v for each run.\n", s.seeds, s.timeout)
	if s.into != "" {
		return frame.OK, frame.Replace(s.into, "sampling", table.Bytes())
	}
	_, err := stdout.Write(table.Bytes())
	return frame.OK, err
}

func (s *settings) row(ctx context.Context, program string) (string, error) {
	name := strings.TrimSuffix(program, " --reduction off --symmetry off")
	if name != program {
		name += ", single steps"
	}
	_, name, _ = strings.Cut(name, "/")
	cells := []string{strings.NewReplacer("--set ", "", "--scenario ", "", "sampling/", "", ".java", "").Replace(name)}
	// Classes and what the analysis found are kept from a first check, which counts for no search.
	if _, _, err := frame.Check(ctx, s.harrier, append(strings.Fields(program), "--max-states", "1")...); err != nil {
		return "", err
	}
	for _, search := range []string{"bfs", "auto", "sample"} {
		runs, err := s.search(ctx, program, search)
		if err != nil {
			return "", err
		}
		cells = append(cells, runs.cells(s)...)
		if search == "sample" {
			cells = append(cells, fmt.Sprintf("%d of %d", runs.violated(), len(runs)))
		}
	}
	return compare.MarkdownRow(cells), nil
}

// measured is a run of harrier.
type measured struct {
	*frame.Summary
	processor time.Duration // of the process and its threads
}

type runs []measured

func (r runs) violated() (n int) {
	for _, m := range r {
		if m.Verdict == report.Violated {
			n++
		}
	}
	return n
}

// cells are the medians of time, processor time and transitions, where runs that met no violation count as longer than any other. If
// most are such, they say so.
func (r runs) cells(s *settings) []string {
	median := func(figure func(measured) float64) float64 {
		var all []float64
		for _, m := range r {
			if m.Verdict == report.Violated {
				all = append(all, figure(m))
			} else {
				all = append(all, math.Inf(1))
			}
		}
		slices.Sort(all)
		return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	seconds := median(func(m measured) float64 { return m.Seconds })
	if math.IsInf(seconds, 1) {
		return []string{fmt.Sprintf("> %.0f", s.timeout.Seconds()), "", ""}
	}
	return []string{
		fmt.Sprintf("%.2f", seconds), fmt.Sprintf("%.2f", median(func(m measured) float64 { return m.processor.Seconds() })),
		compare.Count(uint64(median(func(m measured) float64 { return float64(m.Transitions) }))),
	}
}

// search checks a program with one seed after another, until the median is known: once where no random run decides, and not again
// where most seeds came to the limit.
func (s *settings) search(ctx context.Context, program, search string) (runs, error) {
	var r runs
	for seed := 1; seed <= s.seeds; seed++ {
		arguments := append(strings.Fields(program), "--search", search, "--timeout", s.timeout.String(), "--max-memory", s.memory)
		if search != "bfs" {
			arguments = append(arguments, "--seed", strconv.Itoa(seed))
		}
		summary, process, err := frame.Check(ctx, s.harrier, arguments...)
		if err != nil {
			return nil, err
		}
		r = append(r, measured{summary, process.UserTime() + process.SystemTime()})
		found := summary.Verdict == report.Violated
		if search == "bfs" || found && search == "auto" && !summary.Violation.Sampled || 2*(len(r)-r.violated()) > s.seeds {
			break
		}
	}
	return r, nil
}
