// Package report shows people and programs what a check found: progress while it runs, a summary,
// a counterexample step by step, and the trace file that replays it.
//
//	Summary  -> Text, JSON
//	Record   -> Trace (a counterexample, executed again) -> Text, trace.json
//	Progress -> a line on a terminal
//
// The documents have the types of the packages whose figures they are.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"harrier/dbss"
	"harrier/internal/check/adversary"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/sample"
	"harrier/por/demeter"
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

// Method is how a check searches.
type Method struct {
	Search  string `json:"search"`
	Model   string `json:"model"` // of message passing: M, MP or M-MP
	Hashing string `json:"hashing"`
	Push    string `json:"push"`
	Store   string `json:"store"`
	Workers int    `json:"workers"`
}

// Summary is the result of a check, and the JSON document that --json prints.
type Summary struct {
	Version    int               `json:"version"`
	Program    string            `json:"program"`
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	Allowed    []string          `json:"allowed"` // rules that were relaxed, each as name=value
	Method
	Properties []string `json:"properties"`

	Verdict  Verdict `json:"verdict"`
	Complete bool    `json:"complete"` // every reachable state was tested
	Reason   string  `json:"reason"`   // why the verdict is inconclusive, else ""
	// Undecided are the properties of runs that a limit left open where all states were explored: all other properties hold.
	Undecided []string `json:"undecided,omitempty"`

	Proof string       `json:"proof,omitempty"` // of what a local search verified: local, or search if a search had to refute something
	Local *lmc.Figures `json:"local,omitempty"`
	// Demeter is what a search of global skeletons counted, which ended or not.
	Demeter *demeter.Figures `json:"demeter,omitempty"`
	First   string           `json:"first,omitempty"` // which of a local and a global search side by side knew first: local or global

	dbss.Counts
	GivenUp       []dbss.GivenUp `json:"givenUp,omitempty"`       // searches before the one that these counts are of
	StatesGivenUp uint64         `json:"statesGivenUp,omitempty"` // of all of them
	Levels        []uint64       `json:"levels,omitempty"`        // breadth-first: new states at each distance, of the last perhaps not all
	// Omission is how likely it is that states were left out; only where they are told apart by hashes.
	Omission *float64 `json:"omissionProbability,omitempty"`

	model.Stats
	// Evaluations are those of properties that were run in Java, Remembered the answers that were known already.
	Evaluations uint64 `json:"evaluations"`
	Remembered  uint64 `json:"evaluationsRemembered"`

	SetUpSeconds    float64 `json:"setUpSeconds"` // Java, compilation, set-up of the scenario
	Seconds         float64 `json:"seconds"`      // the search
	PeakMemoryBytes uint64  `json:"peakMemoryBytes"`
	MaxMemoryBytes  uint64  `json:"maxMemoryBytes,omitempty"` // the limit in effect
	dbss.Memory

	Fields    int      `json:"fields"`           // of actors and messages
	Auxiliary []string `json:"auxiliary"`        // those that are not relevant
	Senders   []string `json:"auxiliarySenders"` // of messages: those that are not relevant

	Reduction string     `json:"reduction"` // macro, demeter or off: what a state and a transition are
	Symmetry  *Symmetry  `json:"symmetry,omitempty"`
	POR       *Reduction `json:"por,omitempty"` // missing where all transitions were followed by intention

	Liveness []Liveness `json:"liveness,omitempty"` // how properties of runs were decided; those for symmetric actors once
	Assumed  string     `json:"assumed,omitempty"`  // what happens sooner or later in fair runs, where properties are about these

	// Sampling says what random runs came to, where nothing is verified; of a violation, only if they found it.
	Sampling *sample.Figures `json:"sampling,omitempty"`

	// Multipliers are what multiplies states, where a bound ended the search.
	Multipliers []Multiplier `json:"multipliers,omitempty"`
	// Tables is the path of the page that has them and the levels, if one was asked for.
	Tables string `json:"tables,omitempty"`

	Handlers []HandlerRuns `json:"handlers"`
	Faults   []FaultsTaken `json:"faults,omitempty"`
	Coverage *Coverage     `json:"coverage,omitempty"` // missing where Java could not be asked any more
	// Adversaries are those whose messages were made up, as the scenario does not declare them.
	Adversaries []adversary.MessageDomain `json:"adversaries,omitempty"`
	Remarks     []string                  `json:"remarks"`
	Advice      []string                  `json:"advice,omitempty"` // what may help a search that a bound ended, each with what speaks for it
	// NotReached are properties that hold since they were never asked, or had nothing to look at.
	NotReached []NotReached `json:"notReached"`
	// Vacuous are properties that were put to the test and hold whatever the actors do.
	Vacuous []Vacuous `json:"vacuous,omitempty"`
	// Vanished are messages to actors that had stopped, of a complete search.
	Vanished []Vanished `json:"vanished,omitempty"`
	// Reservations are what "verified" does not cover; with --strict the verdict is inconclusive if there are any.
	Reservations []string `json:"reservations"`

	// Violated are the properties that were found not to hold, that of Violation first: those that do not hold in its last state, and
	// with KeepGoing all.
	Violated  []string          `json:"violated,omitempty"`
	Violation *SummaryViolation `json:"violation,omitempty"`
	Reproduce string            `json:"reproduce"` // the command line of this check
	// Beside are the names that the program looked for beside its classes, each a path from where packages start. Input reports whether it
	// read anything else, or could not be asked.
	Beside []string `json:"beside,omitempty"`
	Input  bool     `json:"input,omitempty"`
	// GoOn is the command line that goes on from a checkpoint, "" if there is none, or nothing more to explore.
	GoOn string `json:"resume,omitempty"`
	// VerdictKept says that an earlier check of the same program with the same flags came to this, with its figures.
	VerdictKept bool `json:"verdictKept,omitempty"`
}

