package bridge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// threads is how many questions the tests' virtual machine answers at once.
const threads = 4

// quiz has questions about a program, with the answers that one thread gives.
type quiz struct {
	steps       []model.Question
	evaluations []model.Evaluation
	extensions  []model.Extension

	answers    []model.Answer
	judgements []model.Judgement
	histories  [][]byte
}

// newQuiz follows the program from its start, as if every message could be received at any time.
func newQuiz(t *testing.T, p *Program, most int) *quiz {
	t.Helper()
	q := &quiz{}
	initial := p.Program().Initial
	locals, messages := map[string][][]byte{}, map[string][]model.Message{}
	known, histories := map[string]bool{}, [][]byte{initial.History}
	pose := func(local []byte, m model.Message) {
		if len(q.steps) < most {
			q.steps = append(q.steps, model.Question{Local: local, Event: model.Event{Messages: []model.Message{m}}})
		}
	}
	addLocal := func(name string, local []byte) {
		if known[name+string(local)] {
			return
		}
		known[name+string(local)] = true
		locals[name] = append(locals[name], local)
		for _, m := range messages[name] {
			pose(local, m)
		}
	}
	addMessage := func(m model.Message) {
		if known[m.Sender+">"+m.Receiver+string(m.Payload)] {
			return
		}
		known[m.Sender+">"+m.Receiver+string(m.Payload)] = true
		messages[m.Receiver] = append(messages[m.Receiver], m)
		for _, l := range locals[m.Receiver] {
			pose(l, m)
		}
	}
	for _, a := range initial.Actors {
		addLocal(a.Name, a.Local)
	}
	for _, m := range initial.Messages {
		addMessage(m)
	}
	for i := 0; i < len(q.steps); i++ {
		answers := must.Get(p.Steps(context.Background(), q.steps[i:i+1]))
		q.answers = append(q.answers, answers[0])
		for _, o := range answers[0].Outcomes {
			addLocal(q.steps[i].Event.Messages[0].Receiver, o.Local)
			for _, m := range o.Sends {
				addMessage(m)
			}
			x := model.Extension{History: histories[i%len(histories)], Records: o.Records}
			if h, err := p.Record(context.Background(), []model.Extension{x}); err == nil {
				q.extensions, q.histories = append(q.extensions, x), append(q.histories, h[0])
				histories = append(histories, h[0])
			}
		}
	}
	for i := range most {
		var actors []model.Actor
		for _, a := range initial.Actors {
			actors = append(actors, model.Actor{Name: a.Name, Class: a.Class, Local: locals[a.Name][i%len(locals[a.Name])]})
		}
		for property := range p.Program().Properties {
			e := model.Evaluation{Property: property, Actors: actors, History: histories[i%len(histories)]}
			q.evaluations = append(q.evaluations, e)
		}
	}
	var err error
	if q.judgements, err = p.Evaluate(context.Background(), q.evaluations); err != nil {
		t.Fatal(err)
	}
	return q
}

// ask asks everything in batches, in an order of its own, and returns the first answer that differs.
func (q *quiz) ask(ctx context.Context, p *Program, seed uint64) (string, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	for _, i := range r.Perm(len(q.steps)) {
		n := min(1+r.IntN(20), len(q.steps)-i)
		answers, err := p.Steps(ctx, q.steps[i:i+n])
		if err != nil || !reflect.DeepEqual(q.answers[i:i+n], answers) {
			return cmp.Diff(q.answers[i:i+n], answers), err
		}
		if i < len(q.extensions) {
			histories, err := p.Record(ctx, q.extensions[i:i+1])
			if err != nil || !reflect.DeepEqual(q.histories[i:i+1], histories) {
				return cmp.Diff(q.histories[i:i+1], histories), err
			}
		}
		j := r.IntN(len(q.evaluations))
		n = min(1+r.IntN(20), len(q.evaluations)-j)
		judgements, err := p.Evaluate(ctx, q.evaluations[j:j+n])
		if err != nil || !reflect.DeepEqual(q.judgements[j:j+n], judgements) {
			return cmp.Diff(q.judgements[j:j+n], judgements), err
		}
	}
	return "", nil
}

