// Package memory measures how much memory a check takes: this process, with Go's part, the Java virtual machine's and all
// else together, and the process that runs Java for it, if that is another one.
package memory

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// other is /proc/PID/status of the other process.
var other atomic.Pointer[os.File]

// Include has another process count, of which status is the file /proc/PID/status.
func Include(status *os.File) { other.Store(status) }

// field is a size in the status of a process, in bytes, 0 if absent.
func field(status, name string) uint64 {
	for line := range strings.Lines(status) {
		if size, found := strings.CutPrefix(line, name+":"); found {
			kilobytes, _ := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(size), "kB")), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// ofOther is such a size of the other process, 0 without another process, or if it has ended.
func ofOther(name string) uint64 {
	file := other.Load()
	if file == nil {
		return 0
	}
	status := make([]byte, 1<<13)
	n, _ := file.ReadAt(status, 0)
	return field(string(status[:n]), name)
}

// Resident is the memory that is taken now, in bytes; this process's peak where that is not known.
func Resident() uint64 { return resident() + ofOther("VmRSS") }

// Peak is the most memory that each of the processes ever took, in bytes.
func Peak() uint64 { return peak() + ofOther("VmHWM") }

// residentOf is what the process with a number takes now, with the other one, in bytes; 0 where that is not known.
func residentOf(pid int) uint64 {
	taken, _ := statm(strconv.Itoa(pid))
	return taken + ofOther("VmRSS")
}

func resident() uint64 {
	taken, err := statm("self")
	if err != nil {
		return peak()
	}
	return taken
}

// statm reads what a process takes.
func statm(process string) (bytes uint64, err error) {
	var size, resident uint64
	b, err := os.ReadFile("/proc/" + process + "/statm")
	if err == nil {
		_, err = fmt.Sscan(string(b), &size, &resident)
	}
	return resident * uint64(os.Getpagesize()), err
}

// Live is what the Go heap holds that is in use, in bytes, for tests: it collects garbage. Java's memory is no part of it.
func Live() uint64 {
	runtime.GC()
	runtime.GC() // which sweeps all that the first one found
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// peak is the kernel's high-water mark. What getrusage says counts the process that started this one, too.
func peak() uint64 {
	b, _ := os.ReadFile("/proc/self/status")
	if most := field(string(b), "VmHWM"); most > 0 {
		return most
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

// SizeText writes a number of bytes for people: 300 MiB, 4 GiB.
func SizeText(bytes uint64) string {
	return strings.Replace(humanize.IBytes(bytes), ".0 ", " ", 1)
}
