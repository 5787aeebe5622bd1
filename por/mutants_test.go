package por_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var allMutants = flag.Bool("mutants", false, "plant all defects, not only the few that are planted in each run of the tests")

// A mutant is a defect to plant.
type mutant struct {
	name, file, killer string
	places             []place
	isOften            bool
}

// A place is where a text replaces another one.
type place struct{ from, to string }

// mutants reads the list of defects.
func mutants() ([]mutant, error) {
	b, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, text := range strings.Split(string(b), "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		name, isOften := strings.CutPrefix(lines[0], "* ")
		m := mutant{name: name, file: lines[1], isOften: isOften}
		for i, line := range lines[2:] {
			switch n := len(m.places); {
			case strings.HasPrefix(line, "-") && strings.HasPrefix(lines[i+1], "-"):
				m.places[n-1].from += "\n" + line[1:]
			case strings.HasPrefix(line, "-"):
				m.places = append(m.places, place{from: line[1:]})
			case strings.HasPrefix(line, "+") && strings.HasPrefix(lines[i+1], "+"):
				m.places[n-1].to += "\n" + line[1:]
			case strings.HasPrefix(line, "+"):
				m.places[n-1].to = line[1:]
			default:
				m.killer = strings.TrimPrefix(line, "killed by ")
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// TestMutantsAreKilled plants defects in the reductions, and expects the program that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("each defect is compiled")
	}
	all, err := mutants()
	if err != nil || len(all) == 0 {
		t.Fatalf("there are no mutants: %v", err)
	}
	planted := 0
	for _, m := range all {
		if !m.isOften && !*allMutants {
			continue
		}
		planted++
		t.Run(m.name, func(t *testing.T) {
			if problem := m.survives(t.TempDir()); problem != "" {
				t.Errorf("%s: %s", m.file, problem)
			}
		})
	}
	t.Logf("%d of %d defects were planted", planted, len(all))
}

// TestMutantsAreOnThePage holds docs/soundness.md to the list, and each place of the list to the code.
func TestMutantsAreOnThePage(t *testing.T) {
	all, err := mutants()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range all {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", m.name, m.file, m.killer))
		if _, problem := m.apply(); problem != "" {
			t.Errorf("%s: %s", m.name, problem)
		}
	}
	if table := strings.Join(rows, "\n") + "\n"; !strings.Contains(string(page), table) {
		t.Errorf("the page should have this table:\n%s", table)
	}
}

// survives says why a defect was not seen.
func (m mutant) survives(dir string) string {
	binary := filepath.Join(dir, "por.test")
	if problem := m.build(dir, binary); problem != "" {
		return problem
	}
	out, err := exec.Command(binary, "-test.run", "^TestCorpus$/^"+m.killer+"$").CombinedOutput()
	switch {
	case err == nil:
		return "it survives " + m.killer
	case !strings.Contains(string(out), "--- FAIL"):
		return fmt.Sprintf("it does not run: %v\n%s", err, out)
	}
	return ""
}

// build compiles these tests with the defect, which is laid over the file.
func (m mutant) build(dir, binary string) string {
	text, problem := m.apply()
	if problem != "" {
		return problem
	}
	mutated, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
		return err.Error()
	}
	replaced, err := filepath.Abs(filepath.Join("..", m.file))
	if err != nil {
		return err.Error()
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{replaced: mutated}})
	if err != nil {
		return err.Error()
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return err.Error()
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".").CombinedOutput()
	if err != nil {
		return fmt.Sprintf("it does not compile: %v\n%s", err, out)
	}
	return ""
}

// apply is the file with the defect, or why there is none.
func (m mutant) apply() (text, problem string) {
	source, err := os.ReadFile(filepath.Join("..", m.file))
	if err != nil {
		return "", err.Error()
	}
	text = string(source)
	for _, p := range m.places {
		if n := strings.Count(text, p.from); n != 1 {
			return "", fmt.Sprintf("the text that it replaces is there %d times; correct testdata/mutants.txt:\n%s", n, p.from)
		}
		text = strings.Replace(text, p.from, p.to, 1)
	}
	return text, ""
}
