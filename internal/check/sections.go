package check

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"harrier/dbss"
	"harrier/internal/advice"
	"harrier/internal/check/adversary"
	"harrier/internal/check/audit"
	"harrier/internal/check/coverage"
	"harrier/internal/distributed/tasks"
	"harrier/internal/liveness"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/memory"
	"harrier/internal/profile"
	"harrier/internal/report"
	"harrier/internal/sample"
	"harrier/internal/search"
	"harrier/internal/section"
	"harrier/por/demeter"
	"harrier/symmetry"
)

// known has the figures of a check: of its search, which ended or goes on, and of the stages after it.
type known struct {
	counted
	first       string // which of a local and a global search knew first
	proof       string
	local       *lmc.Figures
	traces      *demeter.Figures
	sampling    *sample.Figures
	runs        []liveness.Figures
	coverage    *coverage.Figures
	symmetry    *symmetry.Figures
	reduction   *audit.Figures
	multipliers []advice.Multiplier
	taken       Taken
	vacuity     Vacuity
	clocks      *clocks          // nil where time stands still
	profile     *profile.Profile // nil if none was asked for
	profiles    string           // the folder of its files
}

// counted has the figures that any search has.
type counted struct {
	dbss.Counts
	levels      []uint64
	manifest    string
	phases      []tasks.Phase
	memory      dbss.Memory
	discarded   dbss.Discarded
	stats       space.Stats
	evaluations Evaluated
	times       Times
}

// sections are the parts of a summary, in the order of printing. What a search or a reduction prints is one line here, and a Section in the
// package that knows its figures.
func (c *Check) sections(s *report.Summary, k *known) []section.Section {
	decided, open := s.Verdict != report.Inconclusive, s.Verdict == report.Inconclusive && !s.Complete
	rate := ""
	if s.Search == search.Random {
		rate = fmt.Sprintf("%s, longest run %d", section.Rate(k.Transitions, k.times.Seconds), k.Depth)
	}
	return []section.Section{
		firstSection(k.first),
		lmc.Section(k.local, k.proof, s.Verdict == report.Verified),
		k.clocks.section(),
		statesSection(s, k),
		demeter.Section(k.traces),
		k.discarded.Section(),
		transitionsSection(s, k),
		dbss.LevelsSection(k.levels, k.manifest, k.phases, open),
		advice.Section(k.multipliers),
		sample.Section(k.sampling, rate, decided),
		liveness.Section(k.runs, c.Actors().Program().Fairness.String(), s.Reduction == "macro", decided),
		auxiliarySection(c.Actors().Program(), c.Hashing),
		localStepsSection(k.stats),
		k.evaluations.section(),
		coverage.Section(k.coverage, s.Search == search.Local, s.Complete),
		k.times.section(),
		symmetry.Section(k.symmetry),
		audit.Section(k.reduction, k.States),
		memorySection(Space{memory.Peak(), c.Memory.Bytes, k.memory}, k.States),
		violationsSection(k.Violations),
		{Name: "taken", Value: k.taken},
		adversary.Section(c.domains),
		{Name: "vacuity", Value: k.vacuity},
		profile.Section(k.profile, k.profiles),
	}
}

func firstSection(first string) section.Section {
	s := section.Section{Name: "first", Value: struct {
		// First is, of a local and a global search side by side, which knew first, whose figures these are: local or global.
		First string `json:"first,omitempty"`
	}{first}}
	if first != "" {
		s.Add("first", "the %s search knew first", first)
	}
	return s
}

// printsStates reports whether the states of a search are worth a line: a local proof explores none, and random runs count none twice.
func printsStates(s *report.Summary, k *known) bool {
	return k.proof != lmc.LocalProof && s.Search != search.Random
}

