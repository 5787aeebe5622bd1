package model

// A PropertyKind says when a property must hold.
type PropertyKind uint8

const (
	// Invariant must hold in every reachable state.
	Invariant PropertyKind = iota
	// Final must hold in every state in which no event is enabled.
	Final
	// Predicate need not hold anywhere: liveness properties ask for it.
	Predicate
	// Step must hold of every local step. The oracle decides it: a step that violates it is a Failure.
	Step
	// Within holds in the states that a check is about: runs are followed up to the first state in which it does not hold.
	Within
)

// IsOfEachState reports whether a property of the kind is tested in each reachable state.
func (k PropertyKind) IsOfEachState() bool { return k == Invariant }

// IsOfTerminalStates reports whether a property of the kind is tested in terminal states only.
func (k PropertyKind) IsOfTerminalStates() bool { return k == Final }

// IsOfStates reports whether a property of the kind is tested in states.
func (k PropertyKind) IsOfStates() bool { return k.IsOfEachState() || k.IsOfTerminalStates() }

// IsOfSteps reports whether the oracle tests a property of the kind, in each local step.
func (k PropertyKind) IsOfSteps() bool { return k == Step }

// IsBound reports whether a property of the kind says which states are explored.
func (k PropertyKind) IsBound() bool { return k == Within }

// A LivenessKind says in which runs or states a formula must hold.
type LivenessKind uint8

const (
	// Always must hold in all fair runs.
	Always LivenessKind = iota
	// Sometimes must hold in some state that a run comes to.
	Sometimes
	// Possible must hold in some state that can be reached without faults, from each state that a run comes to.
	Possible
)
