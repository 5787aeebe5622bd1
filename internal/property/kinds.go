package property

import (
	"fmt"

	"harrier/internal/model"
)

// These tables, with where a property of states or steps is tested (model.PropertyKind), are all that is said of kinds of properties and of
// violations: reading and writing traces, checking and reporting go by them. How package liveness decides a kind of properties of runs is
// the one exception (liveness.Search).

// A stateKind describes a kind of properties of states or steps.
type stateKind struct {
	annotations []string // of methods that declare such properties, as Java's PropertyAnnotation has them
	violation   Kind     // of a state or step in which such a property does not hold; "" if it need not hold anywhere
}

var stateKinds = [...]stateKind{
	model.Invariant: {[]string{"Invariant"}, InvariantViolation},
	model.Final:     {[]string{"Final"}, FinalViolation},
	model.Predicate: {},
	model.Step:      {[]string{"StepInvariant"}, HandlerFailure},
	model.Within:    {annotations: []string{"Within"}},
}

// ViolationOf is the violation of a state or step in which a property does not hold; "" if it need not hold anywhere.
func ViolationOf(p model.Property) Kind { return stateKinds[p.Kind].violation }

// A RunKind describes a kind of properties of runs.
type RunKind struct {
	Name        string   // in the JSON document
	Heading     string   // of the line that says how such a property was decided
	Annotations []string // of methods that declare such properties
	Violation   Kind
	Fair        bool // it is about all fair runs, and its formula one of linear temporal logic; else a state satisfies the formula
	Wanted      bool // the run that is looked for shows that the property holds, and not that it is violated
	Always      bool // it is asked under MP and from snapshots, too
	// SingleSteps is why macro steps do not preserve it, whatever the program; "" if that depends on the program. Where Wanted they do.
	SingleSteps string
}

var runKinds = [...]RunKind{
	model.Always: {Name: "always", Heading: "fair runs", Violation: Liveness, Fair: true,
		Annotations: []string{"Eventually", "AlwaysEventually", "EventuallyAlways", "LeadsTo"}},
	model.Sometimes: {Name: "sometimes", Heading: "some state", Violation: Never, Wanted: true, Always: true,
		Annotations: []string{"Sometimes"}},
	model.Possible: {Name: "possible", Heading: "every state", Violation: Impossible, SingleSteps: "it is asked of each single state",
		Annotations: []string{"Possible"}},
}

// OfRuns returns the kind of a property.
func OfRuns(of model.Liveness) RunKind { return runKinds[of.Kind] }

// RunKindNamed returns the kind with a name, or the zero value.
func RunKindNamed(name string) RunKind {
	for _, k := range runKinds {
		if k.Name == name {
			return k
		}
	}
	return RunKind{}
}

// Annotations are those of methods that declare properties, by their simple names.
func Annotations() []string {
	var names []string
	for _, k := range stateKinds {
		names = append(names, k.annotations...)
	}
	for _, k := range runKinds {
		names = append(names, k.Annotations...)
	}
	return names
}

// Kind is the kind of a violation, as it stands in traces.
type Kind string

// The kinds of violation.
const (
	InvariantViolation Kind = "invariant"  // an invariant does not hold
	FinalViolation     Kind = "final"      // no event is enabled, and a final condition does not hold
	Deadlock           Kind = "deadlock"   // the same where somebody waits, which is known of runs only
	HandlerFailure     Kind = "failure"    // a handler fails, or does what a step invariant forbids
	Liveness           Kind = "liveness"   // a fair run violates a property of runs
	Never              Kind = "never"      // a property that is to hold in some state holds in no state
	Impossible         Kind = "impossible" // from the last state of a run no run without faults leads to where a property holds

	// None is the kind of a run that is kept though it violates nothing.
	None Kind = "none"
)

// A violationKind describes violations of a kind.
type violationKind struct {
	text    string                // says of a property that it is violated
	isFinal bool                  // in a terminal state
	ending  func(loop int) string // how the run goes on; nil of properties of states and steps
	hasLoop bool                  // the end of the run may be repeated for ever
	hasNone bool                  // no run shows it
}

var violationKinds = map[Kind]violationKind{
	InvariantViolation: {text: "violated: %s"},
	FinalViolation:     {text: "the run ends, and %q does not hold", isFinal: true},
	Deadlock:           {text: "deadlock: no event is enabled, and %q does not hold", isFinal: true},
	HandlerFailure:     {},
	Liveness:           {text: "violated: %s", ending: repeated, hasLoop: true},
	Never:              {text: "violated: %s", ending: func(int) string { return "it holds in no state" }, hasNone: true},
	Impossible:         {text: "violated: %s", ending: func(int) string { return "from here no run without faults leads to it" }},
	None:               {},
}

func repeated(loop int) string {
	switch loop {
	case 0:
		return "nothing happens any more"
	case 1:
		return "the last step is repeated for ever"
	}
	return fmt.Sprintf("the last %d steps are repeated for ever", loop)
}

// IsKnown reports whether it is one of the kinds.
func (k Kind) IsKnown() bool { _, known := violationKinds[k]; return known }

// IsFinal reports whether a final condition is violated.
func (k Kind) IsFinal() bool { return violationKinds[k].isFinal }

// IsOfRuns reports whether the property is one of Program.Liveness.
func (k Kind) IsOfRuns() bool { return violationKinds[k].ending != nil }

// HasLoop reports whether the last steps of the run may be repeated for ever.
func (k Kind) HasLoop() bool { return violationKinds[k].hasLoop }

// HasNoRun reports whether there is no run that shows the violation.
func (k Kind) HasNoRun() bool { return violationKinds[k].hasNone }

// Text says that a property with a name is violated: in the last state, or by a run.
func (v Violation) Text(name string) string {
	k := violationKinds[v.Kind]
	text := fmt.Sprintf(k.text, name)
	if k.ending != nil {
		text += ": " + k.ending(v.Loop)
	}
	return text
}
