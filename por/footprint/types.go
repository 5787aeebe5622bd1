package footprint

import (
	"strings"

	"harrier/serializer"
)

// An Exactness says how well the type of a payload is known.
type Exactness uint8

const (
	Exact   Exactness = iota
	Perhaps           // the payload may be of another class
	Unknown
)

// TypeOf is the class of a message's content in structured bytes, and how well that is known.
func TypeOf(payload []byte) (string, Exactness) {
	v, err := serializer.Decode(payload)
	switch {
	case err != nil:
		return "", Unknown
	case v.Kind == serializer.Enum: // or an object in a static field, and then this is the class that has the field
		return v.ClassName, Perhaps
	case v.Kind == serializer.Record || v.Kind == serializer.Object:
		return PlainType(v.ClassName)
	}
	return "", Unknown
}

// PlainType leaves out types that bytes do not distinguish.
func PlainType(name string) (string, Exactness) {
	if name == "" || strings.HasPrefix(name, "java.") || strings.HasPrefix(name, "javax.") ||
		strings.Contains(name, "_lambda") || strings.HasPrefix(name, "[") {
		return "", Unknown
	}
	return name, Exact
}
