// Package memory measures how much memory this process takes: Go's part, the Java virtual machine's and
// all else together.
package memory

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// Resident is the memory the process takes now, in bytes; its peak where that is not known.
func Resident() uint64 {
	var size, resident uint64
	b, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(b), &size, &resident)
	}
	if err != nil {
		return Peak()
	}
	return resident * uint64(os.Getpagesize())
}

// Live is what the Go heap holds that is in use, in bytes, for tests: it collects garbage. Java's memory is no part of it.
func Live() uint64 {
	runtime.GC()
	runtime.GC() // which sweeps all that the first one found
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Peak is the most memory the process ever took, in bytes: the kernel's high-water mark. What getrusage says counts the process that
// started this one, too.
func Peak() uint64 {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return uint64(usage.Maxrss) * maxrssUnit
}

// PeakOf is the most memory that a process took until it ended, in bytes.
func PeakOf(p *os.ProcessState) uint64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return uint64(usage.Maxrss) * maxrssUnit
}

// Parse reads a size such as 512m, 2g or 1.5GiB; units are powers of 1024.
func Parse(s string) (uint64, error) {
	unit := strings.TrimRight(strings.ToLower(s), "ib")
	if unit != "" && strings.ContainsAny(unit[len(unit)-1:], "kmgt") {
		unit += "ib"
	}
	n, err := humanize.ParseBytes(unit)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no size: write 512m or 2g", s)
	}
	return n, nil
}
