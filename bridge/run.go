package bridge

import (
	"context"
	"iter"
	"sync"
)

// Run calls f and returns when f does. What f asks with its context, or one derived from that, and on the goroutine that it was
// called on, is asked by the thread that f runs on: no goroutine has to be woken for a question, which would cost more than a
// small step. When ctx ends or the JVM is given up, f goes on at once, and only the thread that is in Java stays there.
func (j *JVM) Run(ctx context.Context, f func(context.Context)) {
	r := &run{jvm: j, over: make(chan struct{})}
	r.resume, _ = iter.Pull(func(yield func(*asked) bool) {
		r.yield = yield
		f(context.WithValue(ctx, runKey{}, r))
	})
	go r.drive(ctx)
	select {
	case <-r.over:
		return
	case <-ctx.Done():
	case <-j.life.Done():
	}
	if r.rescue(ctx) {
		r.drive(ctx)
	}
	<-r.over
}

// runKey is the key of the run in the context that Run hands to f. The run goes with the context, as it has to get from f to the JVM's ask
// through a search that knows nothing of runs.
type runKey struct{}

// run is a call of Run: a coroutine, and the goroutine that resumes it, asks for it, and may be lost in Java.
type run struct {
	jvm    *JVM
	resume func() (*asked, bool)
	yield  func(*asked) bool
	over   chan struct{}

	mu     sync.Mutex
	inJava *asked // the pending question; nil without one
}

// asked is a question of a run, and its answer.
type asked struct {
	operation int
	question  []byte
	reply
}

// ask has a question answered. It must be called on the run's own goroutine.
func (r *run) ask(operation int, question []byte) reply {
	a := &asked{operation: operation, question: question}
	r.yield(a)
	return a.reply
}

// drive resumes the coroutine with an answer to each of its questions until it has ended, or goes on without this goroutine.
func (r *run) drive(ctx context.Context) {
	for {
		a, ok := r.resume()
		if !ok {
			close(r.over)
			return
		}
		if !r.answer(ctx, a) {
			return
		}
	}
}

// answer has a question answered, and reports whether the run waited for the answer.
func (r *run) answer(ctx context.Context, a *asked) bool {
	r.mu.Lock()
	if a.err = r.jvm.reason(ctx); a.err != nil { // rescue may have been before
		r.mu.Unlock()
		return true
	}
	r.inJava = a
	r.mu.Unlock()
	reply := r.jvm.answer(ctx, a.operation, a.question)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inJava != a {
		return false
	}
	r.inJava = nil
	a.reply = reply
	return true
}

// rescue reports whether somebody else is to resume the coroutine, now that nothing more is asked: its goroutine is in Java.
func (r *run) rescue(ctx context.Context) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.inJava
	if a == nil {
		return false
	}
	r.inJava = nil
	a.err = r.jvm.reason(ctx)
	return true
}
