package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model/network"
)

// An Oracle answers what the program under check does, one actor at a time; it never sees a global state. The virtual
// machine is one, and tests have others. Local states, messages and histories are structured bytes (package serializer).
//
// An Oracle is pure: the same question has the same answer. It is also asked for local steps that no run takes, so a
// handler that fails is an outcome, not an error. The methods may be called by several goroutines at once. The bytes of
// a batch of answers may share memory: nobody changes them, and who keeps some copies them.
//
// Errors are a *RuleError if the program broke a rule of the checker, a *LimitError if a local step reached a bound of
// time or memory, the context's cause if it ended, and internal faults otherwise.
type Oracle interface {
	// Program returns the facts about the program, the same at every call.
	Program() *Program
	// Steps answers a batch of local steps, in order.
	Steps(ctx context.Context, questions []Question) ([]Answer, error)
	// Evaluate answers a batch of property evaluations, in order.
	Evaluate(ctx context.Context, evaluations []Evaluation) ([]Judgement, error)
	// Record answers a batch of extensions with the histories that they lead to, in order.
	Record(ctx context.Context, questions []Extension) ([][]byte, error)
}

// A Question asks for a local step: the outcomes of an event in a local state.
type Question struct {
	Local  []byte
	Event  Event
	Varied *Variation // what the step is executed a second time on, if it is; nil for the same
	Beside bool       // it is asked beside a run that is executed again, and no step of that; it does not change the answer
}

// A Variation is a local state and messages that differ from those of a Question in nothing relevant, but for the names of actors.
type Variation struct {
	Local    []byte
	Messages []Message
}

// An Event is what an actor does next, or a fault.
type Event struct {
	Kind     EventKind
	Fault    int       // of a fault, and of Heal: the index in Program.Faults that it belongs to
	Messages []Message // of the event: consumed, in no order that means anything but in queues; of Byzantine the one it sends
}

// An Answer has the outcomes of a local step; it has no outcome if the event is not enabled there.
type Answer struct {
	Outcomes   []Outcome
	Executions int  // how often handlers were run to find them
	Kept       bool // from an earlier check
	// Quorums are, if the event is Receive of one message, the quorum handlers that may take this message
	// together with others.
	Quorums []Quorum
	Looks   Looks // of the executions at names
	// Varied is what the second execution gave on Question.Varied; nil if it was the same, byte for byte, or there was none.
	Varied *Answer
}

// Looks are the names that executions looked at: read their text, their hash code or their number in a role, or could know them by
// a static field or, in evaluations, by the order of actors. An execution does the same with any other names in the place of those that it did not look at (docs/soundness.md has
// the argument). The zero value is that of an oracle that does not note them.
type Looks struct {
	Known bool     // they are at no other names than these
	Names []string // in order
}

// AtAny reports whether the executions may have looked at a name of some.
func (l Looks) AtAny(of func(name string) bool) bool {
	return !l.Known || slices.ContainsFunc(l.Names, of)
}

// An Outcome is one way a local step may go. With a Failure, all but Handler and Choices is empty; and Local, if it violates a step
// invariant.
type Outcome struct {
	Handler string    // label of the handler that ran
	Choices []int     // what choose answered, in order
	Local   []byte    // the new local state
	Sends   []Message // with requests to watch actors among them
	Creates []Actor
	Records []Record // in the order in which they happened; empty if no history is kept
	Failure *Failure
	Fired   []byte // structured bytes of the timer that fired; empty for other events
	// Renewed are the timers and tasks that the step set anew, sorted: an equal one is pending before and after it, but no timer or task
	// that were pending before is left. The timer or task that the event itself takes is not among them.
	Renewed []PendingEvent
	Acts    bool   // as in Actor, of the new local state
	Stopped bool   // the actor does not exist any more; Local is its last local state
	Point   *Point // of a crash within the handler; nil for other events
	Due     bool   // of an internal event: it happens before time goes on
	Thread  string // of the actor that took the step, for people; empty for that of its handlers
}

// A PendingEvent is a timer, in structured bytes, or a task, by its label, which is the handler of the event in which it runs.
type PendingEvent struct {
	Task  string // empty for a timer
	Timer []byte // empty for a task
}

