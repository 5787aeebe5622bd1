package bench

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"
)

// BenchmarkOrders measures what other orders of hash collections add to a set-up: the JDK's rewritten classes, and the second copy
// of the program. It runs a check with next to no steps with and without them, by turns, and gives the medians of the set-up's time
// by the clock and of the whole check's processor time. Without them: of the rewritten classes that the cache keeps, it has only those
// that other rules need, and no step is repeated.
func BenchmarkOrders(b *testing.B) {
	with, without := cache(b), cache(b)
	kept, err := filepath.Glob(filepath.Join(without, "harrier", "*.jdk"))
	if err != nil || len(kept) != 1 {
		b.Fatal("the cache has no file of rewritten classes: ", kept, err)
	}
	file, err := os.ReadFile(kept[0])
	if err == nil {
		err = os.WriteFile(kept[0], others(file), 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	var setUp, processor figures
	for b.Loop() {
		for range 31 {
			a, z := check(b, with, "all"), check(b, without, "none")
			setUp.add(a.setUp, z.setUp)
			processor.add(a.processor, z.processor)
		}
	}
	setUp.report(b, "set-up")
	processor.report(b, "processor")
}

var notOrders = regexp.MustCompile("^(jdk/internal/util/.*|java/lang/(Thread|Runtime)|java/util/(Random|concurrent/ThreadLocalRandom))$")

// others leaves of a file of hooks and rewritten classes the hooks and those that have nothing to do with orders: what refuses threads
// and exits, and what random numbers come from.
func others(file []byte) []byte {
	kept, n := make([]byte, 12), uint32(0)
	for rest := file[12:]; len(rest) > 0; {
		name := 4 + int(binary.BigEndian.Uint32(rest))
		end := name + 4 + int(binary.BigEndian.Uint32(rest[name:]))
		if notOrders.Match(rest[4:name]) {
			kept, n = append(kept, rest[:end]...), n+1
		}
		rest = rest[end:]
	}
	binary.BigEndian.PutUint32(kept[8:], n)
	binary.BigEndian.PutUint64(kept, uint64(crc32.ChecksumIEEE(kept[8:])))
	return kept
}

// figures are times in seconds of checks by turns.
type figures struct{ with, without, ratios []float64 }

func (f *figures) add(with, without float64) {
	f.with, f.without, f.ratios = append(f.with, with), append(f.without, without), append(f.ratios, with/without)
}

func (f *figures) report(b *testing.B, of string) {
	b.ReportMetric(median(f.with), of+"-with-s")
	b.ReportMetric(median(f.without), of+"-without-s")
	b.ReportMetric(median(f.ratios), of+"-times")
}

func median(figures []float64) float64 {
	return slices.Sorted(slices.Values(figures))[len(figures)/2]
}

// cache is a folder in which a check has everything that it keeps for others.
func cache(b *testing.B) string {
	folder := b.TempDir()
	for range 300 {
		check(b, folder, "all")
		if made, _ := filepath.Glob(filepath.Join(folder, "harrier", "*.jsa")); made != nil {
			return folder
		}
		time.Sleep(time.Second)
	}
	b.Fatal("the archive of classes was not made in five minutes")
	return ""
}

// took is the time of a check, in seconds.
type took struct{ setUp, processor float64 }

func check(b *testing.B, cache, recheck string) took {
	c := exec.Command("../bin/harrier", "check", "../examples/pingpong", "--recheck", recheck, "--json")
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%v: %v; build it with make build\n%s", c, err, out)
	}
	var document struct{ SetUpSeconds float64 }
	if err := json.Unmarshal(out, &document); err != nil {
		b.Fatal(err)
	}
	return took{document.SetUpSeconds, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()}
}
