package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"harrier/internal/section"

	"github.com/dustin/go-humanize"
)

// Figures are the figures that progress shows of a running search.
type Figures struct {
	States, Transitions, Depth, Frontier uint64
	GivenUp                              uint64 // states of searches that began anew
	RunStates                            uint64 // explored for properties of runs
	OnRuns                               bool   // all states are explored, and the search for runs goes on
	Executions, Evaluations              uint64
	MemoryBytes                          uint64
	MaxMemoryBytes                       uint64 // the limit, 0 for none
	Slow                                 string // the execution of the program's code that takes long, "" for none
}

// Progress shows how something that runs gets on: on one line of a terminal, from a second after its start, so that
// a short one shows nothing; elsewhere, such as in the log of a build, on a line of its own every 30 seconds.
type Progress struct {
	w     io.Writer
	width func() int
	start time.Time
	line  func(elapsed time.Duration) string
	stop  chan struct{}
	done  sync.WaitGroup
	shown bool
}

const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
	logEvery      = 30 * time.Second
)

// StartProgress shows the figures of a search that look returns, until Stop. See StartLine.
func StartProgress(w io.Writer, width func() int, look func() Figures) *Progress {
	last, lastElapsed := Figures{}, time.Duration(0)
	return StartLine(w, width, func(elapsed time.Duration) string {
		f := look()
		line := progressLine(f, last, elapsed-lastElapsed, elapsed)
		last, lastElapsed = f, elapsed
		return line
	})
}

// StartLine shows what line returns until Stop, on a terminal whose width in columns is asked each
// time: it may change. A nil width stands for no terminal.
func StartLine(w io.Writer, width func() int, line func(elapsed time.Duration) string) *Progress {
	every := progressEvery
	if width == nil {
		every = logEvery
	}
	return startLine(w, width, line, every)
}

func startLine(w io.Writer, width func() int, line func(elapsed time.Duration) string, every time.Duration) *Progress {
	p := &Progress{w: w, width: width, start: time.Now(), line: line, stop: make(chan struct{})}
	p.done.Add(1)
	go p.run(every)
	return p
}

// Stop ends the progress and clears its line.
func (p *Progress) Stop() {
	close(p.stop)
	p.done.Wait()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *Progress) run(every time.Duration) {
	defer p.done.Done()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case now := <-ticker.C:
			line := p.line(now.Sub(p.start)) // even when it is not shown: rates are since the last call
			if p.width == nil && line != "" {
				fmt.Fprintln(p.w, Plain(line))
			} else if p.width != nil && now.Sub(p.start) >= progressAfter {
				fmt.Fprintf(p.w, "\r\x1b[K%s", fit(Plain(line), p.width()))
				p.shown = true
			}
		}
	}
}

// progressLine has the figures of a search. How much is left to do is not known: see "There is no estimate" in
// docs/design.md.
func progressLine(f, last Figures, since, elapsed time.Duration) string {
	slow := ""
	if f.Slow != "" {
		slow = "  in " + f.Slow
	}
	if f.States == 0 {
		return fmt.Sprintf("%s  setting up%s", elapsed.Round(time.Second), slow)
	}
	perSecond, again := float64(f.Transitions-last.Transitions)/since.Seconds(), ""
	if f.Transitions < last.Transitions {
		perSecond = float64(f.Transitions) / since.Seconds()
	}
	if f.GivenUp > 0 {
		again = fmt.Sprintf(" (%s discarded)", short(f.GivenUp))
	}
	if f.OnRuns {
		runStates := float64(f.RunStates-min(last.RunStates, f.RunStates)) / since.Seconds()
		return fmt.Sprintf("%s  all %s states explored%s  runs: %s states %s/s  %s evaluations  %s  %s Java steps%s",
			elapsed.Round(time.Second), short(f.States), again, short(f.RunStates), short(uint64(runStates)),
			short(f.Evaluations), memoryText(f.MemoryBytes, f.MaxMemoryBytes), short(f.Executions), slow)
	}
	return fmt.Sprintf("%s  %s states%s  %s transitions %s/s  %s evaluations  depth %s  frontier %s  %s  %s Java steps%s",
		elapsed.Round(time.Second), short(f.States), again, short(f.Transitions), short(uint64(perSecond)), short(f.Evaluations),
		short(f.Depth), short(f.Frontier), memoryText(f.MemoryBytes, f.MaxMemoryBytes), short(f.Executions), slow)
}

// memoryText writes memory against its limit, if there is one: 1.2 / 21 GiB.
func memoryText(used, limit uint64) string {
	text := humanize.IBytes(used)
	if limit == 0 {
		return text
	}
	most := humanize.IBytes(limit)
	if _, unit, _ := strings.Cut(most, " "); strings.HasSuffix(text, " "+unit) {
		text = strings.TrimSuffix(text, " "+unit)
	}
	return text + " / " + most
}

// fit cuts a line that would wrap: it could not be taken back.
func fit(line string, columns int) string {
	return line[:min(len(line), max(columns-1, 0))]
}

// short writes a number in few characters: 9,999, 12.3k, 45.6M, 7.89G.
func short(n uint64) string {
	if n < 10_000 {
		return section.Count(n)
	}
	value, prefix := humanize.ComputeSI(float64(n))
	return fmt.Sprintf("%.3g%s", value, prefix)
}
