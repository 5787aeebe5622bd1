// Command peers compares harrier with other model checkers on one protocol, examples/paxos, and prints
// Markdown. `make bench-peers` runs it; README.md says how the models in spin/ and stateright/ relate to
// the Java program, and why their counts are equal.
//
//	tool (harrier.go, spin.go, stateright.go, naive.go)   how to build and run one, and read its figures
//	-> run (measure.go)                                   each alone, in turn, several times
//	-> markdown (markdown.go)
//
// That the counts are equal is checked before anything else is printed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	sizes     []size
	only      []string // beginnings of tools' keys; empty for all
	timeout   time.Duration
	naiveTime time.Duration
}

func main() { frame.Main("peers", run) }

// run makes the comparison. The exit code is 0 where all counts are equal, 1 where not, 2 for wrong use,
// 3 for what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	c := &comparison{settings: s, tools: allTools(s), progress: stderr}
	err = c.measure(ctx, stdout)
	var different unequal
	switch {
	case ctx.Err() != nil:
		return frame.Impossible, errors.New("interrupted")
	case errors.As(err, &different):
		return frame.Different, err
	case err != nil:
		return frame.Impossible, err
	}
	if err := c.markdown(stdout); err != nil {
		return frame.Impossible, fmt.Errorf("printing the table: %w", err)
	}
	return frame.OK, nil
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("peers", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the harrier to run")
	f.StringVar(&s.folder, "folder", "bench/peers", "folder of the models; what is built goes to its folder build")
	f.StringVar(&s.examples, "examples", "examples", "folder of the examples")
	f.IntVar(&s.runs, "runs", 3, "how often to run each tool; medians are printed")
	f.DurationVar(&s.timeout, "timeout", 20*time.Minute, "give up when a run takes this long")
	f.DurationVar(&s.naiveTime, "naive-time", 2*time.Minute, "end the naive explorer after this long")
	sizes := f.String("sizes", "2/3/1,2/4/1", "numbers of proposers/acceptors/learners")
	only := f.String("only", "", "which tools to run beside harrier: beginnings of their keys, such as spin,stateright-compact")
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	if s.runs < 1 || s.timeout <= 0 || s.naiveTime < time.Second {
		return s, errors.New("-runs and -timeout must be more than 0, -naive-time a second or more")
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
	}
	for _, text := range strings.Split(*sizes, ",") {
		var z size
		if _, err := fmt.Sscanf(text+" ", "%d/%d/%d ", &z.proposers, &z.acceptors, &z.learners); err != nil ||
			z.String() != text || min(z.proposers, z.acceptors, z.learners) < 1 {
			return s, fmt.Errorf("-sizes: %q is no size: write 2/3/1", text)
		}
		s.sizes = append(s.sizes, z)
	}
	return s, nil
}
