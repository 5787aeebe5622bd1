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
	// failed says that setting it up failed.
	failed bool

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
	return slices.Concat([]tool{
		harrier(s, "harrier", "exact", "--reduction", "off", "--symmetry", "off", "--hashing", "fields"),
		spin(s, "spin-collapse", "exact, -DCOLLAPSE", "-DNOREDUCE", "-DCOLLAPSE"),
		spin(s, "spin-plain", "exact, uncompressed", "-DNOREDUCE"),
		spin(s, "spin-ma", "exact, minimized automaton (-DMA)", "-DNOREDUCE", "-DMA"),
	}, stateright(s, "full", "fingerprints of 64 bits"), []tool{naive(s)})
}

// reduced are the tools with the reductions that each has: harrier and Spin as users get them who say nothing.
func reduced(s settings) []tool {
	byDefault := harrier(s, "harrier-default", "macro steps, symmetry")
	spinByDefault := spin(s, "spin-reduced", "partial-order reduction, -DCOLLAPSE", "-DCOLLAPSE")
	byDefault.own, spinByDefault.own = true, true
	symmetric := harrier(s, "harrier-symmetry", "symmetry", "--reduction", "off", "--hashing", "fields")
	return slices.Concat([]tool{byDefault, symmetric, spinByDefault}, stateright(s, "symmetry", "symmetry"), []tool{tlc(s)})
}

// skips reports whether a tool is not run, as -only does not ask for it. Those of harrier, to which the others are compared, always are.
func (s settings) skips(key string) bool {
	return s.only != nil && !strings.HasPrefix(key, "harrier") && !slices.ContainsFunc(s.only, func(o string) bool { return strings.HasPrefix(key, o) })
}

// keysOf are the keys of tools of a comparison.
func keysOf[T any](tools []T, key func(T) string) (keys []string) {
	for _, t := range tools {
		keys = append(keys, key(t))
	}
	return keys
}

// checkOnly refuses a name of -only with which no key of a comparison's tools begins.
func (s settings) checkOnly(keys []string) error {
	for _, o := range s.only {
		if o == "" || !slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, o) }) {
			slices.Sort(keys)
			return fmt.Errorf("-only: no tool of this comparison begins with %q; they are %s", o, strings.Join(slices.Compact(keys), ", "))
		}
	}
	return nil
}

// A notSetUp is the error of a tool that could not be fetched or built for a case. The others are compared without it.
type notSetUp struct {
	tool, of string
	err      error
}

// notSetUpText stands in rows of such a tool.
const notSetUpText = "it could not be set up"

func (n notSetUp) Error() string { return fmt.Sprintf("setting up %s for %s: %v", n.tool, n.of, n.err) }

// incomplete is the error of a comparison from which tools are missing, as they could not be set up; nil if none is.
func incomplete(failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("rows are missing; set-ups that failed: %d, the first: %w", len(failed), failed[0])
}

// missing says why a tool cannot be run, "" if it can.
func (t *tool) missing() string {
	if t.failed {
		return notSetUpText
	}
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
