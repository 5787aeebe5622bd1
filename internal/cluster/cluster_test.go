package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"harrier/bridge"
	"harrier/internal/process/ending"
	"harrier/internal/testkit/must"
)

// The operations that the tests ask for, as package bridge numbers them.
const (
	opLoad   = 1
	opRecord = 6
)

// question holds one question for anybody.
func question(text string) []byte {
	b := binary.BigEndian.AppendUint32(nil, 1)
	return append(b, text...)
}

// honest answers a question with its text turned round.
func honest(q []byte) []byte {
	text := slices.Clone(q[4:])
	slices.Reverse(text)
	b := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(len(text)))
	return binary.BigEndian.AppendUint32(append(b, text...), 1)
}

// A fake answers questions by a function; notes are none.
type fake struct {
	by func(q []byte) ([]byte, error)
}

func newFake(by func(q []byte) ([]byte, error)) *fake { return &fake{by} }

func (f *fake) Answer(ctx context.Context, operation int, q []byte) ([]byte, error) {
	switch operation {
	case opLoad:
		return []byte("\x00\x00\x00\x00facts"), nil
	case bridge.NotesOf:
		return make([]byte, 20), nil
	}
	return f.by(q)
}

func (f *fake) Ended() bool { return false }
func (f *fake) Close()      {}

// A scene is a check with workers.
type scene struct {
	t      *testing.T
	ctx    context.Context // ends when the test has waited for mostWait
	spread *Spread
	engine *Engine
	mu     sync.Mutex
	told   []string
}

func right(q []byte) ([]byte, error) { return honest(q), nil }

// mostWait is far longer than a test waits on a loaded machine.
const mostWait = 2 * time.Minute

// newScene returns a scene without a check, whose waits fail the test after mostWait, with what was told. Its context has no deadline,
// like that of a check: the client of NATS waits for an answer until the deadline, if there is one.
func newScene(t *testing.T) *scene {
	ctx, end := context.WithCancelCause(t.Context())
	late := time.AfterFunc(mostWait, func() { end(fmt.Errorf("the test has waited for %v", mostWait)) })
	s := &scene{t: t, ctx: ctx}
	t.Cleanup(func() {
		late.Stop()
		end(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.Failed() {
			t.Logf("told so far: %q", s.told)
		}
	})
	return s
}

// eventually waits until something holds.
func (s *scene) eventually(what string, holds func() bool) {
	s.t.Helper()
	for !holds() {
		if s.ctx.Err() != nil {
			s.t.Fatalf("%s: %v", what, context.Cause(s.ctx))
		}
		time.Sleep(time.Millisecond)
	}
}

// hears waits until a text is told.
func (s *scene) hears(text string) {
	s.t.Helper()
	s.eventually(text, func() bool { return s.says(text) })
}

// begin begins a check and starts workers, which it waits for.
func begin(t *testing.T, twice bool, workers ...func(q []byte) ([]byte, error)) *scene {
	s := newScene(t)
	s.engine = must.Get(Start(s.ctx))
	t.Cleanup(s.engine.Close)
	for _, by := range workers {
		s.start(by)
	}
	s.spread = must.Get(NewSpread(s.ctx, s.engine, Job{Program: "p"}, nil, newFake(right), 1, twice, s.tell, func() {}))
	t.Cleanup(s.spread.Close)
	_, err := s.spread.Answer(s.ctx, opLoad, make([]byte, 8), false)
	must.Do(err)
	s.eventually("all workers answer", func() bool { return s.spread.Threads() > len(workers) })
	return s
}

// start starts a worker with a connection of its own.
func (s *scene) start(by func(q []byte) ([]byte, error)) context.CancelFunc {
	e := must.Get(Join(s.ctx, s.engine.File))
	return s.serve(&Worker{Engine: e, Threads: 1, Tell: func(string) {},
		Start: func(context.Context, Job, string) (Answerer, error) { return newFake(by), nil }})
}

// serve has a worker answer until the test ends or the function that it returns is called, which waits for the worker.
func (s *scene) serve(w *Worker) context.CancelFunc {
	ctx, cancel := context.WithCancel(s.ctx)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := w.Serve(ctx); ctx.Err() == nil {
			s.t.Errorf("a worker ends: %v", err)
		}
		w.Engine.Close()
	})
	end := func() { cancel(); serving.Wait() }
	s.t.Cleanup(end)
	return end
}

