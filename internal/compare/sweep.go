package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize/english"

	"harrier/dbss"
	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/property"
	"harrier/internal/report"
)

// Sweep checks a program with several settings of its parameters, each in a process of its own, one after another.
type Sweep struct {
	Executable string     // what is run
	Name       string     // how it is called, for command lines that are shown
	Arguments  []string   // of the command check, but for --set, --timeout and --json
	Settings   []plan.Set // as Set.Settings returns them; Run puts the first states of the program in place of all of them
	Timeout    time.Duration
	// Starting is called before each check, by its number from 0, what it returns when that is over, and then Ended.
	Starting func(number int) (over func())
	Ended    func(Checked) error
}

// Checked is the result of a check.
type Checked struct {
	Setting  string
	Code     int             // its exit code
	Document json.RawMessage // as --json has it
	Summary  *report.Summary // what that is, if it is no error
	Error    *report.Error   // likewise, why it gave no summary
	Seconds  float64         // the whole process
	// Interrupted reports whether the sweep was ended during the check, whose figures are those so far.
	Interrupted bool

	figures sweepFigures // of Summary
}

// A RefusedError is the wrong use for which the first check of a sweep was refused.
type RefusedError struct{ Why report.Error }

func (r *RefusedError) Error() string { return r.Why.Text }

// Run checks up to the first violation, and the first check that breaks down. One that is inconclusive does not end the sweep: in a
// larger setting a violation may be met early. Each check may take an equal share of the time that is left for those that remain; when
// the time of all is over, none begins. The error is a *RefusedError, the cause that ended ctx, or that a check could not be started.
func (s *Sweep) Run(ctx context.Context) (checks []Checked, err error) {
	spent := time.Duration(0) // also on lists of first states
	for i := 0; i < len(s.Settings); i = len(checks) {
		setting := s.Settings[i]
		arguments := append([]string{s.Name}, s.Arguments...)
		if s.Timeout > 0 {
			left := s.Timeout - spent
			if left <= 0 {
				return checks, nil
			}
			share := max(left/time.Duration(len(s.Settings)-i), time.Millisecond)
			arguments = append(arguments, "--timeout", share.Truncate(time.Millisecond).String())
		}
		for _, value := range setting {
			arguments = append(arguments, "--set", value)
		}
		started, over := time.Now(), s.Starting(i)
		e, err := runCheck(ctx, s.Executable, append(arguments, "--json"))
		over()
		took := time.Since(started)
		spent += took
		if e == nil {
			return checks, err
		}
		c := Checked{Setting: strings.Join(setting, " "), Code: e.code, Document: e.stdout, Seconds: took.Seconds(),
			Interrupted: err != nil}
		if note := c.read(e); note != "" && !c.Interrupted {
			c.Code, c.Error = report.ExitInternal, &report.Error{Kind: report.InternalKind, Text: note}
			c.Document, _ = json.Marshal(report.NewErrorDocument(*c.Error))
		}
		if states := s.firstStates(i, c.Error); states != nil {
			s.Settings = slices.Replace(slices.Clone(s.Settings), i, i+1, states...)
			continue
		}
		switch {
		case c.Interrupted && c.Summary == nil:
			return checks, err
		case c.Interrupted:
			return append(checks, c), errors.Join(err, s.Ended(c))
		case i == 0 && c.Error != nil && c.Error.Kind == report.UsageKind:
			return nil, &RefusedError{*c.Error}
		}
		checks = append(checks, c)
		if err := s.Ended(c); err != nil {
			return checks, err
		}
		if c.Code != report.ExitVerified && c.Code != report.ExitInconclusive {
			return checks, nil
		}
	}
	return checks, nil
}

// firstStates are the settings in place of one that stands for all first states of a program, by the error that lists these; nil otherwise.
// One in which the program chooses nothing is as without them, unless no other names first states.
func (s *Sweep) firstStates(number int, listed *report.Error) (settings []plan.Set) {
	all := s.Settings[number]
	at := slices.Index(all, model.FirstState+"="+model.AllFirstStates)
	if at < 0 || listed == nil {
		return nil
	}
	isNamed := func(value string) bool { return strings.HasPrefix(value, model.FirstState+"=") }
	if slices.Equal(listed.Detail, []string{model.NoFirstStates}) {
		others := slices.Concat(s.Settings[:number], s.Settings[number+1:])
		if slices.ContainsFunc(others, func(other plan.Set) bool { return slices.ContainsFunc(other, isNamed) }) {
			settings = append(settings, slices.Delete(slices.Clone(all), at, at+1))
		}
		return settings
	}
	for _, one := range listed.Detail {
		if !isNamed(one) {
			return nil
		}
		setting := slices.Clone(all)
		setting[at] = one
		settings = append(settings, setting)
	}
	return settings
}

// sweepFigures are what a sweep reads of the sections of a check.
type sweepFigures struct {
	dbss.Counts
	Liveness []liveness.Figures
}

// read reads what a check printed: in a sweep a summary with the text of its sections, or an error. If it is neither, a note says what
// happened.
func (c *Checked) read(e *ending) (note string) {
	s := &report.Summary{}
	if c.Error, note = e.document(s); note != "" || c.Error != nil {
		return note
	}
	document, err := s.Document()
	if err == nil {
		err = json.Unmarshal(document, &c.figures)
	}
	if err != nil {
		return e.breakdown()
	}
	c.Summary, c.Document = s, document
	return ""
}