// everybody asks everything at once.
func (q *quiz) everybody(t *testing.T, p *Program) {
	t.Helper()
	var wg sync.WaitGroup
	for seed := range uint64(2 * threads) {
		wg.Go(func() {
			if diff, err := q.ask(context.Background(), p, seed); err != nil {
				t.Errorf("one of several threads: %v", err)
			} else if diff != "" {
				t.Errorf("answers (-one thread +several):\n%s", diff)
			}
		})
	}
	wg.Wait()
}

func TestSeveralThreadsAnswerAsOne(t *testing.T) {
	p := must.Get(jvm.Load(context.Background(), Source{Path: "../examples/register", Recheck: "all"}))
	q := newQuiz(t, p, 150)
	if len(q.steps) < 100 || len(q.extensions) < 10 {
		t.Fatalf("%d steps, %d extensions", len(q.steps), len(q.extensions))
	}
	q.everybody(t, p)
}

// careless is a program that only works if none of its objects are shared by threads: tables in static
// fields that are put back after each step, and a scenario that notes things down while it evaluates.
const careless = `
import java.util.*;
public class Main extends Scenario {
    static class Counter extends Actor {
        static final Map<Integer, Long> KNOWN = new HashMap<>();
        static long depth;
        int n;
        @Handler void on(String text) {
            n = (n + text.length()) % 100;
            if (KNOWN.size() > 50) { KNOWN.clear(); }
            depth = 0;
            send(self(), String.valueOf(sum(n)));
            if (depth != 0) { throw new IllegalStateException("depth " + depth); }
        }
        static long sum(int n) {
            depth++;
            Long known = KNOWN.get(n);
            if (known == null) { KNOWN.put(n, known = n == 0 ? 0 : n + sum(n - 1)); }
            depth--;
            return known;
        }
    }
    private final List<Integer> noted = new ArrayList<>();
    @Override protected void setUp() { send(create("counter", new Counter()), "go"); create("other", new Counter()); }
    @Invariant boolean even() {
        actors(Counter.class).forEach(c -> noted.add(c.n));
        int sum = noted.stream().mapToInt(n -> n).sum();
        boolean two = noted.size() == 2;
        noted.clear();
        return two && sum % 2 == 0;
    }
}`

func TestThreadsShareNothingOfTheProgram(t *testing.T) {
	p := must.Get(loadSource(t, careless, "statics=frozen"))
	q := newQuiz(t, p, 30)
	q.everybody(t, p)
	classes, _, _, err := p.Classes(context.Background())
	if err != nil || len(classes) != 2 {
		t.Errorf("classes: %d, %v", len(classes), err)
	}
}

func TestASetUpThatDiffersBreaksARule(t *testing.T) {
	p, err := loadSource(t, `
public class Main extends Scenario {
    static class Slow extends Actor {
        final long made = System.nanoTime();
        @Handler void on(String text) { for (long end = System.nanoTime() + 100_000_000; System.nanoTime() < end;) { } }
    }
    @Override protected void setUp() { send(create("slow", new Slow()), "go"); }
}`, "time=real")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var errs [2]error
	for i := range errs {
		wg.Go(func() { _, errs[i] = p.Steps(context.Background(), firstStep(p)) })
	}
	wg.Wait()
	var rule *model.RuleError
	if err := errors.Join(errs[:]...); !errors.As(err, &rule) || !strings.HasPrefix(rule.Text, "Main.setUp does different things when it runs twice") ||
		len(rule.Detail) < 3 || !strings.HasPrefix(rule.Detail[0], "slow, field made: ") {
		t.Errorf("error %+v", rule)
	}
}

