// Package mutants plants defects in harrier's code, to see the tests find them.
package mutants

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

// A Mutant is a defect to plant.
type Mutant struct {
	Name, Killer string
	Flags        []string // of the test that shows it, such as the first seed
	File         string   // from the top of the repository
	places       []place
}

// A place is where a text replaces another one.
type place struct{ from, to string }

// top is the top of the repository, the folder with go.mod above that of the package whose tests run.
var top = func() string {
	folder := ".."
	for _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil; _, err = os.Stat(filepath.Join(folder, "go.mod")) {
		folder = filepath.Join(folder, "..")
	}
	return folder
}()

// read reads the list of defects.
func read(t *testing.T) []Mutant {
	t.Helper()
	b, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []Mutant
	for _, text := range strings.Split(string(b), "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		m := Mutant{Name: lines[0], File: lines[1]}
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
				words := strings.Fields(strings.TrimPrefix(line, "killed by "))
				m.Killer, m.Flags = words[0], words[1:]
			}
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		t.Fatal("there are no mutants")
	}
	return all
}

var all = flag.Bool("mutants", false, "plant the defects that tests must see")

// Kill plants defects, and expects the tests of the package that pattern gives for each to fail. Without the flag -mutants it plants
// none, as each is compiled, but sees to it that it could: the text that a defect replaces is there, once.
func Kill(t *testing.T, pattern func(m Mutant) string) {
	for _, m := range read(t) {
		if _, problem := m.apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
		if !*all {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			if problem := m.survives(t.TempDir(), pattern(m)); problem != "" {
				t.Errorf("%s: %s", m.File, problem)
			}
		})
	}
}

// survives says why a defect was not seen.
func (m Mutant) survives(dir, pattern string) string {
	binary := filepath.Join(dir, "mutated.test")
	if problem := m.build(dir, binary); problem != "" {
		return problem
	}
	out, err := exec.Command(binary, append([]string{"-test.run", pattern, "-test.timeout", "2m"}, m.Flags...)...).CombinedOutput()
	switch {
	case err == nil:
		return "it survives " + m.Killer
	case !strings.Contains(string(out), "--- FAIL"):
		return fmt.Sprintf("it does not run: %v\n%s", err, out)
	}
	return ""
}

// build compiles these tests with the defect, which is laid over the file.
func (m Mutant) build(dir, binary string) string {
	text, problem := m.apply()
	if problem != "" {
		return problem
	}
	mutated, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
		return err.Error()
	}
	replaced, err := filepath.Abs(filepath.Join(top, m.File))
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
func (m Mutant) apply() (text, problem string) {
	source, err := os.ReadFile(filepath.Join(top, m.File))
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
