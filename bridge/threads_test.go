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

// quiz is what can be asked about a program, with the answers that one thread gives.
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

// ask asks everything in batches, in an order of its own, and says what is answered differently.
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
	q := newQuiz(t, p, 60)
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
// that does not wait. What it returns removes the file.
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
func untilItWaits(j *JVM, place string) {
	w := watch{worker: new(worker), limit: 1}
	for !strings.HasPrefix(limitText(w.look(j.asker, time.Now())), "waiter: Waiter.on(String) did not return within 1ns (--step-timeout)"+place) {
		time.Sleep(time.Millisecond)
	}
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

// TestAStuckStepEndsAllQuestions gives up a JVM of its own, which is the same virtual machine with other
// workers.
func TestAStuckStepEndsAllQuestions(t *testing.T) {
	other := &JVM{asker: jvm.asker, workers: newWorkers(2)}
	other.workers.made = 1000
	other.life, other.giveUp = context.WithCancelCause(context.Background())
	p, wait, echo, end := loadWaiting(t, other)
	defer end()

	var wg sync.WaitGroup
	waitForEver := func() {
		_, err := p.Steps(context.Background(), wait)
		if text := limitText(err); !strings.Contains(text, " did not return within 100ms (--step-timeout)") {
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
	go other.watch(100 * time.Millisecond)
	wg.Wait()
	if _, err := p.Steps(context.Background(), echo); limitText(err) == "" {
		t.Errorf("a question after that: %v", err)
	}
}

// TestTheSecondCopyIsWatched has a step that waits in another order of hash collections only. It is one of several, which are repeated on
// another thread where there are two processors.
func TestTheSecondCopyIsWatched(t *testing.T) {
	text := strings.Replace(waiting, "while (", "if (!new java.util.HashSet<>(java.util.List.of(1, 2)).iterator().next().equals(1)) while (", 1)
	p, wait, echo, end := loadText(t, jvm, text, "all")
	answered := make(chan error, 1)
	go func() {
		answers, err := p.Steps(context.Background(), slices.Concat(echo, wait, echo))
		if err == nil && (len(answers) != 3 || answers[1].Executions != 3) {
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
