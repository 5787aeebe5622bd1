package check

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/report"
)

// tellEvery is how often SoFar gets a summary of a running search.
const tellEvery = time.Second / 4

// tellWhile gives SoFar summaries while a search runs, until stop is called.
func (c *Check) tellWhile() (stop func()) {
	c.begun.Store(c.outset())
	if c.SoFar == nil {
		return func() {}
	}
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for ticks := time.NewTicker(tellEvery); ; {
			c.SoFar(c.Known())
			select {
			case <-stopped:
				ticks.Stop()
				return
			case <-ticks.C:
			}
		}
	}()
	return func() { close(stopped); <-done }
}

// outset returns the summary of a check whose search begins: inconclusive, without figures.
func (c *Check) outset() *report.Summary {
	program := c.Actors().Program()
	threads := ""
	if program.Threads {
		threads = cmp.Or(c.Source.Threads, bridge.Blocking)
	}
	return &report.Summary{Answer: report.Answer{
		Version:    report.SummaryVersion,
		Program:    c.Source.Path,
		Scenario:   program.Scenario,
		Parameters: append([]model.Parameter{}, program.Parameters...),
		Allowed:    allowed(c.relaxed),
		Method:     report.Method{Search: c.Search, Model: c.Model, Hashing: c.Hashing, Push: c.Push, Store: c.Store, Workers: c.Workers, Share: c.Share},
		Threads:    threads,
		Reduction:  c.Reduction,
		Properties: c.properties(program),
		Verdict:    report.Inconclusive,
	}, Details: report.Details{Reproduce: c.Reproduce, GoOn: c.GoOn}}
}

// Known returns an inconclusive summary, without a reason, with the present figures of the search; nil before that begins. It may be
// called while the check runs.
func (c *Check) Known() *report.Summary {
	begun := c.begun.Load()
	if begun == nil {
		return nil
	}
	s := *begun
	if open := c.openRuns.Load(); open != nil {
		s.Complete, s.Undecided = true, *open
	}
	s.Sections = c.sections(&s, &known{counted: c.soFar()})
	return &s
}

// soFar returns the present figures of the search.
func (c *Check) soFar() counted {
	f := c.Figures()
	return counted{
		Counts:    dbss.Counts{States: f.States, Transitions: f.Transitions, Depth: int(f.Depth)},
		discarded: c.progress.Discarded(), stats: c.Actors().LocalSteps.Stats(), evaluations: Evaluated{Evaluations: f.Evaluations},
		times: Times{c.setUp.Seconds(), (time.Since(c.started) - c.setUp).Seconds()},
	}
}

// makeSections makes the sections of the summary from the figures known by now.
func (c *Check) makeSections() { c.Summary.Sections = c.sections(c.Summary, &c.known) }

// tell gives SoFar the summary as it is, before figures are added that take time.
func (c *Check) tell() {
	if c.makeSections(); c.SoFar != nil && c.Summary.Verdict == report.Inconclusive {
		c.SoFar(c.Summary)
	}
}

// endedBy returns the summary of a check whose search reached a limit, and other errors as they are.
func (c *Check) endedBy(err error) (*report.Summary, error) {
	var limit *model.LimitError
	s := c.Known()
	if s == nil || !errors.As(err, &limit) {
		return nil, err
	}
	s.Reason = limit.Text
	switch {
	case c.Summary == nil:
	case c.Summary.Violation != nil:
		c.makeSections()
		return c.Summary, nil
	case c.Summary.Verdict == report.Violated:
		s.Reason += ", while a violation that the search found was executed again"
	case c.Summary.Verdict == report.Inconclusive:
		s = c.Summary
		s.Reason = limit.Text
		c.makeSections()
	}
	return s, nil
}

// allowed are the rules that were relaxed. That threads run which libraries start relaxes none.
func allowed(relaxed []string) []string {
	return slices.DeleteFunc(slices.Clone(relaxed), func(rule string) bool { return rule == model.WithThreads })
}
