package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page of refusals and the scripts are tied by names: a heading "### NAME" of the page is a comment
// "# refused: NAME" in a script. So neither can be forgotten.
const refused = "# refused: "

// An entry is a refusal of docs/refusals.md.
type entry struct {
	example []string // the lines of its block of code
	told    string   // what harrier prints
}

// A refusal is a case of a script: the lines from its comment to the next comment or empty line.
type refusal struct {
	script string
	lines  []string
}

func TestEachRefusalHasAnEntryAndACase(t *testing.T) {
	entries := readEntries(t, "../../docs/refusals.md")
	cases, texts := readRefusals(t)
	for name := range entries {
		if _, ok := cases[name]; !ok {
			t.Errorf("docs/refusals.md: no script has %q", refused+name)
		}
	}
	for name, c := range cases {
		e, ok := entries[name]
		if !ok {
			t.Errorf("%s: docs/refusals.md has no %q", c.script, "### "+name)
			continue
		}
		checkEntry(t, name, e, c, texts[c.script])
	}
	if len(entries) < 25 {
		t.Errorf("there are %d refusals: the page was not read", len(entries))
	}
}

// checkEntry demands that what an entry shows is what the case does.
func checkEntry(t *testing.T, name string, e entry, c refusal, script string) {
	t.Helper()
	if len(e.example) == 0 {
		t.Errorf("docs/refusals.md: %q has no example", name)
	}
	for _, line := range e.example {
		if !strings.Contains(script, line) {
			t.Errorf("docs/refusals.md: %q shows %q, which %s does not have", name, line, c.script)
		}
	}
	for _, line := range c.lines {
		pattern, ok := strings.CutPrefix(line, "stderr '")
		if !ok {
			continue
		}
		pattern = strings.ReplaceAll(strings.TrimSuffix(pattern, "'"), "''", "'")
		if isWhole(pattern) && regexp.MustCompile(pattern).MatchString(e.told) {
			return
		}
	}
	t.Errorf("docs/refusals.md: %q tells %q, and no stderr of its case in %s is that", name, e.told, c.script)
}

// isWhole says whether a pattern is that of a whole line.
func isWhole(pattern string) bool {
	return strings.HasPrefix(pattern, "^harrier: ") && strings.HasSuffix(pattern, "$")
}

// TestNoRefusalIsUntold demands that whatever a script wants to be refused belongs to a refusal of the page: all that
// breaks a rule, and in the scripts of refusals all that is wrong use. A case may be repeated for its JSON document.
func TestNoRefusalIsUntold(t *testing.T) {
	for _, path := range scripts(t) {
		name := filepath.Base(path)
		inCase := false
		for _, line := range commands(t, path) {
			switch {
			case strings.HasPrefix(line, "#"):
				inCase = strings.HasPrefix(line, refused)
			case line == "":
				inCase = false
			case strings.HasSuffix(line, " --json"):
			case strings.HasPrefix(line, "exits 4 harrier check"),
				strings.HasPrefix(line, "exits 2 ") && strings.HasPrefix(name, "refuse-"):
				if !inCase {
					t.Errorf("%s: %q stands under no %q", name, line, refused+"…")
				}
			}
		}
	}
}

// readEntries gives the entries of the page by name: each has a block of code and a line that is printed, indented.
func readEntries(t *testing.T, path string) map[string]entry {
	entries := map[string]entry{}
	name, inCode := "", false
	for _, line := range strings.Split(read(t, path), "\n") {
		e := entries[name]
		switch {
		case strings.HasPrefix(line, "```"):
			inCode = !inCode
		case inCode && name != "":
			if line = strings.TrimSpace(line); line != "" {
				e.example = append(e.example, line)
			}
		case strings.HasPrefix(line, "### "):
			name, e = line[4:], entry{}
			if _, ok := entries[name]; ok {
				t.Errorf("%s: there are two %q", path, line)
			}
		case strings.HasPrefix(line, "#"):
			name = ""
		case strings.HasPrefix(line, "    "):
			e.told = strings.TrimSpace(e.told + " " + strings.TrimSpace(line))
		}
		if name != "" {
			entries[name] = e
		}
	}
	return entries
}

// readRefusals gives the cases of all scripts by name, and the texts of the scripts by their names.
func readRefusals(t *testing.T) (map[string]refusal, map[string]string) {
	cases, texts := map[string]refusal{}, map[string]string{}
	for _, path := range scripts(t) {
		script := filepath.Base(path)
		texts[script] = read(t, path)
		name := ""
		for _, line := range commands(t, path) {
			if line == "" || strings.HasPrefix(line, "#") {
				name = ""
			}
			if rest, ok := strings.CutPrefix(line, refused); ok {
				if name = rest; cases[name].script != "" {
					t.Errorf("%s: %q is in %s, too", script, line, cases[name].script)
				}
				cases[name] = refusal{script: script}
			} else if name != "" {
				cases[name] = refusal{script, append(cases[name].lines, line)}
			}
		}
	}
	return cases, texts
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
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