// firstStep is the step that receives the program's first message.
func firstStep(p *Program) []model.Question {
	initial := p.Program().Initial
	return []model.Question{{Local: initial.Actors[0].Local, Event: model.Event{Messages: initial.Messages[:1]}}}
}

const waiting = `
import java.io.File;
public class Main extends Scenario {
    static class Waiter extends Actor {
        @Handler void on(String file) {
            while (new File(file).exists()) { }
        }
    }
    @Parameter String file = "";
    @Override protected void setUp() { send(create("waiter", new Waiter()), file); send(create("echo", new Echo()), "a"); }
    static class Echo extends Actor { @Handler void on(String m) { send(self(), m + m); } }
}`

// loadWaiting loads a program into a virtual machine: a step that waits as long as there is a file, and one
// that does not wait. end removes the file.
func loadWaiting(t *testing.T, j *JVM) (p *Program, wait, echo []model.Question, end func()) {
	t.Helper()
	return loadText(t, j, waiting, "none")
}

func loadText(t *testing.T, j *JVM, program, recheck string) (p *Program, wait, echo []model.Question, end func()) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"Main.java": "import harrier.*;" + program, "wait": ""} {
		must.Do(os.WriteFile(folder+"/"+name, []byte(text), 0o644))
	}
	file := folder + "/wait"
	p, err := j.Load(context.Background(), Source{Path: folder + "/Main.java", Parameters: map[string]string{"file": file}, Allow: []string{"io=read"}, Recheck: recheck})
	if err != nil {
		t.Fatal(err)
	}
	initial := p.Program().Initial
	step := func(i int) []model.Question {
		return []model.Question{{Local: initial.Actors[i].Local, Event: model.Event{Messages: initial.Messages[i : i+1]}}}
	}
	end = func() { os.Remove(file) }
	t.Cleanup(end)
	return p, step(0), step(1), end
}

// untilItWaits returns when the watch names the step that waits, and where it is. On a slow machine setUp may run until then.
func untilItWaits(j *JVM, at string) {
	for !waitsAt(j, at) {
		time.Sleep(time.Millisecond)
	}
}

func waitsAt(j *JVM, at string) bool {
	r := must.Get(open(must.Get(j.asker.call(new(worker), opWhere, nil))))
	for r.bool() {
		for range 4 {
			r.number()
		}
		if what, stack := r.string(), list(r, r.string); what == "waiter: Waiter.on(String)" && strings.HasPrefix(place(stack), at) {
			return true
		}
	}
	return false
}

func TestCancellationLeavesOthersAlone(t *testing.T) {
	p, wait, echo, end := loadWaiting(t, jvm)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			if _, err := p.Steps(ctx, wait); !errors.Is(err, cause) {
				t.Errorf("a step that is given up: %v", err)
			}
		})
	}
	for len(jvm.workers.places) < threads {
		time.Sleep(time.Millisecond)
	}
	soon, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer stop()
	if _, err := p.Steps(soon, echo); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a question that waits for a worker: %v", err)
	}
	cancel(cause)
	wg.Wait()
	if n := len(jvm.workers.places); n != threads {
		t.Errorf("%d workers are busy, want all %d", n, threads)
	}
	end()
	for range 2 * threads {
		if _, err := p.Steps(context.Background(), echo); err != nil {
			t.Error(err)
		}
	}
	for len(jvm.workers.places) > 0 {
		time.Sleep(time.Millisecond)
	}
	if jvm.workers.made > threads {
		t.Errorf("%d workers, want at most %d", jvm.workers.made, threads)
	}
}

