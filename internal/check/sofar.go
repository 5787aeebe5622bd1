package check

import (
	"errors"
	"time"

	"harrier/internal/model"
	"harrier/internal/process/memory"
	"harrier/internal/report"
)

// tellEvery is how often what is known of a running search is told.
const tellEvery = time.Second / 4

// tellWhile has what is known be told while a search runs, until stop is called.
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

// outset is what is known of a check when a search begins, as the summary of one that has not ended.
func (c *Check) outset() *report.Summary {
	program := c.Actors().Program()
	return &report.Summary{
		Version:        report.SummaryVersion,
		Program:        c.Source.Path,
		Scenario:       program.Scenario,
		Parameters:     append([]model.Parameter{}, program.Parameters...),
		Allowed:        c.relaxed,
		Method:         c.Method,
		Reduction:      c.Reduction,
		Fields:         len(program.FieldNames(func(model.Field) bool { return true })),
		Auxiliary:      auxiliaryFields(program),
		Senders:        auxiliarySenders(program),
		Properties:     c.properties(program),
		Verdict:        report.Inconclusive,
		SetUpSeconds:   c.setUp.Seconds(),
		MaxMemoryBytes: c.Memory.Bytes,
		Adversaries:    c.domains,
		Reproduce:      c.Reproduce,
		GoOn:           c.GoOn,
	}
}

// Known is what is known of a check whose search has begun, as an inconclusive summary without a reason; nil before. It may be asked for
// while the check runs.
func (c *Check) Known() *report.Summary {
	begun := c.begun.Load()
	if begun == nil {
		return nil
	}
	s, f := *begun, c.Figures()
	s.States, s.Transitions, s.Depth = f.States, f.Transitions, int(f.Depth)
	s.GivenUp, s.StatesGivenUp = c.progress.GivenUp(), f.GivenUp
	if open := c.openRuns.Load(); open != nil {
		s.Complete, s.Undecided = true, *open
	}
	s.Stats, s.Evaluations = c.Actors().LocalSteps.Stats(), f.Evaluations
	s.Seconds = (time.Since(c.started) - c.setUp).Seconds()
	s.PeakMemoryBytes = memory.Peak()
	return &s
}

// tell tells what the summary has so far, before more is added that may take long.
func (c *Check) tell() {
	if c.SoFar != nil && c.Summary != nil && c.Summary.Verdict == report.Inconclusive {
		c.Summary.PeakMemoryBytes = memory.Peak()
		c.SoFar(c.Summary)
	}
}

// endedBy is the summary of a check that an error ended: of one that reached a limit when its search had begun, what is known.
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
		return c.Summary, nil
	case c.Summary.Verdict == report.Violated:
		s.Reason += ", while a violation that the search found was executed again"
	case c.Summary.Verdict == report.Inconclusive:
		s = c.Summary
		s.Reason = limit.Text
	}
	return s, nil
}
