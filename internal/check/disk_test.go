package check

import (
	"context"
	"path/filepath"
	"testing"

	"harrier/dbss"
	"harrier/internal/checkpoint"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// TestSearchesGoToDisk searches programs with no memory left, with a checkpoint and without one: over single steps, and over macro
// steps with symmetry by two workers.
func TestSearchesGoToDisk(t *testing.T) {
	const looked = 16 << 10 // transitions that are taken before a search looks at the memory that is left
	for name, s := range map[string]struct {
		program   *toy.Protocol
		reduction string
		workers   int
	}{
		"single steps": {toy.Messages.Random(256), "off", 1},
		"macro steps":  {toy.Symmetric.Random(211), "macro", 2},
	} {
		search := func(folder string) *dbss.Result {
			o := plan.Default()
			o.Search, o.Reduction, o.Workers, o.KeepGoing, o.Memory = "bfs", s.reduction, s.workers, true, plan.MemoryLimit{Bytes: 1}
			c := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
			c.Program = loaded(s.program)
			if folder != "" {
				c.Checkpoint = must.Get(checkpoint.Open(folder, ""))
				defer c.Checkpoint.Close()
			}
			must.Do(c.Do(context.Background(), Decompose, Reduce, Search))
			if isPermuted := c.Group != nil && !c.Group.IsTrivial(); isPermuted != (s.reduction == "macro") {
				t.Errorf("%s: actors are permuted: %v", name, isPermuted)
			}
			return c.Result
		}
		want := search("")
		if want.Transitions < 2*looked || want.DiskBytes > 0 {
			t.Errorf("%s: %d transitions, %d bytes on disk", name, want.Transitions, want.DiskBytes)
		}
		folder := filepath.Join(t.TempDir(), "checkpoint")
		must.Do(checkpoint.Create(folder, checkpoint.Command{}))
		for again := range 2 { // the second goes on from the end, and takes few transitions
			got := search(folder)
			if again == 0 && got.DiskBytes < 8*got.States {
				t.Errorf("%s: %d states, %d bytes on disk", name, got.States, got.DiskBytes)
			}
			if got.States != want.States || got.Transitions != want.Transitions || got.Terminal != want.Terminal || got.Violations != want.Violations {
				t.Errorf("%s: it found %+v, want %+v", name, got.Counts, want.Counts)
			}
			if left := must.Get(filepath.Glob(filepath.Join(folder, "scratch-*"))); len(left) > 0 {
				t.Errorf("%s: %v are left", name, left)
			}
		}
	}
}
