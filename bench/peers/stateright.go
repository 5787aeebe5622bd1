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
	target := filepath.Join(s.folder, "build", "stateright")
	built := false
	prepare := func(ctx context.Context, _ size, _ figures, progress io.Writer) error {
		if built {
			return nil
		}
		built = true
		return build(ctx, "", progress, "cargo", "build", "--quiet", "--release",
			"--manifest-path", filepath.Join(s.folder, "stateright", "Cargo.toml"), "--target-dir", target)
	}
	return []tool{
		staterightModel("actors", "its actors", target, prepare), staterightModel("compact", "a model by hand", target, prepare),
	}
}

func staterightModel(model, description, target string, prepare func(context.Context, size, figures, io.Writer) error) tool {
	return tool{
		key: "stateright-" + model, name: "Stateright, " + description, stores: "fingerprints of 64 bits", needs: "cargo",
		prepare: prepare,
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
