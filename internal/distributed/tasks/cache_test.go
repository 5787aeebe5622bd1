package tasks_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/testkit/must"
)

// An origin has files in memory.
type origin map[string][]byte

func (o origin) Put(_ context.Context, name string, content *os.File) error {
	o[name] = must.Get(io.ReadAll(content))
	return nil
}

func (o origin) Fetch(_ context.Context, name string, into *os.File) error {
	_, err := into.Write(o[name])
	return err
}

func (o origin) Clear(context.Context) error { return nil }

// TestCompressedFilesAreTorn opens a file whose compressed content is whole, cut, longer, changed or of another file.
func TestCompressedFilesAreTorn(t *testing.T) {
	o := origin{}
	content := strings.Repeat("states ", 100_000)
	one := must.Get(tasks.NewCache(t.Context(), o))
	keep(one, "file", content)
	whole := o["file"]
	if len(whole) > len(content)/2 {
		t.Errorf("%d bytes are kept as %d", len(content), len(whole))
	}
	changed := []byte(string(whole))
	changed[len(changed)/2] ^= 1
	for name, of := range map[string][]byte{
		"cut": whole[:len(whole)-1], "longer": append([]byte(string(whole)), 1), "changed": changed, "empty": nil, "not compressed": []byte(content),
	} {
		o["file"] = of
		var damaged *levels.DamagedError
		file, err := must.Get(tasks.NewCache(t.Context(), o)).Open(t.Context(), "file")
		if err == nil && contentOf(file) == content || err != nil && !errors.As(err, &damaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o["file"] = whole
	if got := contentOf(must.Get(must.Get(tasks.NewCache(t.Context(), o)).Open(t.Context(), "file"))); got != content {
		t.Errorf("whole: %d bytes", len(got))
	}
}
