package bridge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"harrier/bridge/answers"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// Source says which program to load and how.
type Source struct {
	Path      string   // of a .java file, a folder of sources or classes, or a jar
	ClassPath []string // folders of classes and jars where the program's code finds more
	// Classes holds the class files themselves, by class name, in place of the files at Path and on ClassPath.
	Classes map[string][]byte
	// Libraries holds those that came along with them from a class path. It goes with Classes, as Resources does.
	Libraries map[string][]byte
	// Resources holds what the program found beside its classes, as Program.Classes gives it.
	Resources  map[string][]byte
	Scenario   string              // "" for the only one
	Parameters map[string]string   // values of the scenario's parameters
	Recheck    string              // which steps are executed twice and compared: "all", "none" or a percentage; "" for none
	Threads    string              // where threads of an actor take turns: Blocking or Locks; "" for Blocking
	Allow      []string            // rules that are relaxed, each as name=value
	Traced     []string            // rules that a trace relaxes; Allow must have the rules among them that reach more of the machine
	Output     bool                // let the program print to standard error
	Delivery   model.DeliveryModel // how messages pass; the program does not notice
	Show       []string            // methods that give the texts of objects of classes, each as CLASS=METHOD; PACKAGE= leaves objects out
	Properties []string            // the only ones to check, by their texts or the names of their methods; empty for all
	Footprints bool                // find footprints of handlers, for static partial-order reduction
	Profile    bool                // look at what Java's threads do, for Program.Profile
	Honest     bool                // leave out that actors are Byzantine, so that they do what their handlers say
	Answers    string              // the folder in which answers are kept for later checks; "" for none
	Disk       Disk                // keeps there what Java says of the program once it is loaded, too; nil for not
}

// Where threads of an actor take turns.
const (
	Blocking = "blocking" // where they wait
	Locks    = "locks"    // at locks and at accesses to what they share, too
)

// options are those of the source's settings that say how steps are run, by name. Java's side has them in
// harrier.runtime.program.Options.
func (s Source) options() map[string]string {
	options := map[string]string{
		"recheck":    cmp.Or(s.Recheck, "none"),
		"threads":    cmp.Or(s.Threads, Blocking),
		"allow":      strings.Join(s.Allow, "\n"),
		"traced":     strings.Join(s.Traced, "\n"),
		"show":       strings.Join(s.Show, "\n"),
		"property":   strings.Join(s.Properties, "\n"),
		"output":     strconv.FormatBool(s.Output),
		"honest":     strconv.FormatBool(s.Honest),
		"footprints": strconv.FormatBool(s.Footprints),
	}
	if s.Profile {
		options["profile"] = "true"
	}
	return options
}

// Program is a loaded program. It implements model.Oracle.
type Program struct {
	loader  *loader
	facts   *model.Program
	Facts   string           // a hash of what Java said of the program
	Answers *answers.Program // that are kept; nil if none are
}

// Load loads a program, in place of the one loaded before. The error is a *model.UsageError if there is no
// such program, and a *model.RuleError if its set-up breaks a rule.
func (j *JVM) Load(ctx context.Context, s Source) (*Program, error) {
	var w writer
	w.source(s)
	for _, blobs := range []map[string][]byte{s.Classes, s.Libraries, s.Resources} {
		w.number(len(blobs))
		for _, name := range slices.Sorted(maps.Keys(blobs)) {
			w.string(name)
			w.bytes(blobs[name])
		}
	}
	w.string(s.Scenario)
	w.strings(s.Parameters)
	w.strings(s.options())
	loader, r, err := j.load(ctx, s, w.b)
	if err != nil {
		return nil, err
	}
	p, err := loader.described(r, s.Delivery)
	if err != nil || s.Answers == "" {
		return p, err
	}
	if r, err = loader.ask(ctx, opFingerprint, nil); err != nil {
		return nil, err
	}
	p.Answers = answers.Of(filepath.Join(s.Answers, "answers"), r.string(), list(r, r.class))
	return p, r.done()
}

