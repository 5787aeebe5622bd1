package search

import (
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/property"
)

// local combines local states, and searches for the combinations that are suspicious (package lmc). It takes turns with a search of macro
// steps.
type local struct{}

// Fits implements Strategy.
func (local) Fits(o Options) (Options, error) {
	fitting := map[string][]string{"por": {"off"}, "reduction": {"macro"}, "symmetry": {"auto", "off"}}
	if err := o.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going"); err != nil {
		return o, err
	}
	if err := o.fitsOrder(); err != nil {
		return o, err
	}
	o.Reduction, o.Symmetry = "macro", "off"
	o.withoutPush()
	return o, nil
}

// Search implements Strategy.
func (local) Search(ctx context.Context, p Problem) (Finding, error) {
	var endless []string
	f, err := p.locally(ctx, func(ctx context.Context, most uint64) (*dbss.Result, error) {
		turn := p
		turn.Steps.MaxStates = most
		f, err := MacroSteps{}.Search(ctx, turn)
		endless = f.Endless
		return f.Result, err
	})
	f.Endless = endless
	return f, err
}

// locally checks local states. A search of all states, up to so many, takes turns with that, if it is not nil.
func (p *Problem) locally(ctx context.Context, all func(ctx context.Context, most uint64) (*dbss.Result, error)) (f Finding, err error) {
	o := lmc.Options{Options: p.Steps, LocalEvents: p.Options.LocalEvents, General: p.Options.LocalPruning == "off", Global: all}
	o.Workers = 1
	f.Checker = p.Checker
	p.run(ctx, func(ctx context.Context) {
		var r *lmc.Result
		if r, err = lmc.Check(ctx, p.Actors, p.Checker, o, p.Progress); err == nil {
			f.Result, f.Local = r.Result, &r.Figures
		}
	})
	return f, err
}

// localBeside searches locally and over macro steps at once, as Guerraoui and Yabandeh propose; local steps are asked for once. The search
// that knows first ends the other.
type localBeside struct{ local }

// Search implements Strategy.
func (localBeside) Search(parent context.Context, p Problem) (Finding, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	ended := make(chan searched, 2)
	go func() {
		beside := p
		beside.Checker, beside.Progress = property.NewChecker(p.Actors.LocalSteps.Oracle(), p.Actors), &dbss.Progress{}
		f, err := beside.locally(ctx, nil)
		f.First = Local
		ended <- searched{f, err}
	}()
	go func() {
		beside := p
		beside.Steps.Workers--
		f, err := MacroSteps{}.Search(ctx, beside)
		f.First = Global
		ended <- searched{f, err}
	}()
	first := <-ended
	// The global search breaks a rule only on a run. The local search may break one where no run does, or not support the program.
	if first.knows(first.err) || first.First == Global && first.err != nil {
		cancel()
		second := <-ended
		first.Endless = append(first.Endless, second.Endless...)
		return first.Finding, first.err
	}
	second := <-ended
	second.Endless = append(second.Endless, first.Endless...)
	if second.knows(second.err) {
		return second.Finding, second.err
	}
	if first.First == Local {
		return neither(first, second)
	}
	return neither(second, first)
}

// searched is a finding with the error that ended the search.
type searched struct {
	Finding
	err error
}

// neither merges the findings of a local and a global search that both ended without a verdict.
func neither(local, global searched) (Finding, error) {
	var unfit *model.UsageError
	switch {
	case global.err != nil:
		return global.Finding, global.err
	case errors.As(local.err, &unfit):
		local.Result = &dbss.Result{Reason: unfit.Text}
	case local.err != nil:
		return local.Finding, local.err
	}
	global.First, global.Local = "", local.Local
	if one, other := local.Result.Reason, global.Result.Reason; one != other {
		global.Result.Reason = fmt.Sprintf("neither search knows: %s (local); %s (global)", one, other)
	}
	return global.Finding, nil
}
