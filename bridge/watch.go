package bridge

import (
	"fmt"
	"strings"
	"time"

	"harrier/internal/model"
)

// watch notices that an execution of the program's code does not return, and stops it. It counts the processor time of the thread:
// neither a busy machine nor a process that is suspended ends a step.
type watch struct {
	worker *worker // of its own, so that it never waits
	limit  time.Duration
	seen   map[execution]sight // the executions that ran at the last look
	slow   *string             // as in JVM
}

// execution is one call of the program's code: they are counted by each thread.
type execution struct{ thread, number int }

// sight has the observed state of an execution.
type sight struct {
	first, last time.Duration // the processor time of its thread at the first look and at the last one
	idle        int           // at how many looks in a row, up to the last one, that was the same
	stops       int           // how often the execution was stopped
}

const (
	// looks are how often the watch looks in the time that an execution may take.
	looks = 4
	// idleLimits is how many times the limit an execution may take without using processor time, as one that waits does. That time is
	// counted in looks, as nobody looks while the process is suspended.
	idleLimits = 10
	// mostStops is how often an execution is stopped before the JVM is given up. It has a limit for each.
	mostStops = 10
)

// answerTime is how long the virtual machine may take to say where it is, before it is taken to be stopped: it has nothing to
// wait for, however busy the machine is.
const answerTime = time.Minute

// watch looks from time to time, until the JVM is given up. A limit of 0 means no limit for executions.
func (j *JVM) watch(limit time.Duration) {
	w := watch{worker: new(worker), limit: limit}
	pause := 5 * time.Second
	if limit > 0 {
		pause = max(limit/looks, time.Millisecond)
	}
	for range time.Tick(pause) {
		if err := within(answerTime, func() error { return w.look(j.asker) }); err != nil {
			j.giveUp(err)
			return
		}
		j.slow.Store(w.slow)
	}
}

// within returns what look does, or after some time that the virtual machine has stopped. Time in which this process was suspended
// does not count.
func within(limit time.Duration, look func() error) error {
	looked := make(chan error, 1)
	go func() { looked <- look() }()
	const parts = 60
	ticker := time.NewTicker(max(limit/parts, 1)) // which does not make up for ticks that nobody took
	defer ticker.Stop()
	for range parts {
		select {
		case err := <-looked:
			return err
		case <-ticker.C:
		}
	}
	return &model.LimitError{Text: "the Java virtual machine has stopped: the program may have suspended its threads", Ends: true}
}

// look stops the executions that have used up their time, and returns why the JVM is to be given up, if one goes on all the same.
func (w *watch) look(a asker) error {
	answer, err := a.call(w.worker, opWhere, nil)
	if err != nil {
		return err
	}
	r, err := open(answer)
	if err != nil {
		return err
	}
	seen := map[execution]sight{}
	w.slow = nil
	longest := time.Duration(0)
	for r.bool() {
		e := execution{r.number(), r.number()}
		used := time.Duration(r.number())*time.Second + time.Duration(r.number())
		what, stack := r.string(), list(r, r.string)
		s, before := w.seen[e]
		s.look(used, before)
		if used := s.last - s.first; used > longest && used >= time.Second {
			longest = used
			text := fmt.Sprintf("%s for %v of processor time", what, used.Round(100*time.Millisecond))
			w.slow = &text
		}
		if why := s.over(w.limit); why != "" {
			if s.stops++; s.stops > mostStops {
				return &model.LimitError{Text: what + " " + why + place(stack) + "; it could not be stopped", Ends: true}
			}
			if err := w.stop(a, e, why); err != nil {
				return err
			}
		}
		seen[e] = s
	}
	w.seen = seen
	return r.done()
}

// look adds a look at an execution, which is the first one unless it was seen before.
func (s *sight) look(used time.Duration, before bool) {
	switch {
	case !before:
		s.first = used
	case used == s.last:
		s.idle++
	default:
		s.idle = 0
	}
	s.last = used
}

// over is the reason that an execution has used up its time, or the time given since it was stopped; "" if it has not.
func (s *sight) over(limit time.Duration) string {
	switch {
	case limit == 0:
		return ""
	case s.last-s.first >= limit*time.Duration(s.stops+1):
		return fmt.Sprintf("did not return within %v of processor time (--step-timeout)", limit)
	case s.idle >= idleLimits*looks*(s.stops+1):
		return fmt.Sprintf("waits, and did not return within %d times %v (--step-timeout)", idleLimits, limit)
	}
	return ""
}

// stop has an execution stopped, which then fails.
func (w *watch) stop(a asker, e execution, why string) error {
	var question writer
	question.number(e.thread)
	question.number(e.number)
	question.string(why)
	answer, err := a.call(w.worker, opStop, question.b)
	if err != nil {
		return err
	}
	r, err := open(answer)
	if err != nil {
		return err
	}
	return r.done()
}

// place names the line of the program's own code, or the method of the JDK that it called.
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
