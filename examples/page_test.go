package examples

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

// An excerpt is a command that a page shows, and what it shows of the output.
type excerpt struct {
	command []string
	output  string
}

// excerptsOf finds the commands of a page: they are indented and begin with a dollar sign.
func excerptsOf(t *testing.T, page string) []excerpt {
	t.Helper()
	b := must.Get(os.ReadFile(page))
	var excerpts []excerpt
	shown := false
	for line := range strings.Lines(string(b)) {
		command, isCommand := strings.CutPrefix(line, "    $ bin/harrier ")
		switch {
		case isCommand:
			excerpts = append(excerpts, excerpt{command: strings.Fields(command)})
			shown = true
		case line != "\n" && !strings.HasPrefix(line, "    "):
			shown = false
		case shown:
			excerpts[len(excerpts)-1].output += line
		}
	}
	return excerpts
}

// flag is what a command gives for a flag.
func (s excerpt) flag(name, otherwise string) string {
	if i := slices.Index(s.command, name); i >= 0 {
		return s.command[i+1]
	}
	return otherwise
}

func (s excerpt) parameters() string { return s.flag("--set", "-") }

// line is the golden line of a check, but for its counts. Symmetric actors are permuted where golden.txt says so.
func (s excerpt) line(lines []golden) int {
	if s.flag("--symmetry", "auto") != "off" {
		if i := slices.IndexFunc(lines, s.golden("+symmetry").isAbout); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(lines, s.golden("").isAbout)
}

func (s excerpt) golden(symmetry string) golden {
	search := s.flag("--search", "bfs")
	if delivery := s.flag("--model", "M"); delivery != "M" {
		search += "+" + delivery
	}
	if s.flag("--reduction", "macro") != "off" {
		search += "+macro"
	}
	return golden{program: filepath.Base(s.command[1]), parameters: s.parameters(), search: search + symmetry,
		hashing: s.flag("--hashing", "selective")}
}

var (
	statesShown      = regexp.MustCompile(`(?m)^ +states +([\d,]+)`)
	transitionsShown = regexp.MustCompile(`(?m)^ +transitions +([\d,]+), `)
	depthShown       = regexp.MustCompile(`(?m)^ +depth +(\d+)`)
	orderShown       = regexp.MustCompile(`(?m)^ +(\d+) permutations, made of`)
	obstacleShown    = regexp.MustCompile(`are not all symmetric: (.*)`)
)

// number is the number that a pattern finds in an output, without commas; "" if it finds none.
func (s excerpt) number(shown *regexp.Regexp) string {
	if m := shown.FindStringSubmatch(s.output); m != nil {
		return strings.ReplaceAll(m[1], ",", "")
	}
	return ""
}

// TestFiguresOfTheGuide compares what docs/guide.md and README.md show with the golden counts.
func TestFiguresOfTheGuide(t *testing.T) {
	lines, figures := readGolden(t), 0
	for _, s := range append(excerptsOf(t, "../docs/guide.md"), excerptsOf(t, "../README.md")...) {
		if s.command[0] != "check" {
			continue
		}
		i := s.line(lines)
		if i < 0 {
			t.Errorf("golden.txt has nothing about %v", s.command)
			continue
		}
		for shown, counted := range map[*regexp.Regexp]any{
			statesShown: lines[i].states, transitionsShown: lines[i].transitions, depthShown: lines[i].depth,
		} {
			if number := s.number(shown); number != "" {
				figures++
				if number != fmt.Sprint(counted) {
					t.Errorf("%v: the page shows %s, golden.txt has %v", s.command, number, counted)
				}
			}
		}
		if violated := strings.Contains(strings.ToLower(s.output), "violated"); violated != (lines[i].verdict == "violated") {
			t.Errorf("%v: the page shows another verdict than %s", s.command, lines[i].verdict)
		}
	}
	if figures < 6 {
		t.Errorf("only %d figures", figures)
	}
}

// TestGroupsOfTheGuide compares what the page shows of groups.
func TestGroupsOfTheGuide(t *testing.T) {
	explained := 0
	for _, s := range excerptsOf(t, "../docs/guide.md") {
		if s.command[0] != "explain" {
			continue
		}
		explained++
		p := load(t, filepath.Base(s.command[2]), s.parameters())
		group := groupOf(t, p)
		if number := s.number(orderShown); number != group.Order.String() {
			t.Errorf("%v: the page shows %s permutations, there are %v", s.command, number, group.Order)
		}
		shown := obstacleShown.FindStringSubmatch(s.output)
		if (shown != nil) != (len(group.Obstacles) > 0) || shown != nil && shown[1] != group.Obstacles[0].Text {
			t.Errorf("%v: the page shows %q; %+v", s.command, shown, group.Obstacles)
		}
	}
	if explained < 2 {
		t.Errorf("only %d groups", explained)
	}
}