// described is the program that an answer to opLoad describes.
func (l *loader) described(r *reader, by model.DeliveryModel) (*Program, error) {
	said := sha256.Sum256(r.b)
	facts := r.program()
	p := &Program{loader: l, facts: facts, Facts: hex.EncodeToString(said[:8])}
	facts.Delivery, facts.Shown = by, p.shown
	return p, r.done()
}

// Loaded gives the program that j has loaded already, by its answer then.
func (j *JVM) Loaded(answer []byte) (*Program, error) {
	r, err := open(answer)
	if err != nil {
		return nil, err
	}
	return (&loader{jvm: j}).described(r, model.M)
}

// Prepare compiles a program without loading it, so that the compiler is quick when it is loaded. Errors are reported
// then.
func (j *JVM) Prepare(ctx context.Context, s Source) error {
	var w writer
	w.source(s)
	_, err := j.ask(ctx, opPrepare, w.b)
	return err
}

// source writes where a program is.
func (w *writer) source(s Source) {
	w.string(s.Path)
	w.list(s.ClassPath)
}

// shown implements model.Program.Shown.
func (p *Program) shown(ctx context.Context, content []byte, byTexts bool) ([]byte, error) {
	var w writer
	w.bytes(content)
	w.bool(byTexts)
	r, err := p.loader.ask(ctx, opShown, w.b)
	if err != nil {
		return nil, err
	}
	return r.bytes(), r.done()
}

// Program implements model.Oracle.
func (p *Program) Program() *model.Program { return p.facts }

// Decomposition divides the program's states as its facts say.
func (p *Program) Decomposition(h space.Hashing) space.Decomposition {
	d := space.Decomposition{
		SeesStopped: p.facts.SeesStopped,
		Hashing:     h,
		Relevant:    without(names(p.facts.Fields, func(f model.Field) bool { return f.Verdict.Auxiliary() })),
		Visible:     p.visible,
	}
	if len(p.facts.AuxiliarySenders()) > 0 {
		d.Sender = func(m model.Message) string { return p.facts.RelevantSender(ClassOf(m.Payload), m) }
		d.SenderFact = func(m model.Message) (model.Sender, bool) { return p.facts.SenderFact(ClassOf(m.Payload), m.Receiver) }
	}
	return d
}

// ClassOf is the class of a message's content, "" if bytes do not say it for certain.
func ClassOf(payload []byte) string {
	v, err := serializer.Decode(payload)
	if err != nil || v.Kind != serializer.Record && v.Kind != serializer.Object {
		return ""
	}
	return v.ClassName
}

// visible leaves out of local states what a property cannot read, and the fields that are not in read unless that is nil.
func (p *Program) visible(property int, read map[int]bool) func(b []byte) ([]byte, error) {
	var hidden []serializer.FieldName
	isStep := p.facts.Properties[property].Kind.IsOfSteps() // which the analysis takes for a part of steps
	for _, f := range p.facts.Objects {
		if !isStep && !slices.Contains(f.Seen, property) || read != nil && !read[f.Number] && !read[model.AnyNumber] {
			hidden = append(hidden, serializer.FieldName{Class: f.Class, Field: f.Name})
		}
	}
	if !p.facts.Properties[property].SeesAgenda || read != nil && !read[model.AnyNumber] {
		hidden = append(hidden, p.agenda()...)
	}
	return serializer.NewProjection(hidden).Project
}

// agenda returns the fields that hold the pending timers and tasks of actors.
func (p *Program) agenda() []serializer.FieldName {
	classes := map[string]bool{}
	for _, a := range p.facts.Initial.Actors {
		classes[a.Class] = true
	}
	for _, h := range p.facts.Handlers {
		classes[h.Class] = true
	}
	var fields []serializer.FieldName
	for _, c := range slices.Sorted(maps.Keys(classes)) {
		for _, f := range serializer.AgendaFields() {
			fields = append(fields, serializer.FieldName{Class: c, Field: f})
		}
	}
	return fields
}

