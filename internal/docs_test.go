package internal

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What docs/adapting.md shows are pieces of the examples beside it, which the tests of cmd/harrier check.
func TestPagesShowTheirExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/adapting.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := everySource(t, "../docs/adapting")
	blocks := regexp.MustCompile("(?s)```java\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 4 {
		t.Errorf("the page has %d pieces of code, less than one for each shape", len(blocks))
	}
	for _, b := range blocks {
		if piece := unindented(b[1]); !strings.Contains(sources, piece) {
			t.Errorf("no example has this piece of the page:\n%s", piece)
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
