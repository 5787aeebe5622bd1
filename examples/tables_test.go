package examples

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"harrier/internal/testkit/must"
)

// columns are those of the table of counts in docs/benchmarks.md, each with the ends of golden lines that it has the states of.
var columns = []struct{ title, search, hashing string }{
	{"single steps, with senders", "fs", "fields"},
	{"single steps", "fs", "selective"},
	{"macro steps, with senders", "fs+macro", "fields"},
	{"macro steps", "fs+macro", "selective"},
	{"macro steps, symmetry", "fs+macro+symmetry", "selective"},
}

// TestTableOfCounts holds the table of counts in docs/benchmarks.md to golden.txt: the programs with verified lines of macro steps.
func TestTableOfCounts(t *testing.T) {
	var programs []string // with parameters
	cells := map[string]map[int]string{}
	for _, g := range readGolden(t) {
		if g.verdict != "verified" {
			continue
		}
		name := g.program
		if g.parameters != "-" {
			name += " " + strings.ReplaceAll(g.parameters, ",", " ")
		}
		for i, c := range columns {
			if g.search[1:] != c.search || g.hashing != c.hashing {
				continue
			}
			if cells[name] == nil {
				programs, cells[name] = append(programs, name), map[int]string{}
			}
			cells[name][i] = humanize.Comma(int64(g.states))
		}
	}
	slices.Sort(programs)
	table := "| program |"
	for _, c := range columns {
		table += " " + c.title + " |"
	}
	table += "\n|---|" + strings.Repeat("---:|", len(columns)) + "\n"
	for _, p := range programs {
		if len(cells[p]) < 2 {
			continue
		}
		table += "| " + p + " |"
		for i := range columns {
			table += " " + cells[p][i] + " |"
		}
		table += "\n"
	}

	const path = "../docs/benchmarks.md"
	page := string(must.Get(os.ReadFile(path)))
	marks := regexp.MustCompile(`(?s)(<!-- counts: begin -->\n).*(<!-- counts: end -->)`)
	if made := marks.ReplaceAllString(page, "${1}"+table+"\n${2}"); made != page {
		if !*update {
			t.Fatal("docs/benchmarks.md differs from golden.txt: run go test ./examples -run TestTableOfCounts -update")
		}
		must.Do(os.WriteFile(path, []byte(made), 0o644))
	}
	if !marks.MatchString(page) {
		t.Error("docs/benchmarks.md has no place for the table of counts")
	}
}
