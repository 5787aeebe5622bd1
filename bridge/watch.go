package bridge

import (
	"fmt"
	"time"

	"harrier/model"
)

// watch notices that one step has been running for longer than it may.
type watch struct {
	number int // of the step that was running at the last look
	since  time.Time
}

// look returns a *model.LimitError when the step that runs now has used up its time.
func (w *watch) look(j *JVM) error {
	r, err := j.askAside(opWhere)
	if err != nil {
		return err
	}
	number, actor, handler, stack := r.number(), r.string(), r.string(), list(r, r.string)
	if err := r.done(); err != nil {
		return err
	}
	if number != w.number || w.since.IsZero() {
		w.number, w.since = number, time.Now()
		return nil
	}
	if time.Since(w.since) < j.stepTime {
		return nil
	}
	what := "a property"
	if handler != "" {
		what = actor + ": " + handler
	}
	place := ""
	if len(stack) > 0 {
		place = ", it is at " + stack[0]
	}
	return &model.LimitError{Text: fmt.Sprintf("%s did not return within %v (--step-timeout)%s", what, j.stepTime, place)}
}
