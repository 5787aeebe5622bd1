package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/fatih/color"

	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/section"
)

// Painter colours text, or leaves it plain.
type Painter struct {
	good, bad, warn, strong, faint *color.Color
}

// NewPainter makes a painter; without colours it is for pipes and NO_COLOR.
func NewPainter(colours bool) Painter {
	p := Painter{
		good:   color.New(color.FgGreen, color.Bold),
		bad:    color.New(color.FgRed, color.Bold),
		warn:   color.New(color.FgYellow, color.Bold),
		strong: color.New(color.Bold),
		faint:  color.New(color.Faint),
	}
	for _, c := range []*color.Color{p.good, p.bad, p.warn, p.strong, p.faint} {
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
	s.figures(w)
	for _, r := range s.Remarks {
		fmt.Fprintf(w, "  %-13s %s\n", "remark", r)
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

func (s *Summary) verdictText(w io.Writer, p Painter) {
	name := p.strong.Sprint(s.Scenario) + parametersText(s.Parameters)
	switch s.Verdict {
	case Verified:
		fmt.Fprintf(w, "%s  %s\n", p.good.Sprint("VERIFIED"), name)
		s.propertiesText(w)
		if s.Omission != nil {
			fmt.Fprintf(w, "  %-13s with a probability of %.2g, some state was left out: states are told apart by 64-bit hashes (--store compact)\n", "but", *s.Omission)
		}
	case Violated:
		fmt.Fprintf(w, "%s  %s\n", p.bad.Sprint("VIOLATED"), name)
		for _, name := range s.Violated {
			fmt.Fprintf(w, "  %-13s %s\n", "violated", name)
		}
	case Inconclusive:
		fmt.Fprintf(w, "%s  %s\n", p.warn.Sprint("INCONCLUSIVE"), name)
		fmt.Fprintf(w, "  %-13s %s\n", "because", s.Reason)
		if len(s.Undecided) > 0 {
			s.propertiesText(w)
		}
	}
}

// propertiesText writes which properties hold, which are undecided, and which were never put to the test.
func (s *Summary) propertiesText(w io.Writer) {
	for _, property := range s.Properties {
		i := slices.IndexFunc(s.NotReached, func(n NotReached) bool { return n.Property == property })
		switch {
		case i >= 0:
			fmt.Fprintf(w, "  %-13s %s: %s\n", "not reached", property, s.NotReached[i].Reason)
		case slices.Contains(s.Undecided, property):
			fmt.Fprintf(w, "  %-13s %s\n", "undecided", property)
		default:
			fmt.Fprintf(w, "  %-13s %s\n", "holds", property)
		}
	}
}

func (s *Summary) figures(w io.Writer) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "  %-13s %s\n", label, fmt.Sprintf(format, args...))
	}
	if s.VerdictKept {
		line("kept", "from an earlier check, with its figures: program, flags, harrier and Java are the same (--cache)")
	}
	if len(s.Allowed) > 0 {
		line("allowed", "%s", strings.Join(s.Allowed, ", "))
	}
	if s.First != "" {
		line("first", "the %s search knew first", s.First)
	}
	if s.Local != nil {
		line("local", "%s", s.localText())
	}
	switch {
	case s.Proof == "local", s.Search == "sample":
	case s.Reduction == "macro":
		line("states", "%s (%s with a terminal state)", section.Plural(s.States, "macro state"), section.Count(s.Terminal))
	case s.Demeter != nil:
		line("states", "%s (%s complete)", section.Plural(s.States, "global skeleton"), section.Count(s.Terminal))
		line("traces", "%s", DemeterText(s.Demeter))
	default:
		line("states", "%s (%s)", section.Count(s.States), section.Plural(s.Terminal, "terminal state"))
	}
	for _, g := range s.GivenUp {
		line("discarded", "%s and %s, after which it turned out that %s", section.Plural(g.States, "state"), section.Plural(g.Transitions, "transition"), g.Reason)
	}
	if s.Proof != "local" && s.Search != "sample" {
		line("transitions", "%s, %s", section.Count(s.Transitions), section.Rate(s.Transitions, s.Seconds))
		line("depth", "%d (%s)", s.Depth, s.method())
	}
	if len(s.Levels) > 0 && s.Verdict == Inconclusive && !s.Complete {
		line("levels", "%s", levelsText(s.Levels))
	}
	if len(s.Multipliers) > 0 {
		line("multiplied", "near the start by %s", multipliersText(s.Multipliers))
	}
	s.samplingText(line)
	s.livenessText(line)
	if len(s.Auxiliary) > 0 && (s.Hashing == "selective" || s.Hashing == "fields") {
		line("auxiliary", "%d of %s: %s", len(s.Auxiliary), section.Plural(uint64(s.Fields), "field"), section.Few(s.Auxiliary))
	}
	if len(s.Senders) > 0 && s.Hashing == "selective" {
		line("senders", "auxiliary of %s", section.Few(s.Senders))
	}
	line("local states", "%s, with %s", section.Count(s.LocalStates), section.Plural(s.Messages, "message"))
	if s.Kept > 0 {
		line("local steps", "%s, %s of them kept from earlier checks, run %s in Java", section.Count(s.LocalSteps), section.Count(s.Kept),
			section.Plural(s.Executions, "time"))
	} else {
		line("local steps", "%s, run %s in Java", section.Count(s.LocalSteps), section.Plural(s.Executions, "time"))
	}
	line("evaluations", "%s of properties in Java, %s cached", section.Count(s.Evaluations), section.Count(s.Remembered))
	s.coverageText(line)
	line("time", "%s, after %s to set up", section.Seconds(s.Seconds), section.Seconds(s.SetUpSeconds))
	if s.Symmetry != nil {
		line("symmetry", "%s", s.Symmetry)
	}
	if s.POR != nil {
		line("por", "%s", s.POR.text(s.States))
	}
	onDisk := ""
	if s.DiskBytes > 0 {
		onDisk = ", and " + humanize.IBytes(s.DiskBytes) + " on disk"
	}
	line("memory", "%s at most%s%s", humanize.IBytes(s.PeakMemoryBytes), onDisk, perState(s.VisitedBytes+s.FrontierBytes+s.DiskBytes, s.States))
	if s.Violations > 1 {
		line("violations", "%s states or transitions", section.Count(s.Violations))
	}
}

