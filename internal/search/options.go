package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Options are the values of the flags that say how to search.
type Options struct {
	Search     string
	Hashing    string
	Store      string
	Push       string
	Model      string // the delivery model
	Reduction  string
	Components string // as proposer+acceptor,learner; "" for those of the scenario
	Symmetry   string
	POR        string
	Workers    int
	Share      string // where workers that explore states keep them: a folder, a URL, or SharedByServers; "" where they explore none
	Seed       uint64 // of random runs
	PCT        int    // the depth of random runs of PCT

	// Of --search local, by modes alone.
	LocalEvents  int    // how many timers and internal events of each actor are followed, in rounds of one more; 0 for all
	LocalPruning string // off to combine whole local states, on for the parts that properties read

	MaxDepth   int
	MaxStates  uint64
	KeepGoing  bool
	NoDeadlock bool
	Audit      bool // execute pairs that static reduction takes to be independent both ways round

	Given  map[string]string `json:"-"` // all flags that were set, by name, with their values: "" if they take none
	OfMode []string          `json:"-"` // those among them that --mode set
}

// Values of --search: Local is local model checking (package lmc), Random takes random runs (package sample), and Auto is breadth-first
// search with such runs beside it. Global names a search of macro steps beside a local one.
const Local, Random, Auto, Global = "local", "sample", "auto", "global"

// Values are the values of flags that take one of a few, by the flag's name.
var Values = map[string][]string{
	"search": {Auto, "bfs", "dfs", "stateless", Random, Local}, "hashing": {"selective", "fields", "last", "full"}, "store": {"exact", "compact"},
	"symmetry": {"auto", "on", "off"}, "reduction": {"macro", "demeter", "off"}, "por": {"off", "static", "dynamic"},
}

// Text is where options have the text of a flag, or of a setting of a mode; nil if that is no text.
func (o *Options) Text(name string) *string {
	return map[string]*string{
		"search": &o.Search, "reduction": &o.Reduction, "hashing": &o.Hashing, "symmetry": &o.Symmetry, "por": &o.POR, "model": &o.Model,
		"store": &o.Store, "push": &o.Push, "pruning": &o.LocalPruning,
	}[name]
}

// IsGiven reports whether a flag was set.
func (o *Options) IsGiven(flag string) bool {
	_, given := o.Given[flag]
	return given
}

// AsGiven returns a flag as it was written: that of the mode where the mode set it.
func (o *Options) AsGiven(flag string) string {
	if slices.Contains(o.OfMode, flag) {
		flag = "mode"
	}
	return strings.TrimSpace("--" + flag + " " + o.Given[flag])
}

// unfit refuses flags that do not go together with the search, unless they have a value that fits.
func (o *Options) unfit(fitting map[string][]string, names ...string) error {
	for _, name := range names {
		if value, given := o.Given[name]; given && !slices.Contains(fitting[name], value) {
			return fmt.Errorf("--search %s does not go together with %s: leave one of them out", o.Search, o.AsGiven(name))
		}
	}
	return nil
}

// fitsOrder refuses options that do not go together with the order in which states are explored.
func (o *Options) fitsOrder() error {
	switch {
	case o.Search == "bfs" && o.Store == "compact":
		return errors.New("--store compact is for depth-first search: --search bfs takes the states that it goes on from out of the store, and a hash does not give them back")
	case o.IsGiven("checkpoint") && o.Search != "bfs":
		return fmt.Errorf("--checkpoint is for --search bfs, whose levels it keeps, not for %s", o.Search)
	}
	return nil
}

// withoutPush removes the option of a depth-first search's stack from other searches.
func (o *Options) withoutPush() {
	if o.Search == "bfs" || o.Search == Local {
		o.Push = ""
	}
}
