package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/report"
)

// liveCase is a protocol at a size, with a liveness property that it has or not.
type liveCase struct {
	protocol  string // for people, with what makes it right or wrong
	size      int
	violated  bool
	program   string            // of harrier, in the folder of examples or of models
	set       string            // its parameters
	module    string            // of TLC
	constants map[string]string // of the module
	invariant string            // of the module, "" for none
	spec      string            // of the module
	model     string            // of Spin, "" where Spin lacks the fairness
	defined   string            // in the model, beside the size
	processes int               // of the model
}

// liveCases are the protocols at the first so many of their sizes.
func liveCases(sizes int) []liveCase {
	var all []liveCase
	add := func(of []int, c func(n int) liveCase) {
		for _, n := range of[:min(sizes, len(of))] {
			all = append(all, c(n))
		}
	}
	for _, wrong := range []bool{false, true} {
		add([]int{2}, func(n int) liveCase {
			return liveCase{
				protocol: fmt.Sprint("prevote, yields=", !wrong), size: n, violated: wrong,
				program: "prevote", set: fmt.Sprint("yields=", !wrong),
				module: "PreVote", spec: "Spec", constants: map[string]string{"Yields": upper(!wrong)},
				model: "prevote", defined: "YIELDS " + bit(!wrong), processes: 6,
			}
		})
	}
	for _, wrong := range []bool{false, true} {
		add([]int{3, 6, 9}, func(n int) liveCase {
			return liveCase{
				protocol: "commit-live, stops=" + bit(wrong), size: n, violated: wrong,
				program: "commit-live", set: fmt.Sprint("managers=", n, ",stops=", bit(wrong)),
				module: "Commit", spec: "Spec", constants: map[string]string{"Managers": modelValues(n), "Stops": upper(wrong)},
				model: "commit", defined: "STOPS " + bit(wrong), processes: n + 2,
			}
		})
	}
	for _, wrong := range []bool{false, true} {
		add([]int{3, 5, 7}, func(n int) liveCase {
			return liveCase{
				protocol: fmt.Sprint("service, forgets=", wrong), size: n, violated: wrong,
				program: "Service.java", set: fmt.Sprint("clients=", n, ",forgets=", wrong),
				module: "Service", spec: "Spec", constants: map[string]string{"Clients": modelValues(n), "Forgets": upper(wrong)},
				model: "service", defined: "FORGETS " + bit(wrong), processes: 2*n + 2,
			}
		})
	}
	for _, v := range []struct {
		name, model   string
		lossy, strong bool
	}{
		{"no loss", "election", false, false}, {"loss, weakly fair", "election", true, false}, {"loss, strongly fair", "", true, true},
	} {
		spec := map[bool]string{false: "WeakSpec", true: "StrongSpec"}[v.strong]
		add([]int{2, 3, 4}, func(n int) liveCase {
			return liveCase{
				protocol: "election, " + v.name, size: n, violated: v.lossy && !v.strong,
				program: "election", set: fmt.Sprint("nodes=", n, ",lossy=", v.lossy, ",strong=", v.strong),
				module: "Election", spec: spec, invariant: "Agreement",
				constants: map[string]string{"N": fmt.Sprint(n), "Lossy": upper(v.lossy)},
				model:     v.model, defined: "LOSSY " + bit(v.lossy), processes: n*n + 2*n + 1,
			}
		})
	}
	return all
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func upper(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

// modelValues are a set of so many of TLC's model values.
func modelValues(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("a", i+1))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// liveTool is a model checker with a way to ask it for a verdict on liveness.
type liveTool struct {
	key, name string
	needs     string // a command without which it cannot be run
	// prepare builds what a case needs in its own folder.
	prepare func(ctx context.Context, c liveCase, folder string, progress io.Writer) error
	// command is what to run in that folder.
	command func(c liveCase) []string
	// read finds the verdict, and how many states were met. An error says that there is no verdict.
	read func(output string) (violated bool, states uint64, err error)
	able func(c liveCase) bool
}

// liveResult is what a tool says of a case.
type liveResult struct {
	states  uint64
	seconds float64 // of the process; the median of several runs
	note    string  // why there are no figures
}

func (s settings) liveTools() ([]liveTool, error) {
	var paths [4]string
	for i, p := range []string{s.harrier, s.examples, filepath.Join(s.folder, "live"), s.tlcJar()} {
		var err error
		if paths[i], err = filepath.Abs(p); err != nil {
			return nil, err
		}
	}
	binary, examples, models, jar := paths[0], paths[1], paths[2], paths[3]
	always := func(liveCase) bool { return true }
	check := func(key, name string, options ...string) liveTool {
		return liveTool{
			key: key, name: name, needs: binary, able: always, read: readLiveHarrier,
			prepare: func(context.Context, liveCase, string, io.Writer) error { return nil },
			command: func(c liveCase) []string {
				program := filepath.Join(examples, c.program)
				if strings.HasSuffix(c.program, ".java") {
					program = filepath.Join(models, c.program)
				}
				command := []string{binary, "check", "--json", program}
				for _, p := range strings.Split(c.set, ",") {
					command = append(command, "--set", p)
				}
				return append(command, options...)
			},
		}
	}
	return []liveTool{
		check("harrier", "harrier"),
		check("harrier-plain", "harrier, no reductions", "--symmetry", "off", "--reduction", "off"),
		{
			key: "tlc", name: "TLC", needs: "java", able: always, read: readLiveTLC,
			prepare: func(ctx context.Context, c liveCase, folder string, progress io.Writer) error {
				return errors.Join(s.installTLC(ctx, progress), c.writeTLA(models, folder))
			},
			command: func(c liveCase) []string {
				return []string{"java", "-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-deadlock", "-workers", "1", "-metadir", "states", c.module}
			},
		},
		{
			key: "spin", name: "Spin", needs: "spin", able: func(c liveCase) bool { return c.model != "" }, read: readLiveSpin,
			prepare: func(ctx context.Context, c liveCase, folder string, progress io.Writer) error {
				if err := c.writePromela(models, folder); err != nil {
					return err
				}
				if err := build(ctx, folder, progress, "spin", "-a", "model.pml"); err != nil {
					return err
				}
				// Counters for weak fairness are for 4 processes each, less 2 in all; init is one more process.
				return build(ctx, folder, progress, "gcc", s.optimize, "-w", "-DCOLLAPSE", "-DMEMLIM=16000",
					fmt.Sprint("-DNFAIR=", c.processes/4+2), "-o", "pan", "pan.c")
			},
			command: func(liveCase) []string { return []string{"./pan", "-a", "-f", "-m1000000", "-w20"} },
		},
	}, nil
}

func (c *liveCase) writeTLA(models, folder string) error {
	text, err := os.ReadFile(filepath.Join(models, c.module+".tla"))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "SPECIFICATION %s\nPROPERTY Property\n", c.spec)
	if c.invariant != "" {
		fmt.Fprintf(&b, "INVARIANT %s\n", c.invariant)
	}
	fmt.Fprintln(&b, "CONSTANTS")
	for name, value := range c.constants {
		fmt.Fprintf(&b, "  %s = %s\n", name, value)
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, c.module+".tla"), text, 0o666),
		os.WriteFile(filepath.Join(folder, c.module+".cfg"), b.Bytes(), 0o666))
}

