package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/advice"
	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/internal/section"
	"harrier/symmetry"
)

// Report notes what the verdict rests on and leaves uncovered.
func Report(ctx context.Context, c *Check) error {
	program := c.Actors().Program()
	if c.Summary.Violation != nil {
		c.Summary.Violated = c.violated(program)
	}
	c.refuseVacuous()
	c.reserve()
	c.Summary.Advice = advice.Lines(c.ended(c.Summary))
	c.keepTables()
	c.remark(advice.FlagRemarks(c.ended(c.Summary))...)
	if c.loaded != nil && c.loaded.Answers.Damaged() {
		c.remark("some of the answers that earlier checks kept were damaged, and were asked for again")
	}
	if c.Remark != "" {
		c.remark(c.Remark)
	}
	c.describeCheckpoint()
	if text, err := c.livelock(ctx); err != nil {
		return err
	} else if text != "" {
		c.remark(text)
	}
	if err := c.profiled(ctx); err != nil {
		return err
	}
	defer c.makeSections()
	answers, err := c.askLast(ctx, func(ctx context.Context) error {
		notes, err := c.Program.Notes(ctx)
		c.Summary.Beside, c.Summary.Input = notes.Asked, notes.Input
		c.remark(notes.Seen...)
		return err
	})
	c.Summary.Input = c.Summary.Input || !answers
	c.unlimited = answers && ctx.Err() == nil
	return err
}

// Repeatable reports whether the same check of the same program comes to the same summary: no limit of time or memory ended it,
// nothing went wrong, and the program's steps depend on nothing but its classes and the resources beside them.
func (c *Check) Repeatable() bool {
	return c.unlimited && !c.Summary.Input && c.From == "" && len(c.domains) == 0 && !c.loaded.Answers.Damaged()
}

// askLast asks the program for its notes on the search. answers is false if Java is stuck in a step and does not reply.
func (c *Check) askLast(ctx context.Context, ask func(context.Context) error) (answers bool, err error) {
	longer, cancel := c.extended(ctx, notesTime)
	defer cancel()
	err = ask(longer)
	var limit *model.LimitError
	if errors.As(err, &limit) || longer.Err() != nil {
		return false, nil
	}
	return true, err
}

// summarize turns what a search found into a summary, but for the counterexample.
func (c *Check) summarize(f search.Finding) *report.Summary {
	actors, result := c.Actors(), c.Result
	program := actors.Program()
	s := c.outset()
	s.Verdict, s.Complete, s.GoOn = verdict(result), result.Complete, ""
	if s.Verdict == report.Verified && c.runs.areOpen() {
		if s.Verdict, s.Undecided = report.Inconclusive, c.undecided(); !c.isAudited() {
			s.Undecided = *c.openRuns.Load() // later decisions rest on evaluations that were not audited
		}
	}
	if s.Verdict == report.Inconclusive {
		s.Reason = result.Reason
	}
	if c.Store == "compact" {
		omission := result.Omission()
		s.Omission = &omission
	}
	c.known = known{counted: c.soFar(), first: f.First, local: f.Local, traces: f.Traces, symmetry: c.symmetryFigures(),
		reduction: c.reductionFigures(), taken: takenBy(actors, result.Counts)}
	c.known.Counts, c.known.levels, c.known.memory = result.Counts, result.Levels, result.Memory
	c.known.manifest, c.known.phases = result.Manifest, result.Phases
	if f.Local != nil && s.Verdict == report.Verified {
		c.known.proof = f.Local.Proof()
	}
	terminal := result.Terminal
	if !c.AsksFinal() {
		terminal = 0
	}
	c.known.evaluations.Evaluations, c.known.evaluations.Remembered = c.Checker.Evaluations(result.States, terminal)
	c.known.runs, c.known.sampling = c.runsFigures(s.Verdict), c.samplingFigures(s.Verdict)
	if c.known.clocks = newClocks(program.Clocks, c.rounds()); c.known.clocks != nil {
		s.Horizon = c.known.clocks.Horizon.String()
	}
	s.NotReached = c.notReached(program, s)
	s.Remarks = append(advice.Remarks(c.ended(s)), c.reductionRemarks()...)
	if s.Verdict == report.Violated && c.KeepGoing && !result.Complete && result.Reason != "" {
		s.Remarks = append(s.Remarks, "other properties may be violated, too: "+result.Reason)
	}
	if s.Verdict == report.Verified {
		s.Remarks = append(s.Remarks, c.known.clocks.remarks()...)
		c.bound(s)
	}
	return s
}

