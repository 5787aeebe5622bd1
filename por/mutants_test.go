package por_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"harrier/internal/mutants"
)

var allMutants = flag.Bool("mutants", false, "plant all defects, not only the few that are planted in each run of the tests")

// TestMutantsAreKilled plants defects in the reductions, and expects the program that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, *allMutants, func(m mutants.Mutant) string { return "^TestCorpus$/^" + m.Killer + "$" })
}

// TestMutantsAreOnThePage holds docs/soundness.md to the list, and each place of the list to the code.
func TestMutantsAreOnThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range mutants.Read(t) {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", m.Name, m.File, m.Killer))
		if _, problem := m.Apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
	}
	if table := strings.Join(rows, "\n") + "\n"; !strings.Contains(string(page), table) {
		t.Errorf("the page should have this table:\n%s", table)
	}
}
