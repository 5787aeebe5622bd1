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

	"harrier/internal/testkit/must"
)

// mayImport lists, for every package of harrier, which others it may import. A package that is not
// here may not exist.
var mayImport = map[string][]string{
	"serializer":               {},
	"internal/lts":             {"internal/ds/pairs", "internal/ds/slab", "internal/model", "internal/model/space"},
	"internal/lts/ignored":     {"internal/ds/pairs", "internal/lts", "internal/model", "internal/model/space"},
	"internal/model":           {"internal/model/network"},
	"internal/model/space":     {"internal/ds/pairs", "internal/ds/sequences", "internal/ds/slab", "internal/model", "internal/model/network"},
	"internal/model/network":   {},
	"internal/model/replay":    {"internal/model", "internal/model/space", "internal/model/network"},
	"internal/property":        {"internal/model", "internal/model/space", "internal/ds/pairs", "internal/ds/slab"},
	"symmetry":                 {"internal/model", "internal/model/network", "internal/model/space", "internal/property", "serializer", "internal/model/differ", "internal/ds/pairs", "internal/ds/slab", "internal/ds/wordset", "internal/section"},
	"por":                      {},
	"dbss":                     {"internal/distributed/levels", "internal/distributed/tasks", "internal/model", "internal/property", "internal/ds/runs", "internal/ds/slab", "internal/ds/vectors", "internal/ds/wordset", "internal/section"},
	"por/macro":                {"dbss", "internal/distributed/levels", "internal/lts", "internal/lts/ignored", "internal/model", "internal/model/space", "internal/property", "internal/ds/pairs", "internal/ds/slab", "internal/ds/wordset"},
	"internal/sample":          {"dbss", "internal/ds/slab", "internal/model", "internal/model/space", "internal/model/network", "internal/property", "internal/section"},
	"internal/lmc":             {"dbss", "internal/lts", "por/macro", "internal/model", "internal/model/space", "internal/property", "internal/ds/bdd", "internal/ds/bitset", "internal/ds/slab", "internal/section"},
	"por/footprint":            {"internal/model", "serializer"},
	"por/static":               {"internal/model", "internal/model/space", "internal/model/network", "por/footprint", "serializer", "internal/ds/bitset"},
	"por/demeter":              {"dbss", "internal/ds/slab", "internal/lts", "internal/model", "internal/model/space", "internal/property", "por/dynamic", "internal/section"},
	"por/dynamic":              {"dbss", "internal/model", "internal/model/space", "internal/model/network", "internal/property"},
	"internal/check/audit":     {"internal/model/differ", "internal/model", "internal/model/space", "internal/property", "serializer", "internal/section"},
	"internal/check/adversary": {"dbss", "internal/model", "internal/model/space", "serializer", "internal/section", "internal/search"},
	"internal/cluster":         {"bridge", "internal/distributed/levels", "internal/model", "internal/distributed/tasks", "internal/process/ending", "internal/process/files", "internal/process/frames"},
	"bridge/answers":           {"internal/process/files"},
	"bridge":                   {"bridge/answers", "internal/model", "internal/model/space", "internal/model/network", "serializer", "internal/process/files", "internal/process/frames"},
	"internal/report":          {"internal/section", "internal/liveness/ltl", "internal/model", "internal/model/space", "internal/model/network", "internal/model/replay", "internal/property", "serializer", "internal/process/files"},
	"internal/section":         {},
	"internal/explain":         {"dbss", "internal/model", "internal/model/space", "internal/report", "internal/section", "por/macro", "por/static", "serializer", "symmetry"},
	"internal/profile":         {"bridge", "internal/process/memory", "internal/section"},
	"internal/check/coverage":  {"bridge", "internal/model/space", "internal/section"},
	"internal/report/picture":  {"internal/model", "internal/model/network", "internal/property", "internal/report"},
	"internal/plan":            {"bridge", "internal/model", "internal/model/network", "internal/process/memory", "internal/search"},
	"internal/search":          {"dbss", "internal/distributed/levels", "internal/process/files", "internal/lmc", "internal/model", "internal/model/space", "internal/distributed/tasks", "internal/property", "internal/sample", "por/demeter", "por/dynamic", "por/macro", "por/static", "symmetry"},
	"internal/report/minimal":  {"internal/model", "internal/model/space", "internal/property"},
	"internal/liveness":        {"internal/ds/bitset", "internal/ds/pairs", "internal/ds/slab", "internal/ds/vectors", "internal/liveness/ltl", "internal/lts", "internal/lts/ignored", "internal/model", "internal/model/space", "internal/property", "symmetry", "internal/section"},
	"internal/liveness/ltl":    {"internal/ds/slab"},
	"internal/live":            {"internal/model", "internal/model/replay", "serializer", "internal/process/files", "internal/model/network"},
	"internal/explore":         {"dbss", "internal/model", "internal/model/space", "internal/model/replay", "internal/property", "internal/report", "internal/report/minimal", "internal/report/picture", "internal/search"},
	"internal/compare":         {"internal/check", "internal/model", "internal/model/space", "internal/report", "por/demeter", "internal/process/files", "internal/process/memory", "internal/process/supervisor", "internal/section", "dbss", "internal/liveness", "internal/lmc", "internal/plan", "internal/property", "internal/process/launch/codebase"},
	"internal/advice":          {"dbss", "internal/ds/wordset", "internal/model", "internal/model/space", "internal/model/network", "internal/process/memory", "internal/property", "internal/report", "serializer", "symmetry", "internal/section", "internal/check/adversary", "internal/liveness"},
	"internal/confirm":         {"bridge", "dbss", "internal/model", "internal/model/space", "internal/property", "internal/report", "internal/report/minimal"},
	"internal/check":           {"internal/profile", "internal/distributed/levels", "internal/advice", "internal/confirm", "internal/check/adversary", "internal/check/audit", "internal/checkpoint", "bridge", "dbss", "internal/live", "internal/liveness", "internal/lmc", "internal/model", "internal/model/space", "por/demeter", "por/footprint", "internal/property", "internal/report", "internal/report/picture", "internal/sample", "symmetry", "internal/process/files", "internal/process/clock", "internal/process/ending", "internal/process/memory", "serializer", "internal/distributed/tasks", "internal/check/coverage", "internal/section", "internal/plan", "internal/search"},
	"cmd/harrier":              {"bridge", "internal/check", "internal/confirm", "internal/checkpoint", "internal/cluster", "internal/compare", "dbss", "internal/explore", "internal/live", "internal/model", "internal/model/space", "internal/model/network", "por/static", "internal/property", "internal/report", "internal/report/picture", "internal/process/files", "internal/process/limits", "internal/process/memory", "internal/process/sandbox", "internal/process/supervisor", "internal/explain", "internal/advice", "internal/plan", "internal/search", "internal/process/launch/codebase", "internal/process/launch", "internal/process/launch/verdicts"},
	"internal/checkpoint":      {"internal/distributed/levels", "internal/model", "internal/process/files"},
	"examples":                 {},
	"bench":                    {},
	"docs/pages":               {},
	"bench/defaults":           {"bench/frame", "internal/report"},
	"bench/sampling":           {"bench/frame", "internal/compare", "internal/report"},
	"bench/cluster":            {"bench/frame", "internal/cluster", "internal/distributed/tasks"},
	"bench/kills":              {"bench/frame", "internal/report"},
	"bench/disk":               {"bench/frame"},
	"bench/frame":              {"internal/process/files", "internal/report", "dbss", "internal/distributed/tasks", "internal/check", "internal/liveness", "internal/model/space", "symmetry"},
	"bench/papers":             {"bench/frame", "bridge", "internal/compare", "internal/report", "internal/process/files", "internal/process/memory", "internal/plan", "internal/process/launch/codebase"},
	"internal":                 {},
	"internal/ds/bdd":          {},
	"internal/ds/bitset":       {},
	"internal/model/differ":    {"internal/model", "internal/model/space", "serializer"},
	"internal/ds/pairs":        {"internal/ds/slab"},
	"internal/ds/runs":         {},
	"internal/ds/sequences":    {"internal/ds/slab"},
	"internal/ds/slab":         {},
	"internal/ds/vectors":      {"internal/ds/pairs"},
	"internal/ds/wordset":      {},
	"internal/testkit/must":    {},
	"internal/process/memory":  {},
	"internal/process/files":   {},
	"internal/process/frames":  {},
	"internal/process/limits":  {},
	"bench/peers":              {"bench/frame", "internal/compare", "internal/process/memory", "internal/report"},
	"internal/process/sandbox": {},

	"internal/process/clock":           {},
	"internal/process/ending":          {},
	"internal/process/supervisor":      {"internal/process/clock", "internal/process/memory"},
	"internal/process/launch/codebase": {"internal/process/files", "internal/process/sandbox"},
	"internal/process/launch":          {"bridge", "internal/check", "internal/checkpoint", "internal/cluster", "internal/distributed/tasks", "internal/plan", "internal/process/files", "internal/process/launch/codebase", "internal/process/launch/results", "internal/process/launch/verdicts", "internal/process/memory", "internal/process/sandbox", "internal/process/supervisor", "internal/report", "internal/search"},
	"internal/process/launch/results":  {"internal/process/files", "internal/report"},
	"internal/process/launch/verdicts": {"bridge", "internal/liveness", "internal/process/files", "internal/process/launch/codebase", "internal/process/sandbox", "internal/report"},
	// For tests only.
	"internal/testkit/hidden":   {},
	"internal/testkit/hostile":  {},
	"internal/testkit/mutants":  {},
	"internal/testkit/reach":    {"dbss", "internal/testkit/must", "internal/model", "internal/model/space", "internal/property"},
	"internal/testkit/replayed": {"dbss", "internal/model", "internal/model/space", "internal/model/replay", "internal/property"},
	"internal/testkit/toy":      {"internal/testkit/must", "internal/model", "internal/model/space", "internal/model/network", "serializer"},
	"internal/testkit/twin":     {"internal/liveness/ltl", "internal/model", "internal/model/network"},

	"internal/distributed/tasks":  {"internal/distributed/levels", "internal/ds/vectors", "internal/ds/wordset", "internal/model", "internal/process/files"},
	"internal/testkit/entries":    {},
	"internal/distributed/levels": {"internal/ds/runs", "internal/ds/vectors", "internal/process/files"},
}

