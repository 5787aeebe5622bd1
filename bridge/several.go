package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"

	"harrier/internal/model"
)

// Several virtual machines may answer questions about one program. This file compares and merges their answers, as bytes.

// Audience is which of several virtual machines that have the same program a question is put to.
type Audience int

// The audiences.
const (
	Nearest Audience = iota // the one on the machine of the search
	All                     // each; their answers are merged
	Any                     // one that has time
	Loading                 // the nearest, and the others before they answer another question
	Nobody                  // none: NobodyAnswer is the answer
)

// again, added to an operation, has the nearest virtual machine execute it, to confirm an answer that is kept or of another one.
const again = 1 << 8

// AudienceOf returns the audience of the questions of an operation.
func AudienceOf(operation int) Audience {
	switch operation {
	case opSteps, opEvaluate, opRecord, opAside:
		return Any
	case opNotes, opCoverage, opClasses:
		return All
	case opLoad:
		return Loading
	case opWhere, opThreads, opStop:
		return Nobody
	}
	return Nearest
}

// The operations that package cluster asks for itself.
const (
	LoadingOf = opLoad
	NotesOf   = opNotes // the question is empty
)

// Questions returns how many questions a question for Any holds.
func Questions(question []byte) int { return (&reader{b: question}).number() }

// parse reads an answer to a question for Any, without parts that may differ each time: how often code was executed, and whether the
// answer may be kept. The content of an answer that is an error is its text.
func parse(operation int, question, answer []byte) (content any, isError bool, err error) {
	r := &reader{b: answer}
	if r.number() != statusOK {
		if _, err := open(answer); errors.Is(err, errShort) || errors.Is(err, errLong) {
			return nil, true, err
		}
		return string(answer), true, nil
	}
	var all []any
	for n := Questions(question); n > 0 && r.err == nil; n-- {
		switch operation {
		case opEvaluate:
			all = append(all, r.judgement())
		case opRecord:
			all = append(all, r.bytes())
		default:
			a := r.answer()
			a.Executions = 0
			withoutPlaces(a.Outcomes)
			all = append(all, a)
		}
		r.bool()
	}
	return all, false, r.done()
}

// withoutPlaces leaves out where executions were that did not return: they are stopped anywhere.
func withoutPlaces(outcomes []model.Outcome) {
	for _, o := range outcomes {
		if o.Failure != nil && o.Failure.Kind == model.Hang {
			o.Failure.Stack = nil
		}
	}
}

// Check returns an error if an answer does not fit its question, which is for Any. isError is whether the answer is an error.
func Check(operation int, question, answer []byte) (isError bool, err error) {
	_, isError, err = parse(operation, question, answer)
	return isError, err
}

// Same reports whether two answers to a question for Any are the same. Any two errors are.
func Same(operation int, question, one, other []byte) bool {
	a, failsA, errA := parse(operation, question, one)
	b, failsB, errB := parse(operation, question, other)
	return errA == nil && errB == nil && failsA == failsB && (failsA || reflect.DeepEqual(a, b))
}

// Merge merges the answers to a question for All, that of the nearest first. Answers that cannot be read are left out, and wrong has an
// error at their positions.
func Merge(operation int, answers [][]byte) (merged []byte, wrong []error) {
	wrong = make([]error, len(answers))
	var readers []*reader
	for i, answer := range answers {
		r, err := open(answer)
		if wrong[i] = err; i == 0 && err != nil {
			return answer, wrong
		}
		readers = append(readers, r)
	}
	w := &writer{}
	w.number(statusOK)
	switch operation {
	case opNotes:
		mergeAll(readers, wrong, (*reader).notes, Notes.add).write(w)
	case opCoverage:
		mergeAll(readers, wrong, (*reader).coverage, Coverage.add).write(w)
	default:
		mergeAll(readers, wrong, (*reader).files, classFiles.add).write(w)
	}
	return w.b, wrong
}

// mergeAll reads answers, and adds to the first those of the others that can be read.
func mergeAll[T any](readers []*reader, wrong []error, read func(*reader) T, add func(T, T) T) (sum T) {
	for i, r := range readers {
		if wrong[i] != nil {
			continue
		}
		value := read(r)
		if wrong[i] = r.done(); wrong[i] != nil {
			continue
		}
		if i == 0 {
			sum = value
		} else {
			sum = add(sum, value)
		}
	}
	return sum
}

// union adds to one the texts of other that it does not have.
func union(one, other []string) []string {
	for _, text := range other {
		if !slices.Contains(one, text) {
			one = append(one, text)
		}
	}
	return one
}

func (n Notes) add(other Notes) Notes {
	return Notes{union(n.Allowed, other.Allowed), union(n.Seen, other.Seen), n.Input || other.Input, union(n.Asked, other.Asked)}
}

func (n Notes) write(w *writer) {
	w.list(n.Allowed)
	w.list(n.Seen)
	w.bool(n.Input)
	w.list(n.Asked)
}

func (c Coverage) add(other Coverage) Coverage {
	at := map[string]int{}
	for i, m := range c.Methods {
		at[m.Label+"\n"+m.File] = i
	}
	for _, m := range other.Methods {
		i, known := at[m.Label+"\n"+m.File]
		if !known {
			c.Methods = append(c.Methods, m)
			continue
		}
		c.Methods[i].Lines = executed(c.Methods[i].Lines, m.Lines)
		c.Methods[i].Branches = executed(c.Methods[i].Branches, m.Branches)
	}
	return c
}

