// Package dynamic is stateless search with dynamic partial-order reduction: Flanagan, Godefroid, "Dynamic Partial-Order
// Reduction for Model Checking Software" (POPL 2005), with the sleep sets of Godefroid, "Partial-Order Methods for the
// Verification of Concurrent Systems" (1996). It needs no analysis of the program beforehand: which steps depend on each other
// is read off the runs that it follows.
//
// An actor is what a process is in these papers, but that it may have several steps enabled: messages that it may
// take first, outcomes, faults in whose scope it is. They depend on each other, so a state has a set of actors, and
// all steps are followed that these have there and that do not sleep. The set begins with one actor. It grows when a race
// is seen on a run that leads through the state: a step f of another actor that could as well have come before the step y that
// was taken there, and that makes a difference to y's actor.
//
// # Dependence
//
// Steps of one actor depend on each other. So do two that touch the same thing (steps.go): the history, if both record; the
// budgets and cuts of faults; the messages in flight, if invariants read these; a channel that is a set, as adding to it and taking
// from it do not commute. All others commute: they change different nodes, and adding to an inbox commutes with
// taking out of it. What a step needs, a message sent or its actor created, comes before it on every run. That and dependence are
// the order of the steps of a run (happens-before); runs with the same order lead to the same state, and are one.
//
// A step f conflicts with an actor p in a state s if it is p's, sends to p or creates it, or touches what some step
// touches that p has enabled in s.
//
// # Why it misses nothing
//
// Let every run be finite. Let s be a state on the stack, Z the steps that sleep there, X those that were followed from it when
// the search leaves it. Let w be a run from s. A step is initial in w if it occurs there and depends on none before it, so that
// it could be the first. Claim: if no step of Z is initial in w, some run that was followed from s is w, reordered, with
// further steps mixed in. By induction on the longest run from s; w is not empty.
//
//  1. A step of X is initial in w. Let y be the first such one that was followed. No step that sleeps after y is initial
//     in the rest of w: those from Z would be in w, and those followed before y as well. So the claim for the state after y does.
//  2. Some y of X conflicts with no step of w. Then w is a run after y too, with the same outcome, and the claim there does.
//  3. Neither. Let y be any step of X, p its actor, f the first step of w that conflicts with p in s, v the steps before f. If f
//     is p's, it is enabled in s already, since nothing was sent to p; it depends on no step of v, as these touch nothing
//     that p's steps in s touch; so it is initial, and not in Z, and p's steps were followed: that is case 1. So f is another
//     actor's. Neither v nor f is disabled by y, so vf is a run after y, and the claim holds for it there: a run was
//     followed from s on which y comes first, then v and f, with other steps mixed in. No step orders y before f. So the
//     race was seen, and an actor was added whose step is the first of those in vf that f needs to come after, or f. That step
//     is initial in w, so it does not sleep in s, and it was followed: that is case 1.
//
// It remains that y disables no step of another actor. Only one that consumes a budget or activates a cut does. So where an
// actor of the set may take a step in which budgets and cuts have a say, all actors are in the set, and case 1 applies. (One
// that is disabled touches them all the same: p conflicts with steps that enable it.) A step that fails leads nowhere, so in 2
// and 3 y has to be one that does not fail; where no such step was followed, all actors are added. The same holds for faults:
//
//   - Terminal states. If w leads to a state in which nothing but faults is enabled, case 2 cannot arise with a y that is no
//     fault, as y would still be enabled there. So the run that was followed is w, reordered, with nothing mixed in, and the
//     terminal state was reached.
//   - Failures. If f fails at the end of w, it was executed: the steps mixed in do not disable it.
//   - Invariants. The steps mixed in come before no step of w in the order of the run that was followed: a y of case 2 sends
//     nothing that w needs, and touches nothing that w touches. So the steps of w are a consistent cut of that run, and the
//     state after w is the one after the cut. Invariants are evaluated after all cuts (cuts.go), those that differ in visible
//     steps: whether a step is visible, so that invariants may tell the states before and after it apart, is seen from its
//     local states, which are the same in all reorderings of a run. A local state, who exists and the history are known after
//     a cut; messages in flight are not. Where invariants read these, visible steps depend on each other, so that they are ordered
//     on each run as on w, and states after steps of runs are enough.
//
// As in any stateless search, a program whose runs do not end keeps it going until it is stopped.
package dynamic