// levelsText writes how many states the last levels had.
func levelsText(levels []uint64) string {
	const most = 6
	from := max(0, len(levels)-most)
	var texts []string
	for _, n := range levels[from:] {
		texts = append(texts, section.Count(n))
	}
	text := strings.Join(texts, ", ") + " new states; the last is not over"
	if from > 0 {
		text = "…, " + text
	}
	return text
}

// multipliersText names the first of what multiplies states.
func multipliersText(all []Multiplier) string {
	const most = 4
	var texts []string
	for _, m := range all[:min(len(all), most)] {
		texts = append(texts, fmt.Sprintf("%s (%s, %.1f times)", m.What, section.Plural(uint64(m.Values), "value"), m.Times))
	}
	return strings.Join(texts, ", ")
}

// samplingText writes what random runs came to.
func (s *Summary) samplingText(line func(label, format string, args ...any)) {
	f := s.Sampling
	if f == nil {
		return
	}
	text := fmt.Sprintf("%s, %s, seed %d", section.Plural(f.Runs, "random run"), section.Plural(f.Steps, "step"), f.Seed)
	if s.Search == "sample" {
		text += fmt.Sprintf(", %s, longest run %d", section.Rate(f.Steps, s.Seconds), s.Depth)
	} else {
		text += ", beside the search"
	}
	line("sampled", "%s", text)
	if len(f.Unseen) == 0 || s.Verdict != Inconclusive {
		return
	}
	var chances []string
	for _, u := range f.Unseen {
		chances = append(chances, fmt.Sprintf("%s %s to %s", u.What, percent(u.Low), percent(u.High)))
	}
	line("unseen", "chance that one more random run shows something new: %s (95 %% intervals, from %s)", strings.Join(chances, ", "),
		section.Plural(f.Unseen[0].Runs, "uniform run"))
}

