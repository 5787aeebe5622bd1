package report

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"harrier/internal/files"
	"harrier/model"
	"harrier/property"
	"harrier/serializer"
)

// TraceFile is what trace files are called.
const TraceFile = "trace.json"

// TraceVersion is the version of the trace file's form.
const TraceVersion = 3

// Trace is a counterexample with all that is needed to execute it again: the program's class files,
// the scenario with its parameters, and the events in order. What is there for people only (the
// Text fields, Changes, Sends and Creates) follows from the rest.
type Trace struct {
	Version    int               `json:"version"`
	Program    string            `json:"program"` // path of the program that was checked
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	Model      string            `json:"model"`           // of message passing
	Allow      []string          `json:"allow,omitempty"` // rules that were relaxed, each as name=value
	Violation  Violation         `json:"violation"`
	Execution
	Classes map[string][]byte `json:"classes"` // class files by class name, base64
}

// Execution is a run from the initial state.
type Execution struct {
	Start Start  `json:"start"`
	Steps []Step `json:"steps"`
}

// Start is the initial state: what the scenario creates, and the messages already in flight.
type Start struct {
	Creates []string  `json:"creates"`
	Sends   []Message `json:"sends"`
	Digest  string    `json:"digest"`
}

// Violation says what is violated.
type Violation struct {
	Kind     property.Kind  `json:"kind"`
	Property string         `json:"property"`
	Message  string         `json:"message"`
	Failure  *model.Failure `json:"failure,omitempty"`
	Pending  []Message      `json:"pending,omitempty"` // in a deadlock, the messages that nobody accepts
}

// Step is one step of a trace.
type Step struct {
	Actor    string              `json:"actor"`
	Event    string              `json:"event"`           // what kind of event
	Fault    string              `json:"fault,omitempty"` // of a fault, and of what heals: which of the scenario's
	Side     []string            `json:"side,omitempty"`  // of a cut: the actors on one side
	Timer    string              `json:"timer,omitempty"` // what fired
	Handler  string              `json:"handler,omitempty"`
	Receives []Message           `json:"receives"`
	Outcome  int                 `json:"outcome"` // which of the step's outcomes
	Choices  []int               `json:"choices,omitempty"`
	Changes  []serializer.Change `json:"changes,omitempty"`
	Sends    []Message           `json:"sends,omitempty"`
	Creates  []string            `json:"creates,omitempty"`
	Records  []Operation         `json:"records,omitempty"`
	Stopped  bool                `json:"stopped,omitempty"` // the actor does not exist any more
	Failure  *model.Failure      `json:"failure,omitempty"`
	Digest   string              `json:"digest"` // of the global state after it
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
	Payload  []byte `json:"payload,omitempty"`
}

// Found is a violation that a search found, and how it comes about.
type Found struct {
	Kind     property.Kind
	Property int // index in Program.Properties, unless a handler fails
	Actions  []model.Action
}

// Departure says how an execution departs from what was found or traced.
type Departure struct {
	Text string
}

func (d *Departure) Error() string { return d.Text }

func departs(format string, args ...any) error {
	return &Departure{fmt.Sprintf(format, args...)}
}

// Record executes what was found from the initial state, concretely, and describes it. The error
// is a *Departure if it does not come about: then nothing was found. The decomposition is that of the
// search: what it found are the relevant parts of a run.
func Record(ctx context.Context, oracle model.Oracle, d model.Decomposition, found Found) (*Trace, error) {
	program := oracle.Program()
	run, err := model.NewRun(oracle, d)
	if err != nil {
		return nil, err
	}
	t := &Trace{
		Version:    TraceVersion,
		Scenario:   program.Scenario,
		Parameters: program.Parameters,
		Model:      program.Passing.String(),
	}
	if t.Start, err = describeStart(program.Initial, run); err != nil {
		return nil, err
	}
	for i, action := range found.Actions {
		taken, err := run.Take(ctx, action)
		if errors.Is(err, model.ErrNotEnabled) || errors.Is(err, model.ErrDiffers) {
			return nil, departs("step %d: %v", i+1, err)
		} else if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		step, err := describe(program, taken, action.Outcome)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		step.Digest = run.Digest()
		t.Steps = append(t.Steps, step)
	}
	t.Violation, err = confirm(ctx, run, program, found, t.Steps)
	return t, err
}

