package static

import (
	"strings"

	"harrier/model"
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