func (s *scene) tell(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, line)
}

// says reports whether a text was told.
func (s *scene) says(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.told, func(line string) bool { return strings.Contains(line, text) })
}

// hurry has the check wait for workers for next to no time.
func (s *scene) hurry() {
	s.spread.mu.Lock()
	defer s.spread.mu.Unlock()
	s.spread.silence = time.Millisecond
}

// askAll asks many questions, several at once, and returns the first error. Each answer must be right.
func (s *scene) askAll(from, to int) error {
	errs := make(chan error, 4)
	for k := range 4 {
		go func() {
			for i := from + k; i < to; i += 4 {
				q := question(strings.Repeat("question ", 1+i%7) + string(rune('a'+i%26)))
				answer, err := s.spread.Answer(s.ctx, opRecord, q, false)
				if err == nil && !bytes.Equal(answer, honest(q)) {
					err = errors.New("a wrong answer: " + string(answer))
				}
				if err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	var all error
	for range 4 {
		all = errors.Join(all, <-errs)
	}
	return all
}

func TestWorkersAnswer(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right, right)
	c, asked := s.spread.Counts(), 0
	for asked < 40_000 && (c.Remote.Load() == 0 || c.Twice.Load() == 0) { // on a loaded machine workers come to answer late
		must.Do(s.askAll(asked, asked+400))
		asked += 400
	}
	if c.Remote.Load() == 0 || c.Twice.Load() == 0 || c.Answers.Load() != uint64(asked) {
		t.Errorf("of %d answers %d are of workers alone, %d compared", asked, c.Remote.Load(), c.Twice.Load())
	}
	if s.says("left out") || s.says("does not answer") {
		t.Error(s.told)
	}
}

// TestAWorkerAnswersSeveralQuestionsAtOnce asks two questions, each of which is answered only while the other one is.
func TestAWorkerAnswersSeveralQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	by := newFake(func(q []byte) ([]byte, error) { both.Done(); both.Wait(); return honest(q), nil })
	r := &running{worker: &Worker{}, by: by, loaded: "program"}
	m := nats.NewMsg("")
	m.Header.Set(loadHeader, "program")
	m.Data = append(binary.BigEndian.AppendUint32(nil, opRecord), question("q")...)
	errs := make(chan error)
	for range 2 {
		go func() { _, err := r.answer(t.Context(), m); errs <- err }()
	}
	must.Do(errors.Join(<-errs, <-errs))
}

// TestAnEndIsOfOneAnswerer has a question fail whose answerer was replaced meanwhile.
func TestAnEndIsOfOneAnswerer(t *testing.T) {
	t.Parallel()
	replaced, now := newFake(right), newFake(right)
	r := &running{by: now, loaded: "program"}
	r.end(replaced)
	if by, _ := r.current(t.Context()); by != now || r.loaded != "program" {
		t.Error("what replaced it was ended, too")
	}
	if _, ok := r.use("another program"); ok {
		t.Error("it answers about a program that was replaced")
	}
	r.end(now)
	if by, _ := r.current(t.Context()); by != nil || r.loaded != "" {
		t.Error("it was not ended")
	}
}

func TestAnswersTwice(t *testing.T) {
	t.Parallel()
	s := begin(t, true, right, right)
	must.Do(s.askAll(0, 100))
	if n := s.spread.Counts().Remote.Load(); n > 0 {
		t.Errorf("%d answers of one worker alone", n)
	}
}

// liars are workers that must be left out, with what is said of them.
var liars = map[string]struct {
	by   func(q []byte) ([]byte, error)
	said string
}{
	"other bytes": {func(q []byte) ([]byte, error) { return honest(append(slices.Clone(q), '!')), nil }, "gave another answer than this machine"},
	"cut":         {func(q []byte) ([]byte, error) { b := honest(q); return b[:len(b)-2], nil }, "gave an answer that is none"},
	"empty":       {func(q []byte) ([]byte, error) { return nil, nil }, "gave an answer that is none"},
	"huge count":  {func(q []byte) ([]byte, error) { return []byte{0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff}, nil }, "gave an answer that is none"},
	"an error": {func(q []byte) ([]byte, error) {
		return append([]byte{0, 0, 0, 2, 0, 0, 0, 3}, "bad\x00\x00\x00\x00"...), nil
	}, "gave another answer than this machine"},
}

func TestLiarsAreLeftOut(t *testing.T) {
	for name, liar := range liars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, true, right, liar.by)
			n := 0
			s.eventually(liar.said, func() bool { // the liar may be asked late
				n += 100
				must.Do(s.askAll(n-100, n))
				return s.says(liar.said + ": it is left out")
			})
		})
	}
}