// A Multiplier is what makes many states of few: an actor, a field of actors, or a kind of messages in flight.
type Multiplier struct {
	What   string  `json:"what"`   // such as Server.round, server1, or Tick messages
	Values int     `json:"values"` // distinct ones; of an actor, with its inbox
	Times  float64 `json:"times"`  // by how much fewer states there would be if it were always the same
	Field  bool    `json:"field"`  // it is a field of actors
}

// Liveness says how a property of runs was decided.
type Liveness struct {
	Property    string `json:"property"`
	Kind        string `json:"kind"`                  // always: in all fair runs; sometimes: in some state; possible: from every state
	Decided     bool   `json:"decided"`               // all states were explored, or one was found that is to be there
	SingleSteps string `json:"singleSteps,omitempty"` // why single steps were taken; "" for macro steps
	States      uint64 `json:"states"`
	Edges       uint64 `json:"edges"`
	Found       bool   `json:"found,omitempty"`   // of what is to hold in some state: one was found
	Witness     string `json:"witness,omitempty"` // path of the trace of a run to a state that has it, if that was asked for
}

// FaultsTaken says how many transitions are faults of a kind that the scenario allows.
type FaultsTaken struct {
	Fault string `json:"fault"`
	Taken uint64 `json:"taken"`
}

// NotReached is a property that the search never put to the test.
type NotReached struct {
	Property string `json:"property"`
	Reason   string `json:"reason"`
}

// HandlerRuns says how many transitions ran a handler.
type HandlerRuns struct {
	Handler string `json:"handler"`
	Runs    uint64 `json:"runs"`
}

// RanHandler reports whether some transition ran a handler.
func (s *Summary) RanHandler() bool {
	return slices.ContainsFunc(s.Handlers, func(h HandlerRuns) bool { return h.Runs > 0 })
}

// IsCutShort reports whether a limit ended the search, of states or for runs.
func (s *Summary) IsCutShort() bool {
	return s.Verdict == Inconclusive && (!s.Complete || len(s.Undecided) > 0)
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

// Reserve notes what a verified program was not checked for: properties that were never put to the test or hold whatever the actors
// do, messages that vanished, and more.
func (s *Summary) Reserve(more []string) {
	s.Reservations = []string{}
	if s.Verdict != Verified {
		return
	}
	for _, n := range s.NotReached {
		s.Reservations = append(s.Reservations, fmt.Sprintf("not reached: %s: %s", n.Property, n.Reason))
	}
	s.Reservations = append(append(s.Reservations, s.VacuityLines()...), more...)
}

// JSON writes the summary as one document.
func (s *Summary) JSON(w io.Writer) error { return WriteJSON(w, s) }

// WriteJSON writes a document for programs that people can read too.
func WriteJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
