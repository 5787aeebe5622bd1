package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// shared has workers explore the states, and does damage at random moments, at most so often. length is how long a search takes that
// comes to none.
func (s *settings) shared(length time.Duration, most int) (o outcome, err error) {
	site, err := s.open()
	if err != nil {
		return o, err
	}
	defer site.close()
	for err = site.begin(); err == nil; {
		var now <-chan time.Time
		if o.kills < min(most, mostDamage) {
			now = time.After(s.upTo(length))
		}
		select {
		case <-site.ended:
			o.damaged = site.damaged
			o.found, err = summaryOf(site.running, site.out.Bytes())
			return o, err
		case <-now:
			o.kills++
			err = site.damage()
		}
	}
	return o, err
}

// undisturbed is how long workers explore the states if nothing is damaged.
func (s *settings) undisturbed() (time.Duration, error) {
	site, err := s.open()
	if err != nil {
		return 0, err
	}
	defer site.close()
	if err := site.begin(); err != nil {
		return 0, err
	}
	joined := time.Now()
	<-site.ended
	_, err = summaryOf(site.running, site.out.Bytes())
	return time.Since(joined), err
}

// begin starts a check whose states the workers explore, or one that goes on from the checkpoint, and waits until the workers have
// joined it.
func (t *site) begin() error {
	arguments := []string{"check", "--json", "--cluster", t.url}
	if _, err := os.Stat(filepath.Join(t.checkpoint, "command.json")); err == nil {
		arguments = append(arguments, "--resume", t.checkpoint)
	} else {
		arguments = append(append(arguments, "--checkpoint", t.checkpoint, "--share", t.states()), t.check...)
	}
	t.out.Reset()
	t.running = exec.Command(t.harrier, append(arguments, t.limits...)...)
	t.running.SysProcAttr, t.running.Stdout = &syscall.SysProcAttr{Setpgid: true}, &t.out
	said, err := t.running.StderrPipe()
	if err == nil {
		err = t.running.Start()
	}
	if err != nil {
		return err
	}
	t.awaitWorkers(said)
	t.ended = make(chan struct{})
	go func() {
		_ = t.running.Wait() // its output tells how it ended
		close(t.ended)
	}()
	return nil
}

// endSearch kills the check and all its processes.
func (t *site) endSearch() {
	_ = syscall.Kill(-t.running.Process.Pid, syscall.SIGKILL) // it may have ended
	<-t.ended
}

// awaitWorkers waits until the workers have joined a check, as it says, or it ends. The rest of what it says is passed over.
func (s *settings) awaitWorkers(said io.Reader) {
	joined := 0
	for lines := bufio.NewScanner(said); joined < s.share && lines.Scan(); {
		if strings.HasSuffix(lines.Text(), " has joined") {
			joined++
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }() // it ends with the check
}

// mostDamage is how often damage is done to a search. With more, each of which costs the time in which processes start again, it may
// come to no end.
const mostDamage = 10

// upTo is a random time.
func (s *settings) upTo(most time.Duration) time.Duration {
	return time.Duration(s.random.Float64() * float64(most))
}

// mostPause is how long a server is away, or a network cut, at most. Half of it makes a worker gone.
const mostPause = 10 * time.Second

// A damage is something that goes wrong at a site, and is mended.
type damage func(*site) error

// damages are what -damage names.
var damages = map[string]damage{
	"search": func(t *site) error {
		t.endSearch()
		return t.begin()
	},
	"worker": func(t *site) error { // another worker takes its place
		victim := t.random.IntN(len(t.workers))
		end(t.workers[victim])
		t.workers = slices.Delete(t.workers, victim, victim+1)
		return t.start()
	},
	"server": func(t *site) error {
		end(t.server)
		time.Sleep(t.upTo(mostPause))
		return t.serve()
	},
	"network": func(t *site) error { // of the workers in the namespace
		if err := command("ip", "link", "set", t.link(), "down"); err != nil {
			return err
		}
		time.Sleep(t.upTo(mostPause))
		return command("ip", "link", "set", t.link(), "up")
	},
	"disk": func(t *site) error { // a server whose disk was full has to be started again
		if err := t.fill(); err != nil {
			return err
		}
		time.Sleep(t.upTo(mostPause))
		end(t.server)
		if err := t.empty(); err != nil {
			return err
		}
		return t.serve()
	},
	"store": func(t *site) error { return t.damageFiles() },
}

// damage does one of the kinds of damage that the settings name.
func (t *site) damage() error {
	kind := t.kinds[t.random.IntN(len(t.kinds))]
	t.done[kind]++
	return damages[kind](t)
}

// end kills a process and all its processes.
func end(c *exec.Cmd) {
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // it may have ended
	_ = c.Wait()                                      // it was killed
}

// command runs a command.
func command(name string, arguments ...string) error {
	if out, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, arguments, err, bytes.TrimSpace(out))
	}
	return nil
}
