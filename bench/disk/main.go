// Command disk holds a search that fills its memory, and goes on on disk, to the same search in memory: it comes to the same figures, and
// takes at most twice the processor time. `make bench-disk` runs it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"harrier/bench/frame"
)

func main() { frame.Main("disk", run) }

// mostTimes is how many times the processor time a search on disk may take.
const mostTimes = 2

func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	var harrier, check, memory, limit, folder string
	f := frame.Flags("disk", stderr)
	f.StringVar(&harrier, "harrier", "bin/harrier", "the `file` to run")
	f.StringVar(&check, "check", "examples/paxos --set proposers=3 --hashing fields --reduction off --symmetry off --search bfs", "the `arguments` of harrier check")
	f.StringVar(&memory, "memory", "6g", "limit of the search that is in memory")
	f.StringVar(&limit, "limit", "1g", "limit of the one that is not")
	f.StringVar(&folder, "folder", "", "an existing `folder` on the disk, that of temporary files by default")
	if err := frame.Parse(f, arguments); err != nil {
		return frame.Usage, err
	}
	checkpoint, err := os.MkdirTemp(folder, "bench-disk-")
	if err != nil {
		return frame.Impossible, err
	}
	defer os.RemoveAll(checkpoint)
	fmt.Fprintln(stdout, "| search | limit | verdict | states | transitions | processor, s | search, s | peak MiB | MiB on disk |")
	fmt.Fprintln(stdout, "|---|---|---|---:|---:|---:|---:|---:|---:|")
	var found [2]*frame.Summary
	var seconds [2]float64
	for i, flags := range [][]string{{"--max-memory", memory}, {"--max-memory", limit, "--checkpoint", filepath.Join(checkpoint, "checkpoint")}} {
		s, process, err := frame.Check(ctx, harrier, append(strings.Fields(check), flags...)...)
		if err != nil {
			return frame.Impossible, err
		}
		took := process.UserTime() + process.SystemTime()
		found[i], seconds[i] = s, took.Seconds()
		fmt.Fprintf(stdout, "| %s | %s | %s | %d | %d | %.0f | %.0f | %d | %d |\n", [2]string{"in memory", "on disk"}[i], flags[1], s.Verdict,
			s.States, s.Transitions, took.Round(time.Second).Seconds(), s.Seconds, s.PeakMemoryBytes>>20, s.DiskBytes>>20)
	}
	times := seconds[1] / seconds[0]
	fmt.Fprintf(stdout, "\nprocessor time on disk: %.2f times that in memory\n", times)
	if one, other := figures(found[0]), figures(found[1]); one != other {
		return frame.Different, fmt.Errorf("%s on disk, %s in memory", other, one)
	}
	if found[1].DiskBytes == 0 || times > mostTimes {
		return frame.Different, fmt.Errorf("%d bytes on disk, %.2f times the processor time", found[1].DiskBytes, times)
	}
	return frame.OK, nil
}

// figures are what must be the same.
func figures(s *frame.Summary) string {
	return fmt.Sprint(s.Verdict, s.Complete, s.States, s.Transitions, s.Depth, s.Terminal, s.Levels, s.LocalSteps)
}
