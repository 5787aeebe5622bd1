package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"harrier/internal/model"
	"harrier/internal/section"
)

// Painter colours text, or leaves it plain.
type Painter struct {
	Good, Bad, Warn, Strong, Faint *color.Color
}

// NewPainter makes a painter; without colours it is for pipes and NO_COLOR.
func NewPainter(colours bool) Painter {
	p := Painter{
		Good:   color.New(color.FgGreen, color.Bold),
		Bad:    color.New(color.FgRed, color.Bold),
		Warn:   color.New(color.FgYellow, color.Bold),
		Strong: color.New(color.Bold),
		Faint:  color.New(color.Faint),
	}
	for _, c := range []*color.Color{p.Good, p.Bad, p.Warn, p.Strong, p.Faint} {
		if colours {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// Text writes the summary for people, the counterexample included.
func (s *Summary) Text(w io.Writer, p Painter) {
	s = Escaped(s)
	if s.Violation != nil && s.Violation.Kind.HasNoRun() {
		ViolationText(w, p, s.Violation.Violation)
	} else if s.Violation != nil {
		note := ""
		if s.Violation.Shorter != "" || (s.Search != "bfs" || s.Violation.Sampled) && len(s.Violation.Steps) > 1 && !s.Violation.Kind.IsOfRuns() {
			note = ", perhaps not a shortest one"
		}
		if steps := len(s.Violation.Steps); s.Violation.Found > steps {
			note += fmt.Sprintf(" (the search found a run of %d)", s.Violation.Found)
		}
		fmt.Fprintf(w, "counterexample, %s from the %s%s:\n\n", section.Plural(uint64(len(s.Violation.Steps)), "step"),
			s.Violation.Start.word(), note)
		execution, violation := ShortUUIDs(s.Violation.Execution, s.Violation.Violation)
		execution.Text(w, p)
		ViolationText(w, p, violation)
	}
	s.verdictText(w, p)
	for _, of := range s.Sections {
		for _, l := range of.Lines {
			writeLine(w, l.Label, l.Text)
		}
	}
	for _, r := range s.Remarks {
		writeLine(w, "remark", r)
	}
	if s.Verdict != Verified {
		fmt.Fprintln(w)
	}
	if s.Violation != nil && s.Violation.Replay != "" {
		fmt.Fprintf(w, "replay it:    %s\n", s.Violation.Replay)
	}
	if s.Violation != nil && s.Violation.Picture != "" {
		fmt.Fprintf(w, "picture:      %s\n", s.Violation.Picture)
	}
	if s.Tables != "" {
		fmt.Fprintf(w, "tables:       %s\n", s.Tables)
	}
	for _, a := range s.Advice {
		fmt.Fprintf(w, "%-13s %s\n", "try:", a)
	}
	if s.GoOn != "" {
		fmt.Fprintf(w, "go on:        %s\n", s.GoOn)
	}
	if s.Verdict == Violated || s.Verdict == Inconclusive && !s.IsCutShort() {
		fmt.Fprintf(w, "check again:  %s\n", s.Reproduce)
	}
	if s.Violation != nil && s.Violation.Shorter != "" {
		fmt.Fprintf(w, "shortest:     %s\n", s.Violation.Shorter)
	}
}

func writeLine(w io.Writer, label, text string) { fmt.Fprintf(w, "  %-13s %s\n", label, text) }

func (s *Summary) verdictText(w io.Writer, p Painter) {
	name := p.Strong.Sprint(s.Scenario) + parametersText(s.Parameters)
	switch s.Verdict {
	case Verified:
		extent := ""
		if s.Horizon != "" {
			extent = " until " + s.Horizon
		}
		if len(s.Within) > 0 {
			extent += " within the bound"
		}
		fmt.Fprintf(w, "%s%s  %s\n", p.Good.Sprint("VERIFIED"), extent, name)
		s.propertiesText(w)
		for _, bound := range s.Within {
			writeLine(w, "within", bound)
		}
		if s.Omission != nil {
			writeLine(w, "but", fmt.Sprintf("with a probability of %.2g, some state was left out: states are told apart by 64-bit hashes (--store compact)",
				*s.Omission))
		}
	case Violated:
		fmt.Fprintf(w, "%s  %s\n", p.Bad.Sprint("VIOLATED"), name)
		for _, name := range s.Violated {
			writeLine(w, "violated", name)
		}
	case Inconclusive:
		fmt.Fprintf(w, "%s  %s\n", p.Warn.Sprint("INCONCLUSIVE"), name)
		writeLine(w, "because", s.Reason)
		if len(s.Undecided) > 0 {
			s.propertiesText(w)
		}
	}
	if s.VerdictKept {
		writeLine(w, "kept", "from an earlier check, with its figures: program, flags, harrier and Java are the same (--cache)")
	}
	if s.Threads != "" {
		writeLine(w, "threads", threadsText[s.Threads])
	}
	if len(s.Allowed) > 0 {
		writeLine(w, "allowed", strings.Join(s.Allowed, ", "))
	}
}

// threadsText says where threads are interleaved.
var threadsText = map[string]string{
	"blocking": "take turns where they wait (--threads blocking)",
	"locks":    "take turns at locks and at what they share, too (--threads locks)",
}

// propertiesText writes which properties hold, which are undecided, and which were never put to the test.
func (s *Summary) propertiesText(w io.Writer) {
	for _, property := range s.Properties {
		i := slices.IndexFunc(s.NotReached, func(n NotReached) bool { return n.Property == property })
		switch {
		case i >= 0:
			writeLine(w, "not reached", property+": "+s.NotReached[i].Reason)
		case slices.Contains(s.Undecided, property):
			writeLine(w, "undecided", property)
		default:
			writeLine(w, "holds", property)
		}
	}
}

func parametersText(parameters []model.Parameter) string {
	if len(parameters) == 0 {
		return ""
	}
	var all []string
	for _, v := range parameters {
		all = append(all, v.Name+"="+v.Value)
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// quoteArgument quotes an argument for a shell where it must be. Characters that do not print are written as bash takes them.
func quoteArgument(a string) string {
	if Plain(a) != a {
		return "$'" + Plain(strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(a)) + "'"
	}
	if a != "" && !strings.ContainsAny(a, " \t\n\"'`$&|;<>()*?[]{}~#!\\") {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}

// CommandLine joins arguments as one would type them.
func CommandLine(arguments ...string) string {
	quoted := make([]string, len(arguments))
	for i, a := range arguments {
		quoted[i] = quoteArgument(a)
	}
	return strings.Join(quoted, " ")
}
