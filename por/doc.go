// Package por is partial-order reduction over single steps: of several transitions that are enabled, a search follows those that stand for
// the rest.
//
// What depends on what is found in two ways. Package static has an analysis of the handlers' code say which fields they touch and
// whom they send to. Package dynamic watches a stateless search, and goes back to where an order of two dependent steps was not
// tried. Package audit executes pairs of steps that were treated as independent both ways round. docs/soundness.md has the argument
// why the first loses no violation.
//
// This package has the tests. They hold searches that are reduced to the naive search of package twin on random programs, and each reduced state of
// small programs to the definition that the argument rests on. A program that once showed a defect is kept in testdata/corpus, and
// the defects that are planted to see these tests fail are listed in testdata/mutants.
package por
