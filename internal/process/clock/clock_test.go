package clock

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestAfterFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, called := time.Now(), make(chan struct{})
		AfterFunc(t.Context(), 12345*time.Millisecond, func() { close(called) })
		<-called
		if took := time.Since(begun); took != 12345*time.Millisecond {
			t.Errorf("it is called after %v", took)
		}
		ctx, end := context.WithCancel(t.Context())
		AfterFunc(ctx, time.Second, func() { t.Error("it is called after its context ended") })
		end()
		time.Sleep(time.Minute)
	})
}

func TestPausesDoNotCount(t *testing.T) {
	for between, want := range map[time.Duration]time.Duration{look: look, longestLook: longestLook, time.Hour: look} {
		if got := ran(between); got != want {
			t.Errorf("of %v it ran for %v, want %v", between, got, want)
		}
	}
}
