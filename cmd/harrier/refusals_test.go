package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// A refusal is a case of a script: a comment "# refused: NAME", further comments, and the
// commands up to the next comment or empty line.
const refused = "# refused: "

type refusal struct {
	name, note string
	commands   []string
}

var update = flag.Bool("update", false, "write the tables of docs/refusals.md anew")

// A table of docs/refusals.md is between these marks. The first names the scripts that it is made from.
var table = regexp.MustCompile(`(?s)(<!-- refusals: ([^>]*) -->\n).*?(<!-- end of refusals -->)`)

func TestPageOfRefusals(t *testing.T) {
	const path = "../../docs/refusals.md"
	page, cases := read(t, path), readRefusals(t)
	names := map[string]bool{}
	made := table.ReplaceAllStringFunc(page, func(old string) string {
		m := table.FindStringSubmatch(old)
		rows := m[1] + "\n| refused | harrier says | also |\n|---|---|---|\n"
		for _, script := range strings.Fields(m[2]) {
			for _, c := range cases[script+".txtar"] {
				if names[c.name] {
					t.Errorf("there are two %q", refused+c.name)
				}
				names[c.name] = true
				rows += fmt.Sprintf("| %s | `%s` | %s |\n", c.name, strings.ReplaceAll(c.message(t), "|", `\|`), c.note)
			}
			delete(cases, script+".txtar")
		}
		return rows + "\n" + m[3]
	})
	for script := range cases {
		t.Errorf("%s: no table of docs/refusals.md is made from %s", path, script)
	}
	if len(names) < 100 {
		t.Errorf("there are %d refusals: the scripts were not read", len(names))
	}
	if made != page && *update {
		must.Do(os.WriteFile(path, []byte(made), 0o644))
	} else if made != page {
		t.Errorf("%s differs from the scripts: run go test ./cmd/harrier -run TestPageOfRefusals -update", path)
	}
}

// message is what the first pattern of a whole line that the case expects stands for, without the place in the source.
func (c refusal) message(t *testing.T) string {
	for _, line := range c.commands {
		pattern, ok := strings.CutPrefix(line, "stderr '^harrier: ")
		if !ok || !strings.HasSuffix(pattern, "$'") {
			continue
		}
		text := regexp.MustCompile(` \\\(\S+\.java:[^)]*\\\)`).ReplaceAllString(strings.TrimSuffix(pattern, "$'"), "")
		text = strings.NewReplacer(`\d+`, "N", ".*", "…", ".+", "…", "''", "'").Replace(text)
		return regexp.MustCompile(`\\(.)`).ReplaceAllString(text, "$1")
	}
	t.Errorf("the case %q expects no whole line: stderr '^harrier: …$'", c.name)
	return ""
}

// TestNoRefusalIsUntold demands that whatever a script wants to be refused belongs to a refusal of the page: all that
// breaks a rule, and in the scripts of refusals all that is wrong use. A case may be repeated for its JSON document.
func TestNoRefusalIsUntold(t *testing.T) {
	cases := readRefusals(t)
	for _, path := range scripts(t) {
		script := filepath.Base(path)
		var told []string
		for _, c := range cases[script] {
			told = append(told, c.commands...)
		}
		for _, line := range commands(t, path) {
			isRefused := strings.HasPrefix(line, "exits 4 harrier check") ||
				strings.HasPrefix(line, "exits 2 ") && strings.HasPrefix(script, "refuse-")
			if isRefused && !strings.HasSuffix(line, " --json") && !slices.Contains(told, line) {
				t.Errorf("%s: %q stands under no %q", script, line, refused+"…")
			}
		}
	}
}

// readRefusals gives the cases of each script that has some.
func readRefusals(t *testing.T) map[string][]refusal {
	all := map[string][]refusal{}
	for _, path := range scripts(t) {
		var cases []refusal
		inCase := false
		for _, line := range commands(t, path) {
			name, begins := strings.CutPrefix(line, refused)
			comment, isComment := strings.CutPrefix(line, "# ")
			switch {
			case begins:
				cases, inCase = append(cases, refusal{name: name}), true
			case inCase && isComment && cases[len(cases)-1].commands == nil:
				c := &cases[len(cases)-1]
				c.note = strings.TrimSpace(c.note + " " + comment)
			case isComment || line == "":
				inCase = false
			case inCase:
				c := &cases[len(cases)-1]
				c.commands = append(c.commands, line)
			}
		}
		if cases != nil {
			all[filepath.Base(path)] = cases
		}
	}
	return all
}

func scripts(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	return paths
}

// commands are the lines of a script before its files.
func commands(t *testing.T, path string) []string {
	script, _, _ := strings.Cut(read(t, path), "\n-- ")
	return strings.Split(script, "\n")
}

func read(t *testing.T, path string) string {
	b := must.Get(os.ReadFile(path))
	return string(b)
}
