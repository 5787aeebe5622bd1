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

// javaPackages lists the packages below harrier.runtime, and for each which others it may import. A package may import only packages
// that are listed before it, so that imports go one way. A package that is not here may not exist. The empty name is harrier.runtime
// itself.
var javaPackages = []struct {
	name      string
	mayImport string
}{
	{"wire", ""},
	{"origin", ""},
	{"failure", "wire origin"},
	{"cache", ""},
	{"jdk", "origin cache"},
	{"codec.format", ""},
	{"codec.graph", "origin jdk codec.format"},
	{"codec.jdk", "origin jdk codec.format codec.graph"},
	{"codec", "origin jdk codec.format codec.graph codec.jdk"},
	{"rules.allow", "origin failure"},
	{"rules.refuse", "origin failure jdk codec rules.allow"},
	{"rules.statics", "origin failure jdk codec codec.format codec.graph codec.jdk rules.allow rules.refuse"},
	{"rules", "origin failure jdk rules.allow rules.refuse rules.statics"},
	{"load.compile", "origin failure cache rules"},
	{"load.rewrite", "wire origin failure rules.refuse load.compile"},
	{"load", "origin failure jdk rules rules.allow rules.refuse rules.statics load.compile load.rewrite"},
	{"analysis.flow", "jdk load.compile"},
	{"analysis.slice", "wire jdk analysis.flow"},
	{"analysis.footprint", "wire jdk analysis.flow load.rewrite"},
	{"analysis", "wire analysis.flow analysis.slice analysis.footprint failure load.compile load.rewrite"},
	{"recheck", "jdk codec.graph"},
	{"actor", "wire failure jdk codec codec.format codec.graph rules load load.compile load.rewrite"},
	{"step", "wire failure jdk codec codec.graph rules rules.refuse load recheck actor"},
	{"step.setup", "origin failure codec codec.graph rules load actor step"},
	{"property", "wire failure codec codec.format codec.graph rules load load.compile load.rewrite recheck actor step analysis.flow"},
	{"program", "actor analysis analysis.footprint cache codec codec.format codec.graph failure jdk load load.compile load.rewrite origin property recheck rules rules.allow rules.refuse step step.setup wire"},
	{"refusal", "analysis failure jdk load load.compile program property recheck rules rules.allow rules.refuse step"},
	{"", "actor analysis analysis.footprint analysis.slice codec.format codec.graph failure jdk load load.compile program property recheck refusal rules rules.refuse step wire"},
}

const (
	javaSources = "../java/runtime/src/main/java"
	javaRoot    = "harrier.runtime"
)

// TestJavaImportsFlowOneWay holds the sources of the runtime to javaPackages. Names that are written in full count as imports.
func TestJavaImportsFlowOneWay(t *testing.T) {
	noCode := regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"`)
	refers := regexp.MustCompile(`\bharrier\.runtime((?:\.[a-z]\w*)*)\.[A-Z]`)
	found := map[string]map[string]string{} // by package, what it imports, and a file that does
	must.Do(filepath.WalkDir(javaSources, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".java") {
			return err
		}
		name := javaName(strings.TrimPrefix(filepath.Dir(path), javaSources+"/harrier/runtime"), "/")
		if found[name] == nil {
			found[name] = map[string]string{}
		}
		for _, m := range refers.FindAllStringSubmatch(noCode.ReplaceAllString(string(must.Get(os.ReadFile(path))), ""), -1) {
			if to := javaName(m[1], "."); to != name {
				found[name][to] = path
			}
		}
		return nil
	}))
	before := []string{}
	for _, p := range javaPackages {
		if found[p.name] == nil {
			t.Errorf("package %s.%s is in the list of packages, but has no sources", javaRoot, p.name)
		}
		comment := filepath.Join(javaSources, "harrier/runtime", strings.ReplaceAll(p.name, ".", "/"), "package-info.java")
		if _, err := os.Stat(comment); err != nil {
			t.Errorf("package %s.%s does not say what it is for: %v", javaRoot, p.name, err)
		}
		allowed := strings.Fields(p.mayImport)
		for _, a := range allowed {
			if !slices.Contains(before, a) {
				t.Errorf("package %s.%s may import %s, which must then be listed before it", javaRoot, p.name, a)
			}
			if _, does := found[p.name][a]; !does {
				t.Errorf("package %s.%s may import %s, but does not", javaRoot, p.name, a)
			}
		}
		for to, path := range found[p.name] {
			if !slices.Contains(allowed, to) {
				t.Errorf("package %s.%s must not import %s: %s", javaRoot, p.name, to, path)
			}
		}
		before = append(before, p.name)
		delete(found, p.name)
	}
	for name := range found {
		t.Errorf("package %s.%s is not in the list of packages: say what it may import", javaRoot, name)
	}
}

// javaName gives the name of a package below the root from its path behind it.
func javaName(path, separator string) string {
	return strings.TrimPrefix(strings.ReplaceAll(path, separator, "."), ".")
}

// TestTableOfJavaImports holds the table in docs/design.md to javaPackages.
func TestTableOfJavaImports(t *testing.T) {
	rows := "| package | may import |\n|---|---|\n"
	for _, p := range javaPackages {
		name, imports := javaRoot, "none"
		if p.name != "" {
			name = p.name
		}
		if p.mayImport != "" {
			imports = "`" + strings.Join(slices.Sorted(slices.Values(strings.Fields(p.mayImport))), "`, `") + "`"
		}
		rows += fmt.Sprintf("| `%s` | %s |\n", name, imports)
	}
	holdTable(t, "java imports", rows)
}
