// Command cluster compares checks whose steps workers execute, and with -share whose states they explore, with checks in one process, by turns. `make bench-cluster` runs it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"

	"harrier/bench/frame"
	"harrier/internal/cluster"
	"harrier/internal/distributed/tasks"
)

func main() { frame.Main("cluster", run) }

type settings struct {
	harrier string
	check   []string
	workers int
	runs    int
	share   string // where they keep the states that they explore, as --share; "" if they explore none
	folder  string
	url     string
	used    time.Duration // processor time of all workers in all runs, once they have ended
}

// outcome is one run of a check.
type outcome struct {
	summary frame.Summary
	counts  string        // what a check says of its questions; "" without workers
	out, in uint64        // bytes of all workers
	check   time.Duration // processor time of the check's processes
	engine  time.Duration // processor time of the engine
}

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (code int, err error) {
	var s settings
	var check string
	f := frame.Flags("cluster", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the `file` to run")
	f.StringVar(&check, "check", "bench/cluster/mixing --set steps=2 --reduction off --timeout 10m --max-memory 2g", "the `arguments` of harrier check")
	f.IntVar(&s.workers, "workers", 2, "how many workers there are, with one thread each")
	f.IntVar(&s.runs, "runs", 5, "how many runs there are of each")
	f.StringVar(&s.share, "share", "", "have the workers explore the states as well, and keep them at this `place`, as harrier check --share")
	timeline := f.Bool("timeline", false, "print how many questions 1 worker had answered after each second, 2 workers, and so on, instead")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	s.check = strings.Fields(check)
	if s.folder, err = os.MkdirTemp("", "bench-cluster-"); err != nil {
		return frame.Impossible, err
	}
	defer os.RemoveAll(s.folder)
	engine, err := cluster.Start(ctx)
	if err != nil {
		return frame.Impossible, err
	}
	defer engine.Close()
	s.url = engine.File
	if *timeline {
		return frame.OK, s.timeline(ctx, engine, stdout)
	}
	end, err := s.startWorkers(ctx)
	if err != nil {
		return frame.Impossible, err
	}
	defer func() { end() }()
	flags := []string{"--cluster=" + s.url}
	if s.share != "" {
		flags = append(flags, "--share", s.share)
	}
	var alone, together []outcome
	for range s.runs {
		a, err := s.run(ctx, engine)
		if err != nil {
			return frame.Impossible, err
		}
		b, err := s.run(ctx, engine, flags...)
		if err != nil {
			return frame.Impossible, err
		}
		alone, together = append(alone, a), append(together, b)
		if figures(a) != figures(b) {
			return frame.Different, fmt.Errorf("%s with workers, not %s", figures(b), figures(a))
		}
	}
	end()
	end = func() {}
	return frame.OK, s.print(stdout, alone, together)
}

// figures are what must be the same with workers and without.
func figures(o outcome) string {
	return fmt.Sprintf("%s, %d states, %d local steps", o.summary.Verdict, o.summary.States, o.summary.LocalSteps)
}

// processorTime is what a process that has ended, and those that it waited for, used.
func processorTime(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// ownProcessorTime is what this process, which the engine is in, has used.
func ownProcessorTime() (time.Duration, error) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0, fmt.Errorf("asking for the engine's processor time: %w", err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

func (s *settings) startWorkers(ctx context.Context) (end func(), err error) {
	var all []*exec.Cmd
	end = func() {
		for _, c := range all {
			_ = c.Process.Signal(os.Interrupt) // it fails only if it has ended; killed, it would not wait for its process with Java
			_ = c.Wait()
			if c.ProcessState != nil {
				s.used += processorTime(c.ProcessState)
			}
		}
	}
	for range s.workers {
		c := exec.CommandContext(ctx, s.harrier, "worker", "--workers", "1")
		c.Env = append(os.Environ(), "NATS_URL="+s.url)
		said, err := c.StderrPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			return end, err
		}
		all = append(all, c)
		lines := bufio.NewReader(said)
		if _, err := lines.ReadString('\n'); err != nil {
			return end, fmt.Errorf("a worker ends: %w", err)
		}
		go io.Copy(io.Discard, lines)
	}
	return end, nil
}

// run is one run of the check, with further arguments.
func (s *settings) run(ctx context.Context, engine *cluster.Engine, arguments ...string) (o outcome, err error) {
	c := exec.CommandContext(ctx, s.harrier, slices.Concat([]string{"check"}, s.check, []string{"--json", "--out", s.folder}, arguments)...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	outBefore, inBefore := bytesOf(ctx, engine)
	engineBefore, err := ownProcessorTime()
	if err != nil {
		return o, err
	}
	_ = c.Run() // what it printed says how it ended
	if c.ProcessState != nil {
		o.check = processorTime(c.ProcessState)
	}
	if o.engine, err = ownProcessorTime(); err != nil {
		return o, err
	}
	o.engine -= engineBefore
	if err := json.Unmarshal(stdout.Bytes(), &o.summary); err != nil {
		return o, fmt.Errorf("%s printed no summary: %w; %s", strings.Join(c.Args, " "), err, stderr.String())
	}
	out, in := bytesOf(ctx, engine)
	o.out, o.in = out-outBefore, in-inBefore
	for line := range strings.Lines(stderr.String()) {
		if text, ok := strings.CutPrefix(line, "harrier: "); ok && strings.Contains(text, " answers, ") {
			o.counts = strings.TrimSpace(text)
		}
	}
	return o, nil
}

// bytesOf are those that all workers sent and received.
func bytesOf(ctx context.Context, engine *cluster.Engine) (out, in uint64) {
	_, workers, _ := engine.Members(ctx) // without them there are none
	for _, w := range workers {
		out, in = out+w.Out, in+w.In
	}
	return out, in
}

// bounds are the least and the most seconds that n workers take for phases of tasks, each of which begins one as soon as it has none (Graham:
// Bounds on Multiprocessing Timing Anomalies, SIAM Journal on Applied Mathematics, 1969). They leave out how long a task waits to be taken.
func bounds(phases []tasks.Phase, n int) (least, most float64) {
	for _, p := range phases {
		share := p.Seconds / float64(n)
		least += max(share, p.Longest)
		most += share + p.Longest*(1-1/float64(n))
	}
	return least, most
}

var waiting = regexp.MustCompile(`(\d+) % of the time of questions was waiting`)

func (s *settings) print(to io.Writer, alone, together []outcome) error {
	seconds := func(all []outcome) (sorted []float64) {
		for _, o := range all {
			sorted = append(sorted, o.summary.Seconds)
		}
		slices.Sort(sorted)
		return sorted
	}
	var ratios []float64
	for i := range alone {
		ratios = append(ratios, alone[i].summary.Seconds/together[i].summary.Seconds)
	}
	slices.Sort(ratios)
	one, many := seconds(alone), seconds(together)
	last := together[len(together)-1]
	steps := last.summary.LocalSteps
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "check\t%s\n", strings.Join(s.check, " "))
	fmt.Fprintf(w, "result\t%s\n", figures(last))
	fmt.Fprintf(w, "one process\t%.2f s (%.2f to %.2f)\n", one[len(one)/2], one[0], one[len(one)-1])
	fmt.Fprintf(w, "%d workers\t%.2f s (%.2f to %.2f)\n", s.workers, many[len(many)/2], many[0], many[len(many)-1])
	fmt.Fprintf(w, "ratio\t%.2f (%.2f to %.2f)\n", ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1])
	fmt.Fprintf(w, "processor time\t%.2f s in one process; %.2f s of the workers, %.2f s of the check, %.2f s of the engine\n",
		alone[len(alone)-1].check.Seconds(), s.used.Seconds()/float64(s.runs), last.check.Seconds(), last.engine.Seconds())
	fmt.Fprintf(w, "a step\t%.2f ms in one process\n", 1000*one[len(one)/2]/float64(max(steps, 1)))
	fmt.Fprintf(w, "questions\t%s\n", last.counts)
	fmt.Fprintf(w, "bytes\t%d to workers, %d from them: %d a step, %.1f a state\n", last.in, last.out, (last.in+last.out)/max(steps, 1),
		float64(last.in+last.out)/float64(max(last.summary.States, 1)))
	for _, n := range []int{1, 2, 4, 8, 14} {
		if least, most := bounds(last.summary.Phases, n); most > 0 {
			fmt.Fprintf(w, "%d workers\t%.1f to %.1f s for the tasks alone, if these take as long\n", n, least, most)
		}
	}
	if m := waiting.FindStringSubmatch(last.counts); m != nil {
		share, _ := strconv.Atoi(m[1])
		fmt.Fprintf(w, "waiting\t%d %% of the time of questions\n", share)
	}
	return w.Flush()
}
