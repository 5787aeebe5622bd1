package clock

import (
	"context"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, continued := time.Now(), make(chan os.Signal)
		go func() {
			time.Sleep(230 * time.Millisecond)
			continued <- syscall.SIGCONT // the 30 ms since the last look do not count
		}()
		if !wait(t.Context(), 12345*time.Millisecond, continued) || time.Since(begun) != 12375*time.Millisecond {
			t.Errorf("it has waited for %v", time.Since(begun))
		}
		ctx, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		if wait(ctx, time.Minute, continued) {
			t.Error("its context ended before")
		}
	})
}

func TestAfterFunc(t *testing.T) {
	called := make(chan struct{})
	AfterFunc(t.Context(), time.Millisecond, func() { close(called) })
	<-called
	ctx, end := context.WithCancel(t.Context())
	end()
	AfterFunc(ctx, time.Hour, func() { t.Error("it is called after its context ended") })
}

// TestOnlySuspendedTimeDoesNotCount has pauses last for an hour, as the process was held up or suspended.
func TestOnlySuspendedTimeDoesNotCount(t *testing.T) {
	c := count{left: 2 * time.Hour}
	c.looked(time.Hour, c.pause())
	if c.left != time.Hour {
		t.Errorf("on a busy machine %v are left", c.left)
	}
	c.looked(time.Hour+look, c.pause())
	if c.left > 0 || c.pause() != look {
		t.Errorf("%v are left, and it does not wait for a signal: %v", c.left, c.pause())
	}
	c.suspended()
	if c.left != time.Hour-look || c.pause() != look {
		t.Errorf("it was suspended, and %v are left", c.left)
	}
}