func statesSection(s *report.Summary, k *known) section.Section {
	of := section.Section{Name: "states", Value: k.Counts}
	switch {
	case !printsStates(s, k):
	case s.Reduction == "macro":
		of.Add("states", "%s (%s with a terminal state)", section.Plural(k.States, "macro state"), section.Count(k.Terminal))
	case k.traces != nil:
		of.Add("states", "%s (%s complete)", section.Plural(k.States, "global skeleton"), section.Count(k.Terminal))
	default:
		of.Add("states", "%s (%s)", section.Count(k.States), section.Plural(k.Terminal, "terminal state"))
	}
	if k.Outside > 0 && printsStates(s, k) {
		of.Add("outside", "%s of them, which are neither tested nor explored further (@Within)", section.Count(k.Outside))
	}
	return of
}

// transitionsSection has only lines: statesSection has the figures.
func transitionsSection(s *report.Summary, k *known) section.Section {
	of := section.Section{Name: "transitions", Value: struct{}{}}
	if printsStates(s, k) {
		of.Add("transitions", "%s, %s", section.Count(k.Transitions), section.Rate(k.Transitions, k.times.Seconds))
		of.Add("depth", "%d (%s)", k.Depth, methodText(s.Method, k.first))
	}
	return of
}

// violationsSection has a line alone, likewise.
func violationsSection(violations uint64) section.Section {
	s := section.Section{Name: "violations", Value: struct{}{}}
	if violations > 1 {
		s.Add("violations", "%s states or transitions", section.Count(violations))
	}
	return s
}

// methodText is how the states were searched. Of a local search with a global one beside it, the states are those of the global search, unless
// the local one knew first.
func methodText(m report.Method, first string) string {
	text := m.Search
	if m.Search == search.Local && m.Workers > 1 && first != search.Local {
		text = "bfs beside local"
	}
	if m.Model != model.M.String() {
		text += ", model " + m.Model
	}
	switch m.Hashing {
	case "full":
		text += ", full hashing"
	case "fields":
		text += ", with senders"
	case "last":
		text += ", with senders and auxiliary fields"
	}
	if m.Push == "all" {
		text += ", all states pushed"
	}
	if m.Store == "compact" {
		text += ", hashes of states"
	}
	if m.Share != "" {
		text += ", by the workers of the cluster"
	}
	if m.Workers > 1 {
		text += fmt.Sprintf(", %d workers", m.Workers)
	}
	return text
}

func auxiliarySection(program *model.Program, hashing string) section.Section {
	value := struct {
		Fields int `json:"fields"` // of actors and messages
		// Auxiliary are the fields that are auxiliary, as Class.field.
		Auxiliary []string `json:"auxiliary"`
		// Senders are the messages whose senders are auxiliary, as Message at Actor.
		Senders []string `json:"auxiliarySenders"`
	}{len(program.FieldNames(func(model.Field) bool { return true })), program.AuxiliaryFields(), program.AuxiliarySenderLabels()}
	s := section.Section{Name: "auxiliary", Value: value}
	if len(value.Auxiliary) > 0 && (hashing == "selective" || hashing == "fields") {
		s.Add("auxiliary", "%d of %s: %s", len(value.Auxiliary), section.Plural(uint64(value.Fields), "field"), section.Few(value.Auxiliary))
	}
	if len(value.Senders) > 0 && hashing == "selective" {
		s.Add("senders", "auxiliary of %s", section.Few(value.Senders))
	}
	return s
}

func localStepsSection(stats space.Stats) section.Section {
	s := section.Section{Name: "local steps", Value: stats}
	s.Add("local states", "%s, with %s", section.Count(stats.LocalStates), section.Plural(stats.Messages, "message"))
	kept := ""
	if stats.Kept > 0 {
		kept = ", " + section.Count(stats.Kept) + " of them kept from earlier checks"
	}
	s.Add("local steps", "%s%s, run %s in Java", section.Count(stats.LocalSteps), kept, section.Plural(stats.Executions, "time"))
	return s
}

// Evaluated says how often properties were evaluated.
type Evaluated struct {
	Evaluations uint64 `json:"evaluations"` // how often properties were evaluated in Java
	// Remembered is how often the answer was known already: for a state that was visited, or, with --reduction macro, for a combination of
	// local states that a macro state stands for (all of them together count once if it was known that a property holds in them).
	Remembered uint64 `json:"evaluationsRemembered"`
}