// TestALiarThatWasBelievedEndsTheCheck has a worker begin to lie once it is trusted.
func TestALiarThatWasBelievedEndsTheCheck(t *testing.T) {
	t.Parallel()
	s := begin(t, false, func(q []byte) ([]byte, error) { return honest(append(slices.Clone(q), '!')), nil })
	var isCompared atomic.Bool
	s.spread.random = func() float64 {
		if isCompared.Load() {
			return 0
		}
		return 1
	}
	s.spread.believed.Store(1)
	var wrong error
	for i := 0; i < 100 && wrong == nil; i++ {
		wrong = s.askAll(0, 100)
	}
	if wrong == nil || !strings.Contains(wrong.Error(), "wrong answer") {
		t.Fatal("the lies were not used")
	}
	isCompared.Store(true)
	s.eventually("left out", func() bool {
		_ = s.askAll(0, 100)
		return s.says("left out")
	})
	answer, err := s.spread.Answer(s.ctx, opRecord, question("x"), false)
	if err != nil || !bytes.Contains(answer, []byte("and the search has used some: check again without it, or with --answers twice")) {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestALiarIsNotBelievedOnceItIsLeftOut has an answer arrive whose worker is left out before it is believed.
func TestALiarIsNotBelievedOnceItIsLeftOut(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right)
	s.spread.random = func() float64 { return 1 }
	s.spread.believed.Store(1)
	liar := &answerer{name: "liar", gone: ending.New()}
	x := exchange{operation: opRecord, question: question("x")}
	must.Do(s.spread.leaveOut(t.Context(), liar, "gave another answer than this machine"))
	late := s.spread.turn(x)
	if answer, done, err := late.take(t.Context(), reply{by: liar, answer: honest(question("y"))}); done || err != nil {
		t.Errorf("%q is believed, %v", answer, err)
	}
	if answer := must.Get(late.wait(t.Context())); !bytes.Equal(answer, honest(x.question)) {
		t.Errorf("the answer is %q", answer)
	}
}

// TestALiarThatWasGoneEndsTheCheck has a worker lie that is another answerer when it is left out, as it was gone for a while.
func TestALiarThatWasGoneEndsTheCheck(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right)
	asked := func() *answerer { return &answerer{name: "liar", gone: ending.New()} }
	given := s.spread.turn(exchange{operation: opRecord, question: question("x")})
	given.give(reply{by: asked(), answer: honest(question("y"))})
	if err := s.spread.leaveOut(t.Context(), asked(), "gave an answer that is none"); err == nil {
		t.Error("the search goes on with a wrong answer")
	}
}

