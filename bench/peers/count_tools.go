package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// counting reads the number that an expression finds in an output, if the output has what says that nothing was violated.
func counting(number, verified string) func(output string) (uint64, error) {
	count, good := regexp.MustCompile(number), regexp.MustCompile(verified)
	return func(output string) (uint64, error) {
		m := count.FindStringSubmatch(output)
		if m == nil || !good.MatchString(output) {
			return 0, fmt.Errorf("it found an error, or did not end:\n%s", output)
		}
		return strconv.ParseUint(m[1], 10, 64)
	}
}

// traceForge is TraceForge with one of the protocols of traceforge/src/main.rs.
func (s settings) traceForge(protocol string, n int) countTool {
	target := filepath.Join(s.folder, "build", "traceforge")
	return countTool{
		key: "traceforge", name: "TraceForge", how: "stateless, FIFO channels", needs: "cargo",
		prepare: func(ctx context.Context, progress io.Writer) error {
			return build(ctx, "", progress, "cargo", "build", "--quiet", "--release",
				"--manifest-path", filepath.Join(s.folder, "traceforge", "Cargo.toml"), "--target-dir", target)
		},
		command: []string{filepath.Join(target, "release", "executions"), protocol, strconv.Itoa(n)},
		read:    counting(`(?m)^executions=(\d+) blocked=0 `, ""),
	}
}

// staterightExample is one of Stateright's own examples, built where cargo has the library that the models in stateright/ need.
func (s settings) staterightExample(name string, n int) countTool {
	target := filepath.Join(s.folder, "build", "stateright-examples")
	return countTool{
		key: "stateright", name: "Stateright, its example", how: "as it is, all processors, fingerprints", needs: "cargo",
		prepare: func(ctx context.Context, progress io.Writer) error {
			manifest, err := s.staterightManifest(ctx)
			if err != nil {
				return err
			}
			return build(ctx, "", progress, "cargo", "build", "--quiet", "--release", "--example", name, "--manifest-path", manifest,
				"--target-dir", target)
		},
		command: []string{filepath.Join(target, "release", "examples", name), "check", strconv.Itoa(n)},
		read:    counting(`(?m)^Done\. states=\d+, unique=(\d+),`, ""),
	}
}

// staterightManifest is where cargo has the library.
func (s settings) staterightManifest(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "cargo", "metadata", "--format-version", "1", "--manifest-path",
		filepath.Join(s.folder, "stateright", "Cargo.toml")).Output()
	var metadata struct {
		Packages []struct {
			Name     string
			Manifest string `json:"manifest_path"`
		}
	}
	if err == nil {
		err = json.Unmarshal(out, &metadata)
	}
	if err != nil {
		return "", fmt.Errorf("asking cargo for the library: %w", err)
	}
	for _, p := range metadata.Packages {
		if p.Name == "stateright" {
			return p.Manifest, nil
		}
	}
	return "", errors.New("cargo has no library stateright")
}

// specification is TLC with one of the specifications of the TLA+ examples, and a configuration of ours.
func (s settings) specification(folder, module string, modules []string, configuration string) countTool {
	sum := fnv.New32a()
	io.WriteString(sum, configuration)
	work := filepath.Join(s.folder, "build", "counts", fmt.Sprintf("%s-%08x", module, sum.Sum32()))
	return countTool{
		key: "tlc", name: "TLC, its example", how: "breadth first, one worker, fingerprints", needs: "java",
		prepare: func(ctx context.Context, progress io.Writer) error {
			if err := errors.Join(s.installTLC(ctx, progress), s.installSpecifications(ctx, progress), os.MkdirAll(work, 0o777)); err != nil {
				return err
			}
			for _, m := range modules {
				text, err := os.ReadFile(filepath.Join(s.specifications(), "specifications", folder, m+".tla"))
				if err == nil {
					err = os.WriteFile(filepath.Join(work, m+".tla"), text, 0o666)
				}
				if err != nil {
					return err
				}
			}
			return os.WriteFile(filepath.Join(work, module+".cfg"), []byte(configuration), 0o666)
		},
		command: []string{"java", "-XX:+UseParallelGC", "-cp", s.tlcJar(), "tlc2.TLC", "-deadlock", "-workers", "1",
			"-metadir", filepath.Join(work, "states"), filepath.Join(work, module)},
		read: counting(`(?m)^\d+ states generated, (\d+) distinct states found, 0 states left on queue`, "No error has been found"),
	}
}

func (s settings) specifications() string { return filepath.Join(s.folder, "build", "tla-examples") }

// installSpecifications fetches the TLA+ examples at one commit if they are not there.
func (s settings) installSpecifications(ctx context.Context, progress io.Writer) error {
	const commit = "32a32c7b0b97562da2dd4b2e55b7f81cd6fea2b9"
	folder := s.specifications()
	if _, err := os.Stat(filepath.Join(folder, "specifications")); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, arguments := range [][]string{
		{"init", "--quiet"}, {"fetch", "--quiet", "--depth", "1", "https://github.com/tlaplus/Examples", commit},
		{"checkout", "--quiet", "FETCH_HEAD"},
	} {
		if err := build(ctx, folder, progress, append([]string{"git"}, arguments...)...); err != nil {
			return err
		}
	}
	return nil
}

// spinChannels is Spin with a model in counts/ whose messages are in channels. Its hash table has as many slots as there are states, and up to
// twice as many.
func (s settings) spinChannels(model string, states uint64) countTool {
	folder := filepath.Join(s.folder, "build", "counts", "spin-"+model)
	return countTool{
		key: "spin", name: "Spin", how: "depth first, exact (-DCOLLAPSE), no reduction", needs: "spin", folder: folder,
		prepare: func(ctx context.Context, progress io.Writer) error {
			path, err := filepath.Abs(filepath.Join(s.folder, "counts", model+".pml"))
			if err == nil {
				err = os.MkdirAll(folder, 0o777)
			}
			if err == nil {
				err = build(ctx, folder, progress, "spin", "-a", path)
			}
			if err != nil {
				return err
			}
			return s.compilePan(ctx, folder, progress, "-DNOREDUCE", "-DCOLLAPSE")
		},
		command: []string{"./pan", "-m100000", fmt.Sprint("-w", bits.Len64(states))},
		read: func(output string) (uint64, error) {
			f, err := readSpin(output)
			return f.states, err
		},
	}
}
