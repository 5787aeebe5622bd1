package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

var (
	home *Home
	jvm  *JVM
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "attack" {
		if err := attack(os.Args[2], os.Args[3]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	jdk, err := FindJDK("")
	if err == nil {
		home, err = Prepare(jdk)
	}
	if err == nil {
		jvm, err = Open(jdk, home, Options{Heap: 256 << 20, Threads: threads})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// loadSource loads a program from the text of Main.java, with rules that are relaxed.
func loadSource(t testing.TB, text string, allow ...string) (*Program, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "Main.java")
	must.Do(os.WriteFile(file, []byte("import harrier.*;\n"+text), 0o644))
	return jvm.Load(context.Background(), Source{Path: file, Recheck: "all", Allow: allow})
}

const echo = `
public class Main extends Scenario {
    static class Echo extends Actor {
        String last = "";
        @Handler(when = "isText") void on(String text) {
            if (text.equals("null")) { text = null; }
            if (text.equals("deep")) { recurse(1); }
            last = text;
            reply(text + text);
        }
        boolean isText(String text) { return !text.isEmpty(); }
        int recurse(int n) { return 1 + recurse(n + 1); }
    }
    @Override protected void setUp() {
        ActorName echo = create("echo", new Echo());
        send(echo, "hello");
    }
    @Invariant boolean fine() { return actors(Echo.class).noneMatch(e -> e.last.equals("bad")); }
}`

func say(t *testing.T, p *Program, texts ...string) []model.Answer {
	t.Helper()
	var questions []model.Question
	for _, text := range texts {
		payload := serializer.Encode(serializer.Value{Kind: serializer.String, Text: text})
		message := model.Message{Sender: "friend", Receiver: "echo", Payload: payload}
		questions = append(questions, model.Question{
			Local: p.Program().Initial.Actors[0].Local, Event: model.Event{Kind: model.Receive, Messages: []model.Message{message}},
		})
	}
	return must.Get(p.Steps(context.Background(), questions))
}

func TestStepsOfAProgram(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	facts := p.Program()
	if facts.Scenario != "Main" || len(facts.Initial.Messages) != 1 || facts.Initial.Messages[0].Sender != "" {
		t.Errorf("facts: %+v", facts)
	}
	want := []model.Handler{{Class: "Main$Echo", Label: "Echo.on(String)", Takes: "java.lang.String", Exact: true, Place: "Main.java:7"}}
	if diff := cmp.Diff(want, facts.Handlers); diff != "" {
		t.Errorf("handlers (-want +got):\n%s", diff)
	}
	answers := say(t, p, "a", "", "null")
	if len(answers) != 3 || len(answers[0].Outcomes) != 1 || answers[0].Executions != 2 {
		t.Fatalf("answers: %+v", answers)
	}
	sent, err := serializer.Decode(answers[0].Outcomes[0].Sends[0].Payload)
	if err != nil || serializer.Format(sent) != `"aa"` || answers[0].Outcomes[0].Sends[0].Receiver != "friend" {
		t.Errorf("sent: %v, %v", answers[0].Outcomes[0].Sends, err)
	}
	if len(answers[1].Outcomes) != 0 {
		t.Errorf("a message whose guard is false has outcomes: %+v", answers[1])
	}
	if f := answers[2].Outcomes[0].Failure; f == nil || f.Kind != "exception" || !strings.Contains(f.Text, "NullPointerException") {
		t.Errorf("failure: %+v", f)
	}
}

func TestFieldsOfAProgram(t *testing.T) {
	p, err := loadSource(t, `import harrier.*;
class Main extends Scenario {
    record Note(int x, String text) {}
    static class Counter extends Actor {
        int seen;
        int sent;
        @Auxiliary int declared;
        @Handler void on(Note m) {
            seen++;
            declared++;
            if (m.x() > 0) send(self(), new Note(sent++, m.text()));
        }
    }
    protected void setUp() { send(create("counter", new Counter()), new Note(0, "")); }
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Field{
		{Class: "Main$Counter", Name: "seen", Owner: "Main$Counter", Label: "Counter.seen", Verdict: model.Inferred},
		{Class: "Main$Counter", Name: "sent", Owner: "Main$Counter", Label: "Counter.sent", Verdict: model.Relevant, Reason: []string{
			"Counter.sent: read by Counter.on(Note) (Main.java:12), which flows into Note.x in Note's constructor (Main.java:4)",
			"Note.x: read by Counter.on(Note) (Main.java:12), which decides whether Note is sent",
		}},
		{Class: "Main$Counter", Name: "declared", Owner: "Main$Counter", Label: "Counter.declared", Verdict: model.Declared},
		{Class: "Main$Note", Name: "x", Owner: "Main$Note", Label: "Note.x", Verdict: model.Relevant, Reason: []string{
			"Note.x: read by Counter.on(Note) (Main.java:12), which decides whether Note is sent",
		}},
		{Class: "Main$Note", Name: "text", Owner: "Main$Note", Label: "Note.text", Verdict: model.Inferred},
	}
	if diff := cmp.Diff(want, p.Program().Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestAnswersLargerThanTheBuffer(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	long := strings.Repeat("x", 1<<20)
	sent, err := serializer.Decode(say(t, p, long)[0].Outcomes[0].Sends[0].Payload)
	if err != nil || sent.Text != long+long {
		t.Errorf("%d characters came back, %v", len(sent.Text), err)
	}
}

func TestEvaluateTellsWhatWasRead(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	actors := p.Program().Initial.Actors
	judgements := must.Get(p.Evaluate(context.Background(), []model.Evaluation{{Property: 0, Actors: actors}, {Property: 0}}))
	if len(judgements[0].Fields) != 1 {
		t.Errorf("fields %v were read, want one", judgements[0].Fields)
	}
	judgements[0].Fields = nil
	blind := model.Looks{Known: true}
	if diff := cmp.Diff([]model.Judgement{{Holds: true, Reads: []int{0}, Looks: blind}, {Holds: true, Looks: blind}}, judgements); diff != "" {
		t.Errorf("judgements (-want +got):\n%s", diff)
	}
}

// TestFaultsOfBothSides makes Go's and Java's own faults meet: both runtimes handle the same signals.
func TestFaultsOfBothSides(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 100 {
			if !dereferencesNil() {
				t.Error("a nil dereference did not panic")
			}
			runtime.GC()
		}
	}()
	for i := range 30 {
		if answers := say(t, p, "null", "fine"); answers[0].Outcomes[0].Failure == nil || answers[1].Outcomes[0].Failure != nil {
			t.Fatalf("answers: %+v", answers)
		}
		if i%10 > 0 { // each frame of a recursion is compiled no more once something is thrown through it, which takes its time
			continue
		}
		if f := say(t, p, "deep")[0].Outcomes[0].Failure; f == nil || f.Text != "StackOverflowError" {
			t.Fatalf("deep recursion gives %+v", f)
		}
	}
	wg.Wait()
}

func dereferencesNil() (panicked bool) {
	defer func() { panicked = recover() != nil }()
	var m *model.Message
	return m.Sender == "never"
}

func TestErrorsAreTold(t *testing.T) {
	var usage *model.UsageError
	if _, err := loadSource(t, "class Main { int x = true; }"); !errors.As(err, &usage) || len(usage.Detail) == 0 {
		t.Errorf("source that does not compile: %v", err)
	}
	var rule *model.RuleError
	_, err := loadSource(t, `
public class Main extends Scenario {
    static class Holder extends Actor { Thread thread = new Thread(); }
    @Override protected void setUp() { create("holder", new Holder()); }
}`)
	if !errors.As(err, &rule) || !strings.Contains(rule.Text, "field thread holds a java.lang.Thread") {
		t.Errorf("state that cannot be captured: %v", err)
	}
}

func TestRecordsThatDifferAreTold(t *testing.T) {
	p, err := loadSource(t, `
public class Main extends Scenario {
    static class Client extends Actor {
        java.util.Set<Integer> set = new java.util.HashSet<>(java.util.List.of(1, 16));
        @Override protected void start() { invoked("first"); }
        @Handler void on(String m) { returned(set.iterator().next()); invoked(m.length()); }
    }
    @Override protected void setUp() { send(create("client", new Client()), "go"); }
    @Invariant boolean fine() { return history().completed().isEmpty(); }
}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Steps(context.Background(), firstStep(p))
	want := []string{"in one execution client returns 16, client invokes 2", "in the other client returns 1, client invokes 2",
		"they differ after this line:", "at Main$Client.on(Main.java:7)"}
	var rule *model.RuleError
	if !errors.As(err, &rule) || !slices.Equal(rule.Detail, want) {
		t.Errorf("error %v, detail %v", err, rule)
	}
}

func TestQuestionsEndWithTheirContext(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := p.Steps(ctx, nil); !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
}

func TestSecondVirtualMachineIsRefused(t *testing.T) {
	if _, err := Open(nil, nil, Options{}); err == nil {
		t.Error("a second virtual machine was created")
	}
}

func TestReaderRefusesAnswersCutShort(t *testing.T) {
	var w writer
	w.number(statusOK)
	w.number(1)
	w.string("handler")
	for n := 4; n < len(w.b); n++ {
		r := must.Get(open(w.b[:n]))
		list(r, r.outcome)
		if r.done() == nil {
			t.Errorf("%d of %d bytes were taken for a whole answer", n, len(w.b))
		}
	}
}