// A Point is where in the execution of a handler its actor crashes: before, between or after the effects of the handler, which are
// messages sent, actors created, records, and writes to durable stores. An answer has an outcome for each point of the executions
// that do not fail, or several if the restart from there has. Which points there are depends on relevant parts alone, so some may
// be the same step: the model leaves these out (isRepeated).
type Point struct {
	Number int    `json:"number"`          // twice the number of effects that are over, plus one right before the next, or the end
	Where  string `json:"where"`           // for people, such as "after sending Ticket to guest1"
	Whole  bool   `json:"whole,omitempty"` // the handler was through: the state is that after the handler and then a crash
}

// A Failure is how a handler or a property failed.
type Failure struct {
	Kind string `json:"kind"` // Assertion, Exception, Hang or Explanation
	Text string `json:"text"` // one line: the exception, or why the property does not hold
	// Stack holds the frames of the program's own code, innermost first; then a line "caused by …", and the frames of that.
	Stack []string `json:"stack,omitempty"`
	// Caught is the frame of the program or a library that caught the exception; "" if it left the handler.
	Caught string `json:"caught,omitempty"`
	// Property is the step invariant that does not hold of the step, or whose evaluation failed; "" if the handler itself fails.
	Property string `json:"property,omitempty"`
}

// The kinds of failures.
const (
	// Assertion means that an AssertionError was thrown.
	Assertion = "assertion"
	// Exception means that anything else was thrown.
	Exception = "exception"
	// Hang means that the handler, or the evaluation of a property, did not return.
	Hang = "hang"
	// Stuck means that threads of the actor wait for each other, and nothing can wake them.
	Stuck = "deadlock"
	// Explanation means that a property was evaluated and does not hold.
	Explanation = "explanation"
)

// Lines are the lines of the stack for people: frames begin with "at ".
func (f *Failure) Lines() []string {
	var lines []string
	for _, line := range f.Stack {
		if !strings.HasPrefix(line, "caused by ") {
			line = "at " + line
		}
		lines = append(lines, line)
	}
	if f.Caught != "" {
		lines = append(lines, "caught at "+f.Caught)
	}
	return lines
}

// A RecordKind is the end of an operation that a record is about.
type RecordKind uint8

const (
	// Invoked begins an operation.
	Invoked RecordKind = iota
	// Returned ends the pending operation of the actor.
	Returned
	// Abandoned says that the actor's operation, if one is pending, never ends: the actor crashed.
	Abandoned
)

// String returns what the actor does.
func (k RecordKind) String() string {
	return [...]string{"invokes", "returns", "abandons"}[k]
}

// A Record is that an operation of an actor began or ended.
type Record struct {
	Actor   string
	Kind    RecordKind
	Payload []byte // the invoked operation, or its result
}

// An Extension asks for the history after a step. Histories are equal if the same operations have the same order in
// real time; the empty one is no bytes. Extending one may drop operations that no property needs any more.
type Extension struct {
	History []byte
	Records []Record // of the step
}

// An Evaluation asks whether a property holds of these actors after a history.
type Evaluation struct {
	Property int       // index in Program.Properties
	History  []byte    // structured bytes; empty if it has no operations
	Actors   []Actor   // that exist, and those that have stopped where Program.SeesStopped
	InFlight []Message // not consumed yet, where Program.SeesInFlight
	Varied   []VariedActor
}

// A VariedActor is an actor that has another local state when a property is evaluated a second time.
type VariedActor struct {
	Actor int // index in Evaluation.Actors
	Local []byte
}

// Again is the evaluation as it is made the second time.
func (e Evaluation) Again() Evaluation {
	again := e
	again.Actors, again.Varied = slices.Clone(e.Actors), nil
	for _, v := range e.Varied {
		again.Actors[v.Actor].Local = v.Local
	}
	return again
}

