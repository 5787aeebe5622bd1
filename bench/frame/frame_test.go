package frame

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"harrier/compare"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.md")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# Title\n\n<!-- a: begin -->\nold\nlines\n<!-- a: end -->\n\nThe rest, with <!-- b: begin -->\n")
	for range 2 { // the marks stay
		if err := Replace(path, "a", []byte("new\n")); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	want := "# Title\n\n<!-- a: begin -->\nnew\n<!-- a: end -->\n\nThe rest, with <!-- b: begin -->\n"
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	if err := Replace(path, "b", nil); err == nil || !strings.Contains(err.Error(), "put <!-- b: begin --> before it and <!-- b: end --> behind it") {
		t.Errorf("a mark that is missing: %v", err)
	}
}

func TestFiguresWithoutAnEndSayHowFarTheyCame(t *testing.T) {
	r := &compare.Result{Verdict: compare.Inconclusive, Note: "the time is used up", Figures: &compare.Figures{States: 1000, Transitions: 5000, Seconds: 2}}
	states, transitions, time := Counted(r)
	if got := strings.Join([]string{states, transitions, time, EndedBy(r)}, ", "); got != ">1,000, >5,000, >2.00 s, the time is used up" {
		t.Error(got)
	}
}