// Worst is the exit code and the verdict of the worst of the checks of a sweep with so many settings: if some were not made, it is
// inconclusive at best. What is to hold in some state, and holds in none of any setting, is a violation.
func Worst(checks []Checked, settings int) (code int, verdict string) {
	code, verdict = report.ExitVerified, string(report.Verified)
	if len(checks) < settings || checks[len(checks)-1].Interrupted {
		code, verdict = report.ExitInconclusive, string(report.Inconclusive)
	}
	for _, c := range checks {
		if c.Code != report.ExitVerified && !c.Interrupted {
			code, verdict = c.Code, c.verdict() // none comes after one that is worse than inconclusive
		}
	}
	isNever := func(s Sometimes) bool { return s.Decided && len(s.FoundIn) == 0 }
	if (code == report.ExitVerified || code == report.ExitInconclusive) && slices.ContainsFunc(SometimesOf(checks, settings), isNever) {
		code, verdict = report.ExitViolated, string(report.Violated)
	}
	return code, verdict
}

// Sometimes says in which settings of a sweep a property was found that is to hold in some state of some setting.
type Sometimes struct {
	Property string   `json:"property"`
	FoundIn  []string `json:"foundIn"` // settings
	Decided  bool     `json:"decided"` // found, or all states of all settings were explored
}

// SometimesOf lists such properties after the checks of a sweep with so many settings.
func SometimesOf(checks []Checked, settings int) []Sometimes {
	list := []Sometimes{}
	isOver := len(checks) == settings // all settings were explored
	for _, c := range checks {
		isOver = isOver && c.Summary != nil && !c.Interrupted
		for _, l := range c.sometimes() {
			i := slices.IndexFunc(list, func(s Sometimes) bool { return s.Property == l.Property })
			if i < 0 {
				i, list = len(list), append(list, Sometimes{Property: l.Property, FoundIn: []string{}, Decided: true})
			}
			if l.Found {
				list[i].FoundIn = append(list[i].FoundIn, c.Setting)
			}
			list[i].Decided = list[i].Decided && l.Decided
		}
	}
	for i := range list {
		list[i].Decided = len(list[i].FoundIn) > 0 || list[i].Decided && isOver
	}
	return list
}

// sometimes is how a check decided the properties that are to hold in some state.
func (c *Checked) sometimes() (list []liveness.Figures) {
	for _, l := range c.figures.Liveness {
		if property.RunKindNamed(l.Kind).Wanted {
			list = append(list, l)
		}
	}
	return list
}

// verdict is what a check came to, in a word.
func (c *Checked) verdict() string {
	switch {
	case c.Interrupted:
		return "interrupted"
	case c.Summary != nil:
		return string(c.Summary.Verdict)
	case c.Code == report.ExitInconclusive:
		return string(report.Inconclusive)
	}
	return string(Failed)
}

// Line summarizes a check, without its counterexample, or says why it broke down.
func (c *Checked) Line() string {
	text := fmt.Sprintf("%s: %s", c.Setting, c.verdict())
	if c.Summary != nil {
		text += fmt.Sprintf(", %s %s", Count(c.figures.States), english.PluralWord(int(c.figures.States), "state", ""))
	}
	text += fmt.Sprintf(", %.2f s", c.Seconds)
	if c.Summary != nil && c.Summary.Reason != "" && !c.Interrupted {
		text += ": " + c.Summary.Reason
	}
	for _, l := range c.sometimes() {
		switch {
		case l.Found:
		case l.Decided:
			text += "; in no state: " + l.Property
		default:
			text += "; not found so far: " + l.Property
		}
	}
	return report.Plain(text)
}

// WriteChecks writes the table of a sweep for a terminal.
func WriteChecks(w io.Writer, checks []Checked, settings []plan.Set) error {
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "setting\tverdict\tstates\tdepth\tseconds")
	for i, setting := range settings {
		name := report.Plain(strings.Join(setting, " "))
		switch {
		case i >= len(checks):
			fmt.Fprintf(t, "%s\tnot checked\n", name)
		case checks[i].Summary == nil:
			fmt.Fprintf(t, "%s\t%s\t\t\t%.2f\n", name, checks[i].verdict(), checks[i].Seconds)
		default:
			fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.2f\n", name, checks[i].verdict(), Count(checks[i].figures.States), checks[i].figures.Depth, checks[i].Seconds)
		}
	}
	t.Flush()
	for _, s := range SometimesOf(checks, len(settings)) {
		switch {
		case len(s.FoundIn) > 0:
		case s.Decided:
			fmt.Fprintf(&text, "\nviolated: %s: it holds in no state of any setting\n", report.Plain(s.Property))
		default:
			fmt.Fprintf(&text, "\nnot found so far: %s\n", report.Plain(s.Property))
		}
	}
	_, err := text.WriteTo(w)
	return err
}

// sweepVersion is the version of the JSON document of a sweep. Keys may be added without a new one.
const sweepVersion = 1

// WriteChecksJSON writes what a sweep came to as one document: the verdict of all, those of the checks as check prints them, which
// settings were not checked, and in which of them properties hold that are to hold in some state.
func WriteChecksJSON(w io.Writer, checks []Checked, settings []plan.Set) error {
	document := struct {
		Version    int               `json:"version"`
		Verdict    string            `json:"verdict"` // the worst
		Checks     []json.RawMessage `json:"checks"`
		Sometimes  []Sometimes       `json:"sometimes"`
		NotChecked []string          `json:"notChecked"`
	}{Version: sweepVersion, Checks: []json.RawMessage{}, NotChecked: []string{}, Sometimes: SometimesOf(checks, len(settings))}
	_, document.Verdict = Worst(checks, len(settings))
	for _, c := range checks {
		document.Checks = append(document.Checks, c.Document)
	}
	for _, setting := range settings[len(checks):] {
		document.NotChecked = append(document.NotChecked, strings.Join(setting, " "))
	}
	return report.WriteJSON(w, document)
}
