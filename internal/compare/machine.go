package compare

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"harrier/internal/process/memory"
)

// Origin is what the figures of a table depend on beside the programs and modes.
type Origin struct {
	Harrier string    `json:"harrier"` // its version
	Java    string    `json:"java"`    // its version
	Machine Machine   `json:"machine"`
	Load    float64   `json:"load"` // see the function, when the comparison began
	Started time.Time `json:"started"`
}

// Machine is what runs are made on.
type Machine struct {
	Processor   string `json:"processor"` // its model, or else its architecture
	Cores       int    `json:"cores"`     // that this process may use
	MemoryBytes uint64 `json:"memoryBytes"`
}

// NewOrigin is the origin of runs that are made here and now.
func NewOrigin(harrier, java string) Origin {
	return Origin{Harrier: harrier, Java: java, Machine: ThisMachine(), Load: Load(), Started: time.Now().UTC().Truncate(time.Second)}
}

// ThisMachine is the machine that this process is on.
func ThisMachine() Machine {
	m := Machine{Processor: runtime.GOARCH, Cores: runtime.NumCPU()}
	m.MemoryBytes, _ = memory.Available()
	content, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(name) == "model name" {
			m.Processor = strings.TrimSpace(value)
			break
		}
	}
	return m
}

// Load is the mean number of processes that ran or waited for a processor in the last minute, 0 if it is not known.
func Load() float64 {
	content, _ := os.ReadFile("/proc/loadavg")
	var load float64
	fmt.Sscan(string(content), &load)
	return load
}

// Commit is the hash of the commit that a program is checked out from, with -dirty if a file of the checkout was changed. It is
// empty if the program is in no checkout, or if there is no git.
func Commit(program string) string {
	folder := program
	if info, err := os.Stat(program); err != nil || !info.IsDir() {
		folder = filepath.Dir(program)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// A checkout may name a program as its fsmonitor, which is not to be run.
	out, err := exec.CommandContext(ctx, "git", "-C", folder, "-c", "core.fsmonitor=false",
		"describe", "--always", "--abbrev=40", "--exclude=*", "--dirty").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %s, %s of memory", m.Processor, english.Plural(m.Cores, "core", ""), humanize.IBytes(m.MemoryBytes))
}

// lines are what is printed of the origin of results, a line each.
func (o *Origin) lines(results []Result) []string {
	if o == nil {
		return nil
	}
	return []string{
		fmt.Sprintf("harrier %s, Java %s%s.", o.Harrier, o.Java, commits(results)),
		fmt.Sprintf("%s; a load of %.2f at the start, %s.", o.Machine, o.Load, o.Started.Format(time.RFC3339)),
	}
}

// commits names the commits that the programs of results are of, with a comma before, "" if there are no results.
func commits(results []Result) string {
	of, order := map[string][]string{}, []string{}
	for i, r := range results {
		if i > 0 && results[i-1].Program == r.Program {
			continue
		}
		if of[r.Commit] == nil {
			order = append(order, r.Commit)
		}
		of[r.Commit] = append(of[r.Commit], r.Program)
	}
	texts, separator := "", ", programs "
	for _, commit := range order {
		text := "in no git checkout"
		if commit != "" {
			text = "of commit " + commit
		}
		if len(order) > 1 {
			text += " (" + strings.Join(of[commit], ", ") + ")"
		}
		texts, separator = texts+separator+text, ", "
	}
	return texts
}