const endless = `
import java.util.*;
public class Main extends Scenario {
    static class Slow { static final int N = spin(); }
    static int spin() { int i = 0; while (i < 2) i = (i + 1) % 2; return i; }
    record Key(int n) { @Override public int hashCode() { return n == 0 ? 0 : spin(); } }
    static class Child extends Actor { @Override protected void start() { spin(); } }
    static class Looper extends Actor {
        final Set<Key> keys = new HashSet<>();
        boolean may(String how) { return !how.equals("guard") || spin() > 0; }
        @Handler(when = "may") void on(String how) {
            switch (how) {
                case "initializer" -> keys.add(new Key(Slow.N));
                case "hashCode" -> keys.add(new Key(1));
                case "start" -> create("child", new Child());
                case "regex" -> keys.add(new Key("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".matches("(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)c\\1\\2") ? 1 : 0));
                case "monitor" -> { while (true) try { synchronized (this) { spin(); } } catch (Throwable t) { } }
                case "guard" -> { }
                default -> send(self(), how + how);
            }
        }
    }
    @Override protected void setUp() {
        var looper = create("looper", new Looper());
        for (String how : List.of("initializer", "hashCode", "start", "regex", "monitor", "guard", "a")) send(looper, how);
    }
}`

// watched has executions that take longer than 300 milliseconds stopped until the test ends.
func watched(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	over := make(chan struct{})
	t.Cleanup(func() {
		end()
		<-over
	})
	go func() {
		defer close(over)
		w := watch{worker: &worker{number: 2000}, limit: 300 * time.Millisecond}
		for ctx.Err() == nil {
			must.Do(w.look(jvm.asker))
			time.Sleep(50 * time.Millisecond)
		}
	}()
}

// TestStepsThatDoNotReturnFail asks for them together with others, which have their answers all the same.
func TestStepsThatDoNotReturnFail(t *testing.T) {
	p := must.Get(loadSource(t, endless))
	watched(t)
	initial := p.Program().Initial
	var questions []model.Question
	for _, m := range initial.Messages {
		questions = append(questions, model.Question{Local: initial.Actors[0].Local, Event: model.Event{Messages: []model.Message{m}}})
	}
	answers, err := p.Steps(context.Background(), questions)
	if err != nil {
		t.Fatal(err)
	}
	for i, place := range []string{"Main.spin", "Main.spin", "Main.spin", "", "Main.spin", "Main.spin"} {
		f := answers[i].Outcomes[len(answers[i].Outcomes)-1].Failure
		if f == nil || f.Kind != model.Hang || f.Text != "did not return within 300ms of processor time (--step-timeout)" ||
			!slices.ContainsFunc(f.Stack, func(frame string) bool { return strings.HasPrefix(frame, place) }) {
			t.Errorf("message %d: failure %+v", i, f)
		}
	}
	if o := answers[6].Outcomes; len(o) != 1 || o[0].Failure != nil || len(o[0].Sends) != 1 {
		t.Errorf("the step that returns: %+v", o)
	}
}

func TestAStepThatReturnsInOneOrderOnlyBreaksARule(t *testing.T) {
	text := strings.Replace(waiting, "while (", "if (!new java.util.HashSet<>(java.util.List.of(1, 2)).iterator().next().equals(1)) while (", 1)
	p, wait, echo, _ := loadText(t, jvm, text, "all")
	watched(t)
	_, err := p.Steps(context.Background(), slices.Concat(echo, wait))
	var rule *model.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, "returns in one execution, and does not in another one of the same") {
		t.Errorf("error %v", err)
	}
}

// oneExecution stands for a virtual machine in which one execution goes on, whatever is done.
type oneExecution struct {
	used  time.Duration // processor time that it takes between two looks
	total time.Duration
	stops []string
}

func (e *oneExecution) call(_ *worker, operation int, question []byte) ([]byte, error) {
	var answer writer
	answer.number(statusOK)
	if operation == opStop {
		r := &reader{b: question}
		r.number()
		r.number()
		e.stops = append(e.stops, r.string())
		return answer.b, nil
	}
	e.total += e.used
	answer.bool(true)
	answer.number(1)
	answer.number(7)
	answer.number(int(e.total / time.Second))
	answer.number(int(e.total % time.Second))
	answer.string("a: A.on(B)")
	answer.list([]string{"java.util.X.y(X.java:1)", "A.on(A.java:2)"})
	answer.bool(false)
	return answer.b, nil
}

