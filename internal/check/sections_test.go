package check

import (
	"testing"

	"harrier/internal/report"
	"harrier/internal/search"
)

func TestFiguresNameTheSearchThatHasThem(t *testing.T) {
	for _, c := range []struct {
		want, first string
		workers     int
	}{
		{"local", "", 1},
		{"local, 2 workers", search.Local, 2},
		{"bfs beside local, 2 workers", search.Global, 2},
		{"bfs beside local, 3 workers", "", 3}, // neither knew
	} {
		if got := methodText(report.Method{Search: search.Local, Model: "M", Workers: c.workers}, c.first); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
