// Package compare runs a check of the same programs in several modes and puts the figures side by side.
//
//	ParseProgram, ParseModes -> Job        what to run: a program, a mode, limits
//	Runner.Run               -> Result     each job in a process of its own, one after another
//	Store                                  results kept, so that nothing is run twice
//	NewTable                 -> Table      medians of the runs of each program in each mode
//	Table -> Text, Markdown, LaTeX, CSV, JSON, SVG
//
// A run is a process of its own because memory, and a virtual machine, can be measured and limited only
// there. A run's result depends on nothing but its key (the program's content, the mode, the limits,
// harrier itself, the machine); under that key it is kept as soon as it is there, and found again by the next
// comparison. So a comparison that was interrupted goes on where it was.
//
// The package knows the check command by its flags, its exit codes and its JSON document, and nothing of
// searches.
package compare

import (
	"time"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/por/demeter"
)

// Limits end a run. 0 means none.
type Limits struct {
	Time   time.Duration // of the search
	Memory uint64        // of the process, in bytes
}

// Job is one run to make.
type Job struct {
	Program Program
	Mode    plan.Mode
	Limits  Limits
	Round   int // from 0: which of several runs it is
}

// Why a run has no verdict of the check.
const (
	NotApplicable report.Verdict = "not applicable" // check refuses the mode for this program
	Failed        report.Verdict = "error"          // the program broke a rule, or harrier did
)

// Result is the result of a run.
type Result struct {
	Program    string            `json:"program"` // as it was named, with its parameters
	Scenario   string            `json:"scenario,omitempty"`
	Parameters []model.Parameter `json:"parameters"` // those that were set
	Mode       string            `json:"mode"`
	Verdict    report.Verdict    `json:"verdict"`
	Note       string            `json:"note"` // why there is no conclusive verdict, else ""
	ExitCode   int               `json:"exitCode"`
	*Figures                     // none where check did not get to print them
	// PeakMemoryBytes is of the whole process.
	PeakMemoryBytes uint64    `json:"peakMemoryBytes"`
	Started         time.Time `json:"started"`
	ProcessSeconds  float64   `json:"processSeconds"`
	// ProcessorSeconds is the processor time, of the user and of the system, of the process and those that it started.
	ProcessorSeconds float64 `json:"processorSeconds"`
	Load             float64 `json:"load"`      // see the function, when the run began
	Commit           string  `json:"commit"`    // see the function
	Reproduce        string  `json:"reproduce"` // the command line that makes this run again
	Reused           bool    `json:"reused"`    // kept from an earlier comparison
	// Repeats are the runs of which times and memory are medians, and Interval says how sure those are; neither is there of a
	// single run.
	Repeats  []Repeat   `json:"repeats,omitempty"`
	Interval *Intervals `json:"interval,omitempty"`

	beside []string // as in report.Summary
	input  bool     // likewise
}

// Figures are what a check counted. Those of a run that is not verified are of the search until its end:
// until the first violation, or a limit.
type Figures struct {
	States       uint64           `json:"states"`
	Transitions  uint64           `json:"transitions"`
	Depth        int              `json:"depth"`
	Terminal     uint64           `json:"terminal"`
	LocalSteps   uint64           `json:"localSteps"`
	Executions   uint64           `json:"executions"`
	SetUpSeconds float64          `json:"setUpSeconds"`
	Seconds      float64          `json:"seconds"`
	Demeter      *demeter.Figures `json:"demeter,omitempty"` // of mode demeter
	// Properties are those that were tested: not every model asks for all.
	Properties []string `json:"properties,omitempty"`
	Property   string   `json:"property,omitempty"` // the first that is violated
	Steps      int      `json:"steps,omitempty"`    // of the counterexample
	Trace      string   `json:"trace,omitempty"`
}

// Conclusive reports whether the check answered.
func (r *Result) Conclusive() bool {
	return r.Verdict == report.Verified || r.Verdict == report.Violated
}

// comparableRuns reports whether the figures of two runs can be put in proportion: both searches went to their
// end, and to the same one.
func comparableRuns(a, b *Result) bool {
	return a.Conclusive() && a.Verdict == b.Verdict && a.Figures != nil && b.Figures != nil
}

// StatesRatio is the states of a run over those of another; ok reports whether they compare.
func (r *Result) StatesRatio(base *Result) (ratio float64, ok bool) {
	if !comparableRuns(r, base) || base.States == 0 {
		return 0, false
	}
	return float64(r.States) / float64(base.States), true
}

// TimeRatio is the time of a run's search over that of another; ok reports whether they compare.
func (r *Result) TimeRatio(base *Result) (ratio float64, ok bool) {
	if !comparableRuns(r, base) || base.Seconds == 0 {
		return 0, false
	}
	return r.Seconds / base.Seconds, true
}

// ProcessorRatio is the processor time of a run over that of another, each of the whole process; ok reports whether they compare.
func (r *Result) ProcessorRatio(base *Result) (ratio float64, ok bool) {
	if !comparableRuns(r, base) || base.ProcessorSeconds == 0 {
		return 0, false
	}
	return r.ProcessorSeconds / base.ProcessorSeconds, true
}
