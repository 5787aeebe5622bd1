// Package search has the ways to search a program for a violation. Each is a Strategy, of which Of has the list: it says which Options go
// together with it, and searches a Problem. A strategy hands the search to the package of its algorithm; here is the input of each.
package search

import (
	"context"

	"harrier/dbss"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/sample"
	"harrier/por/demeter"
	"harrier/por/macro"
	"harrier/symmetry"
)

// A Strategy is a way to search.
type Strategy interface {
	// Fits returns the options as this strategy takes them: those without effect on it are empty, and defaults that it does not take are
	// those that it does. It refuses options that were given and do not go together with it.
	Fits(Options) (Options, error)
	// Search searches until a violation is found, all is explored or a limit ends it. The finding counts beside an error, too.
	Search(context.Context, Problem) (Finding, error)
}

// strategies are all of them. The first that options choose is theirs; the last is chosen by any.
var strategies = []struct {
	isChosen func(o *Options) bool
	Strategy
}{
	{func(o *Options) bool { return o.IsGiven("share") }, Shared{}},
	{func(o *Options) bool { return o.Search == Random }, randomRuns{}},
	{func(o *Options) bool { return o.Search == Local && o.Workers > 1 }, localBeside{}},
	{func(o *Options) bool { return o.Search == Local }, local{}},
	{func(o *Options) bool { return o.Reduction == "demeter" }, interfaceTraces{}},
	{takesMacroSteps, MacroSteps{}},
	{func(o *Options) bool { return o.POR == "dynamic" }, dynamicReduction{}},
	{func(o *Options) bool { return o.POR == "static" }, staticReduction{}},
	{func(*Options) bool { return true }, SingleSteps{}},
}

// Of returns the strategy that options choose.
func Of(o Options) Strategy {
	for _, s := range strategies {
		if s.isChosen(&o) {
			return s.Strategy
		}
	}
	panic("no strategy is chosen by any options")
}

// Problem is the input of a search: a program, and how far to search.
type Problem struct {
	Options  Options
	Actors   *space.Actors
	Checker  *property.Checker
	Group    *symmetry.Group // of the actors that are permuted; nil if none were looked for
	Start    model.State     // of macro steps; nil for the initial state
	Steps    dbss.Options    // of the search of states or macro states
	Progress *dbss.Progress
	Sampler  func(seed uint64) (*sample.Sampler, error) // nil if no random runs are taken
	Sharing  Sharing                                    // of a shared search
	// AuditReduction makes audited reductions of static ones; nil if they are not audited.
	AuditReduction func(func() model.Reduction) func() model.Reduction
}

// NewProblem returns the problem whether actors violate a property of their program.
func NewProblem(actors *space.Actors, steps dbss.Options) Problem {
	return Problem{
		Actors: actors, Checker: property.NewChecker(actors.LocalSteps.Oracle(), actors), Steps: steps, Progress: &dbss.Progress{},
	}
}

// MacroSystem returns the system of macro steps, in which symmetric actors are permuted.
func (p *Problem) MacroSystem() *macro.System {
	system := macro.New(p.Actors, p.Checker)
	system.Start = p.Start
	if p.Group != nil {
		system.Permute(p.Group.Permutations())
	}
	return system
}

// run calls f on a thread that is fast at asking Java, if the problem has such.
func (p *Problem) run(ctx context.Context, f func(context.Context)) {
	if p.Steps.Run == nil {
		f(ctx)
		return
	}
	p.Steps.Run(ctx, f)
}

// Finding is the result of a search.
type Finding struct {
	Result   *dbss.Result      // may be nil beside an error
	Checker  *property.Checker // whose answers it rests on
	Endless  []string          // components whose steps were taken one by one, as they become new states without end by themselves
	First    string            // which of two searches knew first, Local or Global; "" if there was one, or none knows
	Local    *lmc.Figures      // of a local search
	Traces   *demeter.Figures  // of interface traces
	Samplers []*sample.Sampler // that took random runs
	Sampled  *sample.Sampler   // that found the violation; nil if none did
}

// knows reports whether a search that ended with an error, or nil, came to a verdict.
func (f *Finding) knows(err error) bool {
	return err == nil && (f.Result.Violation != nil || f.Result.Complete)
}