// bound notes the bounds of a verified program that leave out something.
func (c *Check) bound(s *report.Summary) {
	program := c.Actors().Program()
	var idle []string
	note := func(bound string, leavesOut bool) {
		if leavesOut {
			s.Within = append(s.Within, bound)
		} else {
			idle = append(idle, bound)
		}
	}
	for _, i := range program.Bounds() {
		note(program.Properties[i].Name, c.Result.Outside > 0)
	}
	if of := program.Timers; of.IsBounded {
		isHeld := slices.ContainsFunc(c.known.taken.Handlers, func(h HandlerRuns) bool { return h.Handler == of.HeldBack && h.Runs > 0 })
		note(fmt.Sprintf("timers of each actor fire at most %s", section.Plural(uint64(of.Most), "time")), isHeld)
	}
	if len(s.Within) == 0 && len(idle) > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("no run leaves the bound (%s): the verdict is about all runs", strings.Join(idle, "; ")))
	}
}

// symmetryFigures are the figures of the group, nil without one: 'explain symmetry' says why.
func (c *Check) symmetryFigures() *symmetry.Figures {
	if c.Group == nil || c.Group.IsTrivial() {
		return nil
	}
	return &symmetry.Figures{Permutations: c.Group.Order, Orbits: c.Group.Orbits, Check: c.compared}
}

// reductionFigures say how far partial-order reduction went, nil where it is off.
func (c *Check) reductionFigures() *audit.Figures {
	if c.POR == "off" {
		return nil
	}
	f := &audit.Figures{Method: c.POR, Reduced: c.Result.Reduced}
	if c.reduction != nil {
		found := c.reduction.Report()
		f.Audit = &found
	}
	return f
}

// reductionRemarks tell where reductions gave up, and what they do not count.
func (c *Check) reductionRemarks() (remarks []string) {
	if c.Group != nil && !c.Group.IsTrivial() && c.Group.Remark != "" {
		remarks = append(remarks, c.Group.Remark)
	}
	for _, name := range c.endless {
		remarks = append(remarks, name+" can become very many states by itself, perhaps without end: its steps were taken one by one")
	}
	if c.POR != "off" && c.KeepGoing && c.Result.Reduced > 0 && c.Result.Violations > 0 {
		remarks = append(remarks,
			"violations are those that were met: others may lead to states that partial-order reduction left out; --por off counts all")
	}
	return remarks
}

// describeCheckpoint puts into the summary how the search goes on, if there is more to explore.
func (c *Check) describeCheckpoint() {
	if c.Checkpoint == nil {
		return
	}
	err := c.Checkpoint.Failed()
	if err != nil {
		c.remark(fmt.Sprintf("the checkpoint has not all that was explored: %v", err))
	}
	if c.Summary.IsCutShort() && !errors.Is(err, fs.ErrNotExist) {
		c.Summary.GoOn = c.GoOn
	}
}

// notReached are the properties that were never put to the test. Of a search that a violation ended that says nothing.
func (c *Check) notReached(program *model.Program, s *report.Summary) []report.NotReached {
	list := []report.NotReached{}
	if s.Verdict == report.Violated && !s.Complete {
		return list
	}
	for i, p := range program.Properties {
		if reason := c.untestedReason(program, i); reason != "" && slices.Contains(s.Properties, p.Name) {
			list = append(list, report.NotReached{Property: p.Name, Reason: reason})
		}
	}
	if !c.Result.RanHandler() {
		list = append(list, report.NotReached{Property: property.NoFailure, Reason: noHandler})
	}
	return list
}

// noHandler is the reason why no handler was tested.
const noHandler = "no handler ran"

// untestedReason is the reason why a property of the program was never put to the test; "" if it was.
func (c *Check) untestedReason(program *model.Program, i int) string {
	switch {
	case program.Properties[i].Kind.IsOfStates():
		return c.Checker.NotReached(i)
	case !c.Result.RanHandler():
		return noHandler
	}
	return ""
}

