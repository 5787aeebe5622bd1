package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
)

// stateright are Stateright with its actors, and with a model written by hand for speed.
func stateright(s settings, states, how string) []tool {
	built := false
	prepare := func(ctx context.Context, _ size, _ figures, progress io.Writer) error {
		if built {
			return nil
		}
		err := s.buildStateright(ctx, progress)
		built = err == nil
		return err
	}
	model := func(model, description string) tool {
		return tool{
			key: "stateright-" + model, name: "Stateright, " + description, how: how, needs: "cargo", prepare: prepare,
			command: func(z size) []string {
				return []string{
					filepath.Join(s.staterightTarget(), "release", "paxos"), model, states,
					strconv.Itoa(z.proposers), strconv.Itoa(z.acceptors), strconv.Itoa(z.learners),
				}
			},
			read: readStateright,
		}
	}
	return []tool{model("actors", "its actors"), model("compact", "a model by hand")}
}

// staterightTarget is where cargo puts what it builds.
func (s settings) staterightTarget() string { return filepath.Join(s.folder, "build", "stateright") }

// buildStateright builds the models for Stateright, that of Paxos and that of the register.
func (s settings) buildStateright(ctx context.Context, progress io.Writer) error {
	return build(ctx, "", progress, "cargo", "build", "--quiet", "--release",
		"--manifest-path", filepath.Join(s.folder, "stateright", "Cargo.toml"), "--target-dir", s.staterightTarget())
}

// readStateright reads the line that the program prints. What is generated has the initial state in it.
func readStateright(output string) (figures, error) {
	var f figures
	var generated uint64
	if _, err := fmt.Sscanf(output, "unique=%d generated=%d seconds=%g", &f.states, &generated, &f.seconds); err != nil {
		return f, fmt.Errorf("its output %q: %w", output, err)
	}
	f.transitions = generated - 1
	return f, nil
}
