// Package sample takes random runs of a program, by single steps that are remembered, so that a run of a hundred steps takes as many
// microseconds.
//
//	Sampler   takes runs in turn; several side by side, so that Java is asked for what all of them lack in one batch
//	strategy  says which of the enabled steps of a state is next: any, by partial-order sampling, or by PCT
//	corpus    the ends of runs that showed something new, from which later ones go on
//	Unseen    what is likely still to be seen, estimated from the runs that are independent
//
// Which runs are taken depends on the program and the seed alone: steps are chosen by what they are, and not by their numbers.
package sample