// confirm makes sure that the run ends in the violation.
func confirm(ctx context.Context, run *model.Run, program *model.Program, found Found, steps []Step) (Violation, error) {
	if found.Kind == property.HandlerFailure {
		last := steps[len(steps)-1]
		if last.Failure == nil {
			return Violation{}, departs("%s does not fail at the end of the run", last.Handler)
		}
		return Violation{
			Kind:     found.Kind,
			Property: property.NoFailure,
			Message:  fmt.Sprintf("%s fails: %s", last.Handler, last.Failure.Text),
			Failure:  last.Failure,
		}, nil
	}
	name := program.Properties[found.Property].Name
	judgement, err := run.Evaluate(ctx, found.Property)
	if err != nil {
		return Violation{}, err
	}
	if judgement.Holds {
		return Violation{}, departs("%q holds at the end of the run", name)
	}
	v := Violation{Kind: found.Kind, Property: name, Message: "violated: " + name, Failure: judgement.Failure}
	if judgement.Failure != nil {
		v.Message = fmt.Sprintf("evaluating %q fails: %s", name, judgement.Failure.Text)
	}
	if found.Kind == property.Deadlock {
		enabled, err := run.Enabled(ctx)
		if err != nil {
			return v, err
		}
		if enabled {
			return v, departs("an event is enabled at the end of the run")
		}
		if judgement.Failure == nil {
			v.Message = "deadlock: no event is enabled, and this end is not an expected one"
		}
		v.Pending, err = messages(run.Pending(), false)
		return v, err
	}
	return v, nil
}

func describe(program *model.Program, taken model.Taken, outcome int) (Step, error) {
	step := Step{
		Actor:   taken.Actor,
		Event:   taken.Event.Kind.String(),
		Handler: taken.Outcome.Handler,
		Outcome: outcome,
		Choices: taken.Outcome.Choices,
		Stopped: taken.Outcome.Stopped,
		Failure: taken.Outcome.Failure,
	}
	if k := taken.Event.Kind; k.IsFault() || k == model.Heal {
		step.Fault = program.FaultName(taken.Event.Fault)
	}
	if k := taken.Event.Kind; k == model.Split || k == model.Heal {
		step.Side = program.Faults[taken.Event.Fault].Scope.Names
	}
	var err error
	if len(taken.Outcome.Fired) > 0 {
		if step.Timer, err = text(taken.Outcome.Fired); err != nil {
			return step, fmt.Errorf("reading a timer of %s: %w", taken.Actor, err)
		}
	}
	if step.Receives, err = messages(taken.Event.Messages, true); err != nil {
		return step, err
	}
	if step.Sends, err = messages(taken.Outcome.Sends, false); err != nil {
		return step, err
	}
	if step.Records, err = operations(taken.Outcome.Records); err != nil {
		return step, err
	}
	for _, a := range taken.Outcome.Creates {
		step.Creates = append(step.Creates, a.Name)
	}
	if taken.Outcome.Handler != "" && taken.Outcome.Failure == nil {
		step.Changes, err = changes(taken.Before, taken.Outcome.Local)
	}
	return step, err
}

func describeStart(initial model.Initial, run *model.Run) (Start, error) {
	start := Start{Digest: run.Digest()}
	for _, a := range initial.Actors {
		start.Creates = append(start.Creates, a.Name)
	}
	var err error
	start.Sends, err = messages(initial.Messages, false)
	return start, err
}

// messages describes messages, with their payloads if these are needed to execute a step again.
func messages(list []model.Message, payloads bool) ([]Message, error) {
	var out []Message
	for _, m := range list {
		content, err := text(m.Payload)
		if err != nil {
			return nil, fmt.Errorf("reading the message from %q to %s: %w", m.Sender, m.Receiver, err)
		}
		described := Message{Sender: m.Sender, Receiver: m.Receiver, Text: content}
		if payloads {
			described.Payload = m.Payload
		}
		out = append(out, described)
	}
	return out, nil
}

