package serializer

import (
	"cmp"
	"slices"
)

// Java writes operations as a list, sorted by what names have a part in.
const (
	historyClass   = "harrier.History"
	operationsName = "operations"
)

// orders sorts the lists of a tree whose order follows from their content: the operations of a history and
// pending timers. Java's harrier.History and Pending are the models for it.
//
// A list that is sorted is made anew, as what it holds has to stay where it is for those in numbered.
type orders struct {
	root     *Value
	numbered []*Value // the numbered values, by number
	size     int      // about how many bytes the tree came from
}

func (o *orders) restore() error {
	if o.root.Kind == Record && o.root.ClassName == historyClass {
		sortOperations(o.root.field(operationsName))
	}
	if o.root.Kind == Actor {
		return o.sortTimers(o.root.field(AgendaTimers))
	}
	return nil
}

// sortOperations sorts by the moment of the invocation, those of the same moment by the actor's name.
func sortOperations(list *Value) {
	if list == nil {
		return
	}
	list.Elements = slices.SortedStableFunc(slices.Values(list.Elements), func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.number("invokedAt"), b.number("invokedAt")), cmp.Compare(a.name("actor"), b.name("actor")))
	})
}

// field is the value of a field, nil if there is none.
func (v *Value) field(name string) *Value {
	for i := range v.Fields {
		if v.Fields[i].Name == name {
			return &v.Fields[i].Value
		}
	}
	return nil
}

// number is the number in a field, 0 if there is none.
func (v *Value) number(name string) int64 {
	if f := v.field(name); f != nil {
		return f.Int
	}
	return 0
}

// name is the name in a field, "" if there is none.
func (v *Value) name(field string) string {
	if f := v.field(field); f != nil {
		return f.Name()
	}
	return ""
}
