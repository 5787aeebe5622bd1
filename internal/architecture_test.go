// Package internal holds what only harrier's own packages use. Its test guards the architecture:
// data flows one way, through the packages in the order of docs/design.md.
package internal

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"harrier/internal/must"
)

// mayImport lists, for every package of harrier, which others it may import. A package that is not
// here may not exist.
var mayImport = map[string][]string{
	"serializer":       {},
	"model":            {"internal/pairs", "internal/slab", "model/network"},
	"model/network":    {},
	"model/replay":     {"model", "model/network"},
	"property":         {"model", "internal/pairs", "internal/slab"},
	"symmetry":         {"model", "property", "serializer", "internal/differ", "internal/pairs", "internal/slab", "internal/wordset"},
	"por":              {},
	"dbss":             {"model", "property", "internal/pairs", "internal/slab", "internal/wordset"},
	"dir":              {"dbss", "model", "property", "internal/pairs", "internal/slab", "por/persistent"},
	"lmc":              {"dbss", "dir", "model", "property", "internal/bdd", "internal/bitset", "internal/slab"},
	"por/persistent":   {"model", "internal/pairs", "internal/slab"},
	"por/footprint":    {"model", "serializer"},
	"por/static":       {"model", "model/network", "por/footprint", "serializer", "internal/bitset"},
	"por/dynamic":      {"dbss", "model", "model/network", "property"},
	"audit":            {"internal/differ", "model", "property", "serializer"},
	"adversary":        {"dbss", "model", "property", "serializer"},
	"answers":          {"internal/files"},
	"bridge":           {"answers", "model", "serializer", "internal/files"},
	"report":           {"adversary", "audit", "dbss", "lmc", "model", "model/network", "model/replay", "por/static", "property", "serializer", "symmetry", "internal/files"},
	"report/picture":   {"model", "model/network", "property", "report", "internal/files"},
	"report/minimal":   {"model", "property"},
	"live":             {"model", "model/replay", "serializer"},
	"explore":          {"dbss", "dir", "model", "model/network", "model/replay", "property", "report", "report/minimal", "report/picture"},
	"compare":          {"model", "report", "internal/files", "internal/memory", "internal/supervisor"},
	"check":            {"adversary", "audit", "bridge", "dbss", "dir", "live", "lmc", "model", "model/network", "por/dynamic", "por/footprint", "por/static", "property", "report", "report/minimal", "report/picture", "symmetry", "internal/memory"},
	"cmd/harrier":      {"bridge", "check", "compare", "dbss", "dir", "explore", "live", "model", "model/network", "por/static", "property", "report", "report/picture", "serializer", "symmetry", "internal/files", "internal/memory", "internal/sandbox", "internal/supervisor"},
	"examples":         {},
	"bench":            {},
	"bench/frame":      {},
	"bench/papers":     {"bench/frame", "bridge", "compare", "report", "internal/files", "internal/memory"},
	"internal":         {},
	"internal/bdd":     {},
	"internal/bitset":  {},
	"internal/differ":  {"model", "serializer"},
	"internal/pairs":   {},
	"internal/slab":    {},
	"internal/wordset": {},
	"internal/must":    {},
	"internal/memory":  {},
	"internal/files":   {},
	"bench/peers":      {"bench/frame", "compare", "internal/memory", "report"},
	"internal/sandbox": {},

	"internal/supervisor": {},
	// For tests only.
	"internal/mutants":  {},
	"internal/reach":    {"dbss", "internal/must", "model", "property"},
	"internal/replayed": {"dbss", "model", "model/replay", "property"},
	"internal/toy":      {"internal/must", "model", "model/network", "serializer"},
	"internal/twin":     {"model"},
}

// testsOnly may be imported by tests alone.
var testsOnly = []string{"internal/mutants", "internal/reach", "internal/replayed", "internal/toy", "internal/twin"}

func TestImportsFlowOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "harrier/")
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s is not in the list of packages: say what it may import", name)
		}
		for _, i := range p.Imports {
			i, own := strings.CutPrefix(i, "harrier/")
			if own && !slices.Contains(allowed, i) {
				t.Errorf("package %s must not import %s", name, i)
			}
			if own && slices.Contains(testsOnly, i) && !slices.Contains(testsOnly, name) {
				t.Errorf("package %s must not import %s, which is for tests", name, i)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the table of imports in docs/design.md anew")

// TestTableOfImports holds the table in docs/design.md to mayImport.
func TestTableOfImports(t *testing.T) {
	rows, none := "| package | may import |\n|---|---|\n", []string{}
	for _, name := range slices.Sorted(maps.Keys(mayImport)) {
		imports := mayImport[name]
		switch {
		case name == "cmd/harrier":
		case len(imports) == 0:
			none = append(none, name)
		default:
			rows += fmt.Sprintf("| `%s` | `%s` |\n", name, strings.Join(slices.Sorted(slices.Values(imports)), "`, `"))
		}
	}
	rows += fmt.Sprintf("| `%s` | none |\n", strings.Join(none, "`, `"))

	page := must.Get(os.ReadFile("../docs/design.md"))
	table := regexp.MustCompile(`(?s)(<!-- imports: begin -->\n).*(<!-- imports: end -->)`)
	made := table.ReplaceAllString(string(page), "${1}"+rows+"\n${2}")
	if made == string(page) {
		return
	}
	if !*update {
		t.Fatal("docs/design.md differs from mayImport: run go test ./internal -run TestTableOfImports -update")
	}
	must.Do(os.WriteFile("../docs/design.md", []byte(made), 0o644))
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "harrier/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 8 {
		t.Fatalf("only %d packages found", len(all))
	}
	return all
}
