package check

import (
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/search"
)

// TrySmaller repeats a check that a bound ended, whose summary is s, with one of its parameters smaller and all bounds the same: with 1
// for each of them, then 2, and so on. A parameter grows no further after a value with which the check did not end. It returns the
// first check that is violated, else the complete one with most states, or nil. It takes no longer than left, but
// for executing a violation again, and nothing if the set-up alone would. Nothing may refer to the search of the check any more, which may
// have used up the memory.
func TrySmaller(ctx context.Context, p plan.Plan, e Environment, jvm *bridge.JVM, s *report.Summary, left time.Duration) *advice.Smaller {
	if !s.IsCutShort() || s.Search == search.Random || p.From != "" {
		return nil
	}
	var times Times
	if s.Figures(&times) != nil {
		return nil
	}
	e.Checkpoint, e.SoFar = nil, nil
	t := trials{plan: p, environment: e, jvm: jvm, setUp: time.Duration(times.SetUpSeconds * float64(time.Second)), end: time.Now().Add(left)}
	if t.isOver(ctx) {
		return nil
	}
	debug.FreeOSMemory()
	parameters, values := advice.Numbers(s.Parameters)
	open := slices.Clone(values)
	for n := 1; n < advice.MostValues; n++ {
		for i, p := range parameters {
			if n >= open[i] || t.violated() {
				continue
			}
			if ended := t.try(ctx, p.Name, strconv.Itoa(n)); !ended {
				open[i] = 0
			}
		}
	}
	return t.best
}

// trials are the checks that TrySmaller makes.
type trials struct {
	plan        plan.Plan
	environment Environment
	jvm         *bridge.JVM
	setUp       time.Duration // of the check, which each takes as well
	end         time.Time
	best        *advice.Smaller
}

func (t *trials) violated() bool { return t.best != nil && t.best.Verdict == report.Violated }

// isOver reports whether there is no time for another check.
func (t *trials) isOver(ctx context.Context) bool {
	return time.Until(t.end) <= t.setUp || ctx.Err() != nil
}

// try makes a check with one parameter changed, and reports whether larger values are worth trying: it came to an end, or the
// program does not take the value.
func (t *trials) try(ctx context.Context, name, value string) bool {
	if t.isOver(ctx) {
		return false
	}
	p := t.plan
	p.Timeout, p.InSweep = time.Until(t.end), true
	p.Source.Parameters = maps.Clone(p.Source.Parameters)
	if p.Source.Parameters == nil {
		p.Source.Parameters = map[string]string{}
	}
	p.Source.Parameters[name] = value
	c := New(p, t.environment)
	c.JVM, c.isTrial = t.jvm, true
	s, err := c.Run(ctx)
	if err != nil {
		var unfit *model.UsageError
		return errors.As(err, &unfit)
	}
	if s.Verdict != report.Inconclusive && (t.best == nil || s.Verdict == report.Violated || c.Result.States > t.best.States) {
		t.best = &advice.Smaller{Setting: name + "=" + value, Summary: s, States: c.Result.States, Seconds: time.Since(c.started).Seconds()}
	}
	return !s.IsCutShort()
}