// writePromela writes the model after the definitions that it needs. Promela has no macros that repeat.
func (c *liveCase) writePromela(models, folder string) error {
	text, err := os.ReadFile(filepath.Join(models, c.model+".pml"))
	if err != nil {
		return err
	}
	repeat := func(n int, between string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf("p(%d)", i))
		}
		return strings.Join(parts, between)
	}
	head := fmt.Sprintf("#define SIZE %d\n#define %s\n#define EACH(p) %s\n#define SQUARE(p) %s\n#define ALL(p) %s\n",
		c.size, c.defined, repeat(c.size, " "), repeat(c.size*c.size, " "), repeat(c.size, " && "))
	return os.WriteFile(filepath.Join(folder, "model.pml"), append([]byte(head), text...), 0o666)
}

// readLiveHarrier counts the states among which a fair run is looked for, of the property for which they are most.
func readLiveHarrier(output string) (violated bool, states uint64, err error) {
	var s frame.Summary
	if err := json.Unmarshal([]byte(output), &s); err != nil {
		return false, 0, fmt.Errorf("its summary: %w", err)
	}
	if s.Verdict != report.Verified && s.Verdict != report.Violated || len(s.Liveness) == 0 {
		return false, 0, fmt.Errorf("its verdict is %s %s, and it decided %d properties of runs", s.Verdict, s.Reason, len(s.Liveness))
	}
	for _, l := range s.Liveness {
		states = max(states, l.States)
	}
	return s.Verdict == report.Violated, states, nil
}

var tlcDistinct = regexp.MustCompile(`(?m)^\d+ states generated, (\d+) distinct states found`)

func readLiveTLC(output string) (violated bool, states uint64, err error) {
	m := tlcDistinct.FindAllStringSubmatch(output, -1)
	violated = strings.Contains(output, "Temporal properties were violated")
	if m == nil || violated == strings.Contains(output, "No error has been found") {
		return false, 0, fmt.Errorf("it has no verdict:\n%s", output)
	}
	states, err = strconv.ParseUint(m[len(m)-1][1], 10, 64)
	return violated, states, err
}

func readLiveSpin(output string) (violated bool, states uint64, err error) {
	m, failures := spinStates.FindStringSubmatch(output), spinErrors.FindStringSubmatch(output)
	violated = strings.Contains(output, "acceptance cycle (at depth")
	if m == nil || failures == nil || violated == (failures[1] == "0") || strings.Contains(output, "max search depth too small") ||
		!violated && strings.Contains(output, "Search not completed") {
		return false, 0, fmt.Errorf("it has no verdict:\n%s", output)
	}
	states, err = strconv.ParseUint(m[1], 10, 64)
	return violated, states, err
}

