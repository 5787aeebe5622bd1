package internal

import (
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// retired has the words that the project gave up, each with the one to use, unless they have another, honest meaning. Each counts
// as a word and as a part of an identifier.
var retired = map[string]string{
	"befall":                      "affect, fault",
	"befalls":                     "affects, fault",
	"befell":                      "affected",
	"forge":                       "Byzantine send",
	"forged":                      "message domain",
	"forgeries":                   "message domain",
	"forges":                      "Byzantine send",
	"forging":                     "Byzantine send",
	"gathering":                   "what it collects",
	"gist":                        "digest",
	"gists":                       "digests",
	"outlook":                     "status",
	"refold":                      "recompress",
	"repertoire":                  "message domain",
	"repertoires":                 "message domains",
	"roster":                      "live actors",
	"rosters":                     "live actors",
	"spoils":                      "unsafe",
	"toll":                        "budget guard",
	"tolls":                       "budget guards",
	"says whether":                "reports whether",
	"Says whether":                "Whether",
	"has it that":                 "holds",
	"what is so ":                 "the thing's name",
	"what came of":                "the result of",
	"what comes of":               "the outcomes of",
	"What came of":                "The result of",
	"What comes of":               "The outcomes of",
	"are what was":                "the thing's name",
	"none of the program's":       "the noun",
	"what is hashed of":           "the hashed part of",
	"what is interned":            "interned values",
	"what is really there":        "the concrete ones",
	"what was found of":           "the findings on",
	"what has gone wrong":         "the faults taken",
	"what takes it back":          "the changes that take it back",
	"what takes that back":        "the change that takes it back",
	"what takes them back":        "the changes that take them back",
	"what depends on what":        "which steps depend on which",
	"what properties can tell":    "the observation of",
	"one that it is the image of": "the thing's name",
	"goesOn":                      "keepGoing",
	"isWorth":                     "withinBudget",
}

// others are words of others: titles and names.
var others = regexp.MustCompile(`(?i)GatheringByteChannel|traceforge`)

// Retired words are in no source and on no page.
func TestRetiredWords(t *testing.T) {
	var phrases []string
	for word := range retired {
		if strings.ToLower(word) != word || strings.Contains(word, " ") {
			phrases = append(phrases, word)
		}
	}
	for name, text := range tracked(t, "*.go", "*.java", "*.md", "*.txtar") {
		if name == "internal/words_test.go" {
			continue
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			found := retiredIn(line)
			for _, phrase := range phrases {
				if strings.Contains(line, phrase) {
					found = phrase
				}
			}
			if found != "" && !others.MatchString(line) {
				t.Errorf("%s:%d: write %s for %q: %s", name, number, retired[found], found, strings.TrimSpace(line))
			}
		}
	}
}

// retiredIn is the first retired word of a line, "" if there is none. In identifiers words begin with capitals.
func retiredIn(line string) string {
	isLower := func(c byte) bool { return 'a' <= c && c <= 'z' }
	for from := 0; from < len(line); {
		to := from + 1
		if isLower(line[from] | 0x20) {
			for to < len(line) && isLower(line[to]) {
				to++
			}
			if word := strings.ToLower(line[from:to]); retired[word] != "" {
				return word
			}
		}
		from = to
	}
	return ""
}

// tracked yields the files that git has, by patterns of their names, with their text.
func tracked(t *testing.T, patterns ...string) iter.Seq2[string, string] {
	list, err := exec.Command("git", append([]string{"-C", "..", "ls-files", "-z"}, patterns...)...).Output()
	if err != nil {
		t.Skip("these are no files of git: ", err)
	}
	return func(yield func(name, text string) bool) {
		for name := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
			text, err := os.ReadFile(filepath.Join("..", name))
			if err == nil && !yield(name, string(text)) { // else it was removed, which is not committed yet
				return
			}
		}
	}
}
