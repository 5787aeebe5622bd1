// Package coverage reports which code of the handlers, and of the methods they call, the local steps of a search executed.
package coverage

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"harrier/bridge"
	"harrier/internal/model/space"
	"harrier/internal/section"
)

// Figures are what steps executed of the program's own code and that of the classes it extends, without code that only the set-up and
// properties run. Lines that no step executed are executed in no run; a line that some step executed may be executed in none, as
// reductions and local search ask also for steps that no run takes.
type Figures struct {
	Covered
	// Kept is how many local steps are not counted, as earlier checks executed them. There are no figures then.
	Kept uint64 `json:"localStepsKept,omitempty"`
	// Methods are the handlers of actors that exist, and whatever else steps ran.
	Methods []Method `json:"methods"`
	// NeverDelivered are the kinds of messages that some actor takes and no local step consumes.
	NeverDelivered []string `json:"neverDelivered"`
}

// Covered are figures of some code.
type Covered struct {
	Lines            int `json:"lines"`
	LinesExecuted    int `json:"linesExecuted"`
	Branches         int `json:"branches"`
	BranchesExecuted int `json:"branchesExecuted"`
}

// Method has the coverage of a method with the bodies of its lambdas.
type Method struct {
	Method  string `json:"method"`
	Handler bool   `json:"handler"` // it is one
	File    string `json:"file"`
	Covered
	MissedLines    []int `json:"missedLines"`
	MissedBranches []int `json:"missedBranches"` // the lines of branches that were not executed, one each
}

// Of makes figures of the coverage that Java found. never are the kinds of messages that none of them consumed.
func Of(actors *space.Actors, found bridge.Coverage, never []bridge.MessageKind) *Figures {
	f := &Figures{Kept: actors.LocalSteps.Stats().Kept, Methods: []Method{}, NeverDelivered: []string{}}
	for _, k := range never {
		f.NeverDelivered = append(f.NeverDelivered, k.Label)
	}
	for _, m := range found.Methods {
		if f.Kept == 0 && (len(m.Actors) == 0 || slices.ContainsFunc(m.Actors, actors.Values.HasActors)) {
			f.add(method(m))
		}
	}
	return f
}

func (f *Figures) add(m Method) {
	f.Methods = append(f.Methods, m)
	f.Lines += m.Lines
	f.LinesExecuted += m.LinesExecuted
	f.Branches += m.Branches
	f.BranchesExecuted += m.BranchesExecuted
}

func method(m bridge.CoveredMethod) Method {
	lines, missedLines := executed(m.Lines)
	branches, missedBranches := executed(m.Branches)
	return Method{
		Method: m.Label, Handler: len(m.Actors) > 0, File: m.File,
		Covered:     Covered{Lines: len(m.Lines), LinesExecuted: lines, Branches: len(m.Branches), BranchesExecuted: branches},
		MissedLines: missedLines, MissedBranches: missedBranches,
	}
}

// executed is how many of some lines or branches were executed, and the lines of the others.
func executed(all []bridge.CoveredLine) (executed int, missed []int) {
	missed = []int{}
	for _, l := range all {
		if l.Executed {
			executed++
		} else {
			missed = append(missed, l.Line)
		}
	}
	return executed, missed
}

// NeverDelivered are the kinds of messages to actors that exist which no local step consumes, each once.
func NeverDelivered(actors *space.Actors, kinds []bridge.MessageKind) (never []bridge.MessageKind) {
	consumed := map[string]bool{}
	for payload := range space.Consumed(actors.LocalSteps) {
		consumed[bridge.ClassOf(payload)] = true
	}
	for _, k := range kinds {
		if actors.Values.HasActors(k.Actor) && !consumed[k.Class] {
			consumed[k.Class] = true
			never = append(never, k)
		}
	}
	return never
}

func (c Covered) String() string {
	text := fmt.Sprintf("%s of %s", section.Count(uint64(c.LinesExecuted)), section.Plural(uint64(c.Lines), "line"))
	if c.Branches > 0 {
		text += fmt.Sprintf(", %s of %s %s", section.Count(uint64(c.BranchesExecuted)), section.Count(uint64(c.Branches)),
			english.PluralWord(c.Branches, "branch", "branches"))
	}
	return text
}
