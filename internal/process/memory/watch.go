package memory

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How soon memory is looked at again. Memory grows no faster than the system hands out pages: 0.4 GB a
// second where that was measured, in a virtual machine. fastestGrowth is ten times that. With it no more
// than 80 MiB come in the longest pause, and a look after the shortest pause is at most 4 MiB late. A look
// takes some 10 µs.
const (
	fastestGrowth = 4 << 30 // bytes a second
	longestPause  = 20 * time.Millisecond
	shortestPause = time.Millisecond
)

// pause is how long to wait with so much room left: less than it would take to fill it.
func pause(room uint64) time.Duration {
	seconds := float64(room) / fastestGrowth
	return min(max(time.Duration(seconds*float64(time.Second)), shortestPause), longestPause)
}

// Watch calls over when this process takes more than limit bytes, and returns then or when ctx ends. While
// it watches, Go collects garbage before the limit is reached rather than when its heap has doubled.
func Watch(ctx context.Context, limit uint64, over func()) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	var g goShare
	watch(ctx, limit, func() uint64 {
		resident := Resident()
		if resident > limit {
			return resident
		}
		if soft, changed := g.look(limit, resident, goMemory()); changed {
			debug.SetMemoryLimit(min(soft, before))
		}
		return resident
	}, over)
}

// WatchProcess calls over when the process with a number, together with the other one, takes more than limit bytes, and returns then or
// when ctx ends.
func WatchProcess(ctx context.Context, pid int, limit uint64, over func()) {
	watch(ctx, limit, func() uint64 { return residentOf(pid) }, over)
}

func watch(ctx context.Context, limit uint64, resident func() uint64, over func()) {
	for {
		taken := resident()
		if taken > limit {
			over()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause(limit - taken)):
		}
	}
}

// goShare is how much of a limit is left to Go: all but the rest of the process's memory, of which the Java
// virtual machine has the most, and a sixteenth, so that Go's collector works hard only when the limit is
// near. That rest is known only while the process runs; a fixed share would have to leave
// room for all of Java's heap, most of which is never used.
type goShare struct{ others uint64 }

// look takes in how much memory the process, and Go in it, take now. It returns Go's share, and whether it
// is to be set: setting it stops all goroutines for a moment.
func (g *goShare) look(limit, resident, inGo uint64) (soft int64, changed bool) {
	others := uint64(1) // so that the first look changes something
	if resident > inGo {
		others = resident - inGo
	}
	grown, shrunk := others > g.others+limit/64, others+limit/8 < g.others // what a search puts on disk, not what Java gives back
	if g.others > 0 && !grown && !shrunk {
		return 0, false
	}
	g.others = others
	// Where next to nothing is left, Go shall not spend all its time on garbage.
	most := limit - limit/16
	return int64(min(max(most-min(others, most), limit/8), math.MaxInt64)), true
}

// goMemory is the memory that Go's runtime has from the system, in bytes, in the sense of
// debug.SetMemoryLimit.
func goMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
