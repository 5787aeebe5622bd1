package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/serializer"
)

// Departure says how an execution departs from a violation found, or from a trace.
type Departure struct {
	Text string
}

func (d *Departure) Error() string { return d.Text }

func departs(format string, args ...any) error {
	return &Departure{fmt.Sprintf(format, args...)}
}

// Record executes the actions that lead to a violation from the initial state, concretely, and describes them. The error
// is a *Departure if it does not come about: then nothing was found. The decomposition is that of the
// search, which found the relevant parts of a run.
func Record(ctx context.Context, oracle model.Oracle, d space.Decomposition, found property.Violation,
	actions []model.Action) (*Trace, error) {
	program := oracle.Program()
	run, err := replay.New(oracle, d)
	if err != nil {
		return nil, err
	}
	t := &Trace{
		Version:    traceVersion,
		Scenario:   program.Scenario,
		Parameters: program.Parameters,
		Model:      program.Delivery.String(),
	}
	if t.Start, err = describeStart(ctx, program, run); err != nil {
		return nil, err
	}
	if program.Live {
		t.From = &program.Initial
	}
	t.Loop = found.Loop
	l, err := newLasso(ctx, program, found, run)
	if err != nil {
		return nil, err
	}
	for i, action := range actions {
		taken, err := run.Take(ctx, action)
		if errors.Is(err, replay.ErrNotEnabled) || errors.Is(err, replay.ErrDiffers) {
			return nil, departs("step %d: %v", i+1, err)
		} else if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		step, err := Describe(ctx, program, taken, action.Outcome)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if i >= len(actions)-found.Loop {
			if step.SetsAnew, err = setsAnew(ctx, program, taken.Outcome.Renewed); err != nil {
				return nil, fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		step.Digest = run.Digest()
		t.Steps = append(t.Steps, step)
		if err := l.note(ctx); err != nil {
			return nil, err
		}
	}
	t.NoteSendings()
	if l != nil {
		t.Violation = NewViolation(program, found, "")
		return t, l.confirm(ctx, actions[len(actions)-found.Loop:])
	}
	t.Violation, err = confirm(ctx, run, program, found, t.Steps)
	return t, err
}

// confirm makes sure that the run ends in the violation.
func confirm(ctx context.Context, run *replay.Run, program *model.Program, found property.Violation,
	steps []Step) (Violation, error) {
	switch found.Kind {
	case property.None:
		return NewViolation(program, found, ""), nil
	case property.HandlerFailure:
		last := steps[len(steps)-1]
		if last.Failure == nil {
			return Violation{}, departs("%s does not fail at the end of the run", last.Handler)
		}
		found.Failure = last.Failure
		return NewViolation(program, found, last.Handler), nil
	}
	judgement, err := run.Evaluate(ctx, found.Property)
	if err != nil {
		return Violation{}, err
	}
	found.Failure = judgement.Failure
	if found.Kind.IsFinal() {
		found.Kind = FinalKind(run)
	}
	v := NewViolation(program, found, "")
	if judgement.Holds {
		return v, departs("%q holds at the end of the run", v.Property)
	}
	if v.Also, err = also(ctx, run, program, found); err != nil {
		return v, err
	}
	if found.Kind.IsFinal() {
		if err := requireEnd(ctx, run); err != nil {
			return v, err
		}
	}
	return v, v.describeRead(ctx, run, program, judgement)
}

// also are the other properties that do not hold at the end of a run: invariants, and if it is violated there, final conditions.
func also(ctx context.Context, run *replay.Run, program *model.Program, found property.Violation) (names []string, err error) {
	for i, p := range program.Properties {
		if i == found.Property || !p.Kind.IsOfStates() || p.Kind.IsOfTerminalStates() && !found.Kind.IsFinal() {
			continue
		}
		judgement, err := run.Evaluate(ctx, i)
		if err != nil {
			return nil, err
		}
		if !judgement.Holds {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// FinalKind is the kind of a violation of a final condition at the end of a run. It is a deadlock if somebody waits there: a message is in
// flight, which nobody accepts, or an actor has begun an operation that has not returned.
func FinalKind(run *replay.Run) property.Kind {
	waiting := serializer.PendingOperations(run.History())
	waits := func(a model.Actor) bool { return slices.Contains(waiting, a.Name) }
	if len(run.Pending()) > 0 || slices.ContainsFunc(run.Actors(), waits) {
		return property.Deadlock
	}
	return property.FinalViolation
}

// requireEnd returns a *Departure unless the run ends where it is.
func requireEnd(ctx context.Context, run *replay.Run) error {
	enabled, err := run.Enabled(ctx)
	if err == nil && enabled {
		err = departs("an event is enabled at the end of the run")
	}
	return err
}

// describeRead describes the actors that the property read when it was found not to hold and, where the run ends or the property
// read them, the messages in flight.
func (v *Violation) describeRead(ctx context.Context, run *replay.Run, program *model.Program, j model.Judgement) error {
	var read []model.Actor
	for i, a := range run.Visible() {
		if slices.Contains(j.Reads, i) {
			read = append(read, a)
		}
	}
	var err error
	if v.States, err = states(ctx, program, read); err != nil {
		return err
	}
	if v.Kind.IsFinal() || slices.Contains(j.Reads, model.ReadNetwork) {
		v.Pending, err = messages(ctx, program, run.Pending(), false)
	}
	return err
}

// NewViolation describes a violation: a handler that failed, or a property that does not hold or whose evaluation failed.
func NewViolation(program *model.Program, found property.Violation, handler string) Violation {
	v := Violation{Kind: found.Kind, Failure: found.Failure}
	switch {
	case found.Kind == property.None:
		v.Message = "a run, kept without a violation"
		return v
	case found.Kind == property.HandlerFailure:
		v.describeFailure(handler)
		return v
	}
	if found.Kind.IsOfRuns() {
		v.Property = program.Liveness[found.Property].Title()
		v.Message = found.Text(v.Property)
		return v
	}
	v.Property = program.Properties[found.Property].Name
	switch {
	case found.Failure != nil && found.Failure.Kind == model.Explanation:
		v.Message = fmt.Sprintf("violated: %s: %s", v.Property, found.Failure.Text)
	case found.Failure != nil:
		v.Message = fmt.Sprintf("evaluating %q fails: %s", v.Property, found.Failure.Text)
	default:
		v.Message = found.Text(v.Property)
	}
	return v
}

// describeFailure says what a step that fails violates: that handlers do not fail, or a step invariant.
func (v *Violation) describeFailure(handler string) {
	switch f := v.Failure; {
	case f.Kind == model.Stuck:
		v.Property, v.Message = property.NoFailure, fmt.Sprintf("after %s there is a %s", handler, f.Text)
	case f.Property == "":
		v.Property, v.Message = property.NoFailure, fmt.Sprintf("%s fails: %s", handler, f.Text)
	case f.Kind == model.Explanation:
		v.Property, v.Message = f.Property, fmt.Sprintf("violated: %s, by %s", f.Property, handler)
	default:
		v.Property, v.Message = f.Property, fmt.Sprintf("evaluating %q after %s fails: %s", f.Property, handler, f.Text)
	}
}

// IsOf reports whether an outcome of the step's handler is of the timer that fired in the step, or of the crash there.
func (s *Step) IsOf(ctx context.Context, program *model.Program, o model.Outcome) (bool, error) {
	if o.Point != nil && (s.Point == nil || o.Point.Number != s.Point.Number || !slices.Equal(o.Choices, s.Choices)) {
		return false, nil
	}
	if len(o.Fired) == 0 {
		return s.Timer == "", nil
	}
	timer, err := Content(ctx, program, o.Fired)
	return timer == s.Timer, err
}

// Describe describes what an event did, of which this is the outcome with a number. There is no digest.
func Describe(ctx context.Context, program *model.Program, taken replay.Taken, outcome int) (Step, error) {
	step := Step{
		Actor:   taken.Actor,
		Event:   taken.Event.Kind.String(),
		Handler: taken.Outcome.Handler,
		Thread:  taken.Outcome.Thread,
		Point:   taken.Outcome.Point,
		Outcome: outcome,
		Choices: taken.Outcome.Choices,
		Stopped: taken.Outcome.Stopped,
		Failure: taken.Outcome.Failure,
	}
	step.Host = slices.ContainsFunc(program.Handlers, func(h model.Handler) bool { return h.Label == step.Handler && h.OfHost() })
	if k := taken.Event.Kind; k.HasFault() {
		step.Fault = program.FaultName(taken.Event.Fault)
	}
	if k := taken.Event.Kind; k == model.Split || k == model.Heal {
		step.Side = program.Faults[taken.Event.Fault].Scope.Names
		step.From = program.Faults[taken.Event.Fault].Senders
	}
	if taken.Event.Kind == model.Tick {
		describeRound(&step, program.Clocks, taken)
		return step, nil
	}
	var err error
	if len(taken.Outcome.Fired) > 0 {
		if step.Timer, err = Content(ctx, program, taken.Outcome.Fired); err != nil {
			return step, fmt.Errorf("reading a timer of %s: %w", taken.Actor, err)
		}
	}
	if step.Receives, err = messages(ctx, program, taken.Event.Messages, true); err != nil {
		return step, err
	}
	if taken.Event.Kind != model.Byzantine { // whose event has it
		if step.Sends, err = messages(ctx, program, taken.Outcome.Sends, false); err != nil {
			return step, err
		}
	}
	lost, err := messages(ctx, program, taken.Lost, false)
	if err != nil {
		return step, err
	}
	for _, m := range lost {
		step.Lost = append(step.Lost, m.Text+" from "+m.Sender+" to "+m.Receiver)
	}
	if step.Records, err = operations(ctx, program, taken.Outcome.Records); err != nil {
		return step, err
	}
	step.Watches = watches(taken.Outcome.Sends)
	for _, a := range taken.Outcome.Creates {
		step.Creates = append(step.Creates, a.Name)
	}
	if taken.Outcome.Handler != "" && (taken.Outcome.Failure == nil || len(taken.Outcome.Local) > 0) {
		if step.Changes, err = changes(ctx, program, taken.Before, taken.Outcome.Local); err != nil {
			return step, err
		}
	}
	changed := taken.Outcome.Creates
	if !taken.Outcome.Stopped && taken.Outcome.Failure == nil && !bytes.Equal(taken.Before, taken.Outcome.Local) {
		changed = append([]model.Actor{{Name: taken.Actor, Local: taken.Outcome.Local}}, changed...)
	}
	step.States, err = states(ctx, program, changed)
	return step, err
}

// describeRound describes time that goes on.
func describeRound(step *Step, clocks network.Clocks, taken replay.Taken) {
	at := func(ticks int) string { return (time.Duration(ticks) * clocks.Tick).String() }
	step.Time = at(taken.Round)
	for _, c := range taken.Clocks {
		if c.Ahead != 0 {
			step.Clocks = append(step.Clocks, Clock{c.Actor, at(taken.Round + c.Ahead)})
		}
	}
}

// setsAnew describes the timers and tasks that a step sets anew.
func setsAnew(ctx context.Context, program *model.Program, renewed []model.PendingEvent) (texts []string, err error) {
	for _, e := range renewed {
		text := e.Task
		if len(e.Timer) > 0 {
			if text, err = Content(ctx, program, e.Timer); err != nil {
				return nil, fmt.Errorf("reading a timer: %w", err)
			}
			text = "timer " + text
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func describeStart(ctx context.Context, program *model.Program, run *replay.Run) (Start, error) {
	start, initial := Start{Digest: run.Digest(), Adversaries: program.Adversaries()}, program.Initial
	var err error
	if start.States, err = states(ctx, program, initial.Actors); err != nil {
		return start, err
	}
	for _, s := range start.States {
		start.Creates = append(start.Creates, s.Actor)
		if program.Live {
			start.Live = append(start.Live, s.Text)
		}
	}
	start.Watches = watches(initial.Messages)
	start.Sends, err = messages(ctx, program, initial.Messages, false)
	return start, err
}

// states describes the local states of actors.
func states(ctx context.Context, program *model.Program, actors []model.Actor) ([]State, error) {
	var out []State
	for _, a := range actors {
		content, err := Content(ctx, program, a.Local)
		if err != nil {
			return nil, fmt.Errorf("reading the state of %s: %w", a.Name, err)
		}
		out = append(out, State{a.Name, content})
	}
	return out, nil
}

// messages describes messages, with their payloads if these are needed to execute a step again.
func messages(ctx context.Context, program *model.Program, list []model.Message, payloads bool) ([]Message, error) {
	var out []Message
	for _, m := range list {
		if m.IsRequest() || m.IsClosed() && !payloads {
			continue
		}
		if m.IsNotice() {
			out = append(out, Message{Sender: m.Sender, Receiver: m.Receiver, Text: "Disconnected(actor=" + m.Sender + ")", Payload: m.Payload})
			continue
		}
		content, err := Content(ctx, program, m.Payload)
		if err != nil {
			return nil, fmt.Errorf("reading the message from %q to %s: %w", m.Sender, m.Receiver, err)
		}
		described := Message{Sender: m.Sender, Receiver: m.Receiver, Text: content}
		if payloads {
			described.Payload, described.Age = m.Payload, m.Age
		}
		out = append(out, described)
	}
	return out, nil
}

// watches describes requests to watch actors, and connections that are closed.
func watches(sends []model.Message) (texts []string) {
	for _, m := range sends {
		if m.IsClosed() {
			texts = append(texts, m.Sender+" closes its connection with "+m.Receiver)
		}
	}
	_, requests := network.Requests(sends)
	for _, r := range requests {
		text := r.Sender + " watches " + r.Receiver
		if !r.IsWatch() {
			text = r.Sender + " does not watch " + r.Receiver + " any more"
		}
		texts = append(texts, text)
	}
	return texts
}

func operations(ctx context.Context, program *model.Program, records []model.Record) ([]Operation, error) {
	var out []Operation
	for _, r := range records {
		content, err := Content(ctx, program, r.Payload)
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

// Content is structured bytes for people.
func Content(ctx context.Context, program *model.Program, content []byte) (string, error) {
	v, err := shown(ctx, program, content, true)
	if err != nil {
		return "", err
	}
	return serializer.Labels(program.Labels).Format(v), nil
}

func shown(ctx context.Context, program *model.Program, content []byte, byTexts bool) (serializer.Value, error) {
	if program.Shown != nil {
		var err error
		if content, err = program.Shown(ctx, content, byTexts); err != nil {
			return serializer.Value{}, err
		}
	}
	return serializer.Decode(content)
}

// changes are those in what people are shown, and those in what the program has that change no text that they are shown and
// nothing that they are not shown.
func changes(ctx context.Context, program *model.Program, before, after []byte) ([]serializer.Change, error) {
	labels := serializer.Labels(program.Labels)
	between := func(byTexts bool) ([]serializer.Change, error) {
		return difference(labels, before, after, func(b []byte) (serializer.Value, error) { return shown(ctx, program, b, byTexts) })
	}
	found, err := between(true)
	if err != nil || program.Shown == nil {
		return found, err
	}
	all, err := between(false)
	if err != nil {
		return found, nil // the texts are all that there is
	}
	replaced, err := replacedFields(ctx, program, after)
	if err != nil {
		return nil, err
	}
	left := map[string]int{} // changes of a map that no text shows: its keys may have texts, too
	for _, c := range all {
		left[mapOf(c)]++
	}
	for _, c := range found {
		left[mapOf(c)]--
	}
	for _, c := range all {
		isShown := mapOf(c) != "" && left[mapOf(c)] <= 0 || slices.ContainsFunc(found, func(f serializer.Change) bool {
			return f.Has(c.Path) || replaced[fieldOf(c)] && fieldOf(c) == fieldOf(f)
		})
		if !isShown {
			found = append(found, c)
		}
	}
	return found, nil
}

// fieldOf is the field of the actor that a change is in.
func fieldOf(c serializer.Change) string {
	if end := strings.IndexAny(c.Path, ".["); end >= 0 {
		return c.Path[:end]
	}
	return c.Path
}

// replacedFields are the fields of an actor that hold an object in place of which one of another class is shown.
func replacedFields(ctx context.Context, program *model.Program, local []byte) (map[string]bool, error) {
	texts, err := shown(ctx, program, local, true)
	if err != nil {
		return nil, err
	}
	whole, err := shown(ctx, program, local, false)
	if err != nil {
		return nil, err
	}
	replaced := map[string]bool{}
	for i, f := range whole.Fields {
		if i < len(texts.Fields) && texts.Fields[i].Value.ClassName != f.Value.ClassName {
			replaced[f.Name] = true
		}
	}
	return replaced, nil
}

// mapOf is the path of the outermost map, list or array that a change is in, "" if it is in none.
func mapOf(c serializer.Change) string {
	path, _, inside := strings.Cut(c.Path, "[")
	if !inside {
		return ""
	}
	return path
}

func difference(labels serializer.Labels, before, after []byte,
	decode func([]byte) (serializer.Value, error)) ([]serializer.Change, error) {
	a, err := decode(before)
	if err != nil {
		return nil, fmt.Errorf("reading the local state before: %w", err)
	}
	b, err := decode(after)
	if err != nil {
		return nil, fmt.Errorf("reading the local state after: %w", err)
	}
	return labels.Diff(a, b), nil
}
