package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// simulated is a wrong protocol, whose violation random runs are to meet.
type simulated struct {
	name string
	// program and set are for harrier.
	program string
	set     []string
	// stateright is what its program takes before and after the seed.
	stateright func(seed string) [][]string
	size       size   // of Paxos; zero for what has no model for TLC
	fault      string // of the first acceptor: a constant of Paxos.tla
}

// simulatedProtocols are the wrong versions of the models that there are.
func (s settings) simulatedProtocols() []simulated {
	paxos := func(name, program, fault string, z size) simulated {
		return simulated{
			name: fmt.Sprintf("%s, %s", name, z), program: filepath.Join(s.examples, program), size: z, fault: fault,
			set: []string{fmt.Sprint("proposers=", z.proposers), fmt.Sprint("acceptors=", z.acceptors), fmt.Sprint("learners=", z.learners)},
			stateright: func(seed string) (commands [][]string) {
				for _, model := range []string{"actors", "compact"} {
					commands = append(commands, []string{"paxos", model, strings.ToLower(fault),
						strconv.Itoa(z.proposers), strconv.Itoa(z.acceptors), strconv.Itoa(z.learners), seed})
				}
				return commands
			},
		}
	}
	return []simulated{
		paxos("paxos-faulty", "paxos-faulty", "Accepts", size{2, 3, 1}),
		paxos("paxos-faulty2", "paxos-faulty2", "Remembers", size{3, 3, 1}),
		{
			name: "register, 2 clients, 4 servers, a quorum of 2", program: filepath.Join(s.folder, "register", "Abd.java"),
			set:        []string{"clients=2", "servers=4", "quorum=2"},
			stateright: func(seed string) [][]string { return [][]string{{"register", seed, "checked", "2", "4", "2"}} },
		},
	}
}

// simulator is a model checker with a way to have it take random runs of a protocol until one violates its property.
type simulator struct {
	key, name string
	command   func(seed string) []string
	// read finds how many steps it took, and the seconds of the search where it tells them. An error says that it met no violation.
	read func(output string) (steps uint64, seconds float64, err error)
}

// simulators are the tools for a protocol.
func (s settings) simulators(p simulated) []simulator {
	check := func(key, name, search string) simulator {
		return simulator{key, name, func(seed string) []string {
			command := []string{s.harrier, "check", "--json", p.program, "--search", search, "--seed", seed, "--allow", "vacuous",
				"--out", filepath.Join(s.folder, "build", "simulation", "harrier")}
			for _, set := range p.set {
				command = append(command, "--set", set)
			}
			return command
		}, readHarrierRuns}
	}
	tools := []simulator{check("harrier-sample", "harrier, random runs", "sample"), check("harrier", "harrier, as by default", "auto")}
	for i, c := range p.stateright("") {
		name := "Stateright, its actors"
		if slices.Contains(c, "compact") {
			name = "Stateright, a model by hand"
		}
		tools = append(tools, simulator{"stateright", name, func(seed string) []string {
			c := p.stateright(seed)[i]
			return append([]string{filepath.Join(s.staterightTarget(), "release", c[0])}, c[1:]...)
		}, readStaterightRuns})
	}
	if p.size != (size{}) {
		folder := s.simulationFolder(p)
		tools = append(tools, simulator{"tlc", "TLC", func(seed string) []string {
			return []string{"java", "-XX:+UseParallelGC", "-cp", s.tlcJar(), "tlc2.TLC", "-deadlock", "-workers", "1", "-simulate",
				"-seed", seed, "-metadir", filepath.Join(folder, "states"), filepath.Join(folder, "Paxos")}
		}, readTLCRuns})
	}
	return tools
}

func (s settings) simulationFolder(p simulated) string {
	return filepath.Join(s.folder, "build", "simulation", p.fault)
}

func readHarrierRuns(output string) (steps uint64, seconds float64, err error) {
	var summary frame.Summary
	if err := json.Unmarshal([]byte(output), &summary); err != nil {
		return 0, 0, fmt.Errorf("its summary: %w", err)
	}
	if summary.Verdict != report.Violated {
		return 0, 0, fmt.Errorf("its verdict is %s %s", summary.Verdict, summary.Reason)
	}
	return summary.Transitions, summary.Seconds, nil
}

// readStaterightRuns reads the line that ends with the first run which violates the property: its runs have no other end.
func readStaterightRuns(output string) (steps uint64, seconds float64, err error) {
	f, err := readStateright(output)
	return f.transitions, f.seconds, err
}

var tlcGenerated = regexp.MustCompile(`(?m)^The number of states generated: (\d+)$`)

