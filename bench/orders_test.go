package bench

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkOrders measures what other orders of hash collections add to a set-up: the JDK's rewritten classes, and the second copy
// of the program. It runs a check with next to no steps with and without them, by turns, and gives the medians of the processor
// time. Without them: the file of rewritten classes that the cache keeps is one that has none, and no step is repeated.
func BenchmarkOrders(b *testing.B) {
	with, without := cache(b), cache(b)
	kept, err := filepath.Glob(filepath.Join(without, "harrier", "*.jdk"))
	if err != nil || len(kept) != 1 {
		b.Fatal("the cache has no file of rewritten classes: ", kept, err)
	}
	none := make([]byte, 12)
	binary.BigEndian.PutUint64(none, uint64(crc32.ChecksumIEEE(none[8:])))
	if err := os.WriteFile(kept[0], none, 0o600); err != nil {
		b.Fatal(err)
	}
	var a, z, ratios []float64
	for b.Loop() {
		for range 11 {
			a, z = append(a, check(b, with, "all")), append(z, check(b, without, "none"))
			ratios = append(ratios, a[len(a)-1]/z[len(z)-1])
		}
	}
	b.ReportMetric(median(a), "with-s")
	b.ReportMetric(median(z), "without-s")
	b.ReportMetric(median(ratios), "times")
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

// check runs a check and gives the processor time that it took, in seconds.
func check(b *testing.B, cache, recheck string) float64 {
	c := exec.Command("../bin/harrier", "check", "../examples/pingpong", "--recheck", recheck)
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v; build it with make build\n%s", c, err, out)
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
}