func TestAWorkerThatDoesNotAnswerIsNamed(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	defer close(never)
	s := begin(t, false, right, func(q []byte) ([]byte, error) { <-never; return nil, errors.New("never") })
	s.hurry()
	must.Do(s.askAll(0, 100))
	s.hears("does not answer: it is asked no more until it does")
}

func TestWorkersComeAndGo(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right)
	leave := s.start(right)
	s.eventually("both workers answer", func() bool { return s.spread.Threads() == 3 })
	must.Do(s.askAll(0, 100))
	leave()
	must.Do(s.askAll(100, 200))
	s.hears("is gone")
	if s.spread.Threads() != 2 {
		t.Errorf("%d threads", s.spread.Threads())
	}
}

func TestNotesThatCannotBeReadAreNamed(t *testing.T) {
	t.Parallel()
	s := begin(t, false, right)
	s.spread.noted = [][]byte{{0}}
	must.Get(s.spread.Answer(s.ctx, bridge.NotesOf, nil, false))
	if !s.says("worker that is gone does not say what it executed: ") {
		t.Error(s.told)
	}
}

func TestFilesArrive(t *testing.T) {
	t.Parallel()
	e := must.Get(Start(t.Context()))
	defer e.Close()
	from, to := t.TempDir(), t.TempDir()
	must.Do(os.MkdirAll(filepath.Join(from, "a", "b"), 0o755))
	must.Do(os.WriteFile(filepath.Join(from, "a", "b", "C.java"), []byte("class C {}"), 0o644))
	must.Do(os.Symlink(filepath.Join(from, "a", "b", "C.java"), filepath.Join(from, "Link.java")))
	j := Job{Files: must.Get(e.storeFiles(t.Context(), [][]string{{filepath.Join(from, "a/b/C.java"), filepath.Join(from, "Link.java")}}))}
	must.Do(e.fetchFiles(t.Context(), j, to))
	for _, name := range []string{"a/b/C.java", "Link.java"} {
		if got := must.Get(os.ReadFile(filepath.Join(to, from, name))); string(got) != "class C {}" {
			t.Errorf("%s has %q", name, got)
		}
	}
	// What has another hash than it is named by is refused.
	hash := must.Get(e.storeBytes(t.Context(), []byte("right")))
	_, err := e.objects.PutBytes(t.Context(), hash, []byte("wrong"))
	must.Do(err)
	if _, err := e.fetchBytes(t.Context(), hash); err == nil || !strings.Contains(err.Error(), "its content has another hash") {
		t.Errorf("error %v", err)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := begin(t, true, right)
	must.Do(s.askAll(0, 20))
	at, end, err := ServeMetrics("127.0.0.1:0", s.spread.Metrics())
	must.Do(err)
	defer end()
	response := must.Get(http.Get("http://" + at + "/metrics"))
	defer response.Body.Close()
	text := string(must.Get(io.ReadAll(response.Body)))
	for _, line := range []string{"# TYPE harrier_answers_total counter", "harrier_answers_total 20", "harrier_answers_of_one_worker_total 0", "harrier_threads 2"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no line %q in %s", line, text)
		}
	}
	if _, _, err := ServeMetrics(at, nil); err == nil || !strings.Contains(err.Error(), "--metrics "+at+": ") {
		t.Errorf("error %v", err)
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	e := must.Get(Start(t.Context()))
	defer e.Close()
	at := strings.TrimSpace(string(must.Get(os.ReadFile(e.File))))
	for _, at := range []string{strings.Replace(at, "//", "//wrong", 1), "nats://wrong@127.0.0.1:1,nats://wrong@127.0.0.1:1", "nats://wrong:wrong@%zz",
		"nats://user:wrong@[1/x@y", "wrong@127.0.0.1:1", "nats://127.0.0.1:1, wrong@127.0.0.1:1"} {
		if !HasCredentials(at) {
			t.Errorf("%s has credentials", at)
		}
		_, err := Join(t.Context(), at)
		if err == nil || strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s: error %v", at, err)
		}
	}
}
