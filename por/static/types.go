package static

import (
	"strings"

	"harrier/model"
	"harrier/serializer"
)

// What a handler takes where that is no message; and any message where it is not known.
const (
	// Anything is a message of any type, or a timer.
	Anything = ""
	// Itself is nothing: the actor does it by itself.
	Itself = "by itself"
	// Restarts is nothing: it is what the actor does after a crash.
	Restarts = "after a crash"
)

// An exactness says what is known of the type of a payload.
type exactness uint8

const (
	isExact   exactness = iota
	isPerhaps           // what it says may be another class
	isUnknown
)

// TypeOf is the class of a message's content in structured bytes, and how well that is known.
func typeOf(payload []byte) (string, exactness) {
	v, err := serializer.Decode(payload)
	switch {
	case err != nil:
		return "", isUnknown
	case v.Kind == serializer.Enum: // or an object in a static field, and then this is the class that has the field
		return v.ClassName, isPerhaps
	case v.Kind == serializer.Record || v.Kind == serializer.Object:
		return plainType(v.ClassName)
	}
	return "", isUnknown
}

// plainType leaves out types that bytes do not tell from others.
func plainType(name string) (string, exactness) {
	if name == "" || strings.HasPrefix(name, "java.") || strings.HasPrefix(name, "javax.") || strings.Contains(name, "_lambda") || strings.HasPrefix(name, "[") {
		return "", isUnknown
	}
	return name, isExact
}

// takenBy says by its label what a handler takes, by the simple name of a class.
func takenBy(label string) string {
	_, parameters, ok := strings.Cut(label, "(")
	parameters = strings.TrimSuffix(parameters, ")")
	switch {
	case !ok:
		return Anything
	case parameters == "" && strings.HasSuffix(label, ".onRestart()"):
		return Restarts
	case parameters == "":
		return Itself
	}
	first, _, _ := strings.Cut(parameters, ",")
	if _, of, isCollection := strings.Cut(first, "<"); isCollection {
		first = strings.TrimSuffix(of, ">")
	}
	return strings.TrimSpace(first)
}

func simpleName(class string) string { return class[strings.LastIndexAny(class, ".$")+1:] }

// takers are those of the handlers of an actor's class that may take a message of a type. Where one has just that type, no other
// may, and one that takes a single other type does not either. A type of which another one has the simple name may be either.
func (s *Static) takers(class, of string) []model.Handler {
	var exact, all []model.Handler
	for _, h := range s.wiring.program.Handlers {
		if h.Class != class {
			continue
		}
		switch takes := s.takes(h.Label); {
		case takes == Itself || takes == Restarts:
		case of != "" && h.Only != "" && h.Only != of:
		case of != "" && (takes == of || takes == simpleName(of) && len(s.simple[takes]) == 1):
			exact = append(exact, h)
			fallthrough
		default:
			all = append(all, h)
		}
	}
	if exact != nil {
		return exact
	}
	return all
}
