// Package liveness decides whether all fair runs of a program have a property in linear temporal logic without next.
//
//	ltl.Automaton   the runs that violate the property, by the labels of their states
//	system          the steps of one component, with the constraints enabled and those that each step meets (steps.go, macro.go)
//	graph           the global states with their edges, up to a group of permutations (graph.go, permutations.go)
//	growth          components that keep macro states from coming back (growth.go)
//	part            a strongly connected part of the product of both that is fair (product.go, fair.go)
//	Lasso           a run of single steps in it: a stem, and a loop that is repeated for ever (lasso.go, unfold.go)
//	Confirm         decides for one lasso, without any of these (confirm.go)
//
// A constraint is an actor with something that it may consume or do: a message by content, a timer, an internal handler. A run is
// fair if each constraint is infinitely often disabled or taken. A timer that a step sets anew is disabled in the middle of the step.
// Faults and choices need not happen. Every state may be repeated, so a run that ends is one that repeats its last state for ever, and
// is fair if nothing is enabled there.
//
// A run that violates the property is found as a part of the product that meets each acceptance set of the automaton, and each
// constraint: it has a state in which the constraint is disabled, or an edge that takes it or disables it in between. No edge is
// stored: the steps of components are remembered, and edges made of them again. docs/soundness.md has the argument for macro steps and permutations.
package liveness
