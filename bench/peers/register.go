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
	"slices"
	"strconv"
	"strings"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/report"
)

// registerCase is the register of register/Abd.java at a size.
type registerCase struct {
	clients, servers int
	quorum           int // 0 for a majority, with which operations are linearizable
}

func (c registerCase) violated() bool { return c.quorum != 0 }

func (c registerCase) String() string {
	text := fmt.Sprintf("%d clients, %d servers", c.clients, c.servers)
	if c.violated() {
		text += fmt.Sprintf(", a quorum of %d", c.quorum)
	}
	return text
}

// registerCases are the first so many sizes of the register, and of wrong ones.
func registerCases(sizes int) []registerCase {
	right := []registerCase{{2, 2, 0}, {3, 2, 0}, {2, 3, 0}, {4, 2, 0}}
	wrong := []registerCase{{2, 3, 1}, {2, 4, 2}}
	return slices.Concat(right[:min(sizes, len(right))], wrong[:min(sizes, len(wrong))])
}

// registerTool is a model checker of the register.
type registerTool struct {
	key, name, how string
	// command is what to run, with operations held to linearizability or without.
	command func(c registerCase, checked bool) []string
	// read finds what it counted, and whether it found a violation. An error says that there is no verdict.
	read func(output string) (f figures, violated bool, err error)
}

const (
	withoutReductions = "harrier-plain"
	depthFirst        = "stateright-dfs"
)

func (s settings) registerTools() []registerTool {
	check := func(key, how string, options ...string) registerTool {
		return registerTool{
			key: key, name: "harrier", how: how, read: readRegisterHarrier,
			command: func(c registerCase, checked bool) []string {
				return append([]string{
					s.harrier, "check", "--json", filepath.Join(s.folder, "register", "Abd.java"), "--allow", "vacuous",
					"--out", filepath.Join(s.folder, "build", "register"),
					"--set", fmt.Sprint("clients=", c.clients), "--set", fmt.Sprint("servers=", c.servers),
					"--set", fmt.Sprint("quorum=", c.quorum), "--set", fmt.Sprint("checked=", checked),
				}, options...)
			},
		}
	}
	stateright := func(key, how, order string) registerTool {
		return registerTool{
			key: key, name: "Stateright", how: how, read: readRegisterStateright,
			command: func(c registerCase, checked bool) []string {
				property := map[bool]string{true: "checked", false: "unchecked"}[checked]
				return []string{
					filepath.Join(s.staterightTarget(), "release", "register"), order, property,
					strconv.Itoa(c.clients), strconv.Itoa(c.servers), strconv.Itoa(c.quorum),
				}
			},
		}
	}
	return []registerTool{
		check("harrier", "as by default"),
		check(withoutReductions, "no reductions", "--reduction", "off", "--symmetry", "off"),
		stateright(depthFirst, "depth first, as its example", "dfs"),
		stateright("stateright-bfs", "breadth first", "bfs"),
	}
}

func readRegisterHarrier(output string) (f figures, violated bool, err error) {
	var s frame.Summary
	if err := json.Unmarshal([]byte(output), &s); err != nil {
		return f, false, fmt.Errorf("its summary: %w", err)
	}
	if s.Verdict != report.Verified && s.Verdict != report.Violated {
		return f, false, fmt.Errorf("its verdict is %s %s", s.Verdict, s.Reason)
	}
	return figures{states: s.States, transitions: s.Transitions, seconds: s.Seconds}, s.Verdict == report.Violated, nil
}

func readRegisterStateright(output string) (f figures, violated bool, err error) {
	if f, err = readStateright(output); err != nil {
		return f, false, err
	}
	_, verdict, _ := strings.Cut(strings.TrimSpace(output), " violated=")
	violated, err = strconv.ParseBool(verdict)
	return f, violated, err
}

