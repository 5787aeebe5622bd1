// Package plan reads the flags of a check: Options are their values, and Resolve makes a Plan of them, or refuses flags that do not go
// together. A strategy (package search) decides which options fit it. A Mode is a name for some of these values, and a Set is
// the values of --set.
package plan

import (
	"time"

	"harrier/bridge"
	"harrier/internal/model"
	"harrier/internal/search"
)

// Options are the values of the flags of a check.
type Options struct {
	search.Options
	Source bridge.Source
	From   string // a file with the snapshot in which the check begins, "" for none
	Mode   string // a mode whose settings are taken over, "" for none

	Timeout time.Duration
	Memory  MemoryLimit
	Strict  bool
	HTML    bool
	Witness bool // keep runs to states in which properties hold that are to hold in some
	Profile bool // find out where time and memory go
	InSweep bool // other settings are checked as well: that a @Sometimes holds in no state of this one violates nothing
}

// Default returns the options of a check without flags. Breadth-first search meets shallow violations first, and over macro steps it
// takes no more time and memory than depth-first search (docs/benchmarks.md).
func Default() Options {
	return Options{Options: search.Options{
		Search: search.Auto, Hashing: "selective", Store: "exact", Push: "selective", Model: "M", Workers: 1,
		LocalPruning: "on", Reduction: "macro", Symmetry: "auto", POR: "off",
		Seed: 1, PCT: 3,
	}}
}

// AsksFinal reports whether terminal states must be expected ones. Not so in MP: an actor to which two messages were delivered
// must consume both at once there, so runs get stuck that do not in M and M-MP.
func (o *Options) AsksFinal() bool { return !o.NoDeadlock && o.Source.Delivery != model.MP }