// readTLCRuns reads how many successors TLC generated, as it tells no number of steps.
func readTLCRuns(output string) (steps uint64, seconds float64, err error) {
	m := tlcGenerated.FindStringSubmatch(output)
	if m == nil || !strings.Contains(output, "Invariant Agreement is violated") {
		return 0, 0, fmt.Errorf("it met no violation:\n%s", output)
	}
	steps, err = strconv.ParseUint(m[1], 10, 64)
	return steps, 0, err
}

// compareSimulations has each tool take random runs of each protocol with one seed after another, by turns, and writes the table. The
// exit code is that of run.
func (s settings) compareSimulations(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	var keys []string
	for _, p := range s.simulatedProtocols() {
		keys = append(keys, keysOf(s.simulators(p), func(t simulator) string { return t.key })...)
	}
	if err := s.checkOnly(keys); err != nil {
		return frame.Usage, err
	}
	var b bytes.Buffer
	var failed []error
	fmt.Fprintln(&b, compare.MarkdownHead([]string{"protocol", "tool", "steps", "search, s", "process, s", "CPU s", "found"}, "llrrrrr"))
	for _, p := range s.simulatedProtocols() {
		if !strings.HasPrefix(p.name, s.protocol) {
			continue
		}
		tools, absent := s.presentSimulators(ctx, p, stderr)
		if failed = append(failed, absent...); ctx.Err() != nil {
			return failure(ctx, nil)
		}
		of := make([][]measured, len(tools))
		for seed := 1; seed <= s.simulation; seed++ {
			for i, t := range tools {
				m, err := s.simulate(ctx, t, strconv.Itoa(seed))
				if err != nil {
					return failure(ctx, fmt.Errorf("%s on %s, seed %d: %w", t.name, p.name, seed, err))
				}
				of[i] = append(of[i], m)
			}
		}
		for i, t := range tools {
			row := compare.MarkdownRow(s.simulationCells(p.name, t.name, of[i]))
			fmt.Fprintln(stderr, row)
			fmt.Fprintln(&b, row)
		}
	}
	fmt.Fprintf(&b, "\nMedians over %d seeds, of the runs that met a violation within %v.\n", s.simulation, s.timeout)
	return s.write(stdout, "simulation", b.Bytes(), failed)
}

// presentSimulators are the tools that are asked for and can be run, with what they need of the protocol built, and the errors of those
// that could not be set up.
func (s settings) presentSimulators(ctx context.Context, p simulated, progress io.Writer) (present []simulator, failed []error) {
	for _, t := range s.simulators(p) {
		if s.skips(t.key) {
			continue
		}
		needs := map[string]string{"stateright": "cargo", "tlc": "python3"}[t.key]
		if _, missing := exec.LookPath(needs); needs != "" && missing != nil {
			fmt.Fprintf(progress, "%s is not run: %s is missing\n", t.name, needs)
			continue
		}
		var err error
		switch t.key {
		case "stateright":
			err = s.buildStateright(ctx, progress)
		case "tlc":
			err = errors.Join(s.installTLC(ctx, progress), writeTLA(s, s.simulationFolder(p), p.size, p.fault))
		}
		if err != nil {
			failed = append(failed, notSetUp{t.name, p.name, err})
			continue
		}
		present = append(present, t)
	}
	return present, failed
}

// simulate runs a tool with a seed until it met a violation. One that takes too long is late.
func (s settings) simulate(ctx context.Context, t simulator, seed string) (measured, error) {
	output, m, failed := s.execute(ctx, "", t.command(seed))
	if m.late {
		return m, nil
	}
	var err error
	if m.transitions, m.seconds, err = t.read(output); err != nil && failed != nil { // a violation has an exit code of its own
		err = fmt.Errorf("%w: %w", failed, err)
	}
	return m, err
}

func (s settings) simulationCells(protocol, tool string, runs []measured) []string {
	found := slices.DeleteFunc(slices.Clone(runs), func(m measured) bool { return m.late })
	cells := []string{protocol, tool, "", "", fmt.Sprintf("> %.0f", s.timeout.Seconds()), "", fmt.Sprintf("%d of %d", len(found), len(runs))}
	if len(found) == 0 {
		return cells
	}
	cells[2] = compare.Count(uint64(median(found, func(m measured) float64 { return float64(m.transitions) })))
	if seconds := median(found, secondsOf); seconds > 0 {
		cells[3] = fmt.Sprintf("%.3f", seconds)
	}
	cells[4], cells[5] = fmt.Sprintf("%.2f", median(found, wallOf)), fmt.Sprintf("%.2f", median(found, cpuOf))
	return cells
}