func operations(records []model.Record) ([]Operation, error) {
	var out []Operation
	for _, r := range records {
		content, err := text(r.Payload)
		if err != nil {
			return nil, fmt.Errorf("reading an operation of %s: %w", r.Actor, err)
		}
		if r.Kind == model.Abandoned {
			content = "what is pending"
		}
		out = append(out, Operation{Actor: r.Actor, Kind: r.Kind.String(), Text: content})
	}
	return out, nil
}

// text is structured bytes for people.
func text(content []byte) (string, error) {
	v, err := serializer.Decode(content)
	if err != nil {
		return "", err
	}
	return serializer.Format(v), nil
}

func changes(before, after []byte) ([]serializer.Change, error) {
	a, err := serializer.Decode(before)
	if err != nil {
		return nil, fmt.Errorf("reading the local state before: %w", err)
	}
	b, err := serializer.Decode(after)
	if err != nil {
		return nil, fmt.Errorf("reading the local state after: %w", err)
	}
	return serializer.Diff(a, b), nil
}

// Name is a name for the trace that says what it is of; equal traces have equal names.
func (t *Trace) Name() string {
	h := sha256.New()
	for _, s := range t.Steps {
		io.WriteString(h, s.Digest)
	}
	io.WriteString(h, t.Violation.Message)
	simple := t.Scenario[strings.LastIndexAny(t.Scenario, ".$")+1:]
	return fmt.Sprintf("%s-%x", simple, h.Sum(nil)[:4])
}

// Write writes the trace as trace.json into a folder, whole or not at all, and returns its path.
func (t *Trace) Write(folder string) (string, error) {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return "", fmt.Errorf("writing the trace: %w", err)
	}
	path := filepath.Join(folder, TraceFile)
	if err := files.WriteWhole(path, append(b, '\n')); err != nil {
		return "", fmt.Errorf("writing the trace: %w", err)
	}
	return path, nil
}

// ReadTrace reads a trace file. The error is one line that says what is wrong with it.
func ReadTrace(path string) (*Trace, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the trace: %w", err)
	}
	var t Trace
	if err := json.Unmarshal(b, &t); err != nil {
		return nil, fmt.Errorf("%s is no trace of harrier's: %w", path, err)
	}
	if t.Version != TraceVersion {
		return nil, fmt.Errorf("%s is a trace of version %d: this harrier replays version %d", path, t.Version, TraceVersion)
	}
	if len(t.Classes) == 0 {
		return nil, fmt.Errorf("%s is no trace of harrier's: it holds no classes", path)
	}
	if t.Violation.Kind == property.HandlerFailure && len(t.Steps) == 0 {
		return nil, fmt.Errorf("%s is no trace of harrier's: no step fails", path)
	}
	return &t, nil
}

// Found is what the trace claims, to be recorded again.
func (t *Trace) Found(program *model.Program) (Found, error) {
	found := Found{Kind: t.Violation.Kind, Property: -1}
	for i, p := range program.Properties {
		if p.Name == t.Violation.Property {
			found.Property = i
		}
	}
	if found.Property < 0 && found.Kind != property.HandlerFailure {
		return found, departs("the scenario has no property %q", t.Violation.Property)
	}
	for _, s := range t.Steps {
		kind, err := model.ParseEventKind(s.Event)
		if err != nil {
			return found, err
		}
		event := model.Event{Kind: kind}
		if s.Fault != "" {
			if event.Fault = program.FindFault(s.Fault); event.Fault < 0 {
				return found, departs("the scenario allows no %s", s.Fault)
			}
		}
		for _, m := range s.Receives {
			event.Messages = append(event.Messages, model.Message{Sender: m.Sender, Receiver: m.Receiver, Payload: m.Payload})
		}
		found.Actions = append(found.Actions, model.Action{Actor: s.Actor, Event: event, Outcome: s.Outcome})
	}
	return found, nil
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
