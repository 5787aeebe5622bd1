package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/checkpoint"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/partition"
	"harrier/internal/process/files"
	"harrier/internal/report"
)

// Options say what to check, and how. Texts are the values of the flags of the command line.
type Options struct {
	Source bridge.Source
	From   string // a snapshot in which it begins, "" for none
	report.Method
	LocalEvents  int    // of --search local: timers and internal events of each actor that it follows, in rounds of one more; 0 for all
	LocalPruning string // likewise: off to combine whole local states, on for what properties read of them
	Reduction    string // macro, demeter or off; Validate makes it off where single steps are searched
	Components   string // as setComponents takes it
	Symmetry     string // auto, on, off or check
	POR          string // off, static or dynamic
	Beside       bool   // take random runs beside the search; set by Validate
	Seed         uint64 // of random runs
	PCT          int    // the depth of those of PCT

	MaxDepth   int
	MaxStates  uint64
	Timeout    time.Duration
	Memory     MemoryLimit
	KeepGoing  bool
	NoDeadlock bool
	Strict     bool
	Audit      bool                           // execute pairs that static reduction takes to be independent both ways round
	Keep       files.Keep                     // what keeps traces
	Checkpoint *checkpoint.Folder             // nil for none
	Members    partition.CoordinatorTransport // whose processes explore, in place of this one; nil for none
	Apart      []string                       // actors that are not permuted, whatever turns out
	HTML       bool
	Witness    bool // keep runs to states in which properties hold that are to hold in some
	InSweep    bool // other settings are checked as well: that a @Sometimes holds in no state of this one violates nothing

	Given     map[string]string // the flags that were set, by name, with their values: "" if they take none
	Reproduce string            // the command line of this check
	JavaFlags []string          // those of its flags that say how Java is run and which rules are relaxed, which a replay needs as well
	GoOn      string            // the command line that goes on from the checkpoint
	Unreduced string            // the same over single steps, all of which are followed
	Remark    string            // on how the check is run, "" for none
	Loaded    func()            // called when the program is there, if it is not nil
	// SoFar is called, if it is not nil, with inconclusive summaries: from time to time while a search runs, and when that has ended.
	SoFar func(*report.Summary)
}

// Default is what a check does where nothing is said. Breadth-first search meets shallow violations first, and over macro steps it
// takes no more time and memory than depth-first search (docs/benchmarks.md).
func Default() Options {
	return Options{
		Method:       report.Method{Search: auto, Hashing: "selective", Store: "exact", Push: "selective", Model: "M", Workers: 1},
		LocalPruning: "on", Reduction: "macro", Symmetry: "auto", POR: "off",
		Seed: 1, PCT: 3,
	}
}

// local is local model checking (package lmc), global a search that runs beside it; random takes random runs (package sample), auto
// is breadth-first search with such runs beside it.
const local, global, random, auto = "local", "global", "sample", "auto"

var (
	hashings = map[string]model.Hashing{"selective": model.Selective, "fields": model.Fields, "last": model.Last, "full": model.Full}
	stores   = map[string]dbss.Store{"exact": dbss.Exact, "compact": dbss.Compact}
	orders   = map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst, "stateless": dbss.Stateless,
		local: dbss.BreadthFirst, auto: dbss.BreadthFirst}
)

// Validate refuses values that there are not, and what does not go together, and sets what follows from the rest.
func (o *Options) Validate() error {
	if o.Search == auto && (o.Store == "compact" || o.Reduction == "demeter") {
		o.Search = "dfs"
	}
	for _, validate := range []func() error{o.validateValues, o.validateRandom, o.validateLocal, o.validateSearch, o.validateReduction, o.validatePOR} {
		if err := validate(); err != nil {
			return err
		}
	}
	if o.Audit && o.POR == "static" && hashings[o.Hashing] >= model.Last {
		return fmt.Errorf("--audit compares the relevant parts of states with --por static: leave out --hashing %s", o.Hashing)
	}
	if o.Audit && o.POR == "static" && o.isGiven("checkpoint") {
		return errors.New("--audit with --por static looks at all states, which --checkpoint leaves out when it goes on: leave one of them out")
	}
	return nil
}

