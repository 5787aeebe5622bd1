// Package serializer reads the structured bytes in which harrier keeps every local state
// and every message. The Java runtime writes them; docs/reference.md defines them.
//
// Decode turns bytes into a tree of Values and refuses whatever the format forbids. Encode
// gives the same bytes back. Format shows a tree to people, on one line. Diff says which
// fields changed between two trees, for traces. A Projection gives the bytes of a value
// without some of its fields, a Renaming those with other names of actors; the canonical
// encoder behind both writes any changed tree as Java would write it.
//
// Bytes are never trusted: none make Decode crash, run long, or allocate more than a fixed
// multiple of their length. None make Project or Rename crash or run exponentially long.
//
// One rule is checked in part only: the order of the elements of a set and of the keys of
// a map. Elements that hold a reference are not compared, because their place may follow
// from content that stands elsewhere.
package serializer

import (
	"cmp"
	"math"
	"strings"
)

// A Value is one value of the format and all that it holds. Which members it uses depends
// on its Kind; the others are zero. The zero Value is null.
type Value struct {
	Kind Kind

	// Number is a numbered value's own number, or the number that a Ref names. Decode sets
	// both; Encode reads only that of a Ref.
	Number int

	// Int is the value of a Byte, Short, Int, Long or Char, the raw IEEE 754 bits of a
	// Float or Double, and the count of children that an Actor has created.
	Int int64

	// Text is the content of a String or Name, the constant of an Enum, the name of an
	// Actor, the raw bytes of Bytes, and for CodeUnits the UTF-16 code units, two bytes
	// each, big endian.
	Text string

	// ClassName is the full name of the class of an Enum, Record, Object, List, Set, Map,
	// OrderedMap or Actor, and of the components of an Array.
	ClassName string

	// Parameter is what a List, Set, Map or OrderedMap has beside its content, such as a
	// comparator. It is nil where the format has null.
	Parameter *Value

	// Fields are those of a Record, Object or Actor.
	Fields []Field

	// Elements are those of an Array, List, Set, ImmutableList, NullableList or ImmutableSet, in the
	// order of the bytes. An Optional has one, or none if it is empty.
	Elements []Value

	// Entries are those of a Map, OrderedMap or ImmutableMap, in the order of the bytes.
	Entries []Entry
}

// isOrderedSet reports whether a list is a set of the JDK that keeps an order, such as a TreeSet: people know it as a set.
func (v *Value) isOrderedSet() bool {
	return v.Kind == List && strings.HasPrefix(v.ClassName, "java.util.") && strings.HasSuffix(v.ClassName, "Set")
}

// isHidden reports whether people are not to be shown a value: it is a constant without a name, which only a program's Shown makes.
func (v *Value) isHidden() bool { return v.Kind == Enum && v.Text == "" }

// A Field is one field of a record, an object or an actor.
type Field struct {
	Name  string
	Value Value
}

// An Entry is one pair of a map.
type Entry struct {
	Key, Value Value
}

// A Kind is what a Value is. Its number is the tag of the format.
type Kind uint8

// The kinds of values. Those that the format numbers are marked by Kind.Numbered.
const (
	Null          Kind = 0x00
	False         Kind = 0x01
	True          Kind = 0x02
	Byte          Kind = 0x03
	Short         Kind = 0x04
	Int           Kind = 0x05
	Long          Kind = 0x06
	Char          Kind = 0x07
	Float         Kind = 0x08
	Double        Kind = 0x09
	String        Kind = 0x0a
	CodeUnits     Kind = 0x0b // a string with unpaired surrogates
	Name          Kind = 0x0c // the name of an actor
	Enum          Kind = 0x0d
	Optional      Kind = 0x0e
	Ref           Kind = 0x0f
	Record        Kind = 0x10
	Object        Kind = 0x11
	Array         Kind = 0x12
	Bytes         Kind = 0x13 // a byte[]
	List          Kind = 0x14
	Set           Kind = 0x15
	Map           Kind = 0x16
	OrderedMap    Kind = 0x17
	ImmutableList Kind = 0x18
	ImmutableSet  Kind = 0x19
	ImmutableMap  Kind = 0x1a
	NullableList  Kind = 0x1b // an immutable list that takes null
	Actor         Kind = 0x20
)

var kindNames = [...]string{
	Null: "null", False: "false", True: "true",
	Byte: "byte", Short: "short", Int: "int", Long: "long", Char: "char",
	Float: "float", Double: "double", String: "string", CodeUnits: "string of code units",
	Name: "name", Enum: "enum constant", Optional: "optional", Ref: "ref",
	Record: "record", Object: "object", Array: "array", Bytes: "bytes",
	List: "list", Set: "set", Map: "map", OrderedMap: "ordered map",
	ImmutableList: "immutable list", ImmutableSet: "immutable set", ImmutableMap: "immutable map",
	NullableList: "immutable list that takes null",
	Actor:        "actor",
}

// String returns the name that docs/reference.md uses.
func (k Kind) String() string {
	if k.known() {
		return kindNames[k]
	}
	return "unknown"
}

// known reports whether there is such a kind.
func (k Kind) known() bool { return int(k) < len(kindNames) && kindNames[k] != "" }

// Numbered reports whether values of this kind have a number that a Ref can name.
func (k Kind) Numbered() bool {
	switch k {
	case Object, Array, Bytes, List, Set, Map, OrderedMap, Actor:
		return true
	}
	return false
}

// hasParts reports whether values of this kind have other values in them.
func (k Kind) hasParts() bool { return k >= Optional && k != Bytes && k != Ref }

// Name returns the name of an Actor, or what a Name names; otherwise "".
func (v Value) Name() string {
	if v.Kind == Actor || v.Kind == Name {
		return v.Text
	}
	return ""
}

// ActorName is the name of the actor in a local state, for people.
func ActorName(local []byte) string {
	v, err := Decode(local)
	if err != nil {
		return "an actor"
	}
	return v.Name()
}

// ClassOf returns the class of an encoded value, or the kind of one without a class; "" if the bytes are no value.
func ClassOf(b []byte) string {
	v, err := Decode(b)
	if err != nil {
		return ""
	}
	return cmp.Or(v.ClassName, v.Kind.String())
}

// Class returns the simple name of the value's class: what follows the last '.' or '$' of
// ClassName. It is "" for values without a class.
func (v Value) Class() string {
	name := strings.TrimRight(v.ClassName, "$") // a trailing '$' separates nothing
	if name == "" {
		return v.ClassName
	}
	return name[strings.LastIndexAny(name, ".$")+1:]
}

// Float returns the value of a Float or Double; otherwise 0.
func (v Value) Float() float64 {
	switch v.Kind {
	case Float:
		return float64(math.Float32frombits(uint32(v.Int)))
	case Double:
		return math.Float64frombits(uint64(v.Int))
	}
	return 0
}

// units returns the code units of a CodeUnits value.
func (v Value) units() []uint16 {
	units := make([]uint16, len(v.Text)/2)
	for i := range units {
		units[i] = uint16(v.Text[2*i])<<8 | uint16(v.Text[2*i+1])
	}
	return units
}

// Each calls f for the values directly inside v, in the order of the bytes.
func (v *Value) Each(f func(*Value)) {
	if v.Parameter != nil {
		f(v.Parameter)
	}
	for i := range v.Fields {
		f(&v.Fields[i].Value)
	}
	for i := range v.Elements {
		f(&v.Elements[i])
	}
	for i := range v.Entries {
		f(&v.Entries[i].Key)
		f(&v.Entries[i].Value)
	}
}
