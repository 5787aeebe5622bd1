package examples

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// unchanged is a bridge.Disk.
type unchanged struct{}

func (unchanged) Digest() (string, error)          { return "the same", nil }
func (unchanged) Besides([]string) (string, error) { return "", nil }

// TestKeptAnswersChangeNothing checks small examples of all kinds twice, with -all more of them, so that the second check has the answers
// of the first one, and what Java said of the program.
func TestKeptAnswersChangeNothing(t *testing.T) {
	examples := []example{
		{"abp", "-"}, {"backup", "-"}, {"byzantine-generals", "-"}, {"paxos", "crashes=1"}, {"paxos-quorum", "-"}, {"randtree-faulty", "-"},
		{"register-wrong", "-"}, {"retry", "-"}, {"two-phase-commit", "-"},
	}
	if *all {
		examples = append(examples, example{"one-paxos-faulty", "-"}, example{"paxos-faulty", "-"}, example{"register", "-"}, example{"zab-faulty", "-"})
	}
	for _, e := range examples {
		o := plan.Default()
		o.Source = source(t, model.M, e.program, e.parameters)
		o.Source.Answers, o.Source.Disk = t.TempDir(), unchanged{}
		first, second := summary(t, o), summary(t, o)
		if first.Kept != 0 || second.Kept == 0 || second.Kept < second.LocalSteps/2 {
			t.Errorf("%v: of %d local steps, %d and then %d are kept", e, second.LocalSteps, first.Kept, second.Kept)
		}
		if second.Kept == second.LocalSteps && second.Executions+second.Evaluations != 0 {
			t.Errorf("%v: %d executions and %d evaluations, though all is kept", e, second.Executions, second.Evaluations)
		}
		if first.Verdict != second.Verdict || first.Counts.States != second.Counts.States || first.Transitions != second.Transitions ||
			first.LocalSteps != second.LocalSteps || first.Evaluations+first.Remembered != second.Evaluations+second.Remembered {
			t.Errorf("%v: first %+v\nthen %+v", e, first.Counts, second.Counts)
		}
		if !slices.Equal(first.Remarks, second.Remarks) {
			t.Errorf("%v: first %q\nthen %q", e, first.Remarks, second.Remarks)
		}
		if first.Violation != nil && first.Violation.Message != second.Violation.Message {
			t.Errorf("%v: first %v\nthen %v", e, first.Violation.Message, second.Violation.Message)
		}
	}
}

// kept are the figures of a check whose answers may be kept.
type kept struct {
	report.Answer
	dbss.Counts
	space.Stats
	check.Evaluated
	report.Details
}

// summary is of a whole check, for which the program is loaded anew.
func summary(t *testing.T, o plan.Options) (s kept) {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	loaded.program = nil
	c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(t.TempDir())})
	c.JVM = jvm
	must.Do(must.Get(c.Run(context.Background())).Figures(&s))
	return s
}

// keeps is a program whose verdict depends on everything that a step can depend on.
const keeps = `import harrier.*;
import java.util.*;

public class Keeps extends Scenario {
    interface Rule { int of(int n); }
    static class Listed implements Rule { public int of(int n) { return n; } }
    static class Held implements Rule { public int of(int n) { return n + 0; } }
    record Sent(int n) implements Rule { public int of(int m) { return m - 0; } }
    record Do(Rule how) {}
    static class Unlisted extends Listed { public int of(int n) { return 9; } }
    static class Helper { static int none() { return 0x0; } }
    static class Constant { static final int NONE = Integer.parseInt("0"); }
    static class Registry {
        static final List<Rule> RULES = new ArrayList<>();
        static int base;
    }
    enum Kind {
        ONE(0);
        final int n;
        Kind(int n) { this.n = n; }
    }
    static class Base extends Actor { int inherited() { return 00; } }
    static class Adder extends Base {
        int n;
        int left;
        @Durable boolean met;
        Object rule = new Held();
        Adder(int left) { this.left = left; }
        @Handler void on(Sent m) {
            left = 0;
            met = true;
            n = m.of(0) + Helper.none() + Constant.NONE + Registry.base + Registry.RULES.get(0).of(0) + Kind.ONE.n + inherited()
                + ((Rule) rule).of(0);
        }
        @Handler void on(Do m) { n = m.how().of(0); }
    }
    static class Other extends Actor {
        @Handler void on(String s) {}
    }
    @Override protected void setUp() {
        Registry.base = 0;
        Registry.RULES.add(new Listed());
        var adder = create("adder", new Adder(1));
        send(adder, new Sent(1));
        send(adder, new Do(n -> n));
        send(create("other", new Other()), "message");
        faults().crashes(1, "adder");
    }
    @Invariant boolean small() { return actors(Adder.class).allMatch(a -> a.n < 5 && (a.left < 5 || !a.met)); }
}
`

// TestKeptAnswersAreOfTheProgram changes a program that is kept: what the change alters is asked for again, and nothing else.
func TestKeptAnswersAreOfTheProgram(t *testing.T) {
	folder := t.TempDir()
	o := plan.Default()
	o.Source = bridge.Source{Path: filepath.Join(folder, "Keeps.java"), Recheck: "all", Answers: filepath.Join(folder, "answers")}
	changed := func(old, new string) kept {
		t.Helper()
		if strings.Count(keeps, old) != 1 {
			t.Fatalf("%q is not once in the program", old)
		}
		must.Do(os.WriteFile(o.Source.Path, []byte(strings.Replace(keeps, old, new, 1)), 0o600))
		return summary(t, o)
	}
	if s := changed("import harrier.*;", "import harrier.*;"); s.Verdict != report.Verified || s.Kept != 0 {
		t.Fatalf("at first it is %v, %d local steps kept", s.Verdict, s.Kept)
	}
	if s := changed("import harrier.*;", "import harrier.*;\n"); s.Kept != s.LocalSteps {
		t.Errorf("with other lines, %d of %d local steps are kept", s.Kept, s.LocalSteps)
	}
	if s := changed("void on(String s) {}", "void on(String s) { send(self(), s.length()); }\n@Handler void on(Integer n) {}"); s.Kept == 0 || s.Kept == s.LocalSteps {
		t.Errorf("with another handler, %d of %d local steps are kept", s.Kept, s.LocalSteps)
	}
	for _, c := range []struct{ what, old, new string }{
		{"a class of the set-up", "return n;", "return n + 9;"},
		{"a class in a state", "return n + 0;", "return n + 9;"},
		{"a message's class", "return m - 0;", "return m + 9;"},
		{"a class that is used", "return 0x0;", "return 9;"},
		{"a constant", `parseInt("0")`, `parseInt("9")`},
		{"a static field", "Registry.base = 0;", "Registry.base = 9;"},
		{"what a static field holds", "add(new Listed())", "add(new Unlisted())"},
		{"an enum constant", "ONE(0)", "ONE(9)"},
		{"a superclass", "return 00;", "return 9;"},
		{"a lambda in a message", "n -> n", "n -> n + 9"},
		{"an actor's birth", "new Adder(1)", "new Adder(9)"},
	} {
		if s := changed(c.old, c.new); s.Verdict != report.Violated {
			t.Errorf("with %s changed, it is %v, %d of %d local steps kept", c.what, s.Verdict, s.Kept, s.LocalSteps)
		}
	}
}
