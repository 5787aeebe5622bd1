// Package report shows people and programs what a check found: progress while it runs, a summary,
// a counterexample step by step, and the trace file that replays it.
//
//	Summary  -> Text, JSON
//	Record   -> Trace (a counterexample, executed again) -> Text, trace.json
//	Progress -> a line on a terminal
//
// A summary has sections, each made by the package whose figures it has; this one prints their lines, and knows none of their values.
package report

import (
	"encoding/json"
	"io"

	"harrier/internal/model"
	"harrier/internal/section"
)

// SummaryVersion is the version of the JSON document. Keys may be added without a new one.
const SummaryVersion = 2

// Verdict is the answer of a check.
type Verdict string

// The verdicts.
const (
	Verified     Verdict = "verified"
	Violated     Verdict = "violated"
	Inconclusive Verdict = "inconclusive"
)

// Method is how a check searches: the values of the flags, or those chosen where they were not given.
type Method struct {
	Search  string `json:"search"`
	Model   string `json:"model"`           // the delivery model: M, MP or M-MP
	Hashing string `json:"hashing"`         // empty for stateless search
	Push    string `json:"push"`            // empty for breadth-first search
	Store   string `json:"store"`           // empty for stateless search
	Workers int    `json:"workers"`         // how many searched
	Share   string `json:"share,omitempty"` // where workers of a cluster, which explored the states, kept them
}

// Summary is what a check came to: the verdict with its reasons, the sections of the packages whose figures they have, in the order of
// printing, and what there is to do about it. Encoded as JSON it has all of that, so that whoever reads it back can print it. Its Document
// is what --json prints, in which the values of sections are among the other keys.
type Summary struct {
	Answer
	Sections []section.Section `json:"sections"`
	Details
}

// Answer is the verdict, with the program checked and the method.
type Answer struct {
	Version int `json:"version"` // of this form
	// Program, Scenario and Parameters name the input of the check.
	Program    string            `json:"program"`
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	// Allowed are rules that were relaxed, each as name=value, or vacuous: [refusals.md](refusals.md).
	Allowed []string `json:"allowed"`
	Method
	// Threads is where threads of an actor take turns, blocking or locks: [soundness.md](soundness.md#threads); missing in a program without
	// threads.
	Threads string `json:"threads,omitempty"`
	// Reduction is macro where states and transitions are those of macro steps, demeter where they are global skeletons and compositions,
	// else off; with macro, terminal counts the macro states that stand for a terminal state, with demeter complete skeletons.
	Reduction  string   `json:"reduction"`
	Properties []string `json:"properties"` // what had to hold

	Verdict  Verdict `json:"verdict"`
	Complete bool    `json:"complete"` // every reachable state was tested
	Reason   string  `json:"reason"`   // why the verdict is inconclusive, else empty
	// Undecided are the properties of runs that a limit left open where all states were explored: all others hold; missing if there are none.
	Undecided []string `json:"undecided,omitempty"`
	// Violated are the properties that do not hold: that of violation, others in its last state, and with --keep-going all; missing if all
	// hold.
	Violated []string `json:"violated,omitempty"`
	// NotReached are properties that were never put to the test, which the text says instead of "holds", such as a final condition where no
	// run comes to a terminal state, or a property of the history where no operation begins.
	NotReached []NotReached `json:"notReached"`
	// Reservations are what "verified" does not cover, a line each: properties not reached or vacuous, vanished messages, marks @Auxiliary that the
	// analysis does not confirm, faults that were never taken; empty for other verdicts. With --strict the verdict is inconclusive if there
	// are any, and reason has them.
	Reservations []string `json:"reservations"`
	// Horizon is, where time goes on, up to when the verdict is about runs.
	Horizon string `json:"horizon,omitempty"`
	// Within are the bounds (@Within) of a verified program of which some state is outside: the verdict is about runs within them; else missing.
	Within []string `json:"within,omitempty"`
	// Omission is, only with --store compact, how likely it is that some state was left out.
	Omission *float64 `json:"omissionProbability,omitempty"`
	// VerdictKept reports whether an earlier check came to this, [whose figures these are](#kept-verdicts); else missing.
	VerdictKept bool `json:"verdictKept,omitempty"`
}

// Details are printed around the sections: the counterexample, remarks, and commands to go on with.
type Details struct {
	// Remarks tell why the verdict may say less than it seems to, and which flags changed nothing.
	Remarks []string `json:"remarks"`
	// Violation is the violation with the shortest run, if one was found.
	Violation *SummaryViolation `json:"violation,omitempty"`
	// Tables is, with --html, the path of the page with levels and multipliers.
	Tables string `json:"tables,omitempty"`
	// Advice is how to help a search that a bound ended, and the fairness that a loop lacks in which a channel loses messages for ever: each
	// a line with what speaks for it; missing if there is none.
	Advice    []string `json:"advice,omitempty"`
	Reproduce string   `json:"reproduce"` // the command line that repeats the check
	// GoOn is the command line that goes on from the checkpoint, if there is one and more to explore.
	GoOn string `json:"resume,omitempty"`
	// Beside are the names that the program looked for beside its classes, each a path from where packages start; missing if there are none.
	// A verdict depends on these files.
	Beside []string `json:"beside,omitempty"`
	// Input reports whether the program read anything else, or could not be asked; missing if it did not.
	Input bool `json:"input,omitempty"`
}

// NotReached is a property that the search never put to the test.
type NotReached struct {
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// IsCutShort reports whether a limit ended the search, of states or for runs.
func (a *Answer) IsCutShort() bool {
	return a.Verdict == Inconclusive && (!a.Complete || len(a.Undecided) > 0)
}

// SummaryViolation is the first violation with the run that leads to it.
type SummaryViolation struct {
	Violation
	Execution
	Place   string `json:"place,omitempty"`   // file and line of the property, where that is known
	Found   int    `json:"foundSteps"`        // length of the run that the search found, which this one was made from
	Trace   string `json:"trace"`             // path of the trace file; "" if it could not be written
	Sampled bool   `json:"sampled,omitempty"` // a random run is what the search found
	Replay  string `json:"replay"`            // the command line that executes it again
	// Picture is the path of the page that shows it, if one was asked for.
	Picture string `json:"picture,omitempty"`
	// Shorter is the command line of a search for shortest counterexamples, where this one may not be the shortest as
	// partial-order reduction left transitions out.
	Shorter string `json:"shorter,omitempty"`
}

// Document returns the summary as one JSON object.
func (s *Summary) Document() (json.RawMessage, error) {
	values := []any{s.Answer}
	for _, of := range s.Sections {
		values = append(values, of.Value)
	}
	return section.Join(append(values, s.Details)...)
}

// Figures decodes the document into a struct with the keys that the caller knows.
func (s *Summary) Figures(into any) error {
	document, err := s.Document()
	if err != nil {
		return err
	}
	return json.Unmarshal(document, into)
}

// JSON writes the document.
func (s *Summary) JSON(w io.Writer) error {
	document, err := s.Document()
	if err != nil {
		return err
	}
	return WriteJSON(w, document)
}

// WriteJSON writes a document for programs that people can read too.
func WriteJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
