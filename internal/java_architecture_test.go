package internal

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// javaPackages lists the Java packages, those below harrier.runtime by the rest of their names, and for each which others it may
// import. A package may import only packages that are listed before it, so that imports go one way. A package that is not here may not
// exist.
var javaPackages = []struct {
	name      string
	mayImport string
}{
	{"harrier.host", ""},
	{"harrier.host.leaving", "harrier.host"},
	{"harrier", "harrier.host"},
	{"wire", ""},
	{"origin", ""},
	{"failure", "harrier.host wire origin"},
	{"cache", ""},
	{"jdk", "harrier.host origin cache"},
	{"codec.format", "harrier.host"},
	{"codec.graph", "harrier origin jdk codec.format"},
	{"codec.jdk", "origin jdk codec.format codec.graph"},
	{"codec", "harrier.host harrier origin jdk codec.format codec.graph codec.jdk"},
	{"rules.allow", "origin failure"},
	{"rules.refuse", "harrier.host origin failure jdk codec rules.allow"},
	{"rules.statics", "harrier.host harrier origin failure jdk codec.format codec.graph codec.jdk codec rules.allow rules.refuse"},
	{"rules", "harrier.host origin failure jdk codec.graph rules.allow rules.refuse rules.statics"},
	{"load.compile", "origin failure cache rules"},
	{"load.rewrite", "wire origin failure rules.refuse load.compile"},
	{"load", "origin failure jdk rules.allow rules.refuse rules.statics rules load.compile load.rewrite"},
	{"analysis.flow", "harrier jdk load.compile load.rewrite"},
	{"analysis.slice", "wire jdk analysis.flow"},
	{"analysis.footprint", "wire jdk load.rewrite analysis.flow"},
	{"analysis", "wire failure load.compile load.rewrite analysis.flow analysis.slice analysis.footprint"},
	{"recheck", "jdk codec.graph"},
	{"actor", "harrier.host harrier wire failure jdk codec.format codec.graph codec rules load.compile load.rewrite load"},
	{"step", "harrier.host harrier wire failure jdk codec.graph codec rules.refuse rules load recheck actor"},
	{"step.setup", "harrier.host harrier wire origin failure codec.graph codec rules load actor step"},
	{"property", "harrier.host harrier wire jdk failure codec.format codec.graph codec rules load.compile load.rewrite load analysis.flow recheck actor step"},
	{"program", "harrier.host harrier wire origin failure cache jdk codec.format codec.graph codec rules.allow rules.refuse rules load.compile load.rewrite load analysis.footprint analysis recheck actor step step.setup property"},
	{"profile", "origin rules program"},
	{"refusal", "harrier failure jdk rules.allow rules.refuse rules load.compile load analysis recheck step property program"},
	{"harrier.runtime", "harrier.host harrier wire failure jdk codec.format codec.graph rules.refuse rules load.compile load analysis.slice analysis.footprint analysis recheck actor step property program profile refusal"},
	{"harrier.run", ""},
	{"harrier.junit", "harrier.host harrier harrier.run"},
	{"harrier.gradle", "harrier.run"},
	{"harrier.maven", "harrier.run"},
	{"harrier.pekko", "harrier"},
	{"harrier.vertx", "harrier"},
}

const (
	javaSources = "../java/runtime/src/main/java"
	javaRoot    = "harrier.runtime."
)

// javaFullName returns the full name of a package of the table.
func javaFullName(name string) string {
	if strings.HasPrefix(name, "harrier") {
		return name
	}
	return javaRoot + name
}

// A javaPackage is a package as its sources are.
type javaPackage struct {
	folder  string
	imports map[string]string // from the names of the packages that it imports, to a file that does
}

// javaPackagesFound reads the sources of all modules. Names that are written in full count as imports.
func javaPackagesFound(t *testing.T) map[string]*javaPackage {
	noCode := regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"`)
	refers := regexp.MustCompile(`\b(harrier(?:\.[a-z]\w*)*)\.[A-Z]`)
	found := map[string]*javaPackage{}
	for _, root := range must.Get(filepath.Glob("../java/*/src/main/java")) {
		must.Do(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".java") {
				return err
			}
			folder := filepath.Dir(path)
			name := strings.ReplaceAll(strings.TrimPrefix(folder, root+"/"), "/", ".")
			p := found[name]
			if p == nil {
				p = &javaPackage{folder, map[string]string{}}
				found[name] = p
			} else if p.folder != folder {
				t.Errorf("package %s is in %s and in %s", name, p.folder, folder)
			}
			for _, m := range refers.FindAllStringSubmatch(noCode.ReplaceAllString(string(must.Get(os.ReadFile(path))), ""), -1) {
				if m[1] != name {
					p.imports[m[1]] = path
				}
			}
			return nil
		}))
	}
	return found
}

// TestJavaImportsFlowOneWay holds the Java sources to javaPackages, each with a comment that says what the package is for.
func TestJavaImportsFlowOneWay(t *testing.T) {
	found := javaPackagesFound(t)
	before := []string{}
	for _, p := range javaPackages {
		name := javaFullName(p.name)
		there := found[name]
		if there == nil {
			t.Errorf("package %s is in the list of packages, but has no sources", name)
			continue
		}
		comment, err := os.ReadFile(filepath.Join(there.folder, "package-info.java"))
		if err != nil || !strings.HasPrefix(string(comment), "/**") {
			t.Errorf("package %s does not say what it is for: it needs a package-info.java with a comment", name)
		}
		allowed := []string{}
		for _, a := range strings.Fields(p.mayImport) {
			full := javaFullName(a)
			if !slices.Contains(before, full) {
				t.Errorf("package %s may import %s, which must then be listed before it", name, full)
			}
			if _, does := there.imports[full]; !does {
				t.Errorf("package %s may import %s, but does not", name, full)
			}
			allowed = append(allowed, full)
		}
		for to, path := range there.imports {
			if !slices.Contains(allowed, to) {
				t.Errorf("package %s must not import %s: %s", name, to, path)
			}
		}
		before = append(before, name)
		delete(found, name)
	}
	for name := range found {
		t.Errorf("package %s is not in the list of packages: say what it may import", name)
	}
}

// TestTableOfJavaImports holds the table in docs/design.md to javaPackages.
func TestTableOfJavaImports(t *testing.T) {
	rows := "| package | may import |\n|---|---|\n"
	for _, p := range javaPackages {
		imports := "none"
		if p.mayImport != "" {
			imports = "`" + strings.Join(slices.Sorted(slices.Values(strings.Fields(p.mayImport))), "`, `") + "`"
		}
		rows += fmt.Sprintf("| `%s` | %s |\n", p.name, imports)
	}
	holdTable(t, "java imports", rows)
}
