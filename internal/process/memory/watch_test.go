package memory

import (
	"context"
	"runtime/debug"
	"testing"
	"time"
)

func TestPauseIsShorterThanItTakesToFillTheRoom(t *testing.T) {
	for room, want := range map[uint64]time.Duration{
		0: shortestPause, 1 << 20: shortestPause, 40 << 20: 9765625, 1 << 40: longestPause,
	} {
		if got := pause(room); got != want {
			t.Errorf("pause(%d) = %v, want %v", room, got, want)
		}
	}
}

func TestGoHasWhatOthersLeave(t *testing.T) {
	const limit = 1600 << 20
	var g goShare
	for _, c := range []struct {
		name           string
		resident, inGo uint64
		want           int64
		changed        bool
	}{
		{"Java takes 100 MiB", 150 << 20, 50 << 20, 1400 << 20, true},
		{"Go grows", 900 << 20, 800 << 20, 0, false},
		{"Java grows a little", 920 << 20, 800 << 20, 0, false},
		{"Java grows", 1000 << 20, 800 << 20, 1300 << 20, true},
		{"Java shrinks", 900 << 20, 800 << 20, 0, false},
		{"Go has mapped memory and not yet touched it", 900 << 20, 1000 << 20, 0, false},
		{"Java takes nearly all", 1590 << 20, 10 << 20, 200 << 20, true},
		{"a visited set goes to disk", 500 << 20, 400 << 20, 1400 << 20, true},
	} {
		if got, changed := g.look(limit, c.resident, c.inGo); got != c.want || changed != c.changed {
			t.Errorf("%s: got %d, %v; want %d, %v", c.name, got, changed, c.want, c.changed)
		}
	}
	if soft, changed := new(goShare).look(limit, 10, 20); !changed || soft != 1500<<20-1 {
		t.Errorf("the first look without others: %d, %v", soft, changed)
	}
}

func TestWatchEndsOverTheLimit(t *testing.T) {
	calls := 0
	Watch(context.Background(), 1<<20, func() { calls++ })
	if calls != 1 {
		t.Errorf("over was called %d times", calls)
	}
}

// ending is a context that has ended. When it is asked, it notes Go's limit.
type ending struct {
	context.Context
	limit int64
}

func (e *ending) Done() <-chan struct{} {
	e.limit = debug.SetMemoryLimit(-1)
	return e.Context.Done()
}

// A watch lowers Go's limit while it lasts, and leaves a lower one alone.
func TestWatchLeavesGosLimitAsItWas(t *testing.T) {
	for before, want := range map[int64][2]int64{1 << 40: {2 << 30, 15 << 30}, 1 << 30: {1 << 30, 1 << 30}} {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(before))
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		e := &ending{Context: ended}
		Watch(e, 16<<30, func() { t.Error("16 GiB are used up") })
		if e.limit < want[0] || e.limit > want[1] {
			t.Errorf("Go's limit is %d while 16 GiB are watched, and was %d", e.limit, before)
		}
		if got := debug.SetMemoryLimit(-1); got != before {
			t.Errorf("Go's limit is %d afterwards, want %d", got, before)
		}
	}
}
