package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/report/minimal"
	"harrier/internal/report/picture"
	"harrier/internal/search"
)

// Confirm executes a violation again. Of a search that a bound ended it says what multiplied states.
func Confirm(ctx context.Context, c *Check) error {
	longer, cancel := c.extended(ctx, recordTime)
	defer cancel()
	if err := c.keepWitnesses(longer); err != nil {
		return err
	}
	if v := c.Result.Violation; v != nil && v.Kind.HasNoRun() { // no run shows it
		found := report.NewViolation(c.Actors().Program(), v.Violation, "")
		c.Summary.Violation = &report.SummaryViolation{Violation: found, Place: c.Actors().Program().Liveness[v.Property].Place}
		return nil
	}
	if c.Result.Violation != nil {
		err := c.broken(longer, c.counterexample(ctx, longer))
		if limit := (*model.LimitError)(nil); errors.As(err, &limit) && longer.Err() != nil {
			return &model.LimitError{Text: limit.Text + " before a violation that was found could be executed again: give it more"}
		}
		return err
	}
	if !c.Result.Complete && !c.isTrial && c.Search != search.Random && (ctx.Err() == nil || isLimit(ctx)) {
		explain, enough := c.explaining(ctx, longer, overtime)
		c.known.multipliers = advice.Multipliers(explain, c.Actors(), c.Result.States)
		enough()
		c.tell()
	}
	return nil
}

// counterexample executes a violation from the initial state, writes its trace, and puts both into the summary. It is made shorter
// until shorten ends.
func (c *Check) counterexample(shorten, ctx context.Context) error {
	on, v := c.violatedOn(), c.Result.Violation
	found, run := len(v.Path), v.Path
	if !v.Kind.IsOfRuns() { // which are short already
		var err error
		if run, err = minimal.Path(shorten, on.actors, on.checker, v.Violation, on.actors.Initial(), v.Path); err != nil {
			return fmt.Errorf("making the counterexample shorter: %w", err)
		}
	}
	trace, err := c.record(ctx, on.actors, v.Violation, run)
	if err != nil {
		return err
	}
	trace.FoundSteps = found
	c.Summary.Violation = &report.SummaryViolation{Violation: trace.Violation, Execution: trace.Execution, Found: found}
	c.Summary.Violation.Place = place(on.actors.Program(), v.Violation)
	c.Summary.Violation.Sampled = c.sampling.found != nil
	if c.Search == "bfs" && c.Result.Reduced > 0 {
		c.Summary.Violation.Shorter = c.Unreduced
	}
	c.keep(trace)
	return nil
}

// place is where the program declares what is violated: file and line, "" if that is not known.
func place(program *model.Program, v property.Violation) string {
	switch {
	case v.Kind.IsOfRuns():
		return program.Liveness[v.Property].Place
	case v.Kind != property.HandlerFailure:
		return program.Properties[v.Property].Place
	}
	for _, p := range program.Properties {
		if p.Name == v.Failure.Property {
			return p.Place
		}
	}
	return ""
}

// record executes a run of actors from the initial state that ends in a violation.
func (c *Check) record(ctx context.Context, actors *model.Actors, v property.Violation, run []model.Transition) (*report.Trace, error) {
	actions, err := actors.Actions(run)
	if err != nil {
		return nil, err
	}
	trace, err := report.Record(bridge.Anew(ctx), actors.LocalSteps.Oracle(), actors.Decomposition, v, actions)
	if err != nil {
		return nil, fmt.Errorf("the run could not be executed again: %w", err)
	}
	return trace, CompleteTrace(ctx, trace, c.Program, c.Source)
}

// CompleteTrace puts into a trace all that is needed to load its program again.
func CompleteTrace(ctx context.Context, trace *report.Trace, program LoadedProgram, source bridge.Source) error {
	notes, err := program.Notes(ctx)
	if err != nil {
		return err
	}
	trace.Program, trace.Allow, trace.Show, trace.Asked = source.Path, notes.Allowed, source.Show, source.Properties
	trace.Classes, trace.Libraries, trace.Resources, err = program.Classes(ctx)
	return err
}

// PictureFile is what the picture of a trace is called, beside it.
const PictureFile = "trace.html"

// keep writes the trace of the counterexample, and its picture if that is asked for. A violation is printed even where they
// cannot be.
func (c *Check) keep(trace *report.Trace) {
	beside := map[string][]byte{}
	if c.HTML {
		var page bytes.Buffer
		if err := picture.HTML(&page, trace); err != nil {
			c.remark(fmt.Sprintf("drawing the picture: %v", err))
		} else {
			beside[PictureFile] = page.Bytes()
		}
	}
	path, err := trace.Keep(c.Keep, beside)
	if err != nil {
		c.remark(err.Error() + "; --out names another folder")
		return
	}
	v := c.Summary.Violation
	v.Trace, v.Replay = path, report.CommandLine(append([]string{os.Args[0], "replay", path}, c.JavaFlags...)...)
	if beside[PictureFile] != nil {
		v.Picture = filepath.Join(filepath.Dir(path), PictureFile)
	}
}

// TablesFile is what the page of a search that a bound ended is called.
const TablesFile = "search.html"

// keepTables writes the page of a search that a bound ended, if that is asked for.
func (c *Check) keepTables() {
	if !c.HTML || c.isTrial || c.Summary.Verdict != report.Inconclusive || len(c.known.levels)+len(c.known.multipliers) == 0 {
		return
	}
	c.makeSections()
	var page bytes.Buffer
	err := picture.Tables(&page, c.Summary)
	if err == nil {
		h := sha256.New()
		h.Write(page.Bytes())
		var folder string
		folder, err = c.Keep(report.FolderName(c.Summary.Scenario, h), map[string][]byte{TablesFile: page.Bytes()})
		c.Summary.Tables = filepath.Join(folder, TablesFile)
	}
	if err != nil {
		c.Summary.Tables = ""
		c.remark(fmt.Sprintf("writing the tables of the search: %v; --out names another folder", err))
	}
}

// broken explains a counterexample of representatives that does not come about on whole states: the
// auxiliary fields matter. Steps on variants may show which.
func (c *Check) broken(ctx context.Context, err error) error {
	var departure *report.Departure
	if !errors.As(err, &departure) {
		return err
	}
	if c.Actors().LocalSteps.Stats().Kept > 0 {
		return fmt.Errorf("%w; answers that earlier checks kept may be wrong: remove %s", err, c.Source.Answers)
	}
	if !c.Actors().Decomposition.Decomposes() {
		return err
	}
	if found := model.Retry(ctx, c.Actors().LocalSteps); found != nil {
		return found
	}
	return &model.RuleError{
		Text: "the auxiliary fields matter: a violation that the search met does not come about when they are kept: " +
			"check with --hashing full, and remove @Auxiliary where it stands",
		Detail: []string{departure.Text, "auxiliary: " + strings.Join(auxiliaryFields(c.Actors().Program()), ", "),
			"senders: " + strings.Join(auxiliarySenders(c.Actors().Program()), ", ")},
	}
}
