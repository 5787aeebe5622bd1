package cluster

import (
	"context"
	"sync"
)

// An end comes at most once, with a reason.
type end struct {
	once   sync.Once
	over   chan struct{} // closed when it has come
	reason error         // from then on
}

func newEnd() *end { return &end{over: make(chan struct{})} }

// come has the end come, unless it has.
func (e *end) come(reason error) {
	e.once.Do(func() {
		e.reason = reason
		close(e.over)
	})
}

// hasCome reports whether the end has come.
func (e *end) hasCome() bool {
	select {
	case <-e.over:
		return true
	default:
		return false
	}
}

// with returns a context that ends with another one, or when the end comes, whose reason is then its cause. The function that it returns
// ends the context, too, and must be called.
func (e *end) with(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if e.hasCome() {
		cancel(e.reason)
		return ctx, func() {}
	}
	var follows sync.WaitGroup
	follows.Go(func() {
		select {
		case <-e.over:
			cancel(e.reason)
		case <-ctx.Done():
		}
	})
	return ctx, func() { cancel(nil); follows.Wait() }
}
