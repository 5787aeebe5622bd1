package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"harrier/internal/model"
	"harrier/internal/process/clock"
	"harrier/internal/process/memory"
)

// limits gives a context that ends, with the reason, when time or memory is used up.
func (c *Check) limits(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	running, ends := context.WithCancel(context.WithoutCancel(parent))
	if c.Timeout > 0 {
		reason := &model.LimitError{Text: fmt.Sprintf("the time of %v is used up (--timeout)", c.Timeout)}
		left := time.Until(c.started.Add(c.Timeout))
		clock.AfterFunc(ctx, left, func() { cancel(reason) })
		clock.AfterFunc(running, left+overtime, func() { c.grace.Come(reason) })
	}
	if c.Memory.Bytes > 0 {
		reason := &model.LimitError{Text: c.Memory.UsedUp()}
		go func() {
			memory.Watch(ctx, c.Memory.Bytes, func() { cancel(reason) })
			memory.Watch(running, c.Memory.Bytes+c.Memory.Bytes/16, func() { c.grace.Come(reason) }) // a step may go on
		}()
	}
	return ctx, func() { cancel(nil); ends() }
}

// isLimit reports whether a limit ended a context, and not whoever waits for the check.
func isLimit(ctx context.Context) bool {
	var limit *model.LimitError
	return errors.As(context.Cause(ctx), &limit)
}

// How long a check goes on to print its findings.
const (
	overtime   = time.Second      // when its time is used up
	recordTime = 10 * time.Second // when it is interrupted
	notesTime  = 2 * time.Second  // likewise, which a step that does not return may hold up
)

// extended is a context that ends some time after another one, and not before; sooner after a limit.
func (c *Check) extended(ctx context.Context, extra time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := c.grace.With(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(extra, func() { cancel(context.Cause(ctx)) })
	})
	return longer, func() { stop(); cancel(nil) }
}

// explaining returns a context for explanations that ask Java nothing: longer, or where a limit has ended ctx, one that ends
// after most, but not after the grace.
func (c *Check) explaining(ctx, longer context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if !isLimit(ctx) {
		return longer, func() {}
	}
	explain, cancel := c.grace.With(context.WithoutCancel(ctx))
	explain, stop := context.WithTimeout(explain, most)
	return explain, func() { stop(); cancel(nil) }
}
