package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"harrier/internal/testkit/must"
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

func TestWriteWholeMakesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, text := range []string{"old", "new"} {
		must.Do(WriteWhole(filepath.Join(dir, "file"), []byte(text)))
		if got := content(t, dir); len(got) != 1 || got["file"] != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestKeepLeavesWhatIsThere(t *testing.T) {
	below := t.TempDir()
	keep := KeepIn(filepath.Join(below, "a"))
	must.Do(os.MkdirAll(filepath.Join(below, "a", "runs"), 0o755))
	one, two := map[string][]byte{"x": []byte("1")}, map[string][]byte{"x": []byte("2"), "y": []byte("3")}
	for _, c := range []struct {
		name  string
		files map[string][]byte
		want  string
	}{
		{"T", one, "T"}, {"T", two, "T-2"}, {"T", one, "T"}, {"T", map[string][]byte{"x": []byte("1"), "y": nil}, "T"}, {"T", two, "T-2"},
		{"runs", one, "runs-2"}, {"..", one, ""}, {"T/U", one, ""}, {"U", map[string][]byte{"../x": nil}, ""}, {"", one, ""},
	} {
		folder, err := keep(c.name, c.files)
		if c.want == "" {
			if err == nil {
				t.Errorf("%q, %v: kept in %s", c.name, c.files, folder)
			}
			continue
		}
		if folder != filepath.Join(below, "a", c.want) || err != nil {
			t.Errorf("%q, %v: kept in %s, %v; want %s", c.name, c.files, folder, err, c.want)
		}
		if there := content(t, folder); there["x"] != string(c.files["x"]) {
			t.Errorf("%s holds %q", folder, there)
		}
	}
	if all := must.Get(os.ReadDir(below)); len(all) != 1 {
		t.Errorf("it leaves %v", all)
	}
}

func TestWriteWholeLeavesNothingWhereItFails(t *testing.T) {
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	for path, want := range map[string]string{
		dir:                             "is a folder",
		os.DevNull:                      "is no regular file",
		filepath.Join(dir, "file", "x"): "not a directory",
		filepath.Join(dir, strings.Repeat("x", 300)): "name too long",
	} {
		if err := WriteWhole(path, []byte("new")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", path, err, want)
		}
	}
	if got := content(t, dir); len(got) != 1 || got["file"] != "" {
		t.Errorf("it leaves %q", got)
	}
}

// TestPipesAreNotRead has a pipe that nobody writes to.
func TestPipesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	must.Do(syscall.Mkfifo(pipe, 0o600))
	must.Do(os.WriteFile(file, []byte("text"), 0o600))
	for _, path := range []string{pipe, dir, os.DevNull} {
		if b, err := ReadRegular(path); !errors.Is(err, ErrIrregular) {
			t.Errorf("%s: %q, %v", path, b, err)
		}
	}
	if b, err := ReadRegular(file); string(b) != "text" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