// executed marks the lines that were executed elsewhere, if these are lines of the same code.
func executed(lines, elsewhere []CoveredLine) []CoveredLine {
	for i := range lines {
		if i < len(elsewhere) && elsewhere[i].Line == lines[i].Line {
			lines[i].Executed = lines[i].Executed || elsewhere[i].Executed
		}
	}
	return lines
}

func (c Coverage) write(w *writer) {
	lines := func(all []CoveredLine) {
		w.number(len(all))
		for _, l := range all {
			w.number(l.Line)
			w.bool(l.Executed)
		}
	}
	for _, m := range c.Methods {
		w.bool(true)
		w.string(m.Label)
		w.string(m.File)
		w.list(m.Actors)
		lines(m.Lines)
		lines(m.Branches)
	}
	w.bool(false)
	for _, k := range c.Kinds {
		w.bool(true)
		w.string(k.Actor)
		w.string(k.Class)
		w.string(k.Label)
	}
	w.bool(false)
}

// classFiles are a program's own classes, those of its libraries, and resources.
type classFiles [3]map[string][]byte

func (f classFiles) add(other classFiles) classFiles {
	for i := range f {
		for name, content := range other[i] {
			if _, known := f[i][name]; !known {
				f[i][name] = content
			}
		}
	}
	return f
}

func (f classFiles) write(w *writer) {
	for _, blobs := range f {
		w.number(len(blobs))
		for _, name := range slices.Sorted(maps.Keys(blobs)) {
			w.string(name)
			w.bytes(blobs[name])
		}
	}
}

// Relocate returns a question that loads a program with its paths changed.
func Relocate(load []byte, path func(string) string) ([]byte, error) {
	r := &reader{b: load}
	program, classPath := r.string(), list(r, r.string)
	if r.err != nil {
		return nil, r.err
	}
	w := &writer{}
	if program != "" {
		program = path(program)
	}
	w.string(program)
	w.number(len(classPath))
	for _, entry := range classPath {
		w.string(path(entry))
	}
	return append(w.b, r.b...), nil
}

// NobodyAnswer is the answer to an operation for Nobody, where so many questions are answered at once. Where a step is that takes long
// is not known here: the process that asks the virtual machine watches it.
func NobodyAnswer(operation, threads int) []byte {
	w := &writer{}
	w.number(statusOK)
	if operation == opThreads {
		w.number(threads)
	} else {
		w.bool(false)
	}
	return w.b
}

// Together returns how many questions all virtual machines at the other end of a connection to Relay answer at once. From then on, that
// is how many the JVM asks at once.
func (j *JVM) Together(ctx context.Context) (int, error) {
	r, err := j.ask(ctx, opThreads, nil)
	if err != nil {
		return 0, err
	}
	n := r.number()
	j.together.Store(int64(n))
	return n, r.done()
}

// Answer answers a question as bytes, as the other end of a connection asks it. The error of a step that takes too long is an answer, too;
// after any other error there is no virtual machine any more.
func (j *JVM) Answer(ctx context.Context, operation int, question []byte) ([]byte, error) {
	answered := make(chan reply, 1)
	go func() { answered <- j.answer(ctx, operation, question) }()
	var r reply
	select {
	case r = <-answered:
	case <-j.life.Done():
		r.err = j.reason(ctx)
	case <-ctx.Done():
		r.err = j.reason(ctx)
	}
	if limit := (*model.LimitError)(nil); errors.As(r.err, &limit) {
		return LimitAnswer(limit), nil
	}
	return r.answer, r.err
}

// Ended reports whether the virtual machine answers no questions any more.
func (j *JVM) Ended() bool { return j.life.Err() != nil }

// LimitAnswer is the answer that a limit was reached.
func LimitAnswer(limit *model.LimitError) []byte {
	w := &writer{}
	if limit.Ends {
		w.number(statusEnds)
	} else {
		w.number(statusLimit)
	}
	w.string(limit.Text)
	w.number(0)
	return w.b
}

// Relay has the questions that come over a connection answered by a function, until the connection is closed or answer returns an error,
// which Relay returns. It calls answer for several questions at once. In the end it closes the connection.
func Relay(conn io.ReadWriteCloser, answer func(operation int, question []byte, confirm bool) ([]byte, error)) error {
	over := make(chan error, 1) // the first error, or nil if there is none
	end := func(err error) {
		select {
		case over <- err:
		default:
		}
	}
	closed := make(chan struct{})
	s := newServer(conn, askerFunc(func(operation int, question []byte) ([]byte, error) {
		a, err := answer(operation&^again, question, operation&again != 0)
		if err != nil {
			end(err)
			<-closed // the other end is not told the text: whoever calls Relay knows what kind of error it is
		}
		return a, err
	}))
	if s.begin() != nil {
		return nil
	}
	go func() {
		s.answer()
		end(nil)
	}()
	err := <-over
	conn.Close()
	close(closed)
	if err != nil {
		return fmt.Errorf("answering the search: %w", err)
	}
	return nil
}

type askerFunc func(operation int, question []byte) ([]byte, error)

func (f askerFunc) call(_ *worker, operation int, question []byte) ([]byte, error) {
	return f(operation, question)
}

// IsError reports whether an answer is an error.
func IsError(answer []byte) bool { return (&reader{b: answer}).number() != statusOK || len(answer) < 4 }
