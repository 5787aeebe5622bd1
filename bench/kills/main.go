// Command kills kills searches that write checkpoints at random moments, has them go on, and holds what they find in the end to a
// search that was not killed. With -share it does damage to what the search is shared out to as well (share.go): it kills the search,
// workers or the server, cuts the network, fills the server's disk (site.go), or damages the files that have the states (store.go).
// `make kills` runs it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"harrier/bench/frame"
	"harrier/internal/report"
)

func main() { frame.Main("kills", run) }

type settings struct {
	harrier string
	folder  string // of all checkpoints
	kills   int
	share   int    // how many workers explore the states; 0 for none
	place   string // where they keep them: servers or folder
	slow    bool
	kinds   []string       // of damage to them
	done    map[string]int // how often each kind was done
	seed    uint64
	check   []string
	limits  []string
	random  *rand.Rand
}

func run(_ context.Context, arguments []string, stdout, stderr io.Writer) (code int, err error) {
	if len(arguments) > 0 && arguments[0] == serveCommand {
		return frame.Impossible, beServer(arguments[1:], stdout)
	}
	var s settings
	var check, limits, kinds string
	f := frame.Flags("kills", stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the `file` to run")
	f.IntVar(&s.kills, "kills", 100, "how often something is killed, or damaged")
	f.IntVar(&s.share, "share", 0, "have so many workers explore the states, and do damage to what these share")
	f.BoolVar(&s.slow, "slow", false, "have what these send and get take 5 ms, and 200 ms more once in a hundred times, as if it was lost")
	f.StringVar(&s.place, "place", onServers, "where they keep the states: servers, or a `folder`")
	f.StringVar(&kinds, "damage", "search,worker,server,network,disk,store", "the `kinds` of damage with -share")
	f.StringVar(&check, "check", "examples/paxos --set acceptors=4 --symmetry off --reduction off", "the `arguments` of harrier check")
	f.StringVar(&limits, "limits", "--timeout 10m --max-memory 2g", "the `flags` of each run that it does not take over from the one before")
	f.Uint64Var(&s.seed, "seed", 1, "of the moments")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	s.check, s.limits, s.random = strings.Fields(check), strings.Fields(limits), rand.New(rand.NewPCG(s.seed, 0))
	if s.folder, err = os.MkdirTemp("", "kills-"); err != nil {
		return frame.Impossible, err
	}
	defer os.RemoveAll(s.folder)
	for _, kind := range strings.Split(kinds, ",") {
		if damages[kind] == nil {
			return frame.Usage, fmt.Errorf("-damage: there is no kind %q: take some of search, worker, server, network, disk, store", kind)
		}
	}
	if s.place != onServers && s.place != inFolder {
		return frame.Usage, fmt.Errorf("-place is servers or folder, not %q", s.place)
	}
	if s.done = map[string]int{}; s.share > 0 {
		var why []error
		s.kinds, why = s.possible(strings.Split(kinds, ","))
		for _, err := range why {
			fmt.Fprintf(stdout, "left out: %v\n", err)
		}
		if len(s.kinds) == 0 {
			return frame.Impossible, errors.New("no damage can be done here")
		}
	}
	began := time.Now()
	want, err := s.search(nil, s.check...)
	if err != nil {
		return frame.Impossible, err
	}
	length := time.Since(began)
	fmt.Fprintf(stdout, "not killed: %v, %s, %d states\n", length.Round(time.Second), want.Verdict, want.States)
	again := s.killed
	if s.share > 0 {
		if length, err = s.undisturbed(); err != nil {
			return frame.Impossible, err
		}
		fmt.Fprintf(stdout, "shared, not killed: %v\n", length.Round(time.Second))
		again = s.shared
	}
	wrong := 0
	for killed := 0; killed < s.kills; {
		got, err := again(length, s.kills-killed)
		if err != nil {
			return frame.Impossible, err
		}
		killed += got.kills
		text, ok := got.comparedTo(want)
		if !ok {
			wrong++
		}
		fmt.Fprintf(stdout, "%d times: %s\n", got.kills, text)
	}
	for _, kind := range s.kinds {
		fmt.Fprintf(stdout, "%s: %d\n", kind, s.done[kind])
	}
	if wrong > 0 {
		return frame.Different, nil
	}
	return frame.OK, nil
}

// An outcome is what a search came to in the end.
type outcome struct {
	kills   int // how often something was killed or damaged
	found   *frame.Summary
	damaged []string // the names of the files with states that were damaged
}

// comparedTo compares an outcome with that of a search that was left alone: it has to be the same, or if files were damaged, that the
// search cannot go on because of one of these.
func (o outcome) comparedTo(want *frame.Summary) (text string, ok bool) {
	names := func(file string) bool { return strings.Contains(o.found.Reason, file) }
	switch {
	case figures(o.found) == figures(want):
		return "the same", true
	case o.found.Verdict == report.Inconclusive && slices.ContainsFunc(o.damaged, names):
		return "refused: " + o.found.Reason, true
	}
	return fmt.Sprintf("%s, not %s", figures(o.found), figures(want)), false
}

// killed kills a search and what goes on from it, at most so often, until one ends.
func (s *settings) killed(length time.Duration, most int) (o outcome, err error) {
	folder := filepath.Join(s.folder, fmt.Sprint(s.random.Uint64()))
	defer os.RemoveAll(folder)
	for {
		arguments := []string{"--resume", folder}
		if _, err := os.Stat(filepath.Join(folder, "command.json")); err != nil {
			arguments = append([]string{"--checkpoint", folder}, s.check...)
		}
		var kill <-chan time.Time
		if o.kills < most {
			kill = time.After(time.Duration(s.random.Float64() * float64(length)))
		}
		o.found, err = s.search(kill, arguments...)
		if !errors.Is(err, errKilled) {
			return o, err
		}
		o.kills++
	}
}

var errKilled = errors.New("killed")

// search checks until it ends, or until it is to be killed: all its processes, or the one that the others depend on.
func (s *settings) search(kill <-chan time.Time, arguments ...string) (*frame.Summary, error) {
	var out bytes.Buffer
	c := exec.Command(s.harrier, slices.Concat([]string{"check", "--json"}, arguments, s.limits)...)
	c.SysProcAttr, c.Stdout = &syscall.SysProcAttr{Setpgid: true}, &out
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case <-ended:
	case <-kill:
		pid := c.Process.Pid
		if s.random.IntN(2) == 0 {
			pid = -pid
		}
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		<-ended
		return nil, errKilled
	}
	found, err := summaryOf(c, out.Bytes())
	if err != nil && strings.Contains(err.Error(), ": another check uses the checkpoint") { // what was killed has not ended yet
		time.Sleep(100 * time.Millisecond)
		return s.search(kill, arguments...)
	}
	return found, err
}

// summaryOf is what a check printed.
func summaryOf(c *exec.Cmd, out []byte) (*frame.Summary, error) {
	var found struct {
		frame.Summary
		Error *report.Error `json:"error"`
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("%v printed %q", c.Args, out)
	}
	if found.Error != nil {
		return nil, fmt.Errorf("%v: %s", c.Args, found.Error.Text)
	}
	return &found.Summary, nil
}

// figures are what must be the same.
func figures(s *frame.Summary) string {
	length := 0
	if s.Violation != nil {
		length = len(s.Violation.Steps)
	}
	return fmt.Sprint(s.Verdict, s.Complete, s.Reason, length, s.States, s.Transitions, s.Depth, s.Terminal, s.Violations, s.Violated,
		s.GivenUp, s.LocalStates, s.Messages, s.LocalSteps, s.Handlers, s.Faults, s.NotReached)
}
