package liveness

import (
	"harrier/internal/property"
	"harrier/internal/section"
)

// Figures say how a property of runs was decided.
type Figures struct {
	Property    string `json:"property"`
	Kind        string `json:"kind"`                  // always: in all fair runs; sometimes: in some state; possible: from every state
	Decided     bool   `json:"decided"`               // all states were explored, or one was found that is to be there
	SingleSteps string `json:"singleSteps,omitempty"` // why single steps were taken, if they were
	States      uint64 `json:"states"`
	Edges       uint64 `json:"edges"`
	Found       bool   `json:"found,omitempty"`   // of a property that is to hold in some state: a state was found
	Witness     string `json:"witness,omitempty"` // with --witness: path of the trace of a run to a state that has it
}

// Section is the part of a summary on properties of runs. fairness describes the assumptions on fair runs, macro reports whether the search of
// states takes macro steps, and decided whether there is a verdict.
func Section(all []Figures, fairness string, macro, decided bool) section.Section {
	value := struct {
		// Liveness says how properties of runs were decided; those for symmetric actors once.
		Liveness []Figures `json:"liveness,omitempty"`
		// Assumed describes the events that happen sooner or later in fair runs, where properties are about these.
		Assumed string `json:"assumed,omitempty"`
	}{Liveness: all}
	s := section.Section{Name: "fair runs"}
	for _, f := range all {
		kind, reduction := property.RunKindNamed(f.Kind), ""
		if f.SingleSteps != "" && macro {
			reduction = ", without reduction, as " + f.SingleSteps
		}
		soFar := ""
		if !decided {
			soFar = f.soFar()
		}
		s.Add(kind.Heading, "%s: %s, %s%s%s", f.Property, section.Plural(f.States, "state"), section.Plural(f.Edges, "edge"), soFar, reduction)
		if f.Witness != "" {
			s.Add("witness", "%s", f.Witness)
		}
		if kind.Fair {
			value.Assumed = fairness
		}
	}
	if value.Assumed != "" {
		s.Add("assumed", "%s", value.Assumed)
	}
	s.Value = value
	return s
}

// soFar is how far the search for a property came where there is no verdict.
func (f *Figures) soFar() string {
	isWanted := property.RunKindNamed(f.Kind).Wanted
	switch {
	case isWanted && f.Found:
		return "; found"
	case isWanted && !f.Decided:
		return "; not found so far"
	case !f.Decided:
		return " so far"
	}
	return ""
}
