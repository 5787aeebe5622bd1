package memory

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Available is the memory that there is for this process, in bytes: the machine's, or what the control
// group that it is in may take, if that is less. 0 means that it is not known.
func Available() (bytes uint64, group bool) {
	return availableIn("/")
}

// availableIn is Available with the system's files below a root.
func availableIn(root string) (bytes uint64, group bool) {
	machine := machineMemory(root)
	least := uint64(math.MaxUint64)
	for _, file := range groupLimits(root) {
		if limit, ok := readLimit(file); ok {
			least = min(least, limit)
		}
	}
	if machine > 0 && least >= machine || least >= unlimited {
		return machine, false
	}
	return least, true
}

// unlimited is less than what version 1 of control groups writes for no limit: the largest number of
// pages that fit into 63 bits.
const unlimited = 1 << 60

// machineMemory is what /proc/meminfo calls MemTotal.
func machineMemory(root string) uint64 {
	b, err := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "MemTotal: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

// groupLimits lists the files that may hold a limit of this process's control group or of one around it.
// A container may see its own group where the outermost one would be, under a path that only the machine
// knows: files that are not there are passed over on the way up, and the one at the top is its own.
func groupLimits(root string) []string {
	b, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	var files []string
	for line := range strings.Lines(string(b)) {
		// number of the hierarchy:controllers:path of the group
		field := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(field) < 3:
		case field[1] == "": // version 2 has one hierarchy, with all controllers
			files = append(files, upwards(filepath.Join(root, "sys/fs/cgroup"), field[2], "memory.max")...)
		case strings.Contains(","+field[1]+",", ",memory,"):
			files = append(files, upwards(filepath.Join(root, "sys/fs/cgroup/memory"), field[2], "memory.limit_in_bytes")...)
		}
	}
	return files
}

// upwards lists the files of a name in the folders from a path below top up to top itself.
func upwards(top, path, name string) []string {
	path = filepath.Join("/", path) // nothing is above the top
	files := []string{filepath.Join(top, path, name)}
	for path != "/" {
		path = filepath.Dir(path)
		files = append(files, filepath.Join(top, path, name))
	}
	return files
}

// readLimit reads a file of a control group; "max" and other texts that are no number mean no limit.
func readLimit(file string) (uint64, bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return limit, err == nil
}
