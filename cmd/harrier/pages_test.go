package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// page runs the commands that a page of the documents shows, those with one of some texts if any are given, and demands that they print
// what the page has below them: page FILE [TEXT]... . An ellipsis on a line of its own stands for any lines, and one within a line for any
// text; the end may be left out. Times, speeds, memory and the digests of traces may differ.
func page(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: page FILE [TEXT]...")
	}
	commands := 0
	for _, b := range blocksOf(ts.ReadFile(args[0])) {
		if len(args) > 1 && !slices.ContainsFunc(args[1:], func(text string) bool { return strings.Contains(b.command, text) }) {
			continue
		}
		commands++
		words := b.words(ts)
		s := sessionFor(ts, words)
		if s == nil {
			ts.Fatalf("page: '%s' needs a process of its own, or the script has no session", b.command)
		}
		if r := s.answer(ts, words[1:]); !b.matches(r.Stdout) {
			ts.Fatalf("%s shows of '%s'\n%s\nbut it prints\n%s%s", args[0], b.command, b.output, r.Stdout, r.Stderr)
		}
	}
	if commands < max(1, len(args)-1) {
		ts.Fatalf("%s shows %d such commands", args[0], commands)
	}
}

// A block is a command of a page and the output below it.
type block struct{ command, output string }

var shownCommand = regexp.MustCompile(`(?m)^    \$ (?:bin/)?(harrier .*)\n((?:(?:    [^$\n].*)?\n)*)`)

func blocksOf(page string) (blocks []block) {
	for _, m := range shownCommand.FindAllStringSubmatch(page, -1) {
		output := regexp.MustCompile(`(?m)^    `).ReplaceAllString(m[2], "")
		blocks = append(blocks, block{m[1], strings.TrimRight(output, "\n") + "\n"})
	}
	return blocks
}

// words returns the words of the command line; paths of traces, which have a digest in them, are replaced by those of traces in the folder.
func (b block) words(ts *testscript.TestScript) []string {
	words := strings.Fields(strings.ReplaceAll(b.command, "'", ""))
	for i, word := range words {
		if digest.MatchString(word) {
			found, _ := filepath.Glob(ts.MkAbs(digest.ReplaceAllString(word, "-*/")))
			if len(found) != 1 {
				ts.Fatalf("%s: there are %d such traces", word, len(found))
			}
			rest, err := filepath.Rel(ts.MkAbs("."), found[0])
			ts.Check(err)
			words[i] = rest
		}
	}
	return words
}

// matches reports whether a command printed what the page shows.
func (b block) matches(printed string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(withoutFigures(b.output)) {
		if strings.TrimSpace(line) == "…" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	return regexp.MustCompile(`^` + pattern.String()).MatchString(withoutFigures(printed))
}

var digest = regexp.MustCompile(`-[0-9a-f]{8}/`)

// vary are the texts that differ from one execution of a command to the next.
var vary = []struct {
	of *regexp.Regexp
	to string
}{
	{digest, "-DIGEST/"},
	{regexp.MustCompile(`\b[\d,.]+ s\b`), "TIME"},
	{regexp.MustCompile(`\b[\d,.]+ a second\b`), "SPEED"},
	{regexp.MustCompile(`\b[\d,.]+ [KMG]iB\b`), "SIZE"},
	{regexp.MustCompile(`\bbin/harrier\b`), "harrier"},
}

func withoutFigures(text string) string {
	for _, v := range vary {
		text = v.of.ReplaceAllString(text, v.to)
	}
	return text
}
