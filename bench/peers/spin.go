package main

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// spin is Spin with options of its compiler. Its hash table begins with as many slots as harrier found states, and up to twice
// as many.
func spin(s settings, key, how string, options ...string) tool {
	folder := func(z size) string {
		return filepath.Join(s.folder, "build", fmt.Sprintf("%s-%d-%d-%d", key, z.proposers, z.acceptors, z.learners))
	}
	slots := map[size]int{} // binary logarithms
	return tool{
		key: key, name: "Spin", how: how, needs: "spin",
		prepare: func(ctx context.Context, z size, reference figures, progress io.Writer) error {
			slots[z] = max(10, bits.Len64(reference.states))
			model, err := filepath.Abs(filepath.Join(s.folder, "spin", "paxos.pml"))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(folder(z), 0o777); err != nil {
				return err
			}
			if err := build(ctx, folder(z), progress, "spin", "-a", fmt.Sprint("-DPROPOSERS=", z.proposers),
				fmt.Sprint("-DACCEPTORS=", z.acceptors), fmt.Sprint("-DLEARNERS=", z.learners), model); err != nil {
				return err
			}
			options := slices.Clone(options)
			if i := slices.Index(options, "-DMA"); i >= 0 {
				width, err := s.vectorSize(ctx, folder(z), progress)
				if err != nil {
					return err
				}
				options[i] += "=" + width
			}
			return s.compilePan(ctx, folder(z), progress, options...)
		},
		command: func(z size) []string {
			return []string{"./" + filepath.Join(folder(z), "pan"), "-m1000", fmt.Sprint("-w", slots[z])}
		},
		read: readSpin,
	}
}

func (s settings) compilePan(ctx context.Context, folder string, progress io.Writer, options ...string) error {
	gcc := append([]string{"gcc", s.optimize, "-w", "-DSAFETY", "-DMEMLIM=16000"}, options...)
	return build(ctx, folder, progress, append(gcc, "-o", "pan", "pan.c")...)
}

// vectorSize is how many bytes a state has. The automaton must be given it, and is slower for more than needed.
// A search of the first few steps prints it.
func (s settings) vectorSize(ctx context.Context, folder string, progress io.Writer) (string, error) {
	if err := s.compilePan(ctx, folder, progress); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, "./pan", "-m5", "-w10")
	c.Dir = folder
	out, err := c.Output()
	if m := spinVector.FindSubmatch(out); m != nil {
		return string(m[1]), nil
	}
	return "", fmt.Errorf("pan does not tell the size of a state: %v\n%s", err, out)
}

var (
	spinVector      = regexp.MustCompile(`State-vector (\d+) byte`)
	spinErrors      = regexp.MustCompile(`depth reached \d+.*errors: (\d+)`)
	spinStates      = regexp.MustCompile(`(\d+) states, stored`)
	spinTransitions = regexp.MustCompile(`(\d+) transitions \(= stored\+matched\)`)
	spinMemory      = regexp.MustCompile(`([\d.]+)\s+total actual memory usage`)
	spinSeconds     = regexp.MustCompile(`pan: elapsed time ([\d.]+) seconds`)
)

// readSpin reads what pan prints. Its transitions count the initial state, which is stored, too. Its
// memory is in units of 2 to the 20th bytes, and has the hash table and the stack in it.
func readSpin(output string) (figures, error) {
	numbers := make([]float64, 5)
	for i, r := range []*regexp.Regexp{spinErrors, spinStates, spinTransitions, spinMemory, spinSeconds} {
		m := r.FindStringSubmatch(output)
		if m == nil {
			return figures{}, fmt.Errorf("its output has no %q", r)
		}
		var err error
		if numbers[i], err = strconv.ParseFloat(m[1], 64); err != nil {
			return figures{}, err
		}
	}
	if numbers[0] != 0 || strings.Contains(output, "Search not completed") || strings.Contains(output, "max search depth too small") {
		return figures{}, fmt.Errorf("it found an error, or did not end:\n%s", output)
	}
	return figures{
		states: uint64(numbers[1]), transitions: uint64(numbers[2]) - 1, bytes: uint64(numbers[3] * (1 << 20)), seconds: numbers[4],
	}, nil
}
