package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/must"
)

// content is what a folder holds, by name.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))
	all := map[string]string{}
	for _, e := range entries {
		b := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))
		all[e.Name()] = string(b)
	}
	return all
}

func TestFileIsThereOnlyWhenItIsWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write := func() *Whole {
		w := must.Get(Create(path))
		must.Get(w.WriteString("new"))
		return w
	}
	w := write()
	if _, there := content(t, dir)["file"]; there {
		t.Error("the file is there before it was kept")
	}
	if w.Discard(); len(content(t, dir)) != 0 {
		t.Errorf("given up, it leaves %q", content(t, dir))
	}
	if err := write().Keep(); err != nil {
		t.Error(err)
	}
	if got := content(t, dir); len(got) != 1 || got["file"] != "new" {
		t.Errorf("kept, it leaves %q", got)
	}
}

func TestFolderIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(dir); err == nil {
		t.Error("a folder was taken for a file")
	}
	nowhere := filepath.Join(dir, "nowhere", "file")
	if _, err := Create(nowhere); err == nil || !strings.Contains(err.Error(), nowhere) {
		t.Errorf("in a folder that is not there: %v, want an error that names the file", err)
	}
	w := must.Get(Create(filepath.Join(dir, "file")))
	must.Do(os.Mkdir(filepath.Join(dir, "file"), 0o755))
	if w.Keep() == nil {
		t.Error("a folder was replaced by a file")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%v are left", entries)
	}
}

func TestWriteWholeMakesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, text := range []string{"old", "new"} {
		must.Do(WriteWhole(filepath.Join(dir, "file"), []byte(text)))
		if got := content(t, dir); len(got) != 1 || got["file"] != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
