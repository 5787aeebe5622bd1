package bridge

import (
	"fmt"
	"strings"
	"time"

	"harrier/model"
)

// watch notices that one execution of the program's code has been running for longer than it may.
type watch struct {
	number int // of the execution that was running at the last look
	since  time.Time
}

// look returns why the worker is to be given up, if the execution that runs now has used up its time.
func (w *watch) look(j *JVM) (*model.LimitError, error) {
	r, err := j.askAside(opWhere)
	if err != nil {
		return nil, err
	}
	number, what, stack := r.number(), r.string(), list(r, r.string)
	if err := r.done(); err != nil {
		return nil, err
	}
	if what == "" || number != w.number || w.since.IsZero() {
		w.number, w.since = number, time.Now()
		return nil, nil
	}
	if time.Since(w.since) < j.stepTime {
		return nil, nil
	}
	return &model.LimitError{Text: fmt.Sprintf("%s did not return within %v (--step-timeout)%s", what, j.stepTime, place(stack))}, nil
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
