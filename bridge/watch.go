package bridge

import (
	"fmt"
	"strings"
	"time"

	"harrier/internal/model"
)

// watch notices that an execution of the program's code has been running for longer than it may.
type watch struct {
	worker *worker // of its own, so that it never waits
	limit  time.Duration
	since  map[execution]time.Time // when those that ran at the last look were first seen
}

// execution is one call of the program's code: they are counted by each thread.
type execution struct{ thread, number int }

// answerTime is how long the virtual machine may take to say where it is, before it is taken to be stopped: it has nothing to
// wait for, however busy the machine is.
const answerTime = time.Minute

// watch looks from time to time, until the JVM is given up. A limit of 0 is none, for executions.
func (j *JVM) watch(limit time.Duration) {
	w := watch{worker: new(worker), limit: limit}
	pause := 5 * time.Second
	if limit > 0 {
		pause = max(limit/4, time.Millisecond)
	}
	for range time.Tick(pause) {
		if err := within(answerTime, func() error { return w.look(j.asker, time.Now()) }); err != nil {
			j.giveUp(err)
			return
		}
	}
}

// within returns what look does, or after some time that the virtual machine has stopped.
func within(limit time.Duration, look func() error) error {
	looked := make(chan error, 1)
	go func() { looked <- look() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-looked:
		return err
	case <-timer.C:
		return &model.LimitError{Text: "the Java virtual machine has stopped: the program may have suspended its threads", Ends: true}
	}
}

// look returns why the JVM is to be given up, if an execution that runs now has used up its time.
func (w *watch) look(a asker, now time.Time) error {
	answer, err := a.call(w.worker, opWhere, nil)
	if err != nil {
		return err
	}
	r, err := open(answer)
	if err != nil {
		return err
	}
	since := map[execution]time.Time{}
	for r.bool() {
		e := execution{r.number(), r.number()}
		what, stack := r.string(), list(r, r.string)
		first, seen := w.since[e]
		if !seen {
			first = now
		}
		if since[e] = first; w.limit > 0 && now.Sub(first) >= w.limit {
			return &model.LimitError{
				Text: fmt.Sprintf("%s did not return within %v (--step-timeout)%s", what, w.limit, place(stack)),
				Ends: true,
			}
		}
	}
	w.since = since
	return r.done()
}

// place says where the program's own code is, or what it called of the JDK.
func place(stack []string) string {
	for _, frame := range stack {
		if !strings.HasPrefix(frame, "java.") && !strings.HasPrefix(frame, "jdk.") {
			return ", it is at " + frame
		}
	}
	if len(stack) > 0 {
		return ", it is at " + stack[0]
	}
	return ""
}
