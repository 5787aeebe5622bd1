package model

import "context"

// Reduction chooses which transitions of a state a worker of a search follows. It appends to into, which is empty, those of a state
// in which several are enabled, in the order of System.Enabled, and reports whether there are others. Without others, into may stay
// empty. All that it appends are enabled: what is global disables none.
type Reduction = func(ctx context.Context, s State, into []Transition) (chosen []Transition, isReduced bool, err error)
