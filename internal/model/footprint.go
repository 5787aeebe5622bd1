package model

// A Footprint is what a handler may do, as an analysis of its code says it: more than it does, never less. A handler that
// has none may do anything.
type Footprint struct {
	Handler    string // its label
	GuardReads []Touch
	Reads      []Touch // of its body
	Writes     []Touch
	Sends      []Sending
	Creates    bool // it may create actors
	Stops      bool // its actor may stop
	Records    bool // it may begin or end an operation
}

// Footprint joins the footprints of a handler. If it has none, known is false.
func (p *Program) Footprint(label string) (joined Footprint, known bool) {
	joined.Handler = label
	for _, f := range p.Footprints {
		if f.Handler != label {
			continue
		}
		known = true
		joined.GuardReads = append(joined.GuardReads, f.GuardReads...)
		joined.Reads = append(joined.Reads, f.Reads...)
		joined.Writes = append(joined.Writes, f.Writes...)
		joined.Sends = append(joined.Sends, f.Sends...)
		joined.Creates, joined.Stops, joined.Records = joined.Creates || f.Creates, joined.Stops || f.Stops, joined.Records || f.Records
	}
	return joined, known
}

// A Touch is a field that code may read or write.
type Touch struct {
	Field string // class and name, as in "Main$Acceptor.promised"; or AnyField, or Agenda
	Where string // the instruction, as in "Main.java:41", with what made it so if that is not plain: "Main.java:41: calls List.sort"
}

// Values of Touch.Field that stand for more than one field of a class.
const (
	// AnyField is each field that there is.
	AnyField = "*"
	// Agenda stands for what an actor is to do by itself: timers, tasks, its clock.
	Agenda = "the agenda"
)

// A Sending is a message that code may send.
type Sending struct {
	Type  string // the full name of the message's class; "" if it is not known
	To    Target
	Field string // of ToField: as in Touch
	Where string // as in Touch
}

// Target says whom a message may go to.
type Target uint8

const (
	// ToAnybody is all actors.
	ToAnybody Target = iota
	// ToSender is who sent the message that the handler consumes.
	ToSender
	// ToSelf is the actor itself.
	ToSelf
	// ToField is an actor whose name is in a field that no handler writes, itself or in a role or collection: its value at
	// the start says who that may be.
	ToField
)
