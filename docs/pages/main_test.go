package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// TestLinksLeadToAnchors renders all pages: what they link to among themselves is there.
func TestLinksLeadToAnchors(t *testing.T) {
	folder := t.TempDir()
	must.Do(write("..", folder))
	pages := map[string]string{}
	for _, file := range must.Get(filepath.Glob(filepath.Join(folder, "*.html"))) {
		pages[filepath.Base(file)] = string(must.Get(os.ReadFile(file)))
	}
	links := 0
	for name, page := range pages {
		for _, m := range regexp.MustCompile(`href="([\w-]*(?:\.html|\.md)?)#([^"]+)"`).FindAllStringSubmatch(page, -1) {
			to := name
			if m[1] != "" {
				to = m[1]
			}
			if links++; !strings.Contains(pages[to], `id="`+m[2]+`"`) {
				t.Errorf("%s links to %s#%s, which is not there", name, to, m[2])
			}
		}
	}
	if links < 20 {
		t.Errorf("the pages have %d links", links)
	}
}

func TestRelink(t *testing.T) {
	for from, want := range map[string]string{
		"guide.md#timers": "guide.html#timers", "#timers": "#timers", "reference.md": "reference.html",
		"../README.md": "../../README.md", "https://example.org/a.md": "https://example.org/a.md",
	} {
		if got := relink(from); got != want {
			t.Errorf("%s becomes %s, want %s", from, got, want)
		}
	}
}
