package bridge

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// folder is the Disk of a program that is one file in it.
type folder string

func (f folder) Digest() (string, error) {
	content, err := os.ReadFile(filepath.Join(string(f), "Main.java"))
	return string(content), err
}

func (f folder) Besides(names []string) (string, error) {
	var all []string
	for _, name := range names {
		content, _ := os.ReadFile(filepath.Join(string(f), name))
		all = append(all, name+"="+string(content))
	}
	return strings.Join(all, " "), nil
}

// limited is a program whose set-up reads a file beside its classes.
const limited = `
import harrier.*;
public class Main extends Scenario {
    @Parameter int n = 1;
    static class Counter extends Actor {
        int count, limit;
        @Handler void on(Integer m) { if (count < limit) { count += m; } }
    }
    @Override protected void setUp() {
        Counter c = new Counter();
        try (var in = Main.class.getResourceAsStream("limit.txt")) {
            c.limit = in == null ? 3 : in.read() - '0';
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
        send(create("counter", c), n);
    }
}`

// TestLoadedLater has a program that an earlier check loaded be loaded when the first question comes that has no answer, and at once where
// anything changed.
func TestLoadedLater(t *testing.T) {
	f := folder(t.TempDir())
	source := Source{Path: filepath.Join(string(f), "Main.java"), Recheck: "all", Answers: t.TempDir(), Disk: f}
	write := func(file, text string) { must.Do(os.WriteFile(filepath.Join(string(f), file), []byte(text), 0o600)) }
	write("Main.java", limited)
	write("limit.txt", "5")
	ended, end := context.WithCancelCause(context.Background())
	errEnded := errors.New("Java was asked")
	end(errEnded)
	none := &JVM{life: ended}
	ctx := t.Context()
	isKnown := func(s Source) bool {
		_, err := none.Load(ctx, s)
		return err == nil
	}

	first := must.Get(jvm.Load(ctx, source))
	step := firstStep(first)
	answers := must.Get(first.Steps(ctx, step))
	first.Answers.Flush()
	must.Get(loadSource(t, echo)) // in its place

	known := must.Get(none.Load(ctx, source))
	if notes := must.Get(known.Notes(ctx)); known.Facts != first.Facts || notes.Input || !slices.Equal(notes.Asked, []string{"limit.txt"}) {
		t.Errorf("%s, %+v, want %s", known.Facts, notes, first.Facts)
	}
	if again := must.Get(known.Steps(ctx, step)); string(again[0].Outcomes[0].Local) != string(answers[0].Outcomes[0].Local) {
		t.Errorf("%v, want %v", again, answers)
	}
	if _, err := known.Anew().Steps(ctx, step); !errors.Is(err, errEnded) {
		t.Errorf("what is not known comes to %v", err)
	}
	late := must.Get(jvm.Load(ctx, source))
	if anew := must.Get(late.Anew().Steps(ctx, step)); string(anew[0].Outcomes[0].Local) != string(answers[0].Outcomes[0].Local) {
		t.Errorf("%v, want %v", anew, answers)
	}

	other := source
	if other.Parameters = map[string]string{"n": "2"}; isKnown(other) {
		t.Error("a parameter does not count")
	}
	if write("limit.txt", "6"); isKnown(source) {
		t.Error("a file beside the classes does not count")
	}
	if write("limit.txt", "5"); !isKnown(source) {
		t.Error("it is forgotten")
	}
	if write("Main.java", limited+"\n"); isKnown(source) {
		t.Error("the program does not count")
	}
	write("Main.java", limited)
	file := must.Get(filepath.Glob(filepath.Join(source.Answers, "loaded", "*")))[0]
	content := must.Get(os.ReadFile(file))
	at := bytes.Index(content, []byte(`"Said":{"1":"`)) + 100 // what Java said when it loaded the program
	if content[at]++; content[at] == 'Z'+1 || content[at] == 'z'+1 || content[at] == '9'+1 {
		content[at] = 'A'
	}
	must.Do(os.WriteFile(file, content, 0o600))
	if isKnown(source) {
		t.Error("a file that was changed counts")
	}
}

// TestLoadedLaterIsTheSameProgram has Java give other facts of a program than those kept.
func TestLoadedLaterIsTheSameProgram(t *testing.T) {
	f := folder(t.TempDir())
	must.Do(os.WriteFile(filepath.Join(string(f), "Main.java"), []byte(limited), 0o600))
	source := Source{Path: filepath.Join(string(f), "Main.java"), Recheck: "all", Answers: t.TempDir(), Disk: f}
	must.Get(jvm.Load(t.Context(), source))
	p := must.Get(jvm.Load(t.Context(), source))
	p.loader.said[opLoad] = append(p.loader.said[opLoad], 0)
	var usage *model.UsageError
	if _, _, _, err := p.Classes(t.Context()); !errors.As(err, &usage) {
		t.Errorf("%v", err)
	}
	if files := must.Get(filepath.Glob(filepath.Join(source.Answers, "loaded", "*"))); len(files) > 0 {
		t.Errorf("%v are still there", files)
	}
}

// TestInputIsNotKept has the set-up read what nothing stands for.
func TestInputIsNotKept(t *testing.T) {
	f := folder(t.TempDir())
	text := strings.Replace(limited, "Counter c = new Counter();", "Counter c = new Counter(); c.count = new java.io.File(\"/nowhere\").exists() ? 1 : 0;", 1)
	must.Do(os.WriteFile(filepath.Join(string(f), "Main.java"), []byte(text), 0o600))
	source := Source{Path: filepath.Join(string(f), "Main.java"), Recheck: "all", Answers: t.TempDir(), Disk: f, Allow: []string{"io=read"}}
	must.Get(jvm.Load(t.Context(), source))
	if files := must.Get(filepath.Glob(filepath.Join(source.Answers, "loaded", "*"))); len(files) > 0 {
		t.Errorf("%v are kept", files)
	}
}