// names returns the names of the fields for which isOne holds.
func names(fields []model.Field, isOne func(f model.Field) bool) []serializer.FieldName {
	var found []serializer.FieldName
	for _, f := range fields {
		if isOne(f) {
			found = append(found, serializer.FieldName{Class: f.Class, Field: f.Name})
		}
	}
	return found
}

// without returns a function that leaves some fields out of bytes, nil without fields.
func without(left []serializer.FieldName) func(b []byte) ([]byte, error) {
	p := serializer.NewProjection(left)
	if p.Empty() {
		return nil
	}
	return p.Project
}

// Steps implements model.Oracle.
func (p *Program) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	return p.steps(ctx, opSteps, questions)
}

func (p *Program) steps(ctx context.Context, operation int, questions []model.Question) ([]model.Answer, error) {
	return batch(ctx, p, operation, questions, contents, (*writer).question, (*reader).answer)
}

// Anew answers as the program does, but by Java, whatever answers are kept.
func (p *Program) Anew() model.Oracle { return executing{p, opSteps | again} }

// Aside answers as Anew does, but the steps that it executes count for nothing.
func (p *Program) Aside() model.Oracle { return executing{p, opAside} }

// executing is a program whose answers are not kept, and the operation by which it is asked for steps.
type executing struct {
	program *Program
	steps   int
}

func (e executing) Program() *model.Program { return e.program.Program() }

func (e executing) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	return e.program.steps(ctx, e.steps, questions)
}

func (e executing) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	return e.program.evaluate(ctx, opEvaluate|again, evaluations)
}

func (e executing) Record(ctx context.Context, questions []model.Extension) ([][]byte, error) {
	return e.program.record(ctx, opRecord|again, questions)
}

// Chosen is what a replay for a debugger does of all that may be done in a state: a handler, whose choices have these answers.
// Number is that of the step in the trace, from 1.
type Chosen struct {
	Number  int
	Handler string
	Choices []int
}

// Repeat returns the outcomes of the choices: one, but where several timers that a handler takes may fire.
func (p *Program) Repeat(ctx context.Context, q model.Question, c Chosen) ([]model.Outcome, error) {
	answers, err := batch(ctx, p, opSteps|again, []model.Question{q}, contents, func(w *writer, q model.Question) {
		w.repetition(q, c)
	}, (*reader).answer)
	if err != nil {
		return nil, err
	}
	return answers[0].Outcomes, nil
}

// Evaluate implements model.Oracle.
func (p *Program) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	return p.evaluate(ctx, opEvaluate, evaluations)
}

func (p *Program) evaluate(ctx context.Context, operation int, evaluations []model.Evaluation) ([]model.Judgement, error) {
	return batch(ctx, p, operation, evaluations, anything[model.Evaluation], (*writer).evaluation, (*reader).judgement)
}

// Record implements model.Oracle.
func (p *Program) Record(ctx context.Context, questions []model.Extension) ([][]byte, error) {
	return p.record(ctx, opRecord, questions)
}

func (p *Program) record(ctx context.Context, operation int, questions []model.Extension) ([][]byte, error) {
	return batch(ctx, p, operation, questions, anything[model.Extension], (*writer).extension, (*reader).bytes)
}

// contents are of the objects whose code a local step runs.
func contents(q model.Question) [][]byte {
	all := [][]byte{q.Local}
	messages := q.Event.Messages
	if q.Varied != nil {
		all, messages = append(all, q.Varied.Local), slices.Concat(messages, q.Varied.Messages)
	}
	for _, m := range messages {
		all = append(all, m.Payload)
	}
	return all
}

// anything stands for the contents of all objects, which properties may be about.
func anything[Q any](Q) [][]byte { return nil }

