package report

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/process/files"
	"harrier/internal/property"
	"harrier/serializer"
)

// Names of the files that a check writes.
const (
	TraceFile   = "trace.json"  // a trace
	PictureFile = "trace.html"  // its picture, beside it
	TablesFile  = "search.html" // the page of a search that a bound ended
	// The profiles of Go, for go tool pprof.
	CPUProfileFile  = "cpu.pprof"
	HeapProfileFile = "heap.pprof"
)

// traceVersion is the version of the trace file's form.
const traceVersion = 4

// Trace is a counterexample with all that is needed to execute it again: the program's class files,
// the scenario with its parameters, and the events in order. The rest is for people (the
// Text and Sent fields, Changes, Sends, Creates and States) and follows from these.
type Trace struct {
	Version    int               `json:"version"`
	Program    string            `json:"program"` // path of the program that was checked
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	Model      string            `json:"model"`             // of message passing
	Threads    string            `json:"threads,omitempty"` // where threads of an actor take turns; empty for where they wait
	Allow      []string          `json:"allow,omitempty"`   // rules that were relaxed, each as name=value
	Show       []string          `json:"show,omitempty"`    // methods that give texts, each as CLASS=METHOD, and classes and packages left out, as PACKAGE=
	// Asked are the only properties checked; empty for all.
	Asked      []string       `json:"asked,omitempty"`
	Violation  Violation      `json:"violation"`
	FoundSteps int            `json:"foundSteps,omitempty"` // as in SummaryViolation
	From       *model.Initial `json:"from,omitempty"`       // the state of a live run in which it begins
	Execution
	Classes map[string][]byte `json:"classes"` // class files by class name, base64
	// Libraries are the class files of those that came along with them from the class path.
	Libraries map[string][]byte `json:"libraries,omitempty"`
	// Resources are the files that the program read beside its classes, by a number among those of the same name, a slash and the name.
	Resources map[string][]byte `json:"resources,omitempty"`
}

// Execution is a run from the initial state.
type Execution struct {
	Start Start  `json:"start"`
	Steps []Step `json:"steps"`
	// Loop is how many steps at the end are repeated for ever, of a run that violates a property of runs.
	Loop int `json:"loop,omitempty"`
}

// Start is the initial state: what the scenario creates, and the messages already in flight.
type Start struct {
	Creates []string `json:"creates"`
	// Adversaries are in the place of actors.
	Adversaries []string  `json:"adversaries,omitempty"`
	Sends       []Message `json:"sends"`
	Watches     []string  `json:"watches,omitempty"` // whom actors watch, in words
	Live        []string  `json:"live,omitempty"`    // the states of the actors, if the run begins in the state of a live one
	Digest      string    `json:"digest"`
	States      []State   `json:"states,omitempty"` // of all actors
}

// State is the local state of an actor, as text.
type State struct {
	Actor string `json:"actor"`
	Text  string `json:"text"`
}

// Violation describes the violation.
type Violation struct {
	Kind     property.Kind  `json:"kind"`
	Property string         `json:"property"`
	Message  string         `json:"message"`
	Failure  *model.Failure `json:"failure,omitempty"`
	States   []State        `json:"states,omitempty"`  // of the actors that the property read
	Pending  []Message      `json:"pending,omitempty"` // where the run ends, the messages that nobody accepts; else those that the property read
	Also     []string       `json:"also,omitempty"`    // other properties that do not hold in the last state
}

// Step is one step of a trace.
type Step struct {
	Actor    string              `json:"actor"`
	Event    string              `json:"event"`            // what kind of event
	Fault    string              `json:"fault,omitempty"`  // of a fault, and of Heal: which of the scenario's
	Side     []string            `json:"side,omitempty"`   // of a cut: the actors on one side; of one way the receivers, none for all
	From     []string            `json:"from,omitempty"`   // of a cut of one way: the actors whose messages it stops
	Time     string              `json:"time,omitempty"`   // of time that goes on: since the start
	Clocks   []Clock             `json:"clocks,omitempty"` // then: clocks that show another time
	Timer    string              `json:"timer,omitempty"`  // what fired
	Handler  string              `json:"handler,omitempty"`
	Host     bool                `json:"host,omitempty"`   // it is of a host (model.Handler.OfHost), which has the library find the handler of the program
	Thread   string              `json:"thread,omitempty"` // of the actor that takes it, unless that is the one of its handlers
	Point    *model.Point        `json:"point,omitempty"`  // where in the handler the actor crashes
	Receives []Message           `json:"receives"`
	Outcome  int                 `json:"outcome"` // which of the step's outcomes
	Choices  []int               `json:"choices,omitempty"`
	Changes  []serializer.Change `json:"changes,omitempty"`
	Sends    []Message           `json:"sends,omitempty"`
	Watches  []string            `json:"watches,omitempty"` // whom actors watch from now on, or do not any more, and connections that they close, in words
	Lost     []string            `json:"lost,omitempty"`    // messages lost with connections that have closed, in words
	Creates  []string            `json:"creates,omitempty"`
	Records  []Operation         `json:"records,omitempty"`
	SetsAnew []string            `json:"setsAnew,omitempty"` // in a loop: timers and tasks that need not fire for it, as the step sets them anew
	Stopped  bool                `json:"stopped,omitempty"`  // the actor does not exist any more
	Failure  *model.Failure      `json:"failure,omitempty"`
	Digest   string              `json:"digest"`           // of the global state after it
	States   []State             `json:"states,omitempty"` // after it, of actors that it changed or created
}

