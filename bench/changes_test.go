package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"harrier/internal/testkit/must"
)

// BenchmarkOnChange edits a handler of paxos, each time as it never was, and reports how long --on-change takes from there to its verdict,
// and by turns how long a check takes that nothing was started for.
func BenchmarkOnChange(b *testing.B) {
	watched, checked := b.TempDir(), b.TempDir()
	source := string(must.Get(os.ReadFile("../examples/paxos/Acceptor.java")))
	edit := func(folder string, n int) time.Time {
		text := strings.Replace(source, "refused++", fmt.Sprintf("refused += %d", n), 1)
		must.Do(os.WriteFile(filepath.Join(folder, "paxos", "Acceptor.java"), []byte(text), 0o600))
		return time.Now()
	}
	for _, folder := range []string{watched, checked} {
		must.Do(os.CopyFS(filepath.Join(folder, "paxos"), os.DirFS("../examples/paxos")))
	}
	check := exec.Command("../bin/harrier", "check", filepath.Join(watched, "paxos"), "--on-change")
	lines := bufio.NewScanner(must.Get(check.StderrPipe()))
	must.Do(check.Start())
	defer func() {
		must.Do(check.Process.Signal(os.Interrupt))
		_ = check.Wait() // it ends with the signal
	}()
	await := func() {
		for lines.Scan() {
			if strings.Contains(lines.Text(), "; waiting for changes") {
				return
			}
		}
		b.Fatal("--on-change ended")
	}
	await()
	const edits = 8
	var ahead, fresh time.Duration
	n := 1
	for b.Loop() {
		for range edits {
			time.Sleep(4 * time.Second) // who edits takes longer than the next process to get ready
			n++
			start := edit(watched, n)
			await()
			ahead += time.Since(start)
			start = edit(checked, n)
			run(b, []string{filepath.Join(checked, "paxos")})
			fresh += time.Since(start)
		}
	}
	b.ReportMetric(float64(ahead.Milliseconds())/float64(edits*b.N), "ms-on-change")
	b.ReportMetric(float64(fresh.Milliseconds())/float64(edits*b.N), "ms-check")
}
