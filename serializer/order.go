package serializer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// What Java writes as a list, but sorts by what names have a part in.
const (
	historyClass   = "harrier.History"
	operationsName = "operations"
	timersName     = "pending timers"
	delayedClass   = "harrier.host.Agenda$Delayed"
	taskClass      = "harrier.host.Task"
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
		return o.sortTimers(o.root.field(timersName))
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

// A timer is a pending timer and what its place follows from.
type timer struct {
	value Value
	ranks []int64 // moment and durations, where they count
	key   []byte
}

func (o *orders) sortTimers(list *Value) error {
	if list == nil || len(list.Elements) < 2 {
		return nil
	}
	timers := make([]timer, len(list.Elements))
	for i := range timers {
		var err error
		if timers[i], err = o.timer(&list.Elements[i]); err != nil {
			return err
		}
	}
	slices.SortStableFunc(timers, func(a, b timer) int {
		return cmp.Or(slices.Compare(a.ranks, b.ranks), bytes.Compare(a.key, b.key))
	})
	list.Elements = make([]Value, len(timers))
	for i, t := range timers {
		list.Elements[i] = t.value
	}
	return nil
}

func (o *orders) timer(v *Value) (timer, error) {
	what := v
	t := timer{value: *v, ranks: []int64{0, 0, 0}}
	if v.Kind == Record && v.ClassName == delayedClass {
		t.ranks = []int64{v.number("moment"), v.number("min"), v.number("max")}
		if what = v.field("what"); what == nil {
			what = &null
		}
	}
	if what.Kind == Ref {
		what = o.numbered[what.Number]
	}
	if what.Kind == Object && what.ClassName == taskClass {
		what = o.withTask(what)
	}
	var err error
	t.key, err = encodeCanonical(what, o.numbered, o.size)
	return t, err
}

// withTask is the actor with nothing beside its fields but a task: tasks share objects with the actor. No tag is above that
// of actors, so tasks come behind timers.
func (o *orders) withTask(task *Value) *Value {
	actor := *o.root
	actor.Fields = slices.DeleteFunc(slices.Clone(actor.Fields), func(f Field) bool { return strings.Contains(f.Name, " ") })
	actor.Fields = append(actor.Fields, Field{"task", *task})
	return &actor
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
