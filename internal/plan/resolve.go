package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"harrier/internal/model/network"
)

// Plan is what a check does: options that go together, in which values that stand for others are replaced by these, and options without
// effect on this way to search are empty.
type Plan struct {
	Options
	Beside bool // take random runs beside the search
}

// Resolve makes a plan of options, which it does not change. It refuses values that there are not, and what does not go together.
func Resolve(o Options) (Plan, error) {
	p := Plan{Options: o}
	if err := p.takeMode(); err != nil {
		return p, err
	}
	if p.Search == Auto && (p.Store == "compact" || p.Reduction == "demeter") {
		p.Search = "dfs"
	}
	for _, resolve := range []func() error{p.resolveValues, p.resolveRandom, p.resolveLocal, p.resolveSearch, p.resolveReduction, p.resolvePOR} {
		if err := resolve(); err != nil {
			return p, err
		}
	}
	if p.Audit && p.POR == "static" && (p.Hashing == "last" || p.Hashing == "full") {
		return p, fmt.Errorf("--audit compares the relevant parts of states with --por static: leave out --hashing %s", p.Hashing)
	}
	if p.Audit && p.POR == "static" && p.IsGiven("checkpoint") {
		return p, errors.New("--audit with --por static looks at all states, which --checkpoint leaves out when it goes on: leave one of them out")
	}
	return p, nil
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

func (p *Plan) resolveValues() error {
	for _, f := range [][2]string{
		{"search", p.Search}, {"hashing", p.Hashing}, {"store", p.Store}, {"symmetry", p.Symmetry}, {"reduction", p.Reduction}, {"por", p.POR},
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

// resolveRandom decides whether random runs are taken, and whether beside a breadth-first search: not where that is to be compared with
// others, or to find more than one violation.
func (p *Plan) resolveRandom() error {
	switch p.Search {
	case Auto:
		p.Search = "bfs"
		p.Beside = !p.KeepGoing && !p.Audit && p.MaxDepth == 0 && p.POR == "off"
	case Random:
		fitting := map[string][]string{"por": {"off"}, "reduction": {"off"}, "symmetry": {"auto", "off"}}
		if err := p.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going", "audit", "components", "mode"); err != nil {
			return err
		}
		p.Reduction, p.Symmetry, p.Push, p.Store = "off", "off", "", ""
	}
	for _, name := range []string{"seed", "pct"} {
		if p.IsGiven(name) && p.Search != Random && !p.Beside {
			return fmt.Errorf("--%s is for random runs: --search %s or %s", name, Random, Auto)
		}
	}
	if p.PCT < 1 {
		return errors.New("--pct must be at least 1")
	}
	return nil
}

// unfit refuses flags that do not go together with the search, unless they have a value that fits.
func (p *Plan) unfit(fitting map[string][]string, names ...string) error {
	for _, name := range names {
		if value, given := p.Given[name]; given && !slices.Contains(fitting[name], value) {
			return fmt.Errorf("--search %s does not go together with %s: leave one of them out", p.Search, p.AsGiven(name))
		}
	}
	return nil
}

func (p *Plan) resolveLocal() error {
	if p.Search != Local {
		return nil
	}
	fitting := map[string][]string{"por": {"off"}, "reduction": {"macro"}, "symmetry": {"auto", "off"}}
	if err := p.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going"); err != nil {
		return err
	}
	p.Reduction, p.Symmetry = "macro", "off"
	return nil
}

func (p *Plan) resolveSearch() error {
	stateless := p.Search == "stateless"
	switch {
	case stateless && p.Symmetry == "on":
		return errors.New("--symmetry is for searches that remember states: --search stateless remembers none")
	case p.Search == "bfs" && p.Store == "compact":
		return errors.New("--store compact is for depth-first search: --search bfs takes the states that it goes on from out of the store, and a hash does not give them back")
	case stateless && p.IsGiven("store"):
		return errors.New("--store is for searches that remember states: --search stateless remembers none")
	case p.IsGiven("checkpoint") && p.Search != "bfs":
		return fmt.Errorf("--checkpoint is for --search bfs, whose levels it keeps, not for %s", p.Search)
	case stateless && p.IsGiven("hashing"):
		return errors.New("--hashing is for searches that remember states: --search stateless remembers none")
	case stateless:
		p.Hashing, p.Store = "", ""
	case p.Search == "bfs", p.Search == Local:
		p.Push = ""
	}
	return nil
}

// resolveReduction decides whether a search takes macro steps, or explores global skeletons.
func (p *Plan) resolveReduction() error {
	if p.Reduction == "demeter" {
		return p.resolveDemeter()
	}
	var against error
	switch {
	case p.POR != "off":
		against = fmt.Errorf("--reduction macro and --por %s do not go together: leave one of them out", p.POR)
	case p.Search == "stateless":
		against = errors.New("--reduction macro is for searches that remember states; --search stateless takes --por dynamic")
	case p.MaxDepth > 0:
		against = errors.New("--reduction macro does not go together with --max-depth, which counts single steps: leave one of them out")
	}
	if against != nil && p.IsGiven("reduction") && p.Reduction == "macro" {
		return against
	}
	if against != nil {
		p.Reduction = "off"
	}
	if p.Reduction == "off" && p.Components != "" {
		return errors.New("--components is for macro steps: leave it out, or what takes single steps")
	}
	return nil
}

// resolveDemeter refuses what changes which local traces there are, or which of them are found.
func (p *Plan) resolveDemeter() error {
	for _, f := range []struct{ name, value, needed, also string }{
		{"search", p.Search, "dfs", ""}, {"por", p.POR, "off", ""}, {"symmetry", p.Symmetry, "off", "auto"},
		{"hashing", p.Hashing, "fields", "selective"}, {"store", p.Store, "exact", ""},
	} {
		if f.value != f.needed && (f.value != f.also || f.also == "selective" && p.IsGiven(f.name)) {
			return fmt.Errorf("--reduction demeter follows interface traces with --%s %s, not %s: leave --%s out", f.name, f.needed, f.value, f.name)
		}
	}
	switch {
	case p.MaxDepth > 0:
		return errors.New("--reduction demeter does not go together with --max-depth, which counts single steps: leave one of them out")
	case p.Workers > 1:
		return fmt.Errorf("--reduction demeter searches with one worker, not %d", p.Workers)
	}
	p.Symmetry, p.Hashing = "off", "fields"
	return nil
}

func (p *Plan) resolvePOR() error {
	stateless := p.Search == "stateless"
	switch {
	case p.POR == "dynamic" && !stateless:
		return errors.New("--por dynamic is for --search stateless; searches that remember states take static")
	case stateless && p.POR == "static":
		return errors.New("--por static is for searches that remember states; --search stateless takes dynamic")
	case p.MaxDepth > 0 && p.POR != "off":
		return fmt.Errorf("--por %s does not go together with --max-depth: it may leave out what is within the bound; take --por off", p.POR)
	case p.POR == "static" && p.Hashing == "selective" && p.IsGiven("hashing"):
		return errors.New("--por static goes by who sent a message, which --hashing selective may leave out: take --hashing fields")
	case p.POR == "dynamic" && p.Workers > 1:
		return fmt.Errorf("--por dynamic searches with one worker, not %d", p.Workers)
	}
	if p.POR == "static" && p.Hashing == "selective" {
		p.Hashing = "fields"
	}
	return nil
}
