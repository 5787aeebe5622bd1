package serializer

import (
	"bytes"
	"slices"
)

// A FieldName names a field of all values of a class.
type FieldName struct {
	Class string // the full name of the values' own class, as ClassName has it
	Field string // as the format names it: with its class and a dot if it hides another
}

// A Projection leaves out fields of records, objects and actors.
//
// It is the function h of selective hashing, which takes a local state to the part of it
// that matters: Saissi, Bokor, Muftuoglu, Suri and Serafini, "Efficient Verification of
// Distributed Protocols Using Stateful Model Checking", sections III and IV-B.
// Whether what is left out matters is for the user to say; nothing here checks it.
//
// A Projection does not change, so several goroutines may use it.
type Projection struct {
	fields map[string][]string // the fields to leave out, by class
	marks  []mark
}

// A mark is what bytes must contain if there is a field to leave out.
type mark struct{ class, field []byte }

// NewProjection makes the projection that leaves out these fields, wherever they occur. A
// field that never occurs does no harm.
func NewProjection(fields []FieldName) *Projection {
	p := &Projection{fields: map[string][]string{}}
	for _, f := range fields {
		if slices.Contains(p.fields[f.Class], f.Field) {
			continue
		}
		p.fields[f.Class] = append(p.fields[f.Class], f.Field)
		p.marks = append(p.marks, mark{appendText(nil, f.Class), appendText(nil, f.Field)})
	}
	return p
}

// Empty reports whether the projection leaves out nothing.
func (p *Projection) Empty() bool { return len(p.fields) == 0 }

// Project gives the canonical bytes of the value in b without the projection's fields, as
// docs/reference.md defines them under "Projection". If none of the fields occurs, that is b
// itself, as it is. Such bytes need not be read as a whole, so faults in them may pass.
//
// The error says that b cannot be decoded, or that its projection cannot be written: a part
// that moved to a deeper place would nest too deep, or the order of a set would take too
// long to find, as too many of the elements share objects.
func (p *Projection) Project(b []byte) ([]byte, error) {
	if !p.touches(b) {
		return b, nil
	}
	root, err := Decode(b)
	if err != nil {
		return nil, err
	}
	t := trimmer{leaveOut: p.fields}
	t.trim(&root)
	if !t.found {
		return b, nil
	}
	return encodeCanonical(&root, t.numbered, len(b))
}

// touches reports whether there may be a field to leave out in b. To look for many takes longer than to decode b.
func (p *Projection) touches(b []byte) bool {
	return len(p.marks) > 16 || slices.ContainsFunc(p.marks, func(m mark) bool {
		return bytes.Contains(b, m.class) && bytes.Contains(b, m.field)
	})
}

// A trimmer takes fields out of a tree.
type trimmer struct {
	leaveOut map[string][]string
	numbered []*Value // the numbered values, by number, those in left-out fields too
	found    bool     // whether there was a field to leave out
}

func (t *trimmer) trim(v *Value) {
	if v.Kind.Numbered() {
		for len(t.numbered) <= v.Number {
			t.numbered = append(t.numbered, nil)
		}
		t.numbered[v.Number] = v
	}
	if len(v.Fields) > 0 && len(t.leaveOut) > 0 {
		t.trimFields(v)
	}
	v.Each(t.trim)
}

// trimFields makes a new list of fields if it must, as what is left out has to stay where
// it is: a kept Ref may name a part of it.
func (t *trimmer) trimFields(v *Value) {
	names := t.leaveOut[v.ClassName]
	isOut := func(f Field) bool { return slices.Contains(names, f.Name) }
	if len(names) == 0 || !slices.ContainsFunc(v.Fields, isOut) {
		return
	}
	t.found = true
	kept := make([]Field, 0, len(v.Fields)-1)
	for i := range v.Fields {
		if isOut(v.Fields[i]) {
			t.trim(&v.Fields[i].Value)
		} else {
			kept = append(kept, v.Fields[i])
		}
	}
	v.Fields = kept
}
