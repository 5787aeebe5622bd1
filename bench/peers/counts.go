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
	"strings"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/report"
)

// countCase is a protocol that a peer has among its own examples or tests, or that is modelled for one, with the number that all who
// check it are to count.
type countCase struct {
	protocol string // with its size
	counted  string // executions, or states
	want     uint64
	program  string   // of harrier, below the folder
	set      []string // its parameters
	senders  bool     // whether states tell apart who sent a message, also where nobody asks
	peers    []countTool
}

const (
	executions = "executions" // maximal runs of which none is equivalent to another one
	states     = "states"
)

// countTool is a model checker of one case.
type countTool struct {
	key, name, how string
	needs          string                                              // a command without which it cannot be run
	own            bool                                                // its count is its own
	prepare        func(ctx context.Context, progress io.Writer) error // nil for nothing
	folder         string                                              // in which it is run, "" for the present one
	command        []string
	// read finds the count in what it printed. An error says that it did not verify the protocol.
	read func(output string) (uint64, error)
}

// countCases are all protocols, those of TraceForge first.
func (s settings) countCases() []countCase {
	var all []countCase
	for _, c := range []struct {
		protocol, program, mode, set string
		n                            int
		want                         uint64
	}{
		{"two-phase commit, 5 participants", "Commit.java", "commit", "", 5, 3_840},
		{"two-phase commit, 6 participants", "Commit.java", "commit", "", 6, 46_080},
		{"7 senders and a receiver", "Wakeup.java", "senders", "main=false", 7, 5_040},
		{"8 senders and a receiver", "Wakeup.java", "senders", "main=false", 8, 40_320},
		{"8 senders wake a waiter", "Wakeup.java", "wakeup", "main=true", 8, 80_640},
	} {
		set := []string{fmt.Sprint("n=", c.n)}
		if c.set != "" {
			set = append(set, c.set)
		}
		all = append(all, countCase{protocol: c.protocol, counted: executions, want: c.want, program: "counts/" + c.program, set: set,
			peers: []countTool{s.traceForge(c.mode, c.n)}})
	}
	for i, want := range []uint64{288, 8_832, 296_448} {
		n := 3 + 2*i
		set := []string{fmt.Sprint("n=", n)}
		all = append(all, countCase{protocol: fmt.Sprintf("two-phase commit, %d resource managers", n), counted: states, want: want,
			program: "counts/TwoPhase.java", set: set, peers: []countTool{s.staterightExample("2pc", n), s.specification("transaction_commit", "TwoPhase", []string{"TCommit", "TwoPhase"},
				fmt.Sprintf("SPECIFICATION TPSpec\nINVARIANT TPTypeOK\nCONSTANT RM = %s\n", modelValues(n)))}})
	}
	for i, want := range []uint64{16_668, 1_194_428} {
		all = append(all, countCase{protocol: fmt.Sprintf("Paxos, 3 servers, %d clients", 2+i), counted: states, want: want,
			program: "counts/paxos", set: []string{fmt.Sprint("clients=", 2+i)}, senders: true,
			peers: []countTool{s.staterightExample("paxos", 2+i)}})
	}
	return append(all,
		countCase{protocol: "Chang and Roberts's election, 3 nodes", counted: states, want: 137, program: "counts/Ring.java",
			set: []string{"n=3", "initiators=0..7"}, peers: []countTool{s.specification("chang_roberts", "MCChangRoberts", []string{"ChangRoberts", "MCChangRoberts"},
				"SPECIFICATION Spec\nINVARIANTS TypeOK Correctness\nCONSTANT N = 3\n")}},
		s.atomicCommit("atomic commitment, 3 participants", 54_944, 3, "Spec", "ACP_SB"),
		s.atomicCommit("atomic commitment with reliable broadcast, 2 participants", 4_284, 2, "SpecNB", "ACP_SB", "ACP_NB"),
		countCase{protocol: "Lamport's mutual exclusion, 3 processes, clocks to 6", counted: states, want: 724_274,
			program: "../defaults/programs/LamportMutex.java", peers: []countTool{
				s.specification("lamport_mutex", "MCLamportMutex", []string{"LamportMutex", "MCLamportMutex"}, "SPECIFICATION Spec\n"+
					"INVARIANTS TypeOK BoundedNetwork Mutex\nCONSTRAINT ClockConstraint\nCONSTANTS\n  N = 3\n  MaxNat = 7\n  maxClock = 6\n  Nat <- NatOverride\n"),
				s.spinChannels("mutex", 724_274),
			}})
}

// atomicCommit is atomic commitment in all ways to vote. The last module of TLC's has the specification; that of the reliable broadcast
// extends that of the simple one.
func (s settings) atomicCommit(protocol string, want uint64, n int, specification string, modules ...string) countCase {
	return countCase{protocol: protocol, counted: states, want: want, program: "counts/AtomicCommit.java",
		set: []string{fmt.Sprint("n=", n), fmt.Sprint("votes=0..", 1<<n-1), fmt.Sprint("reliable=", len(modules) > 1)},
		peers: []countTool{s.specification("acp", modules[len(modules)-1], modules, fmt.Sprintf("SPECIFICATION %s\nPROPERTIES AC1 AC2 AC3_1\n"+
			"CONSTANTS\n  participants = %s\n  waiting = waiting\n  notsent = notsent\n  undecided = undecided\n  commit = commit\n"+
			"  abort = abort\n  yes = yes\n  no = no\n", specification, modelValues(n)))}}
}