// vacuous is the name under which --allow and @Allow have a check be verified that put nothing to the test.
const vacuous = "vacuous"

// refuseVacuous has the verdict be inconclusive, and not verified, if nothing that the program states was put to the test: no
// property, and no assertion in a handler.
func (c *Check) refuseVacuous() {
	s, program := c.Summary, c.Actors().Program()
	if s.Verdict != report.Verified || slices.Contains(c.relaxed, vacuous) {
		return
	}
	properties, all := c.untested(program)
	if !all {
		return
	}
	if len(properties) == 0 {
		properties = []string{"the scenario declares no property"}
	}
	handlers := "no handler asserts anything"
	if !c.Result.RanHandler() {
		handlers = noHandler
	} else if program.Asserts {
		return
	}
	s.Verdict, s.Reason = report.Inconclusive, fmt.Sprintf(
		"verified nothing: %s, and %s; add an @Invariant that reads what the actors do, or an assert to a handler, or --allow %s",
		strings.Join(properties, ", "), handlers, vacuous)
}

// untested says of each property why it was not put to the test. all reports whether none was.
func (c *Check) untested(program *model.Program) (texts []string, all bool) {
	notAsked := "is left out (--no-deadlock)"
	if c.From != "" {
		notAsked = "is not asked from a snapshot on, as messages may be lost in it"
	} else if c.Source.Delivery == model.MP {
		notAsked = "is not asked under MP"
	}
	add := func(name, reason string) { texts = append(texts, fmt.Sprintf("%q %s", name, reason)) }
	for i, p := range program.Properties {
		switch reason := c.untestedReason(program, i); {
		case property.ViolationOf(p) == "": // a predicate of properties of runs
		case reason == "":
			return nil, false
		case p.Kind.IsOfTerminalStates() && !c.AsksFinal():
			add(p.Name, notAsked)
		default:
			add(p.Name, "was never put to the test, as "+reason)
		}
	}
	for _, of := range program.Liveness {
		if c.asksRuns(of) {
			return nil, false
		}
		add(of.Title(), notAsked)
	}
	return texts, true
}

// reserve notes what the verdict does not cover. With --strict it is inconclusive then. Handlers that never ran are not
// among them: an actor may serve other scenarios as well, and a scenario is to check its own properties.
func (c *Check) reserve() {
	s := c.Summary
	s.Reservations = []string{}
	if s.Verdict == report.Verified {
		for _, n := range s.NotReached {
			s.Reservations = append(s.Reservations, fmt.Sprintf("not reached: %s: %s", n.Property, n.Reason))
		}
		s.Reservations = append(append(s.Reservations, c.known.vacuity.lines()...), advice.Reservations(c.ended(s))...)
	}
	if c.Strict && len(s.Reservations) > 0 {
		s.Verdict, s.Reason = report.Inconclusive, strings.Join(s.Reservations, "; ")+" (--strict)"
	}
}

func verdict(result *dbss.Result) report.Verdict {
	switch {
	case result.Violation != nil:
		return report.Violated
	case result.Complete:
		return report.Verified
	}
	return report.Inconclusive
}

// violated are the properties that were found not to hold: that of the counterexample, others in its last state, and with --keep-going
// all that do not hold anywhere.
func (c *Check) violated(program *model.Program) []string {
	names := append([]string{c.Summary.Violation.Property}, c.Summary.Violation.Also...)
	if c.KeepGoing {
		for i, p := range program.Properties {
			if c.Checker.Violated(i) {
				names = append(names, p.Name)
			}
		}
		names = append(names, c.Result.Failed...)
		for _, v := range c.runs.violated {
			names = append(names, v.by.of.Title())
		}
	}
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

func (c *Check) properties(program *model.Program) []string {
	names := []string{}
	for _, p := range program.Properties {
		if property.ViolationOf(p) != "" && (!p.Kind.IsOfTerminalStates() || c.AsksFinal()) {
			names = append(names, p.Name)
		}
	}
	return append(append(names, c.livenessNames(program)...), property.NoFailure)
}
