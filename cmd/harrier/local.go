package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/lmc"
	"harrier/model"
	"harrier/property"
	"harrier/report"
)

// parseLocal refuses what does not go together with --search local.
func (m *method) parseLocal(c *cobra.Command) error {
	if m.search != local {
		for _, name := range []string{"max-local-events", "local-pruning"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s is for --search local", name)
			}
		}
		return nil
	}
	if m.localPruning != "on" && m.localPruning != "off" {
		return fmt.Errorf("--local-pruning is on or off, not %q", m.localPruning)
	}
	if m.localEvents < 0 || m.localEvents == 0 && c.Flags().Changed("max-local-events") {
		return errors.New("--max-local-events must be at least 1")
	}
	fitting := map[string][]string{"por": {"off"}, "reduction": {"auto", "macro"}, "symmetry": {"auto", "off"}}
	for _, name := range []string{"por", "reduction", "symmetry", "store", "push", "max-depth", "keep-going"} {
		if f := c.Flag(name); f.Changed && !slices.Contains(fitting[name], f.Value.String()) {
			return fmt.Errorf("--search local does not go together with --%s %s: leave one of them out", name, f.Value)
		}
	}
	m.reduction, m.symmetry = "macro", "off"
	return nil
}

// exploreLocally checks without a search of states as long as nothing is suspicious.
func (k *check) exploreLocally(ctx context.Context, actors *model.Actors, checker *property.Checker, options dbss.Options) (*dbss.Result, error) {
	r, err := lmc.Check(ctx, actors, checker, lmc.Options{Options: options, LocalEvents: k.localEvents, General: k.localPruning == "off"}, &k.progress)
	if err != nil {
		return nil, err
	}
	k.local = &report.Local{
		LocalStates: r.LocalStates, Ways: r.Ways, Messages: r.Messages, LocalSteps: r.LocalSteps,
		Combinations: r.Combinations, Suspicious: r.Suspicious, Rounds: r.Rounds,
	}
	return r.Result, nil
}

// describeLocal puts into the summary what a proof rests on.
func (k *check) describeLocal(summary *report.Summary) {
	if summary.Local = k.local; k.local == nil || summary.Verdict != report.Verified {
		return
	}
	if summary.Proof = "search"; k.local.Suspicious == 0 {
		summary.Proof = "local"
	}
}
