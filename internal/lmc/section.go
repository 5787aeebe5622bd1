package lmc

import (
	"fmt"

	"harrier/internal/section"
)

// Proofs of what local model checking verified.
const (
	LocalProof  = "local"  // nothing was suspicious
	SearchProof = "search" // a search refuted all suspicious combinations, or knew without the sets
)

// Proof is how a program was proved that was verified.
func (f *Figures) Proof() string {
	if f.Suspicious == 0 && !f.Whole {
		return LocalProof
	}
	return SearchProof
}

// Section is the part of a summary on a local search, nil of others. verified reports whether the verdict is "verified".
func Section(f *Figures, proof string, verified bool) section.Section {
	s := section.Section{Name: "local", Value: struct {
		// Proof of a local search's "verified": local if nothing was suspicious, search if a search refuted it or, with whole among
		// the figures, proved it without them.
		Proof string `json:"proof,omitempty"`
		// Local are the figures of a local search.
		Local *Figures `json:"local,omitempty"`
	}{proof, f}}
	if f != nil {
		s.Add("local", "%s", f.text(proof, verified))
	}
	return s
}

// text describes the result for the suspicious combinations.
func (f *Figures) text(proof string, verified bool) string {
	of := section.Plural(f.Combinations, "combination") + " of local states"
	switch {
	case f.Whole:
		return fmt.Sprintf("the sets of local states were not complete after %s, so the whole program was searched",
			section.Plural(f.LocalSteps, "local step"))
	case proof == LocalProof:
		return "proved locally: none of " + of + " is bad, so no global state was searched"
	case verified && f.Suspicious == 1:
		return "1 combination or local state is suspicious, and no run reaches it"
	case verified:
		return fmt.Sprintf("%s combinations and local states are suspicious, and no run reaches any", section.Count(f.Suspicious))
	}
	return fmt.Sprintf("%s suspicious, of %s", section.Count(f.Suspicious), of)
}