func TestTheWatchCountsProcessorTime(t *testing.T) {
	for _, c := range []struct {
		used  time.Duration
		looks int // number of the look that stops the execution
		why   string
	}{
		{400 * time.Millisecond, 6, "did not return within 2s of processor time (--step-timeout)"},
		{2 * time.Second, 2, "did not return within 2s of processor time (--step-timeout)"},
		{0, 41, "waits, and did not return within 10 times 2s (--step-timeout)"},
	} {
		w, e := watch{limit: 2 * time.Second}, oneExecution{used: c.used}
		n := 0
		for len(e.stops) == 0 {
			n++
			must.Do(w.look(&e))
		}
		if n != c.looks || e.stops[0] != c.why {
			t.Errorf("%v a look: %q after %d looks, want %q after %d", c.used, e.stops[0], n, c.why, c.looks)
		}
		var err error
		for err == nil {
			err = w.look(&e)
		}
		if want := "a: A.on(B) " + c.why + ", it is at A.on(A.java:2); it could not be stopped"; limitText(err) != want || len(e.stops) != mostStops {
			t.Errorf("after %d attempts %v, want %s", len(e.stops), err, want)
		}
	}
	w, e := watch{}, oneExecution{used: time.Hour}
	for range 100 {
		must.Do(w.look(&e))
	}
	if len(e.stops) > 0 || *w.slow != "a: A.on(B) for 99h0m0s of processor time" {
		t.Errorf("without a limit: %v, %v", e.stops, *w.slow)
	}
}

// TestAJVMThatIsGivenUpEndsAllQuestions gives up a JVM of its own, which is the same virtual machine with other workers.
func TestAJVMThatIsGivenUpEndsAllQuestions(t *testing.T) {
	other := &JVM{asker: jvm.asker, workers: newWorkers(2)}
	other.workers.made = 1000
	other.life, other.giveUp = context.WithCancelCause(context.Background())
	p, wait, echo, end := loadWaiting(t, other)
	defer end()

	var wg sync.WaitGroup
	waitForEver := func() {
		if _, err := p.Steps(context.Background(), wait); limitText(err) != "enough" {
			t.Errorf("error %v", err)
		}
	}
	wg.Go(waitForEver)
	untilItWaits(other, ", it is at Main$Waiter.on(Main.java:")
	if _, err := p.Steps(context.Background(), echo); err != nil { // by the other worker
		t.Error(err)
	}
	wg.Go(waitForEver)
	wg.Go(waitForEver) // for a worker
	other.giveUp(&model.LimitError{Text: "enough", Ends: true})
	wg.Wait()
	if _, err := p.Steps(context.Background(), echo); limitText(err) == "" {
		t.Errorf("a question after that: %v", err)
	}
}

// TestTheSecondCopyIsWatched has a step that waits in another order of hash collections only. It is one of several, which are repeated
// on another thread where there are two processors, in the three orders after their own.
func TestTheSecondCopyIsWatched(t *testing.T) {
	text := strings.Replace(waiting, "while (", "if (!new java.util.HashSet<>(java.util.List.of(1, 2)).iterator().next().equals(1)) while (", 1)
	p, wait, echo, end := loadText(t, jvm, text, "all")
	answered := make(chan error, 1)
	go func() {
		answers, err := p.Steps(context.Background(), slices.Concat(echo, wait, echo))
		if err == nil && (len(answers) != 3 || answers[1].Executions != 4) {
			err = fmt.Errorf("answers %v", answers)
		}
		answered <- err
	}()
	untilItWaits(jvm, "")
	select {
	case err := <-answered:
		t.Errorf("an answer before the second copy has one: %v", err)
	case <-time.After(10 * time.Millisecond):
	}
	end()
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// limitText is the text of a limit that was reached.
func limitText(err error) string {
	var limit *model.LimitError
	if !errors.As(err, &limit) {
		return ""
	}
	return limit.Text
}