// A Judgement answers an Evaluation.
type Judgement struct {
	Holds   bool
	Failure *Failure // how the evaluation failed, or why the property does not hold, if that is known; Holds is false then
	// Reads are the indices, in Evaluation.Actors, of the local states read, ReadHistory for the history, and
	// ReadNetwork for InFlight, in the order of the first reads. The first n values read decide the next read, all of them the answer.
	// Which actors there are, and which have stopped, by name and class, counts as read.
	Reads []int
	// Fields are the numbers (ObjectField.Number) of the fields that the property read, AnyNumber among them if it may have read
	// any, and Hashed those read to put objects into hash collections. The answer holds wherever all of them hold
	// the same.
	Fields, Hashed []int
	Kept           bool  // from an earlier check
	Looks          Looks // of the second evaluation at names, also at those of actors whose order it found out
	// Varied is what the second evaluation gave on Evaluation.Varied; nil if it was the same, and read the same, or there was none.
	Varied *Judgement
}

// Values among the indices and numbers in a Judgement that are neither.
const (
	// AnyNumber stands for the numbers of all fields in Judgement.Fields. It is a power of two, above all numbers.
	AnyNumber = 4096
	// ReadHistory stands for the history in Judgement.Reads.
	ReadHistory = -1
	// ReadNetwork stands there for the messages in flight.
	ReadNetwork = -2
)

// A Program is what an oracle knows of its program once it is loaded.
type Program struct {
	Scenario                  string      // name of the scenario
	Parameters                []Parameter // in the order of their declaration
	Initial                   Initial
	Live                      bool       // Initial is a state of a live run, in place of the scenario's
	Handlers                  []Handler  // of all actor classes of the program
	Properties                []Property // invariants first, then final conditions, then predicates
	Liveness                  []Liveness
	Fairness                  Fairness // of the runs that these are about
	Timers                    TimerBound
	Components                [][]string // names of actors that are one component, with those that they create; others are alone
	Objects                   []ObjectField
	Fields                    []Field     // of the classes of actors and messages, as the bytes of their objects have them
	Senders                   []Sender    // of the messages that actors take; one that is not among them is relevant
	Footprints                []Footprint // of handlers, for static partial-order reduction; empty if unknown or not asked for
	Remarks                   []string    // for users, on how the program was loaded
	SeesInFlight, SeesStopped bool        // properties may read messages in flight, and who has stopped
	Asserts                   bool        // code of the program's own asserts something: it makes exceptions, or calls methods that check arguments
	Threads                   bool        // actors may have threads beside the one of their handlers
	// Labels are names for people: of the program's classes that share a simple name, lambdas, and constants that share
	// their names, as serializer.Labels.
	Labels map[string]string
	// Shown gives structured bytes in which texts for people replace objects; nil if there are no such texts.
	// Objects hidden from people are constants without a name; unless byTexts is set, all others stay.
	Shown func(ctx context.Context, content []byte, byTexts bool) ([]byte, error)

	network.Network // between the actors
}

// A Parameter is a parameter of the scenario with the value it was given.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// FirstState is the name of the parameter by which one of the first states of a scenario is meant whose set-up chooses, and AllFirstStates the
// value with which Java lists them in place of loading the program: in the details of an error, each as --set takes it, or NoFirstStates if the
// set-up chooses nothing.
const (
	FirstState     = "setUp.choose"
	AllFirstStates = "all"
	NoFirstStates  = FirstState + ": none"
)

// Initial is how the program starts: the actors, the messages in flight and requests to watch actors, and the history of the operations
// that began.
type Initial struct {
	Actors   []Actor   `json:"actors"`
	Messages []Message `json:"messages"`
	History  []byte    `json:"history,omitempty"`
	// Links say which actors watch others or are away, beside the requests among Messages.
	Links network.Links `json:"links,omitempty"`
	// Open are the open connections, as both ends have them (network.Opened). Nil says that those are on which there are Messages.
	Open []Message `json:"open,omitempty"`
	// Round is how often time went on before.
	Round int `json:"round,omitempty"`
}

// An Actor is an actor with its local state, which covers its name, its class, pending timers and waiting tasks.
type Actor struct {
	Name  string `json:"name"`
	Class string `json:"class"`
	Local []byte `json:"local"`
	Acts  bool   `json:"acts"` // reports whether internal events may be enabled
	// Down reports whether the actor has crashed and may start again: nothing of it happens before. Local is what the crash left.
	Down bool `json:"down,omitempty"`
	// Ahead is by how many ticks its clock is ahead of the rounds.
	Ahead int `json:"ahead,omitempty"`
	// Watches are the names of those whom it watches, sorted.
	Watches []string `json:"watches,omitempty"`
	// Stopped reports, in an Evaluation, whether the actor does not exist any more, and Local is its last local state.
	Stopped bool `json:"stopped,omitempty"`
}

