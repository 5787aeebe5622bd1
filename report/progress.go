package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// Figures are what progress shows of a running search.
type Figures struct {
	States, Transitions, Depth, Frontier uint64
	LocalSteps, Executions               uint64
	MemoryBytes                          uint64
}

// Progress shows the figures of a running search on one line of a terminal, from a second after
// its start, so that short checks show none.
type Progress struct {
	w     io.Writer
	start time.Time
	look  func() Figures
	stop  chan struct{}
	done  sync.WaitGroup
	shown bool
}

const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// StartProgress shows what look returns until Stop.
func StartProgress(w io.Writer, look func() Figures) *Progress {
	p := &Progress{w: w, start: time.Now(), look: look, stop: make(chan struct{})}
	p.done.Add(1)
	go p.run()
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

func (p *Progress) run() {
	defer p.done.Done()
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	last, lastTime := Figures{}, p.start
	for {
		select {
		case <-p.stop:
			return
		case now := <-ticker.C:
			f := p.look()
			if now.Sub(p.start) >= progressAfter {
				fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(f, last, now.Sub(lastTime), now.Sub(p.start)))
				p.shown = true
			}
			last, lastTime = f, now
		}
	}
}

func progressLine(f, last Figures, since, elapsed time.Duration) string {
	if f.States == 0 {
		return fmt.Sprintf("%s  setting up", elapsed.Round(time.Second))
	}
	return fmt.Sprintf("%s  %s states  %s transitions (%s)  depth %d  frontier %s  %s Java steps (%s from memory)  %s",
		elapsed.Round(time.Second), count(f.States), count(f.Transitions),
		rate(f.Transitions-last.Transitions, since.Seconds()), f.Depth, count(f.Frontier),
		count(f.Executions), share(f.Transitions, f.LocalSteps), humanize.IBytes(f.MemoryBytes))
}
