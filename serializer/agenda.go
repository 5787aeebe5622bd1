package serializer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// The fields of an actor's bytes that are its agenda: what it is to do by itself, and its time. They are no fields of its class;
// docs/reference.md defines them. Java's harrier.runtime.actor.Pending writes and reads them, Go's serializer/agenda.go reads them.
const (
	// AgendaTimers holds timers and scheduled tasks that are pending.
	AgendaTimers = "pending timers"
	// AgendaTasks holds tasks that wait for their turn.
	AgendaTasks = "waiting tasks"
	// AgendaThreads holds the threads that the actor has: that of its handlers first, if it waits or the program knows it.
	AgendaThreads = "running threads"
	// AgendaSockets holds the sockets that the actor has, once it had any.
	AgendaSockets = "open sockets"
	// AgendaStatics holds what static fields hold in a process, where that is not what they held at the start.
	AgendaStatics = "static fields"
	// AgendaLoop holds something once the event loop is shut down.
	AgendaLoop = "event loop"
	// AgendaClock holds the time on the actor's clock, once it was moved.
	AgendaClock = "logical clock"
	// AgendaDraws holds how many random values the actor has drawn, where each is to differ from the others.
	AgendaDraws = "random draws"
	// AgendaFirings holds how often timers fired and scheduled tasks ran, where that is bounded.
	AgendaFirings = "timers fired"
)

const (
	delayedClass = "harrier.host.Agenda$Delayed" // of timers whose durations count
	taskClass    = "harrier.host.Task"
)

// AgendaFields names the fields of an actor's bytes that are its agenda.
func AgendaFields() []string {
	return []string{AgendaTimers, AgendaTasks, AgendaThreads, AgendaSockets, AgendaStatics, AgendaLoop, AgendaClock, AgendaDraws, AgendaFirings}
}

// MayHavePending reports whether an actor may have pending timers or waiting tasks: false only if it has none.
func MayHavePending(actor []byte) bool {
	return bytes.Contains(actor, []byte(AgendaTimers)) || bytes.Contains(actor, []byte(AgendaTasks))
}

// Durations returns within how many nanoseconds a pending timer with these bytes fires; ok is false if there is none whose
// durations count.
func Durations(actor, timer []byte) (least, most int64, ok bool) {
	v, err := Decode(actor)
	if err != nil {
		return 0, 0, false
	}
	timers := v.field(AgendaTimers)
	if timers == nil {
		return 0, 0, false
	}
	for _, t := range timers.Elements {
		if what := t.field("what"); t.isDelayed() && what != nil && bytes.Equal(Encode(*what), timer) {
			return t.number("min"), t.number("max"), true
		}
	}
	return 0, 0, false
}

func (v *Value) isDelayed() bool { return v.Kind == Record && v.ClassName == delayedClass }

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
	if v.isDelayed() {
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
