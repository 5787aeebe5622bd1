package internal

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What these pages show are pieces of examples, which other tests check.
func TestPagesShowTheirExamples(t *testing.T) {
	for _, c := range []struct {
		page, folder string
		pieces       int // at least
	}{
		{"../docs/adapting.md", "../examples", 3},
		{"../docs/models.md", "../examples", 3},
	} {
		page, err := os.ReadFile(c.page)
		if err != nil {
			t.Fatal(err)
		}
		sources := everySource(t, c.folder)
		blocks := regexp.MustCompile("(?s)```java\n(.*?)```").FindAllStringSubmatch(string(page), -1)
		if len(blocks) < c.pieces {
			t.Errorf("%s has %d pieces of code, less than %d", c.page, len(blocks), c.pieces)
		}
		for _, b := range blocks {
			if piece := unindented(b[1]); !strings.Contains(sources, piece) {
				t.Errorf("%s shows what no example has:\n%s", c.page, piece)
			}
		}
	}
}

func everySource(t *testing.T, folder string) string {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.java"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no sources: %v", folder, err)
	}
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(unindented(string(b)))
	}
	return all.String()
}

func unindented(code string) string {
	lines := strings.Split(code, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}
