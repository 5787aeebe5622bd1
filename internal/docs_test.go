package internal

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// What the guide shows beside whole programs are pieces of examples, which other tests check.
func TestGuideShowsItsExamples(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/guide.md"))
	sources, pieces := everySource(t, "../examples"), 0
	for _, b := range regexp.MustCompile("(?s)```java\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(b[1], "public class") {
			continue
		}
		pieces++
		if piece := unindented(b[1]); !strings.Contains(sources, piece) {
			t.Errorf("the guide shows what no example has:\n%s", piece)
		}
	}
	if pieces < 6 {
		t.Errorf("the guide has %d pieces of code", pieces)
	}
}

// The programs of the first protocol are those that a script checks.
func TestFirstProtocolShowsItsFiles(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/first-protocol.md"))
	for _, name := range []string{"TwoPhaseCommit", "TwoPhaseCommitFaulty"} {
		file := must.Get(os.ReadFile(filepath.Join("../examples/first-protocol", name+".java")))
		if !strings.Contains(string(page), "```java\n"+string(file)+"```\n") {
			t.Errorf("docs/first-protocol.md shows another %s than examples/first-protocol", name)
		}
	}
}

// What docs/benchmarks.md says of local search is in the tables that make fig10 writes.
func TestBenchmarksSayWhatTheTablesHave(t *testing.T) {
	page := string(must.Get(os.ReadFile("../docs/benchmarks.md")))
	tables := string(must.Get(os.ReadFile("../bench/papers/README.md"))) + string(must.Get(os.ReadFile("../bench/papers/by-depth.md")))
	said := regexp.MustCompile(`takes ([\d,]+) handlers,\s+and ([\d,]+) transitions [^;]*four nodes ([\d,]+) handlers where B-DFS executes ([\d,]+); two\s+proposals take ([\d.]+) s`).FindStringSubmatch(page)
	if said == nil {
		t.Fatal("docs/benchmarks.md has no such sentence")
	}
	plain := strings.NewReplacer(",", "")
	for _, row := range []string{
		"| Paxos, one proposal | OK | local |  | 63 | 1,186 | " + said[1] + " |",
		"| 157,332 | " + said[2] + " |",
		"| " + plain.Replace(said[4]) + " | ",
		" | " + said[3] + " | ",
		" | " + said[5] + " s | stateful |",
	} {
		if !strings.Contains(tables, row) {
			t.Errorf("the tables have no %q", row)
		}
	}
}

// The block for Gradle in README is in the build of a sample, which make test runs.
func TestReadmeShowsTheBuildOfASample(t *testing.T) {
	page := must.Get(os.ReadFile("../README.md"))
	build := must.Get(os.ReadFile("../examples/builds/gradle/build.gradle"))
	block := regexp.MustCompile("(?s)```groovy\n(.*?)```").FindSubmatch(page)
	if block == nil || !strings.Contains(string(build), strings.ReplaceAll(string(block[1]), "/path/to/harrier/", "../../../")) {
		t.Errorf("README shows another block than is in examples/builds/gradle/build.gradle")
	}
}

func everySource(t *testing.T, folder string) string {
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.java"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no sources: %v", folder, err)
	}
	var all strings.Builder
	for _, f := range files {
		b := must.Get(os.ReadFile(f))
		all.WriteString(unindented(string(b)))
	}
	return all.String()
}

