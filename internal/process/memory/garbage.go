package memory

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Garbage may be a percentage of Go's live heap, until it is mostGarbage: then the percentage is halved, down to leastPercent. A heap of
// a search grows for as long as it lasts, and a fixed percentage of it would be more memory than the search takes.
const (
	mostGarbage  = 256 << 20
	leastPercent = 50
	garbagePause = 100 * time.Millisecond
)

// LimitGarbage has Go collect garbage when it is a percentage of the live heap, and sooner where that is much. The function that it
// returns ends that, and has the percentage be what it was before.
func LimitGarbage(percent int) (end func()) {
	before := debug.SetGCPercent(percent)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(garbagePause)
		defer ticker.Stop()
		for set := percent; ; {
			select {
			case <-done:
				return
			case <-ticker.C:
				if next := garbagePercent(percent, liveHeap()); next != set {
					debug.SetGCPercent(next)
					set = next
				}
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		debug.SetGCPercent(before)
	}
}

// garbagePercent is how much garbage a live heap may have, in percent of it.
func garbagePercent(percent int, live uint64) int {
	for percent > leastPercent && live*uint64(percent)/100 > mostGarbage {
		percent = max(percent/2, leastPercent)
	}
	return percent
}

// liveHeap is how many bytes the last collection left.
func liveHeap() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
