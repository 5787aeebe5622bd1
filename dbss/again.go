package dbss

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// Again takes up, in this process, what a search did in another one or before it was killed.
type Again struct {
	System     model.Shared
	Checker    Checker
	NoDeadlock bool // as in Options
}

// Read returns the state that consists of parts in portable terms.
func (a Again) Read(parts [][]byte) (s model.State, err error) {
	s = model.State{0}
	for _, part := range parts {
		position, id, err := a.System.Read(part)
		if err != nil {
			return nil, err
		}
		s, _ = s.Put(position, id, nil)
	}
	return s, nil
}

// Follow finds the transition of s that leads to the state to, or if that is nil, one that fails, with its failure.
func (a Again) Follow(ctx context.Context, s, to model.State) (by model.Transition, failure *model.StepFailure, err error) {
	enabled, err := a.System.Enabled(ctx, s, nil)
	if err != nil {
		return by, nil, err
	}
	for _, t := range enabled {
		after, _, err := a.System.Apply(slices.Clone(s), t, nil)
		switch {
		case errors.As(err, &failure):
			if to == nil {
				return t, failure, nil
			}
		case errors.Is(err, model.ErrDisabled):
		case err != nil:
			return by, nil, err
		case to != nil && slices.Equal(after.Trimmed(), to.Trimmed()):
			return t, nil, nil
		}
	}
	return by, nil, errors.New("no transition leads from a state to the one that was met from it")
}

// Test returns the violation in a state, as Search tests it; nil if there is none.
func (a Again) Test(ctx context.Context, s model.State) (*property.Violation, error) {
	if within, err := a.Checker.IsWithin(ctx, s); !within || err != nil {
		return nil, err
	}
	v, err := a.Checker.Invariants(ctx, s)
	if v != nil || err != nil {
		return v, err
	}
	enabled, err := a.System.Enabled(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	terminal, err := model.IsTerminal(a.System, s, enabled)
	if err != nil {
		return nil, err
	}
	_, v, err = a.Checker.Terminal(ctx, s, terminal, !a.NoDeadlock)
	return v, err
}

// Ask has the checker know the evaluations that a search had to ask for in some states, in portable terms.
func (a Again) Ask(ctx context.Context, states [][][]byte) error {
	for _, content := range states {
		s, err := a.Read(content)
		if err == nil {
			_, err = a.Test(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// asking is a Checker that counts the evaluations that it asked for.
type asking interface{ Asked() uint64 }

// write returns the parts of a state in portable terms.
func write(terms model.Portable, s model.State) (parts [][]byte, err error) {
	for position, id := range s {
		if id == 0 {
			continue
		}
		part, err := terms.Write(uint32(position), id)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
