package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
)

// stateright is Stateright with its actors, and with a model written by hand for speed.
func stateright(s settings) []tool {
	return []tool{staterightModel(s, "actors", "its actors"), staterightModel(s, "compact", "a model by hand")}
}

func staterightModel(s settings, model, description string) tool {
	target := filepath.Join(s.folder, "build", "stateright")
	return tool{
		key: "stateright-" + model, name: "Stateright, " + description, stores: "fingerprints of 64 bits", needs: "cargo",
		prepare: func(ctx context.Context, _ size, _ figures, progress io.Writer) error {
			return build(ctx, "", progress, "cargo", "build", "--quiet", "--release", "--locked",
				"--manifest-path", filepath.Join(s.folder, "stateright", "Cargo.toml"), "--target-dir", target)
		},
		command: func(z size) []string {
			return []string{
				filepath.Join(target, "release", "paxos"), model,
				strconv.Itoa(z.proposers), strconv.Itoa(z.acceptors), strconv.Itoa(z.learners),
			}
		},
		read: readStateright,
	}
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
