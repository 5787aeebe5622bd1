// Package plan is what the flags of a check say: Options are their values, and Resolve makes a Plan of them, or refuses what does not go
// together. A Mode is some of these values by a name, and Settings are the assignments to parameters that --set stands for.
package plan

import (
	"strings"
	"time"

	"harrier/bridge"
	"harrier/internal/model"
)

// Options are the values of the flags of a check.
type Options struct {
	Source bridge.Source
	From   string // a file with the snapshot in which the check begins, "" for none
	Mode   string // a mode whose settings are taken over, "" for none

	Search     string
	Hashing    string
	Store      string
	Push       string
	Model      string // the delivery model; Resolve sets that of Source
	Reduction  string
	Components string // as proposer+acceptor,learner; "" for those of the scenario
	Symmetry   string
	POR        string
	Workers    int
	Seed       uint64 // of random runs
	PCT        int    // the depth of random runs of PCT

	// Of --search local, by modes alone.
	LocalEvents  int    // how many timers and internal events of each actor are followed, in rounds of one more; 0 for all
	LocalPruning string // off to combine whole local states, on for the parts that properties read

	MaxDepth   int
	MaxStates  uint64
	Timeout    time.Duration
	Memory     MemoryLimit
	KeepGoing  bool
	NoDeadlock bool
	Strict     bool
	Audit      bool // execute pairs that static reduction takes to be independent both ways round
	HTML       bool
	Witness    bool // keep runs to states in which properties hold that are to hold in some
	InSweep    bool // other settings are checked as well: that a @Sometimes holds in no state of this one violates nothing

	Given map[string]string // the flags that were set, by name, with their values: "" if they take none
}

// Default returns the options of a check without flags. Breadth-first search meets shallow violations first, and over macro steps it
// takes no more time and memory than depth-first search (docs/benchmarks.md).
func Default() Options {
	return Options{
		Search: Auto, Hashing: "selective", Store: "exact", Push: "selective", Model: "M", Workers: 1,
		LocalPruning: "on", Reduction: "macro", Symmetry: "auto", POR: "off",
		Seed: 1, PCT: 3,
	}
}

// Values of --search: Local is local model checking (package lmc), Random takes random runs (package sample), and Auto is breadth-first
// search with such runs beside it.
const Local, Random, Auto = "local", "sample", "auto"

// Values are what flags take that have few values, by their names.
var Values = map[string][]string{
	"search": {Auto, "bfs", "dfs", "stateless", Random, Local}, "hashing": {"selective", "fields", "last", "full"}, "store": {"exact", "compact"},
	"symmetry": {"auto", "on", "off"}, "reduction": {"macro", "demeter", "off"}, "por": {"off", "static", "dynamic"},
}

// setting is where options have the text of a setting of a mode; nil if it is no text.
func (o *Options) setting(name string) *string {
	return map[string]*string{
		"search": &o.Search, "reduction": &o.Reduction, "hashing": &o.Hashing, "symmetry": &o.Symmetry, "por": &o.POR, "model": &o.Model,
		"push": &o.Push, "pruning": &o.LocalPruning,
	}[name]
}

// IsGiven reports whether a flag was set.
func (o *Options) IsGiven(flag string) bool {
	_, given := o.Given[flag]
	return given
}

// AsGiven returns a flag as it was written.
func (o *Options) AsGiven(flag string) string {
	return strings.TrimSpace("--" + flag + " " + o.Given[flag])
}

// AsksFinal reports whether terminal states must be expected ones. Not so in MP: an actor to which two messages were delivered
// must consume both at once there, so runs get stuck that do not in M and M-MP.
func (o *Options) AsksFinal() bool { return !o.NoDeadlock && o.Source.Delivery != model.MP }
