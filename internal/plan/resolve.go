package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/internal/model/network"
	"harrier/internal/search"
)

// Plan is what a check does: options that go together, in which values that stand for others are replaced by these, and options without
// effect on this way to search are empty.
type Plan struct {
	Options
	Beside bool // take random runs beside the search
}

// Resolve makes a plan of options, which it does not change. It refuses unknown values, and options that do not go together.
func Resolve(o Options) (Plan, error) {
	p := Plan{Options: o}
	for _, resolve := range []func() error{p.takeMode, p.checkValues, p.replaceAuto} {
		if err := resolve(); err != nil {
			return p, err
		}
	}
	var err error
	p.Options.Options, err = search.Of(p.Options.Options).Fits(p.Options.Options)
	return p, err
}

// takeMode takes over the settings of the mode, if there is one, as if flags had set them. Flags may say the rest.
func (p *Plan) takeMode() error {
	if p.Mode == "" {
		return nil
	}
	modes, err := ParseModes(p.Mode)
	if err != nil {
		return fmt.Errorf("--mode: %w", err)
	}
	if len(modes) > 1 {
		return errors.New("--mode is one mode: harrier compare takes several")
	}
	for _, s := range modes[0].Settings {
		if name, _, _ := strings.Cut(s, "="); p.IsGiven(name) {
			return fmt.Errorf("--mode %s says what --%s is: leave one of them out", p.Mode, name)
		}
	}
	if p.Given = maps.Clone(p.Given); p.Given == nil {
		p.Given = map[string]string{}
	}
	modes[0].set(&p.Options)
	return nil
}

// checkValues refuses values that there are not.
func (p *Plan) checkValues() error {
	for _, name := range []string{"search", "hashing", "store", "symmetry", "reduction", "por"} {
		value, more := *p.Text(name), ""
		if name == "por" {
			more = "; most is left out by --reduction macro, the default"
		}
		takes := search.Values[name]
		if last := len(takes) - 1; !slices.Contains(takes, value) {
			return fmt.Errorf("--%s is %s or %s, not %q%s", name, strings.Join(takes[:last], ", "), takes[last], value, more)
		}
	}
	var err error
	if p.Source.Delivery, err = network.ParseDeliveryModel(p.Model); err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	p.Model = p.Source.Delivery.String()
	if p.MaxDepth < 0 || p.MaxDepth == 0 && p.IsGiven("max-depth") {
		return errors.New("--max-depth must be at least 1")
	}
	if p.MaxStates == 0 && p.IsGiven("max-states") {
		return errors.New("--max-states must be at least 1")
	}
	return nil
}

// replaceAuto replaces the order that is chosen by default: breadth-first search, with random runs beside it unless it is to be compared
// with others, or to find more than one violation; depth-first where the rest is for that alone. Members of a shared search have no random
// runs beside them: their processors are the search's.
func (p *Plan) replaceAuto() error {
	switch {
	case p.Search == search.Auto && (p.Store == "compact" || p.Reduction == "demeter"):
		p.Search = "dfs"
	case p.Search == search.Auto:
		p.Search = "bfs"
		p.Beside = !p.KeepGoing && !p.Audit && p.MaxDepth == 0 && p.POR == "off"
	}
	for _, name := range []string{"seed", "pct"} {
		if p.IsGiven(name) && p.Search != search.Random && !p.Beside {
			return fmt.Errorf("--%s is for random runs: --search %s or %s", name, search.Random, search.Auto)
		}
	}
	if p.PCT < 1 {
		return errors.New("--pct must be at least 1")
	}
	p.Beside = p.Beside && p.Share == ""
	return nil
}
