package check

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// TestNothingIsAskedLongAfterALimit has limits reached at once, and every later question to Java take for ever.
func TestNothingIsAskedLongAfterALimit(t *testing.T) {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT) // as the clock does: the first call of Notify must not be in a bubble
	defer signal.Stop(continued)
	for name, c := range map[string]struct {
		plan plan.Plan
		most time.Duration
	}{
		"time":   {plan.Plan{Options: plan.Options{Timeout: time.Minute}}, time.Minute + overtime},
		"memory": {plan.Plan{Options: plan.Options{Memory: plan.MemoryLimit{Bytes: 1}}}, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := New(c.plan, Environment{})
				begun := time.Now()
				ctx, end := run.limits(t.Context())
				defer end()
				longer, cancel := run.extended(ctx, time.Hour)
				defer cancel()
				<-longer.Done()
				var limit *model.LimitError
				if took := time.Since(begun); took > c.most || ctx.Err() == nil || !errors.As(context.Cause(longer), &limit) {
					t.Errorf("it ends after %v, by %v", took, context.Cause(longer))
				}
			})
		})
	}
}

// TestSearchThatCannotBeginIsNoFault has a search without a result, as where there is no address space for its visited set.
func TestSearchThatCannotBeginIsNoFault(t *testing.T) {
	limit := &model.LimitError{Text: "no memory"}
	if err := New(plan.Plan{}, Environment{}).decideRuns(t.Context(), limit); !errors.Is(err, limit) {
		t.Error(err)
	}
}

// TestSearchThatEndsLateIsTold has a search that ended after all the time that its limit leaves for explaining it: costly explanations are left out.
func TestSearchThatEndsLateIsTold(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	limit := &model.LimitError{Text: "the time is used up"}
	end(limit)
	var told *report.Summary
	c := New(plan.Plan{}, Environment{SoFar: func(known *report.Summary) { told = known }})
	c.grace.Come(limit)
	c.Result, c.Summary = &dbss.Result{Counts: dbss.Counts{States: 100}}, &report.Summary{Answer: report.Answer{Verdict: report.Inconclusive}}
	c.actors.Store(must.Get(space.NewActors(newQueue(2), space.Decomposition{})))
	c.grew(ctx)
	if err := Confirm(ctx, c); err != nil || told != c.Summary || len(c.known.multipliers)+len(c.Summary.Remarks) > 0 {
		t.Errorf("%+v, %v", told, err)
	}
}

// TestLimitAfterTheSearchBeganEndsWithASummary has a limit end a stage that gives no result.
func TestLimitAfterTheSearchBeganEndsWithASummary(t *testing.T) {
	limit := &model.LimitError{Text: "the machine has stopped"}
	c := New(plan.Plan{}, Environment{})
	if s, err := c.endedBy(limit); s != nil || !errors.Is(err, limit) {
		t.Errorf("before the search: %+v, %v", s, err)
	}
	c.actors.Store(must.Get(space.NewActors(newQueue(2), space.Decomposition{})))
	c.tellWhile()()
	c.progress.States.Store(7)
	if s, err := c.endedBy(limit); err != nil || figures[dbss.Counts](s).States != 7 || s.Reason != limit.Text || s.Verdict != report.Inconclusive {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := c.endedBy(errors.New("another")); err == nil {
		t.Error("an error that is no limit became a summary")
	}
}
