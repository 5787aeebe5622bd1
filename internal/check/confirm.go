package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"harrier/internal/advice"
	"harrier/internal/confirm"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/report"
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
		err := confirm.Cause(longer, c.counterexample(ctx, longer), c.Actors(), c.Source)
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

// counterexample executes a violation, made shorter until shorten ends, writes its trace, and puts both into the summary.
func (c *Check) counterexample(shorten, ctx context.Context) error {
	on, v := c.violatedOn(), c.Result.Violation
	trace, err := confirm.Counterexample(shorten, ctx, c.Program, c.Source, on, v)
	if err != nil {
		return err
	}
	c.Summary.Violation = &report.SummaryViolation{Violation: trace.Violation, Execution: trace.Execution, Found: trace.FoundSteps}
	c.Summary.Violation.Place = place(on.Actors.Program(), v.Violation)
	c.Summary.Violation.Sampled = c.sampling.found != nil
	if c.Search == "bfs" && c.Result.Reduced > 0 {
		c.Summary.Violation.Shorter = c.Unreduced
	}
	c.keep(trace)
	return nil
}

// place is where the program declares the violated property: file and line, "" if that is not known.
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

// keep writes the trace of the counterexample, and its picture if that is asked for. A violation is printed even where they
// cannot be.
func (c *Check) keep(trace *report.Trace) {
	beside := map[string][]byte{}
	if c.HTML {
		var page bytes.Buffer
		if err := picture.HTML(&page, trace); err != nil {
			c.remark(fmt.Sprintf("drawing the picture: %v", err))
		} else {
			beside[report.PictureFile] = page.Bytes()
		}
	}
	path, err := trace.Keep(c.Keep, beside)
	if err != nil {
		c.remark(err.Error() + "; --out names another folder")
		return
	}
	v := c.Summary.Violation
	v.Trace, v.Replay = path, report.CommandLine(append([]string{os.Args[0], "replay", path}, c.JavaFlags...)...)
	if beside[report.PictureFile] != nil {
		v.Picture = filepath.Join(filepath.Dir(path), report.PictureFile)
	}
}

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
		folder, err = c.Keep(report.FolderName(c.Summary.Scenario, h), map[string][]byte{report.TablesFile: page.Bytes()})
		c.Summary.Tables = filepath.Join(folder, report.TablesFile)
	}
	if err != nil {
		c.Summary.Tables = ""
		c.remark(fmt.Sprintf("writing the tables of the search: %v; --out names another folder", err))
	}
}
