package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/live"
	"harrier/internal/model"
	"harrier/internal/process/files"
	"harrier/internal/process/launch"
	"harrier/internal/report"
)

// watching is one run of the watch command: a check from each of a row of snapshots.
type watching struct {
	checking
	addresses []string
	every     time.Duration
	duration  time.Duration
	number    uint64 // of the last snapshot
	gone      map[string]bool
}

func watchCommand() *cobra.Command {
	w := &watching{gone: map[string]bool{}}
	c := &cobra.Command{
		Use:   "watch PROGRAM ADDRESS...",
		Short: "Look ahead of a live run for violations",
		Long: `Takes a snapshot of what harrier run runs, again and again, and checks what may happen from there on.

ADDRESS is the control port of a process, as run prints it; one for each process. PROGRAM is what they run: code is never taken
from the network. A violation ends it, as a counterexample from the live state. Processes that do not answer are left out.

It takes the flags of check. --timeout, for each search, is as long as --every unless it is given. Where much can happen,
--reduction off meets more states in a short time, and --mode local-1 follows one timer or internal event of each actor.

Exit codes are those of check; 0 means that the time is over (--for) and nothing was found, 3 that there was
no snapshot to check, or none in the last three periods.`,
		Example: "  harrier watch examples/paxos-node 127.0.0.1:7100 --every 10s",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly(2, "a program, and the control ports of the processes that run it")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			w.program, w.addresses = args[0], args[1:]
			if w.Timeout == 0 {
				w.Timeout = w.every
			}
			child := childOf(c.Context())
			if child != nil {
				w.From, w.line = child.Setup.Snapshot, line
			}
			if err := w.parse(c); err != nil {
				return usageError{err}
			}
			if child != nil {
				return w.run(c)
			}
			return w.watch(c)
		},
	}
	w.register(c)
	c.Flags().DurationVar(&w.every, "every", time.Minute, "how often a snapshot is taken")
	c.Flags().DurationVar(&w.duration, "for", 0, "end after this long; 0 for not before Ctrl-C")
	return c
}

// watch takes snapshots and has each checked by a process of its own.
func (w *watching) watch(c *cobra.Command) error {
	ctx, cancel := withTimeout(c.Context(), w.duration)
	defer cancel()
	missed := 0
	for ticks := time.NewTicker(w.every); ; {
		s := w.snapshot(c.ErrOrStderr())
		if s == nil {
			missed++
		} else {
			missed = 0
			if err := w.checkFrom(c, s); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			if err := c.Context().Err(); err != nil || w.number > 0 && missed < mostMissed {
				return err
			}
			return errNoSnapshot
		case <-ticks.C:
		}
	}
}

// mostMissed is from how many periods in a row without a snapshot on a watch that ends has not looked at the running processes.
const mostMissed = 3

var errNoSnapshot = &model.LimitError{Text: "no process answered with a snapshot in the end, so nothing was checked: give the control ports that the processes print"}

// snapshot takes a snapshot of the processes that answer, nil if no process does.
func (w *watching) snapshot(stderr io.Writer) *live.Snapshot {
	s, gone := live.Take(w.addresses, w.number+1)
	for _, address := range w.addresses {
		switch missing := gone[address] != nil; {
		case missing && !w.gone[address]:
			complain(stderr, fmt.Sprintf("%s is gone, and left out: %v", address, gone[address]), nil)
		case !missing && w.gone[address]:
			complain(stderr, address+" is back", nil)
		}
		w.gone[address] = gone[address] != nil
	}
	if s != nil {
		w.number = s.Number
	}
	return s
}

// checkFrom checks all runs from a snapshot on. The error is nil if nothing was found.
func (w *watching) checkFrom(c *cobra.Command, s *live.Snapshot) error {
	var names []string
	for _, a := range s.Actors {
		names = append(names, a.Name)
	}
	if !w.json {
		fmt.Fprintf(c.OutOrStdout(), "snapshot %d of %s: ", s.Number, report.Plain(strings.Join(names, ", ")))
	}
	err := w.supervised(c, job{plan: func() (*launch.Task, error) {
		t, err := w.plan(c)
		if err != nil {
			return nil, err
		}
		if t.Out == nil {
			return nil, usageError{fmt.Errorf("the folder %s cannot be written to: --out names another", w.out)}
		}
		t.Snapshot, err = filepath.Abs(filepath.Join(w.out, "snapshot.json"))
		if err != nil {
			return nil, err
		}
		b, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		t.Reach.Read = append(t.Reach.Read, t.Snapshot)
		return t, files.WriteWhole(t.Snapshot, b)
	}, run: w.run, answer: func(summary *report.Summary) error { return w.answer(c, summary) }})
	if reported := (reportedError{}); errors.As(err, &reported) && reported.code == report.ExitInconclusive {
		return nil
	}
	return err
}

// line is the output of watch on a search that found nothing.
func line(s *report.Summary) string {
	var f struct {
		dbss.Counts
		dbss.Discarded
		check.Times
	}
	if err := s.Figures(&f); err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s, %d states", s.Verdict, f.States)
	if f.StatesGivenUp > 0 {
		text += fmt.Sprintf(" (and %d of searches that began anew)", f.StatesGivenUp)
	}
	text += fmt.Sprintf(", %.2f s", f.Seconds)
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}
