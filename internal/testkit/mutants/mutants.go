// Package mutants plants defects in harrier's code, to see the tests find them.
package mutants

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
	places       []place
}

// A place is where a text replaces another one: a Go function, as "internal/property Checker.Evaluate", or a Java file, from the top of the
// repository.
type place struct{ in, from, to string }

// top is the top of the repository, the folder with go.mod above that of the package whose tests run.
var top = func() string {
	folder := ".."
	for _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil; _, err = os.Stat(filepath.Join(folder, "go.mod")) {
		folder = filepath.Join(folder, "..")
	}
	return folder
}()

// list reads the list of defects.
func list(t *testing.T) []Mutant {
	t.Helper()
	b, err := os.ReadFile("testdata/mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []Mutant
	for _, text := range strings.Split(string(b), "\n## ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		m, in := Mutant{Name: lines[0]}, ""
		for i, line := range lines[1:] {
			switch n := len(m.places); {
			case strings.HasPrefix(line, "-") && strings.HasPrefix(lines[i], "-"):
				m.places[n-1].from += "\n" + line[1:]
			case strings.HasPrefix(line, "-"):
				m.places = append(m.places, place{in: in, from: line[1:]})
			case strings.HasPrefix(line, "+") && strings.HasPrefix(lines[i], "+"):
				m.places[n-1].to += "\n" + line[1:]
			case strings.HasPrefix(line, "+"):
				m.places[n-1].to = line[1:]
			case strings.HasPrefix(line, "killed by "):
				words := strings.Fields(strings.TrimPrefix(line, "killed by "))
				m.Killer, m.Flags = words[0], words[1:]
			default:
				in = line
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
	for _, m := range list(t) {
		if _, problem := m.apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
		if !*all {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			if problem := m.survives(t.TempDir(), pattern(m)); problem != "" {
				t.Errorf("%s: %s", m.places[0].in, problem)
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

// build compiles these tests with the defect, which is laid over the files that it is in, or over the jars that have their classes.
func (m Mutant) build(dir, binary string) string {
	files, problem := m.apply()
	if problem != "" {
		return problem
	}
	replace := map[string]string{}
	for file, text := range files {
		mutated := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(mutated, []byte(text), 0o600); err != nil {
			return err.Error()
		}
		laidOver := map[string]string{file: mutated}
		if filepath.Ext(file) == ".java" {
			if laidOver, problem = jars(file, mutated, dir); problem != "" {
				return problem
			}
		}
		for path, by := range laidOver {
			absolute, err := filepath.Abs(path)
			if err != nil {
				return err.Error()
			}
			replace[absolute] = by
		}
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err.Error()
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, content, 0o600); err != nil {
		return err.Error()
	}
	return run("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
}

// jars are those of harrier's own that have a Java class, made with the defect, by which jar they replace.
func jars(file, source, dir string) (made map[string]string, problem string) {
	jar := func(name string) string { return filepath.Join(top, "bridge", "jar", name) }
	api, runtime := jar("harrier-api.jar"), jar("harrier-runtime.jar")
	classes := filepath.Join(dir, "classes")
	problem = run("javac", "-nowarn", "-d", classes, "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED",
		"-cp", runtime+string(filepath.ListSeparator)+api, source)
	made = map[string]string{}
	_, name, _ := strings.Cut(strings.TrimSuffix(file, ".java")+".class", "/src/main/java/")
	for _, jar := range []string{api, runtime} {
		if problem != "" || !has(jar, name) {
			continue
		}
		made[jar] = filepath.Join(dir, filepath.Base(jar))
		if problem = run("cp", jar, made[jar]); problem == "" {
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

// apply returns the files with the defect, by their paths, or why there are none.
func (m Mutant) apply() (files map[string]string, problem string) {
	files = map[string]string{}
	for _, p := range m.places {
		path, begin, end, err := find(p.in, files)
		if err != nil {
			return nil, err.Error()
		}
		text := files[path]
		if n := strings.Count(text[begin:end], p.from); n != 1 {
			return nil, fmt.Sprintf("%s has the text that it replaces %d times; correct testdata/mutants.txt:\n%s", p.in, n, p.from)
		}
		files[path] = text[:begin] + strings.Replace(text[begin:end], p.from, p.to, 1) + text[end:]
	}
	return files, ""
}

// find returns the file that a place is in, and where the place begins and ends in its text, which is in files then, as it is there if it
// was before.
func find(in string, files map[string]string) (path string, begin, end int, err error) {
	folder, function, isGo := strings.Cut(in, " ")
	if !isGo {
		path = filepath.Join(top, in)
		err = read(path, files)
		return path, 0, len(files[path]), err
	}
	paths, err := filepath.Glob(filepath.Join(top, folder, "*.go"))
	for _, path := range paths {
		known := map[string]string{path: files[path]}
		if err := read(path, known); err != nil {
			return path, 0, 0, err
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, known[path], parser.SkipObjectResolution)
		if err != nil {
			return path, 0, 0, err
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && nameOf(f) == function {
				files[path] = known[path]
				return path, positions.Position(f.Pos()).Offset, positions.Position(f.End()).Offset, nil
			}
		}
	}
	return "", 0, 0, fmt.Errorf("there is no function %s: correct testdata/mutants.txt", in)
}

// read reads a file, unless files has it.
func read(path string, files map[string]string) error {
	if files[path] != "" {
		return nil
	}
	b, err := os.ReadFile(path)
	files[path] = string(b)
	return err
}

// nameOf is the name of a function, with its receiver's type before it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		default:
			return of.(*ast.Ident).Name + "." + f.Name.Name
		}
	}
}
