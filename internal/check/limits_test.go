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

	"harrier/internal/model"
	"harrier/internal/plan"
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
