// Package ending has ends that come at most once, with a reason: of a connection, of a worker, of the time in which a check explains a limit.
package ending

import (
	"context"
	"sync"
)

// An End comes at most once, with a reason. Several goroutines may call its methods.
type End struct {
	once   sync.Once
	over   chan struct{} // closed when it has come
	reason error         // from then on
}

// New makes an end that has not come.
func New() *End { return &End{over: make(chan struct{})} }

// Come has the end come, unless it has.
func (e *End) Come(reason error) {
	e.once.Do(func() {
		e.reason = reason
		close(e.over)
	})
}

// Over is closed when the end has come.
func (e *End) Over() <-chan struct{} { return e.over }

// HasCome reports whether the end has come.
func (e *End) HasCome() bool {
	select {
	case <-e.over:
		return true
	default:
		return false
	}
}

// With returns a context that ends with another one, or when the end comes, whose reason is then its cause. The function that it returns
// ends the context, too, and must be called.
func (e *End) With(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if e.HasCome() {
		cancel(e.reason)
		return ctx, cancel
	}
	var follows sync.WaitGroup
	follows.Go(func() {
		select {
		case <-e.over:
			cancel(e.reason)
		case <-ctx.Done():
		}
	})
	return ctx, func(cause error) { cancel(cause); follows.Wait() }
}
