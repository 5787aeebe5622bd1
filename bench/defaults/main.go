// Command defaults holds the default search to the best of {macro, off} x {symmetry auto, off}: over all examples, and the
// programs of bench/defaults/programs, which are written as people write them. `make bench-defaults` runs it.
//
// The default takes at most 1.2 times the processor time of the best, or 0.3 s more where that is more; it finds what any of them
// finds; and it takes at most 1.5 times the memory of the leanest. The set-up of a program is left out of its times. Where none
// ends, the default takes as many transitions a second as the fastest over macro steps, within the same bounds: each of these
// stands for several single steps.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"harrier/bench/frame"
	"harrier/internal/report"
)

func main() { frame.Main("defaults", run) }

type settings struct {
	harrier, only, memory string
	timeout               time.Duration
	runs                  int
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	var s settings
	f := frame.Flags("defaults", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the `file` to run")
	f.StringVar(&s.only, "only", "", "programs whose name contains this `text`")
	f.StringVar(&s.memory, "max-memory", "4g", "limit of each run")
	f.DurationVar(&s.timeout, "timeout", 20*time.Second, "limit of each run")
	f.IntVar(&s.runs, "runs", 1, "how often each is run; the quickest counts")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	fmt.Fprintln(stdout, "| program | default | best of the four | times its processor time | times the memory of the leanest | |")
	fmt.Fprintln(stdout, "|---|---|---|---:|---:|---|")
	lost := 0
	for _, p := range programs() {
		if !strings.Contains(p, s.only) {
			continue
		}
		row, err := s.compare(ctx, strings.Fields(p))
		if err != nil {
			return frame.Impossible, err
		}
		fmt.Fprintln(stdout, row.markdown(p))
		if row.fault() != "" {
			lost++
		}
	}
	if lost > 0 {
		return frame.Different, fmt.Errorf("the default loses on %d programs", lost)
	}
	return frame.OK, nil
}

// programs are the arguments of check, but for flags that choose how to search.
func programs() []string {
	all := []string{
		"bench/defaults/programs/Starve3.java", "bench/defaults/programs/LamportMutex.java", "bench/defaults/programs/kv",
		"bench/defaults/programs/Ble.java --set n=3 --set maxRound=2 --no-deadlock",
		"bench/defaults/programs/TimerDelay.java", "bench/defaults/programs/Grow.java",
		"bench/defaults/programs/Pointers.java --set nodes=8", "bench/defaults/programs/PointersInv.java --set nodes=7",
		"bench/defaults/programs/Polls.java --set sensors=6", "bench/defaults/programs/Jobs.java --set republishes=1 --set losses=1",
		"bench/defaults/programs/Kv.java",
		"bench/defaults/programs/Kv.java --set losses=2 --set resends=1 --set gets=0 --property done",
		"bench/defaults/programs/VrRecovery.java --set mended=true", "bench/defaults/programs/VrRecovery.java --set mended=true --set crashes=0",
		"examples/paxos --set acceptors=4", "examples/paxos --set acceptors=7", "examples/paxos --set proposers=3",
		"examples/register --set objects=5", "examples/two-phase-commit --set managers=7",
	}
	examples, _ := os.ReadDir("examples")
	for _, e := range examples {
		if !e.IsDir() || slices.Contains([]string{"adapting", "builds", "first-protocol", "pekko-promises", "vertx-promises"}, e.Name()) {
			continue
		}
		program := "examples/" + e.Name()
		if _, err := os.Stat(program + "/lib"); err == nil {
			program += " --classpath " + program + "/lib/*"
		}
		all = append(all, program)
	}
	return all
}

// modes are the flags of what is compared, the default first, then those over macro steps.
var modes = [][]string{
	{},
	{"--reduction", "macro"},
	{"--reduction", "macro", "--symmetry", "off"},
	{"--reduction", "off"},
	{"--reduction", "off", "--symmetry", "off"},
}

// A measurement is a run: its processor time in seconds, the peak of its memory in bytes, and what it printed.
type measurement struct {
	seconds float64
	peak    uint64
	frame.Summary
}

// A row has the measurements of a program, in the order of modes.
type row []measurement

func (s *settings) compare(ctx context.Context, program []string) (row, error) {
	var setUp measurement
	for range 2 { // the first has classes compiled and kept
		var err error
		if setUp, err = s.measure(ctx, append(slices.Clone(program), "--max-states", "1")); err != nil {
			return nil, err
		}
	}
	r := make(row, len(modes))
	for range s.runs {
		for i, mode := range modes {
			m, err := s.measure(ctx, append(slices.Clone(program), mode...))
			if err != nil {
				return nil, err
			}
			m.seconds = max(0.01, m.seconds-setUp.seconds)
			if r[i].seconds == 0 || m.seconds < r[i].seconds {
				r[i] = m
			}
		}
	}
	return r, nil
}

func (s *settings) measure(ctx context.Context, arguments []string) (m measurement, err error) {
	arguments = append([]string{"--timeout", s.timeout.String(), "--max-memory", s.memory}, arguments...)
	summary, process, err := frame.Check(ctx, s.harrier, arguments...)
	if err != nil {
		return m, err
	}
	m.Summary = *summary
	m.seconds = (process.UserTime() + process.SystemTime()).Seconds()
	m.peak = uint64(process.SysUsage().(*syscall.Rusage).Maxrss) << 10
	return m, nil
}

func (m *measurement) ends() bool { return m.Verdict != report.Inconclusive }

// cost is what a run costs: seconds to its verdict, or for each million transitions where it has none.
func (m *measurement) cost() float64 {
	if m.ends() {
		return m.seconds
	}
	return m.seconds / float64(m.Transitions+1) * 1e6
}

// overMacroSteps is how many modes search macro steps.
const overMacroSteps = 3

// best is the number of the mode that costs least, other than the default.
func (r row) best() int {
	b, of := 1, r
	if !slices.ContainsFunc(r, func(m measurement) bool { return m.ends() }) {
		of = r[:overMacroSteps]
	}
	for i := range of[1:] {
		one, other := &of[i+1], &of[b]
		if one.ends() && !other.ends() || one.ends() == other.ends() && one.cost() < other.cost() {
			b = i + 1
		}
	}
	return b
}

func (r row) leanest() uint64 {
	least := r[1].peak
	for _, m := range r[1:] {
		if m.ends() == r[r.best()].ends() {
			least = min(least, m.peak)
		}
	}
	return least
}

// fault says in what the default is worse than it may be, "" for nothing.
func (r row) fault() string {
	d, best := &r[0], &r[r.best()]
	switch {
	case best.ends() && d.Verdict != best.Verdict:
		return "no verdict"
	case !best.ends() && !d.ends() && d.cost() > 1.2*best.cost():
		return "slower"
	case best.ends() && d.seconds > max(1.2*best.seconds, best.seconds+0.3):
		return "slower"
	case float64(d.peak) > 1.5*float64(r.leanest()):
		return "larger"
	}
	return ""
}

func (r row) markdown(program string) string {
	d, best := &r[0], &r[r.best()]
	program = strings.TrimPrefix(strings.TrimPrefix(program, "examples/"), "bench/defaults/programs/")
	return fmt.Sprintf("| %s | %s | %s: %s | %.2f | %.2f | %s |", program, d.text(), strings.Join(modes[r.best()], " "), best.text(),
		d.cost()/best.cost(), float64(d.peak)/float64(r.leanest()), r.fault())
}

func (m *measurement) text() string {
	return fmt.Sprintf("%s, %d states, %d transitions, %.2f s, %d MiB", m.Verdict, m.States, m.Transitions, m.seconds, m.peak>>20)
}