// testsOnly may be imported by tests alone.
var testsOnly = []string{"internal/testkit/hidden", "internal/testkit/hostile", "internal/testkit/mutants", "internal/testkit/reach", "internal/testkit/replayed", "internal/testkit/toy", "internal/testkit/twin"}

func TestImportsFlowOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "harrier/")
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s is not in the list of packages: say what it may import", name)
		}
		for _, i := range allowed {
			if !slices.Contains(p.Imports, "harrier/"+i) {
				t.Errorf("package %s does not import %s: take it out of its list", name, i)
			}
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

var update = flag.Bool("update", false, "write anew what is made from tables: those of imports in docs/design.md, and Java's constants")

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

	holdTable(t, "imports", rows)
}

// holdTable holds the table in docs/design.md between the marks of this name to the rows, or with -update writes it.
func holdTable(t *testing.T, name, rows string) {
	page := must.Get(os.ReadFile("../docs/design.md"))
	table := regexp.MustCompile(`(?s)(<!-- ` + name + `: begin -->\n).*(<!-- ` + name + `: end -->)`)
	made := table.ReplaceAllString(string(page), "${1}"+rows+"\n${2}")
	if made == string(page) {
		return
	}
	if !*update {
		t.Fatal("docs/design.md differs from the list of packages: run go test ./internal -run Table -update")
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
