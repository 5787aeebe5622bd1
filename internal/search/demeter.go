package search

import (
	"context"
	"errors"
	"fmt"

	"harrier/por/demeter"
)

// interfaceTraces explores global skeletons, which are composed of local traces (package demeter).
type interfaceTraces struct{}

// Fits implements Strategy. It refuses options that change the set of local traces, or the traces found.
func (interfaceTraces) Fits(o Options) (Options, error) {
	if err := o.fitsOrder(); err != nil {
		return o, err
	}
	for _, f := range []struct{ name, value, needed, also string }{
		{"search", o.Search, "dfs", ""}, {"por", o.POR, "off", ""}, {"symmetry", o.Symmetry, "off", "auto"},
		{"hashing", o.Hashing, "fields", "selective"}, {"store", o.Store, "exact", ""},
	} {
		if f.value != f.needed && (f.value != f.also || f.also == "selective" && o.IsGiven(f.name)) {
			return o, fmt.Errorf("--reduction demeter follows interface traces with --%s %s, not %s: leave --%s out", f.name, f.needed, f.value, f.name)
		}
	}
	switch {
	case o.MaxDepth > 0:
		return o, errors.New("--reduction demeter does not go together with --max-depth, which counts single steps: leave one of them out")
	case o.Workers > 1:
		return o, fmt.Errorf("--reduction demeter searches with one worker, not %d", o.Workers)
	}
	o.Symmetry, o.Hashing = "off", "fields"
	return o, nil
}

// Search implements Strategy.
func (interfaceTraces) Search(ctx context.Context, p Problem) (Finding, error) {
	f := Finding{Checker: p.Checker}
	system, err := demeter.New(p.Actors, p.Checker)
	if err != nil {
		return f, err
	}
	f.Result, err = system.Search(ctx, p.Steps, p.Progress)
	figures := system.Figures()
	f.Traces = &figures
	return f, err
}
