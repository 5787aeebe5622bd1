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
	key    string // for the flag -only
	name   string // for people
	stores string // what it keeps of a state
	needs  string // a command without which it cannot be run
	once   bool   // is run once only, as it takes long

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
	bytes               uint64 // that hold states; 0 if the tool does not tell
	allFields           bool   // states are told apart by all fields, so their number is another
	unfinished          bool
}

// allTools are the tools that are asked for; harrier, to which the others are compared, is the first.
func allTools(s settings) []tool {
	tools := []tool{harrier(s)}
	for _, t := range slices.Concat(spin(s), stateright(s), []tool{naive(s)}) {
		if s.only == nil || slices.ContainsFunc(s.only, func(o string) bool { return strings.HasPrefix(t.key, o) }) {
			tools = append(tools, t)
		}
	}
	return tools
}

// missing says why a tool cannot be run, "" if it can.
func (t *tool) missing() string {
	if _, err := exec.LookPath(t.needs); err != nil {
		return t.needs + " is missing"
	}
	return ""
}

// build runs a command in a folder, and tells what it said if it failed.
func build(ctx context.Context, folder string, progress io.Writer, command ...string) error {
	fmt.Fprintln(progress, strings.Join(command, " "))
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return nil
}
