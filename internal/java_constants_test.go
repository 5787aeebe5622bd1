package internal

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// javaConstants lists the constants of Go that Java's side has too, by the class of package harrier.runtime.wire that is made of them.
// Those of a type are an enum. Other constants are those whose whole names match, and Java has the part of a name that is in parentheses.
var javaConstants = []struct{ class, file, of string }{
	{"Operation", "bridge/bridge.go", `op([A-Z]\w+)`},
	{"Status", "bridge/status.go", `status([A-Z]\w+)`},
	{"EventKind", "internal/model/network/event.go", "EventKind"},
	{"RecordKind", "internal/model/oracle.go", "RecordKind"},
	{"PropertyKind", "internal/model/kinds.go", "PropertyKind"},
	{"LivenessKind", "internal/model/kinds.go", "LivenessKind"},
	{"FailureKind", "internal/model/oracle.go", `(Assertion|Exception|Hang|Stuck|Explanation)`},
	{"ReadIndex", "internal/model/oracle.go", `Read(History|Network)`},
	{"FieldNumber", "internal/model/oracle.go", `(Any)Number`},
	{"FirstState", "internal/model/oracle.go", `((?:All|No)?FirstStates?)`},
	{"Verdict", "internal/model/fields.go", "FieldVerdict"},
	{"TouchedField", "internal/model/footprint.go", `(AnyField|Agenda)`},
	{"Target", "internal/model/footprint.go", "Target"},
	{"AgendaField", "serializer/agenda.go", `Agenda([A-Z]\w+)`},
}

// TestJavaConstants holds package harrier.runtime.wire to the constants of Go, or with -update writes it.
func TestJavaConstants(t *testing.T) {
	folder := filepath.Join(javaSources, "harrier/runtime/wire")
	expected := map[string]bool{"package-info.java": true}
	for _, c := range javaConstants {
		path := filepath.Join(folder, c.class+".java")
		expected[c.class+".java"] = true
		text := constantsOf(t, c.class, c.file, c.of).java(t, c.class)
		if *update {
			must.Do(os.WriteFile(path, []byte(text), 0o644))
		} else if there, err := os.ReadFile(path); err != nil || string(there) != text {
			t.Errorf("%s differs from the constants in %s: run make java-constants", path, c.file)
		}
	}
	for _, f := range must.Get(os.ReadDir(folder)) {
		if !expected[f.Name()] {
			t.Errorf("%s is made of no constants of Go: remove it, or add it to javaConstants", f.Name())
		}
	}
}

// A constantGroup is what a class of Java is made of.
type constantGroup struct {
	comment   string // of the type, or of the constants together
	isTyped   bool
	constants []goConstant
}

// A goConstant is a constant with the name that Java has for it.
type goConstant struct {
	name, java, comment string
	value               constant.Value
}

// constantsOf returns the constants of a file that are of a type, or whose names match, in the order of their declaration.
func constantsOf(t *testing.T, class, file, of string) (g constantGroup) {
	files := token.NewFileSet()
	source := must.Get(parser.ParseFile(files, "../"+file, nil, parser.ParseComments))
	// Imports are not resolved: what depends on them has no value, and none of these do.
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	_, _ = (&types.Config{Error: func(error) {}}).Check("", files, []*ast.File{source}, &info)
	matches := regexp.MustCompile("^" + of + "$")
	for _, d := range source.Decls {
		declaration, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range declaration.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.Name == of {
					g.isTyped, g.comment = true, strings.ReplaceAll(declaration.Doc.Text(), of, class)
				}
			case *ast.ValueSpec:
				c, ok := info.Defs[s.Names[0]].(*types.Const)
				if !ok {
					continue
				}
				name := c.Name()
				if parts := matches.FindStringSubmatch(name); len(parts) == 2 {
					name, g.comment = parts[1], declaration.Doc.Text()
				} else if named, ok := c.Type().(*types.Named); !ok || named.Obj().Name() != of {
					continue
				}
				g.constants = append(g.constants, goConstant{c.Name(), capitals(name), s.Doc.Text() + s.Comment.Text(), c.Val()})
			}
		}
	}
	if len(g.constants) == 0 {
		t.Fatalf("%s has no constants that are %s", file, of)
	}
	return g
}

// capitals is a name as Java writes those of constants.
func capitals(name string) string {
	return strings.ToUpper(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "${1}_${2}"))
}

// java is the source of a class: an enum if the constants are of a type, which then count from 0, or else one whose fields they are.
func (g constantGroup) java(t *testing.T, class string) string {
	var b strings.Builder
	b.WriteString("package harrier.runtime.wire;\n\n// Made of Go's constants: make java-constants.\n\n")
	b.WriteString(g.javadoc(g.comment, ""))
	fmt.Fprintf(&b, "public %s %s {\n", map[bool]string{true: "enum", false: "final class"}[g.isTyped], class)
	for i, c := range g.constants {
		b.WriteString(g.javadoc(c.comment, "    "))
		switch n, isNumber := constant.Int64Val(constant.ToInt(c.value)); {
		case g.isTyped && (!isNumber || n != int64(i)):
			t.Fatalf("%s is %v: those of an enum count from 0", c.name, c.value)
		case g.isTyped:
			fmt.Fprintf(&b, "    %s,\n", c.java)
		case isNumber:
			fmt.Fprintf(&b, "    public static final int %s = %d;\n", c.java, n)
		default:
			fmt.Fprintf(&b, "    public static final String %s = %s;\n", c.java, c.value.ExactString())
		}
	}
	if !g.isTyped {
		fmt.Fprintf(&b, "\n    private %s() {}\n", class)
	}
	b.WriteString("}\n")
	return b.String()
}

// javadoc is a comment with Java's names of the constants, on lines of up to 120 characters; "" if there is none.
func (g constantGroup) javadoc(text, indent string) string {
	for _, c := range g.constants {
		text = regexp.MustCompile(`\b`+c.name+`\b`).ReplaceAllString(text, c.java)
	}
	var lines []string
	for _, w := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+len(w) < 110 {
			lines[last] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return indent + "/** " + lines[0] + " */\n"
	}
	return indent + "/**\n" + indent + " * " + strings.Join(lines, "\n"+indent+" * ") + "\n" + indent + " */\n"
}