// compareRegister asks each tool for each case, and writes the table. The exit code is that of run.
func (s settings) compareRegister(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	tools := s.registerTools()
	if err := s.checkOnly(keysOf(tools, func(t registerTool) string { return t.key })); err != nil {
		return frame.Usage, err
	}
	_, missing := exec.LookPath("cargo")
	tools = slices.DeleteFunc(tools, func(t registerTool) bool {
		return s.skips(t.key) || missing != nil && t.name == "Stateright"
	})
	if !slices.ContainsFunc(tools, func(t registerTool) bool { return t.name == "Stateright" }) {
		fmt.Fprintln(stderr, "Stateright is not run")
	} else if err := s.buildStateright(ctx, stderr); err != nil {
		return failure(ctx, err)
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, compare.MarkdownHead([]string{"register", "verdict", "tool", "search", "states", "transitions", "s", "CPU s", "peak MiB"}, "llllrrrrr"))
	for _, c := range registerCases(s.register) {
		if err := s.equalProtocols(ctx, c, tools, stderr); err != nil {
			return failure(ctx, err)
		}
		runs, err := s.askRegister(ctx, c, tools, stderr)
		if err != nil {
			return failure(ctx, err)
		}
		for i, t := range tools {
			fmt.Fprintln(&b, compare.MarkdownRow(s.registerCells(c, t, runs[i])))
		}
	}
	fmt.Fprintf(&b, "\nMedians of %d runs; one that had not ended after %v was ended.\n", s.runs, s.timeout)
	return s.write(stdout, "register", b.Bytes(), nil)
}

// equalProtocols holds Stateright's model to the program: without the property they have the same states and transitions.
// It has no finding where a search did not end in time.
func (s settings) equalProtocols(ctx context.Context, c registerCase, tools []registerTool, progress io.Writer) error {
	compared := slices.DeleteFunc(slices.Clone(tools), func(t registerTool) bool { return t.key != withoutReductions && t.key != depthFirst })
	if c.violated() || len(compared) < 2 {
		return nil
	}
	var of []measured
	for _, t := range compared {
		m, _, err := s.runRegister(ctx, c, t, false)
		if err != nil {
			return err
		}
		if !m.late {
			of = append(of, m)
			fmt.Fprintf(progress, "%s: the protocol alone has %d states and %d transitions with %s\n", c, m.states, m.transitions, t.name)
		}
	}
	if len(of) == 2 && (of[0].states != of[1].states || of[0].transitions != of[1].transitions) {
		return unequal{fmt.Sprintf("%s: without the property harrier has %d states and %d transitions, Stateright %d and %d",
			c, of[0].states, of[0].transitions, of[1].states, of[1].transitions)}
	}
	return nil
}

// askRegister runs the tools on a case in turn, several times, and holds each to the verdict that the case has.
func (s settings) askRegister(ctx context.Context, c registerCase, tools []registerTool, progress io.Writer) ([][]measured, error) {
	runs := make([][]measured, len(tools))
	for range s.runs {
		for i, t := range tools {
			if len(runs[i]) > 0 && runs[i][0].late {
				continue
			}
			m, violated, err := s.runRegister(ctx, c, t, true)
			if err != nil {
				return nil, err
			}
			if !m.late && violated != c.violated() {
				return nil, unequal{fmt.Sprintf("%s (%s) finds that with %s operations are linearizable: %v", t.name, t.how, c, !violated)}
			}
			fmt.Fprintf(progress, "%s: %s (%s) took %.2f s, in time: %v\n", c, t.name, t.how, m.wall, !m.late)
			runs[i] = append(runs[i], m)
		}
	}
	return runs, nil
}

func (s settings) runRegister(ctx context.Context, c registerCase, t registerTool, checked bool) (m measured, violated bool, err error) {
	output, m, failed := s.execute(ctx, "", t.command(c, checked))
	if m.late {
		return m, false, nil
	}
	if m.figures, violated, err = t.read(output); err != nil {
		return m, false, fmt.Errorf("%s (%s) on %s: %w", t.name, t.how, c, errors.Join(failed, err))
	}
	return m, violated, nil
}

func (s settings) registerCells(c registerCase, t registerTool, runs []measured) []string {
	verdict := report.Verified
	if c.violated() {
		verdict = report.Violated
	}
	cells := []string{c.String(), fmt.Sprint(verdict), t.name, t.how, "", "", fmt.Sprintf("> %.0f", s.timeout.Seconds()), "", mebibytes(runs)}
	if !runs[0].late {
		cells[4], cells[5] = compare.Count(runs[0].states), compare.Count(runs[0].transitions)
		cells[6], cells[7] = fmt.Sprintf("%.2f", median(runs, wallOf)), fmt.Sprintf("%.2f", median(runs, cpuOf))
	}
	if median(runs, peakOf) <= median(runs, floorOf) {
		cells[8] = "at most " + cells[8]
	}
	return cells
}