// Values are what flags take that have few values, by their names, as Options has them.
var Values = map[string][]string{
	"search": {auto, "bfs", "dfs", "stateless", random, local}, "hashing": {"selective", "fields", "last", "full"}, "store": {"exact", "compact"},
	"symmetry": {"auto", "on", "off"}, "reduction": {"macro", "demeter", "off"}, "por": {"off", "static", "dynamic"},
}

func (o *Options) validateValues() error {
	for _, f := range [][2]string{
		{"search", o.Search}, {"hashing", o.Hashing}, {"store", o.Store}, {"symmetry", o.Symmetry}, {"reduction", o.Reduction}, {"por", o.POR},
	} {
		name, value, more := f[0], f[1], ""
		if name == "por" {
			more = "; most is left out by --reduction macro, the default"
		}
		takes := Values[name]
		if last := len(takes) - 1; !slices.Contains(takes, value) {
			return fmt.Errorf("--%s is %s or %s, not %q%s", name, strings.Join(takes[:last], ", "), takes[last], value, more)
		}
	}
	var err error
	if o.Source.Delivery, err = network.ParseDeliveryModel(o.Model); err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	o.Model = o.Source.Delivery.String()
	if o.MaxDepth < 0 || o.MaxDepth == 0 && o.isGiven("max-depth") {
		return errors.New("--max-depth must be at least 1")
	}
	if o.MaxStates == 0 && o.isGiven("max-states") {
		return errors.New("--max-states must be at least 1")
	}
	return nil
}

// validateRandom decides whether random runs are taken, and whether beside a breadth-first search: not where that is to be compared with
// others, or to find more than one violation.
func (o *Options) validateRandom() error {
	switch o.Search {
	case auto:
		o.Search = "bfs"
		o.Beside = !o.KeepGoing && !o.Audit && o.MaxDepth == 0 && o.POR == "off"
	case random:
		fitting := map[string][]string{"por": {"off"}, "reduction": {"off"}, "symmetry": {"auto", "off"}}
		if err := o.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going", "audit", "components", "mode"); err != nil {
			return err
		}
		o.Reduction, o.Symmetry, o.Push, o.Store = "off", "off", "", ""
	}
	for _, name := range []string{"seed", "pct"} {
		if o.isGiven(name) && o.Search != random && !o.Beside {
			return fmt.Errorf("--%s is for random runs: --search %s or %s", name, random, auto)
		}
	}
	if o.PCT < 1 {
		return errors.New("--pct must be at least 1")
	}
	return nil
}

// unfit refuses flags that do not go together with the search, unless they have a value that fits.
func (o *Options) unfit(fitting map[string][]string, names ...string) error {
	for _, name := range names {
		if value, given := o.Given[name]; given && !slices.Contains(fitting[name], value) {
			return fmt.Errorf("--search %s does not go together with %s: leave one of them out", o.Search, o.given(name))
		}
	}
	return nil
}

func (o *Options) validateLocal() error {
	if o.Search != local {
		return nil
	}
	fitting := map[string][]string{"por": {"off"}, "reduction": {"macro"}, "symmetry": {"auto", "off"}}
	if err := o.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going"); err != nil {
		return err
	}
	o.Reduction, o.Symmetry = "macro", "off"
	return nil
}

func (o *Options) validateSearch() error {
	stateless := o.Search == "stateless"
	switch {
	case stateless && o.Symmetry == "on":
		return errors.New("--symmetry is for searches that remember states: --search stateless remembers none")
	case o.Search == "bfs" && o.Store == "compact":
		return errors.New("--store compact is for depth-first search: --search bfs takes the states that it goes on from out of the store, and a hash does not give them back")
	case stateless && o.isGiven("store"):
		return errors.New("--store is for searches that remember states: --search stateless remembers none")
	case o.isGiven("checkpoint") && o.Search != "bfs":
		return fmt.Errorf("--checkpoint is for --search bfs, whose levels it keeps, not for %s", o.Search)
	case stateless && o.isGiven("hashing"):
		return errors.New("--hashing is for searches that remember states: --search stateless remembers none")
	case stateless:
		o.Hashing, o.Store = "", ""
	case o.Search == "bfs", o.Search == local:
		o.Push = ""
	}
	return nil
}

