package serializer

import "strings"

// Labels are what people call classes, by their full names. Those without one have their simple names, as Value.Class
// gives them.
type Labels map[string]string

// Of is the label of a class.
func (l Labels) Of(class string) string {
	if label, ok := l[class]; ok {
		return label
	}
	return Value{ClassName: class}.Class()
}

// Field is the label of a field as the format names it: with a class only if that is part of the name. What an actor has
// beside the fields of its class has spaces.
func (l Labels) Field(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || strings.Contains(name, " ") {
		return name
	}
	return l.Of(name[:at]) + name[at:]
}
