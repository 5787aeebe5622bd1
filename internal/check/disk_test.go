package check

import (
	"context"
	"path/filepath"
	"testing"

	"harrier/dbss"
	"harrier/internal/checkpoint"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// TestSearchesGoToDisk searches a program with no memory left, with a checkpoint and without one.
func TestSearchesGoToDisk(t *testing.T) {
	const transitions = 16 << 10 // that are taken before a search looks at the memory that is left
	p := loaded(toy.Messages.Random(256))
	search := func(folder string) *dbss.Result {
		o := Default()
		o.Search, o.Reduction, o.KeepGoing, o.Memory = "bfs", "off", true, MemoryLimit{Bytes: 1}
		must.Do(o.Validate())
		c := New(o)
		c.Program = p
		if folder != "" {
			must.Do(checkpoint.Create(folder, checkpoint.Command{}))
			c.Checkpoint = must.Get(checkpoint.Open(folder))
			defer c.Checkpoint.Close()
		}
		must.Do(c.Do(context.Background(), Decompose, Reduce, Search))
		return c.Result
	}
	want := search("")
	folder := filepath.Join(t.TempDir(), "checkpoint")
	got := search(folder)
	if want.Transitions < 2*transitions || want.DiskBytes > 0 || got.DiskBytes < 8*got.States {
		t.Errorf("%d transitions, and %d bytes of %d states on disk, %d without a checkpoint", want.Transitions, got.DiskBytes, got.States, want.DiskBytes)
	}
	if got.States != want.States || got.Transitions != want.Transitions || got.Terminal != want.Terminal || got.Violations != want.Violations {
		t.Errorf("it found %+v, want %+v", got.Counts, want.Counts)
	}
	if left := must.Get(filepath.Glob(filepath.Join(folder, "scratch-*"))); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
