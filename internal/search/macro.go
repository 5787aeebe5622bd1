package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"harrier/por/macro"
)

// MacroSteps explores macro states (package macro).
type MacroSteps struct{}

// takesMacroSteps reports whether options choose macro steps: by default nothing may stand against them.
func takesMacroSteps(o *Options) bool {
	return o.Reduction == "macro" && (o.IsGiven("reduction") || againstMacro(o) == nil)
}

// againstMacro is why macro steps are not taken; nil if they are.
func againstMacro(o *Options) error {
	switch {
	case o.POR != "off":
		return fmt.Errorf("--reduction macro and --por %s do not go together: leave one of them out", o.POR)
	case o.Search == "stateless":
		return errors.New("--reduction macro is for searches that remember states; --search stateless takes --por dynamic")
	case o.MaxDepth > 0:
		return errors.New("--reduction macro does not go together with --max-depth, which counts single steps: leave one of them out")
	}
	return nil
}

// Fits implements Strategy.
func (MacroSteps) Fits(o Options) (Options, error) {
	if err := cmp.Or(o.fitsOrder(), againstMacro(&o)); err != nil {
		return o, err
	}
	o.withoutPush()
	return o, nil
}

// Search implements Strategy.
func (MacroSteps) Search(ctx context.Context, p Problem) (Finding, error) {
	return p.macroSteps(ctx, nil)
}

// macroSteps takes macro steps, and explores them as dbss.Search does if explore is nil.
func (p *Problem) macroSteps(ctx context.Context, explore macro.Explore) (Finding, error) {
	system := p.MacroSystem()
	system.Explore = explore
	r, err := system.Search(ctx, p.Steps, p.Progress)
	return Finding{Result: r, Checker: p.Checker, Endless: system.Endless()}, err
}
