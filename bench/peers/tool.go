package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// tool is a model checker with a way to use it.
type tool struct {
	key   string // for the flag -only
	name  string // for people
	how   string // what it keeps of a state, or how it reduces their number
	needs string // a command without which it cannot be run
	own   bool   // its counts are its own, and compared with no others

	// prepare builds what a size needs, from what is known of its states.
	prepare func(ctx context.Context, s size, reference figures, progress io.Writer) error
	// command is what to run.
	command func(s size) []string
	// read finds the figures in what it printed. An error says that it did not verify the protocol.
	read func(output string) (figures, error)
}

// figures are what a tool says of a search.
type figures struct {
	states, transitions uint64
	seconds             float64
	bytes               uint64 // that hold states; 0 if the tool does not print it
	allFields           bool   // states are told apart by all fields, so their number is another
	unfinished          bool   // it ended before all states were seen
	late                bool   // it had not ended after the time that it may take; nothing else is known but its memory
}

// unreduced are the tools without reductions, whose counts are equal. Spin has three exact ways to store states.
func unreduced(s settings) []tool {
	return s.chosen(slices.Concat([]tool{
		harrier(s, "harrier", "exact", "--search", "dfs", "--reduction", "off", "--symmetry", "off", "--hashing", "fields"),
		spin(s, "spin-collapse", "exact, -DCOLLAPSE", "-DNOREDUCE", "-DCOLLAPSE"),
		spin(s, "spin-plain", "exact, uncompressed", "-DNOREDUCE"),
		spin(s, "spin-ma", "exact, minimized automaton (-DMA)", "-DNOREDUCE", "-DMA"),
	}, stateright(s, "full", "fingerprints of 64 bits"), []tool{naive(s)}))
}

// reduced are the tools with the reductions that each has: harrier and Spin as users get them who say nothing.
func reduced(s settings) []tool {
	byDefault := harrier(s, "harrier-default", "macro steps, symmetry")
	spinByDefault := spin(s, "spin-reduced", "partial-order reduction, -DCOLLAPSE", "-DCOLLAPSE")
	byDefault.own, spinByDefault.own = true, true
	symmetric := harrier(s, "harrier-symmetry", "symmetry", "--search", "dfs", "--reduction", "off", "--hashing", "fields")
	return s.chosen(slices.Concat([]tool{byDefault, symmetric, spinByDefault}, stateright(s, "symmetry", "symmetry"), []tool{tlc(s)}))
}

// chosen are the tools that are asked for, and those of harrier, to which the others are compared.
func (s settings) chosen(tools []tool) []tool {
	return slices.DeleteFunc(tools, func(t tool) bool {
		asked := func(o string) bool { return strings.HasPrefix(t.key, o) }
		return s.only != nil && !strings.HasPrefix(t.key, "harrier") && !slices.ContainsFunc(s.only, asked)
	})
}

// missing says why a tool cannot be run, "" if it can.
func (t *tool) missing() string {
	if _, err := exec.LookPath(t.needs); err != nil {
		return t.needs + " is missing"
	}
	return ""
}

// build runs a command in a folder, and returns what it printed if it failed.
func build(ctx context.Context, folder string, progress io.Writer, command ...string) error {
	fmt.Fprintln(progress, strings.Join(command, " "))
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return nil
}