// compareLiveness asks each tool for each case, and writes the table. The exit code is that of run.
func (s settings) compareLiveness(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	tools, err := s.liveTools()
	if err != nil {
		return frame.Impossible, err
	}
	if err := s.checkOnly(keysOf(tools, func(t liveTool) string { return t.key })); err != nil {
		return frame.Usage, err
	}
	tools = slices.DeleteFunc(tools, func(t liveTool) bool {
		_, missing := exec.LookPath(t.needs)
		return missing != nil || s.skips(t.key)
	})
	var failed []error
	cases := liveCases(s.liveness)
	results := make([][]liveResult, len(cases))
	for i, c := range cases {
		for _, t := range tools {
			r, err := s.ask(ctx, c, t, stderr)
			switch {
			case ctx.Err() == nil && errors.As(err, new(notSetUp)):
				failed = append(failed, err)
			case err != nil || ctx.Err() != nil:
				return failure(ctx, err)
			}
			results[i] = append(results[i], r)
		}
		if err := equalStates(c, tools, results[i]); err != nil {
			return frame.Different, err
		}
	}
	return s.write(stdout, "liveness", s.liveTable(cases, tools, results), failed)
}

// equalStates holds TLC's model to the program: where no violation ends the search, it has the states that harrier has without
// reductions.
func equalStates(c liveCase, tools []liveTool, results []liveResult) error {
	counts := map[string]uint64{}
	for i, t := range tools {
		counts[t.key] = results[i].states
	}
	harrier, tlc := counts["harrier-plain"], counts["tlc"]
	if c.violated || harrier == 0 || tlc == 0 || harrier == tlc {
		return nil
	}
	return unequal{fmt.Sprintf("%s at %d has %d states with harrier without reductions, %d with TLC", c.protocol, c.size, harrier, tlc)}
}

// ask runs a tool on a case, and holds it to the verdict that the case has.
func (s settings) ask(ctx context.Context, c liveCase, t liveTool, progress io.Writer) (liveResult, error) {
	if !t.able(c) {
		return liveResult{note: "no such fairness"}, nil
	}
	folder := filepath.Join(s.folder, "build", "live", strings.NewReplacer(" ", "", ",", "-", "=", "-").Replace(
		fmt.Sprint(t.key, "-", c.protocol, "-", c.size)))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return liveResult{}, err
	}
	if err := t.prepare(ctx, c, folder, progress); err != nil {
		return liveResult{note: notSetUpText}, notSetUp{t.name, fmt.Sprint(c.protocol, ", ", c.size), err}
	}
	var r liveResult
	var seconds []float64
	for range s.runs {
		output, m, err := s.execute(ctx, folder, t.command(c))
		if m.late {
			fmt.Fprintf(progress, "%s, %d: %s had not ended after %v\n", c.protocol, c.size, t.name, s.timeout)
			return liveResult{note: fmt.Sprintf("> %.0f", s.timeout.Seconds())}, nil
		}
		var violated bool
		if err == nil || output != "" { // a violation has an exit code of its own
			violated, r.states, err = t.read(output)
		}
		if err != nil {
			return r, fmt.Errorf("%s on %s, %d: %w", t.name, c.protocol, c.size, err)
		}
		if violated != c.violated {
			return r, unequal{fmt.Sprintf("%s finds %s at %d violated: %v; it should be %v", t.name, c.protocol, c.size, violated, c.violated)}
		}
		seconds = append(seconds, m.wall)
	}
	slices.Sort(seconds)
	r.seconds = seconds[len(seconds)/2]
	fmt.Fprintf(progress, "%s, %d: %s took %.1f s for %d states\n", c.protocol, c.size, t.name, r.seconds, r.states)
	return r, nil
}

func (s settings) liveTable(cases []liveCase, tools []liveTool, results [][]liveResult) []byte {
	var b bytes.Buffer
	heads := []string{"protocol", "size", "verdict"}
	for _, t := range tools {
		heads = append(heads, t.name+": states", "s")
	}
	fmt.Fprintln(&b, compare.MarkdownHead(heads, "lrl"+strings.Repeat("rr", len(tools))))
	for i, c := range cases {
		verdict := report.Verified
		if c.violated {
			verdict = report.Violated
		}
		cells := []string{c.protocol, fmt.Sprint(c.size), fmt.Sprint(verdict)}
		for _, r := range results[i] {
			if r.note != "" {
				cells = append(cells, "", r.note)
			} else {
				cells = append(cells, compare.Count(r.states), fmt.Sprintf("%.2f", r.seconds))
			}
		}
		fmt.Fprintln(&b, compare.MarkdownRow(cells))
	}
	fmt.Fprintf(&b, "\nMedians of %d runs; one that had not ended after %v was ended.\n", s.runs, s.timeout)
	return b.Bytes()
}
