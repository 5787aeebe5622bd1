package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"harrier/internal/report"
)

// shared has workers explore the states, and kills them at random moments, at most so often: each time another one is started. length
// is how long a search takes that is not killed.
func (s *settings) shared(length time.Duration, most int) (kills int, found *report.Summary, err error) {
	c := exec.Command(s.harrier, slices.Concat([]string{"check", "--json", "--cluster", "--share", strconv.Itoa(s.share)}, s.check, s.limits)...)
	var out bytes.Buffer
	c.Stdout = &out
	said, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return 0, nil, err
	}
	url, err := urlOf(said)
	var workers []*exec.Cmd
	defer func() {
		for _, w := range workers {
			end(w)
		}
	}()
	for range s.share {
		if err == nil {
			workers, err = s.join(workers, url)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for err == nil {
		var kill <-chan time.Time
		if kills < most {
			kill = time.After(time.Duration(s.random.Float64() * float64(length)))
		}
		select {
		case <-ended:
			found, err := summaryOf(c, out.Bytes())
			return kills, found, err
		case <-kill:
			victim := s.random.IntN(len(workers))
			end(workers[victim])
			kills++
			workers, err = s.join(slices.Delete(workers, victim, victim+1), url)
		}
	}
	_ = c.Process.Kill() // it may have ended
	<-ended
	return kills, nil, err
}

// urlOf is with what workers join, as a check says. The rest of what it says is passed over.
func urlOf(said io.Reader) (string, error) {
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, url, is := strings.Cut(lines.Text(), "harrier worker --cluster "); is {
			go func() { _, _ = io.Copy(io.Discard, said) }() // it ends with the check
			return url, nil
		}
	}
	return "", errors.New("a check does not say how workers join it")
}

// join starts one more worker.
func (s *settings) join(workers []*exec.Cmd, url string) ([]*exec.Cmd, error) {
	w := exec.Command(s.harrier, "worker", "--cluster", url, "--workers", "1")
	w.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return append(workers, w), w.Start()
}

// end kills a worker and all its processes.
func end(w *exec.Cmd) {
	_ = syscall.Kill(-w.Process.Pid, syscall.SIGKILL) // it may have ended
	_ = w.Wait()                                      // it was killed
}
