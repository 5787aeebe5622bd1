// Package por is partial-order reduction of single steps: of several transitions that are enabled, a search follows those that stand for the rest.
//
//	static      stubborn sets, by what an analysis of the handlers' code says that they touch and send
//	dynamic     of a stateless search: it goes back to where an order of two dependent steps was not tried
//	footprint   what the analysis says of handlers, and the tripwire that sees it contradicted when they run
//
// Package audit executes pairs of steps that were treated as independent both ways round. docs/soundness.md has the proofs that no
// violation is lost.
//
// This package has the tests. They compare reduced searches with the naive search of package twin on random programs, and each
// reduced state of small programs with the definition that the proofs rest on. A program that once showed a defect is kept in
// testdata/corpus, and testdata/mutants.txt lists the defects that are planted to see these tests fail.
package por
