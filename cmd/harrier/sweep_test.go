package main

import (
	"testing"
	"time"
)

func TestProgressOfASweepShowsTheTimeThatIsLeft(t *testing.T) {
	for _, of := range []struct {
		timeout, passed time.Duration
		want            string
	}{
		{0, time.Minute, ""},
		{90 * time.Second, 30*time.Second + 400*time.Millisecond, "  1m0s of 1m30s left for all"},
		{time.Second, 2 * time.Second, "  0s of 1s left for all"},
	} {
		if got := leftText(of.timeout, of.passed); got != of.want {
			t.Errorf("%v of %v: %q", of.passed, of.timeout, got)
		}
	}
}