// Clock is the clock of an actor, with the time since the start that it shows.
type Clock struct {
	Actor string `json:"actor"`
	Time  string `json:"time"`
}

// Operation is the begin or the end of an operation of an actor.
type Operation struct {
	Actor string `json:"actor"`
	Kind  string `json:"kind"` // "invokes", "returns" or "abandons"
	Text  string `json:"text"`
}

// Message is a message of a step. Payload is its content in structured bytes; it is kept for
// messages received only.
type Message struct {
	Sender   string `json:"sender,omitempty"`
	Receiver string `json:"receiver"`
	Text     string `json:"text"`
	Sent     string `json:"sent,omitempty"` // of one received: "in step 3" or "at the start", where equal ones were sent in several steps
	Payload  []byte `json:"payload,omitempty"`
	Age      int    `json:"age,omitempty"` // of one received: how many rounds began since it was sent, where delays are bounded
}

// Name is a name for the trace with its program and violation; equal traces have equal names.
func (t *Trace) Name() string {
	h := sha256.New()
	for _, s := range t.Steps {
		io.WriteString(h, s.Digest)
	}
	io.WriteString(h, t.Violation.Message)
	return FolderName(t.Scenario, h)
}

// FolderName is a name for a folder with the findings of a scenario, which a hash tells apart.
func FolderName(scenario string, h hash.Hash) string {
	simple := scenario[strings.LastIndexAny(scenario, ".$")+1:]
	return fmt.Sprintf("%s-%x", simple, h.Sum(nil)[:4])
}

// Keep has the trace kept as trace.json, with files beside it, and returns its path.
func (t *Trace) Keep(keep files.Keep, beside map[string][]byte) (string, error) {
	b, err := json.MarshalIndent(t, "", "  ")
	folder := ""
	if err == nil {
		content := map[string][]byte{TraceFile: append(b, '\n')}
		maps.Copy(content, beside)
		folder, err = keep(t.Name(), content)
	}
	if err != nil {
		return "", fmt.Errorf("writing the trace: %w", err)
	}
	return filepath.Join(folder, TraceFile), nil
}

// Begin has a program begin where the trace does.
func (t *Trace) Begin(program *model.Program) {
	if t.From != nil {
		program.Initial, program.Live = *t.From, true
	}
}

// Claim is the violation that the trace claims, and the actions that lead to it, to be recorded again.
func (t *Trace) Claim(program *model.Program) (found property.Violation, actions []model.Action, err error) {
	found = property.Violation{Kind: t.Violation.Kind, Loop: t.Loop}
	if found.Kind.IsOfRuns() {
		found.Property = slices.IndexFunc(program.Liveness, func(l model.Liveness) bool { return l.Title() == t.Violation.Property })
	} else {
		found.Property = slices.IndexFunc(program.Properties, func(p model.Property) bool { return p.Name == t.Violation.Property })
	}
	if found.Property < 0 && found.Kind != property.HandlerFailure && found.Kind != property.None {
		return found, nil, departs("the scenario has no property %q", t.Violation.Property)
	}
	for _, s := range t.Steps {
		kind, err := network.ParseEventKind(s.Event)
		if err != nil {
			return found, nil, err
		}
		event := model.Event{Kind: kind}
		if s.Fault != "" {
			if event.Fault = program.FindFault(s.Fault); event.Fault < 0 {
				return found, nil, departs("the scenario allows no %s", s.Fault)
			}
		}
		for _, m := range s.Receives {
			event.Messages = append(event.Messages, model.Message{Sender: m.Sender, Receiver: m.Receiver, Payload: m.Payload, Age: m.Age})
		}
		actions = append(actions, model.Action{Actor: s.Actor, Event: event, Outcome: s.Outcome})
	}
	return found, actions, nil
}

// Departs says at which step a second execution departs from the trace, if it does.
func (t *Trace) Departs(again *Trace) error {
	if t.Start.Digest != again.Start.Digest {
		return departs("the initial state differs from the trace's")
	}
	for i, s := range t.Steps {
		if again.Steps[i].Digest != s.Digest {
			return departs("after step %d the state differs from the trace's", i+1)
		}
	}
	if t.Violation.Message != again.Violation.Message {
		return departs("it ends in %q, the trace in %q", again.Violation.Message, t.Violation.Message)
	}
	return nil
}
