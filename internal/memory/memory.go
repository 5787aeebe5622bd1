// Package memory measures how much memory this process takes: Go's part, the Java virtual machine's and
// all else together.
package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// Resident is the memory the process takes now, in bytes; its peak where that is not known.
func Resident() uint64 {
	if resident, ok := residentIn("/proc/self/statm"); ok {
		return resident
	}
	return Peak()
}

// ResidentOf is the memory that another process and those that it started take now, in bytes; 0 if it is over or the
// system does not tell.
func ResidentOf(pid int) uint64 {
	resident, _ := residentIn(fmt.Sprintf("/proc/%d/statm", pid))
	for _, child := range ChildrenOf(pid) {
		resident += ResidentOf(child)
	}
	return resident
}

// ChildrenOf are the processes that a process started and that have not ended, as far as the system lists them.
func ChildrenOf(pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var children []int
	for _, list := range lists {
		b, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(b)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

func residentIn(file string) (uint64, bool) {
	b, err := os.ReadFile(file)
	var size, resident uint64
	if err == nil {
		_, err = fmt.Sscan(string(b), &size, &resident)
	}
	return resident * uint64(os.Getpagesize()), err == nil
}

// Peak is the most memory the process ever took, in bytes.
func Peak() uint64 {
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
