package frame

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTextReplacesThatBetweenItsMarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.md")
	write := func(content string) {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a\n<!-- t: begin -->\nold\n<!-- t: end -->\nb\n")
	if err := Replace(file, "t", []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); string(got) != "a\n<!-- t: begin -->\nnew\n<!-- t: end -->\nb\n" {
		t.Errorf("%s", got)
	}
	write("a\n")
	if err := Replace(file, "t", nil); err == nil {
		t.Error("a file without marks was written")
	}
}
