package serializer

import (
	"bytes"
	"encoding/binary"
)

// A Renaming gives actors other names: the action of a permutation of actors on one local state, message or
// history. Symmetry reduction rests on it (Bokor, Serafini, Suri, Veith: Role-Based Symmetry Reduction of
// Fault-Tolerant Distributed Protocols with Language Support).
//
// A Renaming does not change, so several goroutines may use it if they may use its function.
type Renaming struct {
	rename func(name string) string
}

// NewRenaming makes the renaming that gives the actor of each name the name that rename says. It must not give
// two names of one value the same name. It is also asked for texts that are no names, and may say anything then.
func NewRenaming(rename func(name string) string) *Renaming { return &Renaming{rename} }

// Rename gives the canonical bytes of the value in b with other names, as docs/reference.md defines them under
// "Renaming". If none of its names changes, that is b itself, as it is. Such bytes need not be read as a whole,
// so faults in them may pass.
//
// The error says that b cannot be decoded, or that what it is renamed to cannot be written: the order of a set
// would take too long to find, as too many of the elements share objects.
func (r *Renaming) Rename(b []byte) ([]byte, error) {
	if !r.touches(b) {
		return b, nil
	}
	root, err := Decode(b)
	if err != nil {
		return nil, err
	}
	if !r.apply(&root) {
		return b, nil
	}
	numbered := partsOf(&root)
	o := orders{root: &root, numbered: numbered, size: len(b)}
	if err := o.restore(); err != nil {
		return nil, err
	}
	return encodeCanonical(&root, numbered, len(b))
}

// apply changes the names in a tree, and reports whether there were any to change.
func (r *Renaming) apply(v *Value) (changed bool) {
	if v.Kind == Name || v.Kind == Actor {
		name := r.rename(v.Text)
		changed = name != v.Text
		v.Text = name
	}
	v.Each(func(inner *Value) { changed = r.apply(inner) || changed })
	return changed
}

// touches reports whether there may be a name to change in b: a tag of a name, or of an actor at the start, with a
// text behind it that changes.
func (r *Renaming) touches(b []byte) bool {
	if len(b) > 0 && Kind(b[0]) == Actor && r.changes(b[1:]) {
		return true
	}
	for {
		at := bytes.IndexByte(b, byte(Name))
		if at < 0 {
			return false
		}
		b = b[at+1:]
		if r.changes(b) {
			return true
		}
	}
}

// changes reports whether the text at the start of b, if there is one, is a name to change.
func (r *Renaming) changes(b []byte) bool {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return false
	}
	text := string(b[size : size+int(n)])
	return r.rename(text) != text
}