// validateReduction decides whether a search takes macro steps, or explores global skeletons.
func (o *Options) validateReduction() error {
	if o.Reduction == "demeter" {
		return o.validateDemeter()
	}
	var against error
	switch {
	case o.POR != "off":
		against = fmt.Errorf("--reduction macro and --por %s do not go together: leave one of them out", o.POR)
	case o.Search == "stateless":
		against = errors.New("--reduction macro is for searches that remember states; --search stateless takes --por dynamic")
	case o.MaxDepth > 0:
		against = errors.New("--reduction macro does not go together with --max-depth, which counts single steps: leave one of them out")
	}
	if against != nil && o.isGiven("reduction") && o.Reduction == "macro" {
		return against
	}
	if against != nil {
		o.Reduction = "off"
	}
	if o.Reduction == "off" && o.Components != "" {
		return errors.New("--components is for macro steps: leave it out, or what takes single steps")
	}
	return nil
}

// validateDemeter refuses what changes which local traces there are, or which of them are found.
func (o *Options) validateDemeter() error {
	for _, f := range []struct{ name, value, needed, also string }{
		{"search", o.Search, "dfs", ""}, {"por", o.POR, "off", ""}, {"symmetry", o.Symmetry, "off", "auto"},
		{"hashing", o.Hashing, "fields", "selective"}, {"store", o.Store, "exact", ""},
	} {
		if f.value != f.needed && (f.value != f.also || f.also == "selective" && o.isGiven(f.name)) {
			return fmt.Errorf("--reduction demeter follows interface traces with --%s %s, not %s: leave --%s out", f.name, f.needed, f.value, f.name)
		}
	}
	switch {
	case o.MaxDepth > 0:
		return errors.New("--reduction demeter does not go together with --max-depth, which counts single steps: leave one of them out")
	case o.Workers > 1:
		return fmt.Errorf("--reduction demeter searches with one worker, not %d", o.Workers)
	}
	o.Symmetry, o.Hashing = "off", "fields"
	return nil
}

func (o *Options) validatePOR() error {
	stateless := o.Search == "stateless"
	switch {
	case o.POR == "dynamic" && !stateless:
		return errors.New("--por dynamic is for --search stateless; searches that remember states take static")
	case stateless && o.POR == "static":
		return errors.New("--por static is for searches that remember states; --search stateless takes dynamic")
	case o.MaxDepth > 0 && o.POR != "off":
		return fmt.Errorf("--por %s does not go together with --max-depth: it may leave out what is within the bound; take --por off", o.POR)
	case o.POR == "static" && o.Hashing == "selective" && o.isGiven("hashing"):
		return errors.New("--por static goes by who sent a message, which --hashing selective may leave out: take --hashing fields")
	case o.POR == "dynamic" && o.Workers > 1:
		return fmt.Errorf("--por dynamic searches with one worker, not %d", o.Workers)
	}
	if o.POR == "static" && o.Hashing == "selective" {
		o.Hashing = "fields"
	}
	return nil
}

func (o *Options) isGiven(flag string) bool {
	_, given := o.Given[flag]
	return given
}

// given is a flag as it was given.
func (o *Options) given(flag string) string {
	return strings.TrimSpace("--" + flag + " " + o.Given[flag])
}

// asksFinal reports whether terminal states must be expected ones. Not so in MP: an actor to which two messages were delivered
// must consume both at once there, so runs get stuck that do not in M and M-MP.
func (o *Options) asksFinal() bool { return !o.NoDeadlock && o.Source.Delivery != model.MP }
