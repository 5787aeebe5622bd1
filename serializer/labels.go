package serializer

import "strings"

// Labels are what people call classes, by their full names, and constants, by the full names of their classes, a dot and
// their own. Classes without one have their simple names, as Value.Class gives them; constants have their own.
type Labels map[string]string

// Of is the label of a class.
func (l Labels) Of(class string) string {
	if label, ok := l[class]; ok {
		return label
	}
	return Value{ClassName: class}.Class()
}

// constant is the label of an enum constant.
func (l Labels) constant(v *Value) string {
	if len(l) > 0 {
		if label, ok := l[v.ClassName+"."+v.Text]; ok {
			return label
		}
	}
	if v.Text == "MODULE$" { // as the field of a singleton of Scala is called
		return l.Of(v.ClassName)
	}
	return v.Text
}

// Field is the label of a field as the format names it: with a class only if that is part of the name. What an actor has
// beside the fields of its class has spaces. A private field in Scala is named package$Class$$field if other classes read it.
func (l Labels) Field(name string) string {
	if at := strings.LastIndex(name, "$$"); at >= 0 && at+2 < len(name) {
		return name[at+2:]
	}
	at := strings.LastIndexByte(name, '.')
	if at < 0 || strings.Contains(name, " ") {
		return name
	}
	return l.Of(name[:at]) + name[at:]
}