func unindented(code string) string {
	lines := strings.Split(code, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// The table in README.md has the figures of the benchmark, to the verdict, with each tool's own reductions.
func TestFiguresOfTheReadme(t *testing.T) {
	readme := must.Get(os.ReadFile("../README.md"))
	benchmarks := must.Get(os.ReadFile("../docs/benchmarks.md"))
	for tool, reductions := range map[string]string{
		"harrier": "harrier | macro steps, symmetry", "TLC": "TLC | symmetry",
		"Spin": "Spin | partial-order reduction, -DCOLLAPSE", "Stateright": "Stateright, its actors | symmetry",
	} {
		shown := regexp.MustCompile(`(?m)^\| ` + tool + ` .* ([\d.]+) s \| ([\d,]+) \| ([\d,]+) MiB \|$`).FindSubmatch(readme)
		if shown == nil {
			t.Errorf("README.md has no figures of %s", tool)
			continue
		}
		row := fmt.Sprintf("| 2/4/1 | %s | %s | %s | %s |", reductions, shown[2], shown[1], strings.ReplaceAll(string(shown[3]), ",", ""))
		if !strings.Contains(string(benchmarks), row) {
			t.Errorf("README.md shows figures of %s that docs/benchmarks.md has not: %s", tool, row)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	source  = regexp.MustCompile("`([\\w./-]+/[\\w.-]+\\.(?:go|c|txt|java))`")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// TestLinks demands that what the pages link to is there, headings included, and each file that they name.
func TestLinks(t *testing.T) {
	pages := must.Get(filepath.Glob("../docs/*.md"))
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md") {
		text := must.Get(os.ReadFile(page))
		for _, m := range source.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil && !strings.HasPrefix(m[1], "github.com/") { // a module
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := page
			if path != "" {
				to = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(to); err != nil || anchor != "" && !anchors(t, to)[anchor] {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
		}
	}
}

// declaration is one of a function, a type or a package, in Go or in Java.
var declaration = regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |package (?:\w+\.)*|[ \w]*\b(?:class|record|interface|enum) )(\w+)` +
	`|^\t(\w+ID) |^ +[\w<>\[\], ]+ (\w+)\(.*\{$`)

// TestWayOfAMessage demands that the stages that docs/design.md names are declared somewhere.
func TestWayOfAMessage(t *testing.T) {
	_, way, _ := strings.Cut(string(must.Get(os.ReadFile("../docs/design.md"))), "### The way of a message\n")
	way, _, _ = strings.Cut(way, "\n### ")
	declared := map[string]bool{}
	for name, text := range tracked(t, "*.go", "*.java") {
		for _, m := range declaration.FindAllStringSubmatch(text, -1) {
			declared[m[1]+m[2]+m[3]] = !strings.HasSuffix(name, "_test.go") || declared[m[1]+m[2]+m[3]]
		}
	}
	names := regexp.MustCompile("`([^`]*)`|([\\w.]+) ->|-> ([\\w.]+)").FindAllStringSubmatch(way, -1)
	if len(names) < 60 {
		t.Errorf("docs/design.md names %d stages", len(names))
	}
	for _, m := range names {
		for name := range strings.FieldsFuncSeq(m[1]+m[2]+m[3], func(c rune) bool { return strings.ContainsRune("./", c) }) {
			if !declared[name] {
				t.Errorf("docs/design.md names %s, which is declared nowhere", name)
			}
		}
	}
}

// TestJavadocLinks demands that each class of the API refers to a page of docs, and that what it refers to is there.
func TestJavadocLinks(t *testing.T) {
	to := regexp.MustCompile(`@see <a href="\{@docRoot}/([\w-]+)\.html(?:#([\w-]+))?">`)
	notForPrograms := []string{"Hosting.java", "PropertyAnnotation.java"} // and not in the Javadoc
	sources := must.Get(filepath.Glob("../java/api/src/main/java/harrier/*.java"))
	for _, file := range sources {
		links := to.FindAllStringSubmatch(string(must.Get(os.ReadFile(file))), -1)
		if len(links) == 0 && !slices.Contains(notForPrograms, filepath.Base(file)) {
			t.Errorf("%s refers to no page", file)
		}
		for _, l := range links {
			page := filepath.Join("../docs", l[1]+".md")
			if _, err := os.Stat(page); err != nil || l[2] != "" && !anchors(t, page)[l[2]] {
				t.Errorf("%s refers to %s#%s, which is not there", file, l[1], l[2])
			}
		}
	}
	if len(sources) < 30 {
		t.Errorf("the API has %d classes", len(sources))
	}
}

// TestCoordinatesOfTheReadme demands those of the version that is built.
func TestCoordinatesOfTheReadme(t *testing.T) {
	readme := string(must.Get(os.ReadFile("../README.md")))
	version := regexp.MustCompile(`(?m)^version=(.+)$`).FindStringSubmatch(string(must.Get(os.ReadFile("../gradle.properties"))))[1]
	for _, text := range []string{"'harrier:harrier-api:" + version + "'", "'harrier:harrier-junit:" + version + "'",
		"<artifactId>harrier-api</artifactId><version>" + version, "<artifactId>harrier-junit</artifactId><version>" + version} {
		if !strings.Contains(readme, text) {
			t.Errorf("README.md has no %s", text)
		}
	}
}

// anchors are those of a page's headings: in lower case, with hyphens for spaces, without punctuation.
func anchors(t *testing.T, page string) map[string]bool {
	text := must.Get(os.ReadFile(page))
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
		plain := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all[strings.ReplaceAll(plain, " ", "-")] = true
	}
	return all
}

// TestCitation holds CITATION.cff to what version 1.2.0 of the Citation File Format requires, and to the licence.
func TestCitation(t *testing.T) {
	citation, licence := string(must.Get(os.ReadFile("../CITATION.cff"))), string(must.Get(os.ReadFile("../LICENSE")))
	for _, line := range []string{"cff-version: 1.2.0", "title: .+", "message: .+", "authors:", "  - name: The harrier authors", "license: MIT"} {
		if !regexp.MustCompile("(?m)^" + line + "$").MatchString(citation) {
			t.Errorf("CITATION.cff has no line %q", line)
		}
	}
	if !strings.HasPrefix(licence, "MIT License\n") {
		t.Error("CITATION.cff names another licence than LICENSE")
	}
}