// harriers are harrier as it counts what the case does, and as users get it who say nothing.
func (s settings) harriers(c countCase) []countTool {
	check := func(how string, read func(*frame.Summary) uint64, options ...string) countTool {
		command := []string{s.harrier, "check", "--json", filepath.Join(s.folder, c.program), "--allow", "vacuous",
			"--out", filepath.Join(s.folder, "build", "counts")}
		for _, parameter := range c.set {
			command = append(command, "--set", parameter)
		}
		return countTool{
			key: "harrier", name: "harrier", how: how, needs: s.harrier, command: append(command, options...),
			read: func(output string) (uint64, error) { return readCounts(output, read) },
		}
	}
	met := func(s *frame.Summary) uint64 { return s.States }
	byDefault := check("as by default", met)
	byDefault.own = true
	if c.counted == executions {
		runs := func(s *frame.Summary) uint64 { return s.Terminal }
		return []countTool{check("stateless, dynamic reduction", runs, "--search", "stateless", "--por", "dynamic", "--symmetry", "off"), byDefault}
	}
	plain := []string{"--search", "dfs", "--reduction", "off", "--symmetry", "off"}
	if c.senders {
		plain = append(plain, "--hashing", "fields")
	}
	return []countTool{check("depth first, no reductions", met, plain...), byDefault}
}

// readCounts adds up the counts of all checks whose summaries harrier printed: of one, or of several settings.
func readCounts(output string, of func(*frame.Summary) uint64) (uint64, error) {
	var document struct {
		frame.Summary
		Checks []*frame.Summary `json:"checks"`
	}
	if err := json.Unmarshal([]byte(output), &document); err != nil {
		return 0, fmt.Errorf("its summary: %w", err)
	}
	summaries := document.Checks
	if summaries == nil {
		summaries = []*frame.Summary{&document.Summary}
	}
	var sum uint64
	for _, summary := range summaries {
		if summary.Verdict != report.Verified {
			return 0, fmt.Errorf("its verdict is %s %s", summary.Verdict, summary.Reason)
		}
		sum += of(summary)
	}
	return sum, nil
}

// compareCounts has each tool check each case, and writes the table. The exit code is that of run.
func (s settings) compareCounts(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	cases := slices.DeleteFunc(s.countCases(), func(c countCase) bool { return !strings.HasPrefix(c.protocol, s.protocol) })
	if len(cases) == 0 {
		return frame.Usage, fmt.Errorf("-protocol: no protocol begins with %q; one is %s", s.protocol, s.countCases()[0].protocol)
	}
	keys := []string{"harrier"}
	for _, c := range cases {
		keys = append(keys, keysOf(c.peers, func(t countTool) string { return t.key })...)
	}
	if err := s.checkOnly(keys); err != nil {
		return frame.Usage, err
	}
	var b bytes.Buffer
	var failed []error
	machine, load := compare.ThisMachine(), compare.Load()
	fmt.Fprintln(&b, compare.MarkdownHead([]string{"protocol", "counted", "tool", "search", "count", "s", "CPU s", "peak MiB"}, "llllrrrr"))
	for _, c := range cases {
		for _, t := range append(s.harriers(c), c.peers...) {
			if s.skips(t.key) {
				continue
			}
			cells, err := s.countCells(ctx, c, t, stderr)
			switch {
			case ctx.Err() == nil && errors.As(err, new(notSetUp)):
				failed = append(failed, err)
			case err != nil:
				return failure(ctx, err)
			}
			fmt.Fprintln(&b, compare.MarkdownRow(cells))
		}
	}
	fmt.Fprintf(&b, "\nMedians of %d runs; one that had not ended after %v was ended. %s, a load of %.2f at the start.\n",
		s.runs, s.timeout, machine, load)
	return s.write(stdout, "counts", b.Bytes(), failed)
}

// countCells runs a tool, and holds it to the count that the case has. If the error is a notSetUp, the cells say so.
func (s settings) countCells(ctx context.Context, c countCase, t countTool, progress io.Writer) ([]string, error) {
	cells := []string{c.protocol, c.counted, t.name, t.how, "", "", "", ""}
	if _, err := exec.LookPath(t.needs); err != nil {
		cells[4] = "not run: " + t.needs + " is missing"
		return cells, nil
	}
	if t.own {
		cells[1] = "its own states"
	}
	if t.prepare != nil {
		if err := t.prepare(ctx, progress); err != nil {
			cells[4] = "not run: " + notSetUpText
			return cells, notSetUp{t.name, c.protocol, err}
		}
	}
	var runs []measured
	for range s.runs {
		output, m, failed := s.execute(ctx, t.folder, t.command)
		runs = append(runs, m)
		if m.late {
			cells[5], cells[7] = fmt.Sprintf("> %.0f", s.timeout.Seconds()), mebibytes(runs)
			return cells, nil
		}
		count, err := t.read(output)
		if err != nil {
			return nil, fmt.Errorf("%s (%s) on %s: %w", t.name, t.how, c.protocol, errors.Join(failed, err))
		}
		fmt.Fprintf(progress, "%s: %s (%s) counted %d in %.2f s\n", c.protocol, t.name, t.how, count, m.wall)
		if cells[4] = compare.Count(count); !t.own && count != c.want {
			return nil, unequal{fmt.Sprintf("%s (%s) counts %d %s of %s, not %d", t.name, t.how, count, c.counted, c.protocol, c.want)}
		}
	}
	cells[5], cells[6] = fmt.Sprintf("%.2f", median(runs, wallOf)), fmt.Sprintf("%.2f", median(runs, cpuOf))
	cells[7] = mebibytes(runs)
	if median(runs, peakOf) <= median(runs, floorOf) {
		cells[7] = "at most " + cells[7]
	}
	return cells, nil
}
