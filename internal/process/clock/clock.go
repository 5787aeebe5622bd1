// Package clock measures how long this process has run: time in which it was suspended, as by Ctrl-Z, does not count.
package clock

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// look is how often the time is looked at: up to so much of what a process ran before it was suspended does not count.
const look = 100 * time.Millisecond

// AfterFunc calls f in a goroutine of its own when the process has run for some time, unless ctx ends before.
func AfterFunc(ctx context.Context, after time.Duration, f func()) {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	go func() {
		defer signal.Stop(continued)
		if wait(ctx, after, continued) {
			f()
		}
	}()
}

// wait waits until the process has run for some time, and reports whether ctx did not end before. From continued it learns that the process
// was suspended, and runs again.
func wait(ctx context.Context, after time.Duration, continued <-chan os.Signal) bool {
	c := count{left: after}
	for last := time.Now(); ; {
		pause := c.pause()
		select {
		case <-ctx.Done():
			return false
		case <-continued:
			c.suspended()
			last = time.Now()
			continue
		case <-time.After(pause):
		}
		isOver := c.left <= 0
		now := time.Now()
		if c.looked(now.Sub(last), pause); isOver {
			return true
		}
		last = now
	}
}

// count is how much of a time is left.
type count struct {
	left time.Duration
	held time.Duration // by how much the last pause was longer than it was to be
}

// pause is how long to wait for the next look. When nothing is left, a pause that was too long is followed by another: that the
// process was suspended in it may be heard of only then.
func (c *count) pause() time.Duration {
	if c.left <= 0 {
		return min(look, c.held)
	}
	return min(look, c.left)
}

// looked counts the time passed since the last look, by which a pause was to end.
func (c *count) looked(passed, pause time.Duration) {
	c.left -= passed
	c.held = max(passed-pause, 0)
}

// suspended takes back the time counted of a pause in which the process was suspended.
func (c *count) suspended() {
	c.left += c.held
	c.held = 0
}