// percent writes a chance with two digits or more.
func percent(chance float64) string {
	digits := 2
	if chance > 0 && chance < 0.0001 {
		return "< 0.01 %"
	} else if chance >= 0.1 {
		digits = 0
	} else if chance >= 0.01 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %%", digits, 100*chance)
}

// livenessText writes how properties of runs were decided.
func (s *Summary) livenessText(line func(label, format string, args ...any)) {
	assumes := false
	for _, l := range s.Liveness {
		kind, reduction := property.RunKindNamed(l.Kind), ""
		if l.SingleSteps != "" && s.Reduction == "macro" {
			reduction = ", without reduction, as " + l.SingleSteps
		}
		soFar := ""
		switch {
		case s.Verdict != Inconclusive:
		case kind.Wanted && l.Found:
			soFar = "; found"
		case kind.Wanted && !l.Decided:
			soFar = "; not found so far"
		case !l.Decided:
			soFar = " so far"
		}
		line(kind.Heading, "%s: %s, %s%s%s", l.Property, section.Plural(l.States, "state"), section.Plural(l.Edges, "edge"), soFar, reduction)
		if l.Witness != "" {
			line("witness", "%s", l.Witness)
		}
		assumes = assumes || kind.Fair
	}
	if assumes {
		line("assumed", "%s", s.Assumed)
	}
}

// method is how the states were searched. Of a local search with a global one beside it, the states are those of the global search, unless
// the local one knew first.
func (s *Summary) method() string {
	text := s.Search
	if s.Search == "local" && s.Workers > 1 && s.First != "local" {
		text = "bfs beside local"
	}
	if s.Model != model.M.String() {
		text += ", model " + s.Model
	}
	switch s.Hashing {
	case "full":
		text += ", full hashing"
	case "fields":
		text += ", with senders"
	case "last":
		text += ", with senders and auxiliary fields"
	}
	if s.Push == "all" {
		text += ", all states pushed"
	}
	if s.Store == "compact" {
		text += ", hashes of states"
	}
	if s.Workers > 1 {
		text += fmt.Sprintf(", %d workers", s.Workers)
	}
	return text
}

// localText says what became of what a local search suspected.
func (s *Summary) localText() string {
	l := s.Local
	of := section.Plural(l.Combinations, "combination") + " of local states"
	switch {
	case l.Whole:
		return fmt.Sprintf("the sets of local states were not complete after %s, so the whole program was searched",
			section.Plural(l.LocalSteps, "local step"))
	case s.Proof == "local":
		return "proved locally: none of " + of + " is bad, so no global state was searched"
	case s.Verdict == Verified && l.Suspicious == 1:
		return "1 combination or local state is suspicious, and no run reaches it"
	case s.Verdict == Verified:
		return fmt.Sprintf("%s combinations and local states are suspicious, and no run reaches any", section.Count(l.Suspicious))
	}
	return fmt.Sprintf("%s suspicious, of %s", section.Count(l.Suspicious), of)
}

// Progress is how far a search was, in one line.
func (s *Summary) Progress() string {
	of := "state"
	if s.Reduction == "macro" {
		of = "macro state"
	}
	return fmt.Sprintf("%s, %s, depth %d, %s, in %s", section.Plural(s.States, of), section.Plural(s.Transitions, "transition"), s.Depth,
		section.Plural(s.LocalSteps, "local step"), section.Seconds(s.Seconds))
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

// perState says what a state costs, where there are enough of them for that to mean anything.
func perState(bytes, states uint64) string {
	if states < 10_000 || bytes == 0 {
		return ""
	}
	return fmt.Sprintf("; %d B a state for the visited set and the frontier", (bytes+states-1)/states)
}

// quoteArgument quotes an argument for a shell where it must be. What does not print is written as bash takes it.
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
