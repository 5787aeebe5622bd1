// Command peers compares harrier with other model checkers on one protocol, examples/paxos, and prints two
// tables as Markdown: all without reductions, state by state, and each with its own, to the verdict.
// `make bench-peers` runs it; README.md says how the models in spin/, stateright/ and tla/ relate to the
// Java program, and why their counts are equal.
//
//	tool (harrier.go, spin.go, stateright.go, tlc.go, naive.go)   how to build and run one, and read its figures
//	-> measure (measure.go)                                       each alone, in turn, several times
//	-> rates, verdicts (markdown.go)
//
// That counts are equal is checked before a table is printed.
//
// With -liveness (live.go, which `make bench-liveness` runs) it compares to the verdict on liveness properties of the protocols
// in live/, with harrier, TLC and Spin, and checks that verdicts agree.
//
// With -register (register.go, which `make bench-register` runs) it compares harrier with Stateright on the register of
// Stateright's own benchmark, and checks that verdicts agree, and the states of the protocol.
//
// With -counts (counts.go, which `make bench-counts` runs) it compares harrier with TraceForge, Stateright, TLC and Spin on protocols that
// these have as examples of their own, and checks that all count the same executions or states.
//
// With -simulation (simulation.go, which `make bench-simulation` runs) it compares random runs of wrong protocols with harrier,
// Stateright and TLC, to the first violation.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"harrier/bench/frame"
)

// size is how many actors there are.
type size struct{ proposers, acceptors, learners int }

func (s size) String() string { return fmt.Sprintf("%d/%d/%d", s.proposers, s.acceptors, s.learners) }

// settings say what to compare.
type settings struct {
	harrier   string // the command
	folder    string // of this package
	examples  string
	runs      int
	sizes     []size   // of the table without reductions
	reduced   []size   // of that with them
	only      []string // beginnings of tools' keys; empty for all
	optimize  string   // how gcc compiles what Spin writes, such as -O3
	timeout   time.Duration
	naiveTime time.Duration
	liveness  int // at how many sizes of each protocol to compare liveness, and nothing else; 0 for not
	register  int // at how many sizes to compare the register, and nothing else; 0 for not
	// simulation is with how many seeds to compare random runs, and nothing else; 0 for not.
	simulation int
	counts     bool   // whether to compare counts, and nothing else
	protocol   string // the beginning of the names of those that -simulation and -counts compare
	into       string // the file that gets the table of one of the four between its marks, "" for standard output
}

func main() { frame.Main("peers", run) }

// run makes the comparison. The exit code is 0 where all counts are equal, 1 where not, 2 for wrong use,
// 3 for what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	if s.liveness > 0 {
		return s.compareLiveness(ctx, stdout, stderr)
	}
	if s.register > 0 {
		return s.compareRegister(ctx, stdout, stderr)
	}
	if s.counts {
		return s.compareCounts(ctx, stdout, stderr)
	}
	if s.simulation > 0 {
		return s.compareSimulations(ctx, stdout, stderr)
	}
	tables := []struct {
		comparison
		print func(*comparison, io.Writer) error
	}{
		{comparison{settings: s, sizes: s.sizes, tools: unreduced(s), progress: stderr}, (*comparison).rates},
		{comparison{settings: s, sizes: s.reduced, tools: reduced(s), progress: stderr}, (*comparison).verdicts},
	}
	if err := s.checkOnly(keysOf(slices.Concat(unreduced(s), reduced(s)), func(t tool) string { return t.key })); err != nil {
		return frame.Usage, err
	}
	var failed []error
	for i := range tables {
		t := &tables[i]
		t.tools = slices.DeleteFunc(t.tools, func(t tool) bool { return s.skips(t.key) })
		if len(t.comparison.sizes) == 0 {
			continue
		}
		if err := t.measure(ctx, stdout); err != nil || ctx.Err() != nil {
			return failure(ctx, err)
		}
		if err := t.print(&t.comparison, stdout); err != nil {
			return frame.Impossible, fmt.Errorf("printing the table: %w", err)
		}
		failed = append(failed, t.failed...)
	}
	if err := incomplete(failed); err != nil {
		return frame.Impossible, err
	}
	return frame.OK, nil
}

// failure is the exit code and the error of a measurement that ended in an error.
func failure(ctx context.Context, err error) (int, error) {
	var different unequal
	switch {
	case ctx.Err() != nil:
		return frame.Impossible, errors.New("interrupted")
	case errors.As(err, &different):
		return frame.Different, err
	}
	return frame.Impossible, err
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("peers", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the harrier to run")
	f.StringVar(&s.folder, "folder", "bench/peers", "folder of the models; what is built goes to its folder build")
	f.StringVar(&s.examples, "examples", "examples", "folder of the examples")
	f.IntVar(&s.runs, "runs", 3, "how often to run each tool; medians are printed")
	f.DurationVar(&s.timeout, "timeout", 10*time.Minute, "end a run that takes this long")
	f.DurationVar(&s.naiveTime, "naive-time", 2*time.Minute, "end the naive explorer after this long")
	sizes := f.String("sizes", "2/3/1,2/4/1", "numbers of proposers/acceptors/learners without reductions, \"\" for no such table")
	reduced := f.String("reduced", "2/3/1,2/4/1,3/3/1", "the same with reductions")
	only := f.String("only", "", "which tools to set up and run beside harrier: beginnings of their keys, such as spin,stateright-compact")
	f.StringVar(&s.optimize, "optimize", "-O3", "how gcc compiles what Spin writes")
	f.IntVar(&s.liveness, "liveness", 0, "compare liveness instead, at so many sizes of each protocol")
	f.IntVar(&s.register, "register", 0, "compare the register instead, at so many sizes, right and wrong")
	f.IntVar(&s.simulation, "simulation", 0, "compare random runs of wrong protocols instead, with so many seeds")
	f.StringVar(&s.protocol, "protocol", "", "with -simulation and -counts: only protocols whose names begin like this")
	f.BoolVar(&s.counts, "counts", false, "compare counts of executions and states of peers' own examples instead")
	f.StringVar(&s.into, "into", "", "the file that gets the table of -liveness, -register, -counts or -simulation between its marks (default: print it)")
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	if s.runs < 1 || s.timeout <= 0 || s.naiveTime < time.Second {
		return s, errors.New("-runs and -timeout must be more than 0, -naive-time a second or more")
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
	}
	var err error
	if s.sizes, err = parseSizes(*sizes); err != nil {
		return s, fmt.Errorf("-sizes: %w", err)
	}
	if s.reduced, err = parseSizes(*reduced); err != nil {
		return s, fmt.Errorf("-reduced: %w", err)
	}
	return s, nil
}

func parseSizes(list string) ([]size, error) {
	var sizes []size
	for _, text := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		var z size
		if _, err := fmt.Sscanf(text+" ", "%d/%d/%d ", &z.proposers, &z.acceptors, &z.learners); err != nil ||
			z.String() != text || min(z.proposers, z.acceptors, z.learners) < 1 {
			return nil, fmt.Errorf("%q is no size: write 2/3/1", text)
		}
		sizes = append(sizes, z)
	}
	return sizes, nil
}