// Origin divides an actor's name into that of an actor of the scenario, which it is or which its creation goes back to, and
// the rest: the names of what an actor creates begin with its own and a slash.
func Origin(name string) (origin, rest string) {
	if i := strings.IndexByte(name, '/'); i >= 0 {
		return name[:i], name[i:]
	}
	return name, ""
}

// A Handler is a handler of an actor class. Label names it for people and identifies it.
type Handler struct {
	Class, Label string
	Kind         EventKind // Receive, Internal or Restart
	Quorum       bool      // it takes several messages at once
	Takes        string    // the full name of the class of messages that it takes; "" if it takes none
	Exact        bool      // it takes no messages of other classes
	Place        string    // file and line, such as "Hub.java:12"; "" if that is not known
}

// OfHost reports whether a handler is of harrier's own code that runs the actors of a library, and not of a program.
func (h *Handler) OfHost() bool { return strings.HasPrefix(h.Class, "harrier.") }

// A Property is a property of the scenario.
type Property struct {
	Name  string
	Kind  PropertyKind
	Actor string // of a predicate that is asked of one actor; else ""
	Place string // file and line; "" if that is not known
	// SeesAgenda reports whether it may read timers, tasks and clocks.
	SeesAgenda bool
	// MayRead are the numbers (ObjectField.Number) of the fields that it may read, of whatever object; AnyNumber stands for all.
	MayRead []int
}

// An ObjectField is a field of the objects of a class, wherever they are in local states, the actors among them.
type ObjectField struct {
	Class, Name string // as in serializer.FieldName
	Number      int    // what Judgement.Fields calls it, and perhaps others
	Seen        []int  // indices of the properties that may read it
}

// A Liveness is a property of whole runs, or of all states together (package liveness).
type Liveness struct {
	Name    string
	Kind    LivenessKind
	Formula string // of Always: in linear temporal logic, over predicates (package ltl); else the name of one
	Actor   string // the property is asked for each actor of a role, and this is one; "" if it is not
	// Atoms are the predicates of the formula: names as it has them, with the indices of properties.
	Atoms []Atom
	Place string // file and line; "" if that is not known
}

// Title is the property's name, with the actor that it is asked for.
func (l Liveness) Title() string {
	if l.Actor == "" {
		return l.Name
	}
	return l.Name + " (" + l.Actor + ")"
}

// Bit returns the index of the atom with a name.
func (l Liveness) Bit(name string) (int, error) {
	i := slices.IndexFunc(l.Atoms, func(a Atom) bool { return a.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("there is no predicate %s", name)
	}
	return i, nil
}

// An Atom is a predicate under the name that a formula has for it.
type Atom struct {
	Name     string
	Property int // index in Program.Properties
}

// The types of the network under the names by which readers of Program know them.
type (
	Channel       = network.Channel
	Clocks        = network.Clocks
	DeliveryModel = network.DeliveryModel
	EventKind     = network.EventKind
	Fault         = network.Fault
	Message       = network.Message
	Quorum        = network.Quorum
	Role          = network.Role
	Scope         = network.Scope
)

const (
	M, MP, MMP = network.M, network.MP, network.MMP

	Receive, Internal, Restart, Stop = network.Receive, network.Internal, network.Restart, network.Stop
	Lose, Duplicate, Split, Heal     = network.Lose, network.Duplicate, network.Split, network.Heal
	Deliver, Byzantine               = network.Deliver, network.Byzantine
	RestartWithin, StopWithin        = network.RestartWithin, network.StopWithin
	Crash, CrashWithin, Recover      = network.Crash, network.CrashWithin, network.Recover
	Notify, Tick                     = network.Notify, network.Tick
	Disconnect, Break, Refuse, Drop  = network.Disconnect, network.Break, network.Refuse, network.Drop

	Unbounded = network.Unbounded
)