// batch asks questions of one kind at once, those whose answers are not kept: none are of opAside, nor of an operation with again. Behind
// each answer is whether it may be kept.
func batch[Q, A any](ctx context.Context, p *Program, operation int, questions []Q, about func(Q) [][]byte,
	write func(*writer, Q), read func(*reader) A) ([]A, error) {
	kept := p.Answers != nil && operation != opAside && operation&again == 0
	given := make([]A, len(questions))
	var w writer
	var asked []int // whose answers are not kept
	var ends []int  // where their questions end
	keep := map[int]func(answer []byte){}
	for i, q := range questions {
		begin := len(w.b)
		write(&w, q)
		if kept {
			store, key := p.Answers.Store(about(q)...), answers.KeyOf(operation, w.b[begin:])
			r := &reader{b: store.Find(key), kept: true}
			if given[i] = read(r); r.done() == nil {
				w.b = w.b[:begin]
				continue
			}
			keep[i] = func(answer []byte) { store.Add(key, answer) }
		}
		asked, ends = append(asked, i), append(ends, len(w.b))
	}
	if len(asked) == 0 {
		return given, context.Cause(ctx)
	}
	err := p.loader.askAll(ctx, operation, w.b, ends, func(r *reader, from, to int) {
		for _, i := range asked[from:to] {
			whole := r.b
			given[i] = read(r)
			if whole = whole[:len(whole)-len(r.b)]; r.bool() && r.err == nil && kept {
				keep[i](whole)
			}
		}
	})
	return given, err
}

// askAll asks questions that end at some places of bytes, and has the answers to those of a range read. Where several virtual machines
// answer, each gets a part.
func (a *loader) askAll(ctx context.Context, operation int, questions []byte, ends []int, read func(r *reader, from, to int)) error {
	parts := min(max(int(a.jvm.together.Load()), 1), len(ends))
	ask := func(ctx context.Context, part int) error {
		from, to := part*len(ends)/parts, (part+1)*len(ends)/parts
		begin := 0
		if from > 0 {
			begin = ends[from-1]
		}
		var w writer
		w.number(to - from)
		r, err := a.ask(ctx, operation, append(w.b, questions[begin:ends[to-1]]...))
		if err != nil {
			return err
		}
		read(r, from, to)
		return r.done()
	}
	if parts == 1 {
		return ask(ctx, 0)
	}
	apart := context.WithValue(ctx, runKey{}, nil) // on other goroutines
	errs := make(chan error, parts)
	for part := range parts {
		go func() { errs <- ask(apart, part) }()
	}
	var first error
	for range parts {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

// Notes are facts beside a program's classes on which its verdict rests.
type Notes struct {
	Allowed []string // rules that are relaxed, each as name=value
	Seen    []string // notes of its run, each one line
	Input   bool     // it read more than its classes and the files beside them, so its steps may depend on that
	Asked   []string // files that it looked for beside its classes, each by its path from where packages start
}

// Notes returns the notes of all workers so far.
func (p *Program) Notes(ctx context.Context) (Notes, error) {
	r, err := p.loader.ask(ctx, opNotes, nil)
	if err != nil {
		return Notes{}, err
	}
	return r.notes(), r.done()
}

func (r *reader) notes() Notes {
	return Notes{Allowed: list(r, r.string), Seen: list(r, r.string), Input: r.bool(), Asked: list(r, r.string)}
}

// Classes gives the class files that were loaded so far, the program's own and those of its class path, by class name, and
// the resources that it read, each by its number among those of the same name, a slash and the name.
func (p *Program) Classes(ctx context.Context) (classes, libraries, resources map[string][]byte, err error) {
	r, err := p.loader.ask(ctx, opClasses, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	f := r.files()
	return f[0], f[1], f[2], r.done()
}

func (r *reader) files() (f classFiles) {
	for i := range f {
		f[i] = map[string][]byte{}
		for n := r.number(); n > 0 && r.err == nil; n-- {
			name := r.string()
			f[i][name] = r.bytes()
		}
	}
	return f
}