func (e Evaluated) section() section.Section {
	s := section.Section{Name: "evaluations", Value: e}
	s.Add("evaluations", "%s of properties in Java, %s cached", section.Count(e.Evaluations), section.Count(e.Remembered))
	return s
}

// Times are how long a check took.
type Times struct {
	SetUpSeconds float64 `json:"setUpSeconds"` // before the search: Java, compilation, set-up of the scenario
	Seconds      float64 `json:"seconds"`      // the search
}

func (t Times) section() section.Section {
	s := section.Section{Name: "time", Value: t}
	s.Add("time", "%s, after %s to set up", section.Seconds(t.Seconds), section.Seconds(t.SetUpSeconds))
	return s
}

// Space is the memory that a check took.
type Space struct {
	PeakMemoryBytes uint64 `json:"peakMemoryBytes"` // of the whole process, as the kernel counts it
	// MaxMemoryBytes is the limit in effect; missing if there is none.
	MaxMemoryBytes uint64 `json:"maxMemoryBytes,omitempty"`
	dbss.Memory
}

func memorySection(m Space, states uint64) section.Section {
	s := section.Section{Name: "memory", Value: m}
	onDisk := ""
	if m.DiskBytes > 0 {
		onDisk = ", and " + humanize.IBytes(m.DiskBytes) + " on disk"
	}
	s.Add("memory", "%s at most%s%s", humanize.IBytes(m.PeakMemoryBytes), onDisk, perState(m.VisitedBytes+m.FrontierBytes+m.DiskBytes, m.PeakMemoryBytes, states))
	return s
}

// perState is the memory that a state takes by itself, and with its share of all else, where there are enough states for that to mean
// anything.
func perState(bytes, peak, states uint64) string {
	if states < 10_000 || bytes == 0 {
		return ""
	}
	return fmt.Sprintf("; %d B a state for the visited set and the frontier, %s with all else", (bytes+states-1)/states, humanize.IBytes(peak/states))
}

// Taken says how many transitions ran a handler, or are a fault.
type Taken struct {
	// Handlers are how many transitions ran each; with runsOverApproximated in local, how many outcomes it has in local states that perhaps no
	// run reaches.
	Handlers []HandlerRuns `json:"handlers"`
	// Faults are, where the scenario allows some, how many transitions are such faults.
	Faults []FaultsTaken `json:"faults,omitempty"`
}

// HandlerRuns says how many transitions ran a handler.
type HandlerRuns struct {
	Handler string `json:"handler"`
	Runs    uint64 `json:"runs"`
}

// FaultsTaken says how many transitions are faults of a kind that the scenario allows.
type FaultsTaken struct {
	Fault string `json:"fault"`
	Taken uint64 `json:"taken"`
}

// takenBy returns a search's counts of the handlers and faults of a program.
func takenBy(actors *space.Actors, counts dbss.Counts) (t Taken) {
	for number := 1; number <= actors.Values.Handlers(); number++ {
		t.Handlers = append(t.Handlers, HandlerRuns{actors.Values.HandlerLabel(number), counts.Runs(number)})
	}
	for i, f := range actors.Program().Faults {
		t.Faults = append(t.Faults, FaultsTaken{f.Label, counts.Taken(i)})
	}
	return t
}

// Progress is how far the search of a summary came, in one line.
func Progress(s *report.Summary) (string, error) {
	var f struct {
		dbss.Counts
		space.Stats
		Times
	}
	err := s.Figures(&f)
	of := "state"
	if s.Reduction == "macro" {
		of = "macro state"
	}
	return fmt.Sprintf("%s, %s, depth %d, %s, in %s", section.Plural(f.States, of), section.Plural(f.Transitions, "transition"), f.Depth,
		section.Plural(f.LocalSteps, "local step"), section.Seconds(f.Seconds)), err
}
