// Package mutants plants defects in harrier's code, to see the tests find them.
package mutants

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// build compiles these tests with the defect, which is laid over the file, or over the jars that have its classes.
func (m Mutant) build(dir, binary string) string {
	text, problem := m.apply()
	if problem != "" {
		return problem
	}
	mutated, overlay := filepath.Join(dir, filepath.Base(m.File)), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
		return err.Error()
	}
	laidOver := map[string]string{m.File: mutated}
	if filepath.Ext(m.File) == ".java" {
		if laidOver, problem = m.jars(mutated, dir); problem != "" {
			return problem
		}
	}
	absolute := map[string]string{}
	for file, by := range laidOver {
		path, err := filepath.Abs(filepath.Join(top, file))
		if err != nil {
			return err.Error()
		}
		absolute[path] = by
	}
	replace, err := json.Marshal(map[string]any{"Replace": absolute})
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

// jars are those of harrier's own that have a Java class, made with the defect, by which jar they replace.
func (m Mutant) jars(source, dir string) (made map[string]string, problem string) {
	api, runtime := filepath.Join("bridge", "jar", "harrier-api.jar"), filepath.Join("bridge", "jar", "harrier-runtime.jar")
	classes := filepath.Join(dir, "classes")
	problem = run("javac", "-nowarn", "-d", classes, "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED",
		"-cp", filepath.Join(top, runtime)+string(filepath.ListSeparator)+filepath.Join(top, api), source)
	made = map[string]string{}
	_, name, _ := strings.Cut(strings.TrimSuffix(m.File, ".java")+".class", "/src/main/java/")
	for _, jar := range []string{api, runtime} {
		if problem != "" || !has(filepath.Join(top, jar), name) {
			continue
		}
		made[jar] = filepath.Join(dir, filepath.Base(jar))
		if problem = run("cp", filepath.Join(top, jar), made[jar]); problem == "" {
			problem = run("jar", "uf", made[jar], "-C", classes, ".")
		}
	}
	return made, problem
}

// has reports whether a jar has a file.
func has(jar, name string) bool {
	r, err := zip.OpenReader(jar)
	if err != nil {
		return false
	}
	defer r.Close()
	return slices.ContainsFunc(r.File, func(f *zip.File) bool { return f.Name == name })
}

// run runs a command, and says why it failed.
func run(name string, arguments ...string) (problem string) {
	if out, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		return fmt.Sprintf("%s: %v\n%s", name, err, out)
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
