package model

import (
	"cmp"
	"slices"
	"strings"
)

// Field is a field of an actor or of a message, with its part in the decomposition.
type Field struct {
	Class   string // full name of the run-time class
	Name    string // as in structured bytes
	Owner   string // full name of the class that declares it
	Label   string // what people call it, wherever it is inherited
	Verdict FieldVerdict
	// ForProperties reports whether it is relevant only as properties depend on it.
	ForProperties bool
	// Reason is how the field comes to be relevant, read by read; or, for one that was declared
	// auxiliary and is believed to be, the reads that contradict it.
	Reason []string
	// Seen is where each property may read it, or why it may, as in Touch.Where; "" for one that cannot.
	Seen []string
}

// String names the field for people.
func (f Field) String() string { return cmp.Or(f.Label, f.Class+"."+f.Name) }

// Declared is the field with the class that declares it, as a Touch names it. All classes that inherit it have it.
func (f Field) Declared() string {
	return f.Owner + "." + f.Name[strings.LastIndexByte(f.Name, '.')+1:]
}

// FieldNames are for people: the declared fields for which include holds.
func (p *Program) FieldNames(include func(f Field) bool) []string {
	names := []string{}
	for _, f := range p.Fields {
		if name := f.String(); include(f) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// AuxiliaryFields are the fields that are left out of the relevant part, as FieldNames has them.
func (p *Program) AuxiliaryFields() []string {
	return p.FieldNames(func(f Field) bool { return f.Verdict.Auxiliary() })
}

// FindFieldRelevant makes a field relevant in all classes that inherit it, for a reason that was found after the program was loaded.
func (p *Program) FindFieldRelevant(field Field, reason string) {
	for i := range p.Fields {
		if f := &p.Fields[i]; f.Declared() == field.Declared() {
			f.Verdict, f.ForProperties, f.Reason = Relevant, false, []string{reason}
		}
	}
}

// Auxiliary are the fields that are left out of the relevant part.
func (p *Program) Auxiliary() []Field {
	return slices.DeleteFunc(slices.Clone(p.Fields), func(f Field) bool { return !f.Verdict.Auxiliary() })
}

// NeedsWholeMessages reports whether states count the messages of a channel that is a set. Those that differ in auxiliary fields
// only would be one there, and a final condition would be asked before all of them are received, or fairness demand less. So
// neither fields nor senders of messages may be auxiliary, nor fields whose values get into them.
func (p *Program) NeedsWholeMessages() bool {
	return p.EmptiesSets() && slices.ContainsFunc(p.Faults, Fault.Repeats)
}

// WholeMessagesReason is why, for people.
const WholeMessagesReason = "duplicating() takes equal messages as one, and final conditions and liveness ask whether all are received"

// FieldVerdict reports whether a field is relevant or auxiliary, and how that is known.
type FieldVerdict uint8

const (
	// Relevant fields may influence enabled events, messages, created actors, choices, failures or properties.
	Relevant FieldVerdict = iota
	// Inferred fields are auxiliary: the analysis of the program's bytecode shows it.
	Inferred
	// Declared fields are marked @Auxiliary, and the analysis shows that they are.
	Declared
	// Believed fields are marked @Auxiliary, and the analysis could not show that they are.
	Believed
	// Contradicted fields are marked @Auxiliary, and the analysis shows that they are not. Such a program is refused, so
	// no facts of a loaded one have it.
	Contradicted
)

// Auxiliary reports whether the field is left out of the relevant part.
func (v FieldVerdict) Auxiliary() bool { return v != Relevant }

// String says it in words.
func (v FieldVerdict) String() string {
	switch v {
	case Inferred:
		return "auxiliary (inferred)"
	case Declared:
		return "auxiliary (declared, confirmed)"
	case Believed:
		return "auxiliary (declared, not confirmed)"
	}
	return "relevant"
}
