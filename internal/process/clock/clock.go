// Package clock measures how long this process has run: time in which it was suspended, as by Ctrl-Z, does not count.
package clock

import (
	"context"
	"time"
)

const (
	look = 100 * time.Millisecond // how often the time is looked at
	// longestLook is from how much time on between two looks the process was suspended. A busy machine does not hold it up for so long.
	longestLook = time.Second
)

// AfterFunc calls f in a goroutine of its own when the process has run for some time, unless ctx ends before.
func AfterFunc(ctx context.Context, after time.Duration, f func()) {
	go func() {
		for last := time.Now(); after > 0; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(min(look, after)):
			}
			now := time.Now()
			after -= ran(now.Sub(last))
			last = now
		}
		f()
	}()
}

// ran is how long the process ran between two looks.
func ran(between time.Duration) time.Duration {
	if between > longestLook {
		return look
	}
	return between
}
