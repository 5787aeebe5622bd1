package bridge

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

const waiter = `
import java.util.*;
public class Main extends Scenario {
    record Tick(int n) {}
    static class Waiter extends Actor {
        int seen = 1;
        int hidden = 2;
        Tick last = new Tick(3);
        Log log = new Log();
        @Override protected void start() { setTimer(new Tick(0), java.time.Duration.ofSeconds(1)); }
        @Handler void on(Tick t) { seen++; hidden++; last = t; reply(hidden); }
        Object clock(int n) { return clock(); }
    }
    static class Log { int counter = 4; List<Integer> entries = new ArrayList<>(List.of(5)); Log before; }
    @Override protected void setUp() { create("waiter", new Waiter()); }
    @Invariant boolean aField() { return actors(Waiter.class).allMatch(w -> w.seen > 0); }
    @Invariant boolean aFieldOfAMessage() { return actors(Waiter.class).allMatch(w -> w.last.n() > 0); }
    @Invariant boolean insideOfAnObject() { return actors(Waiter.class).allMatch(w -> w.log.entries.size() < 9); }
    @Invariant boolean nothing() { return true; }
    @Invariant boolean pendingTimers() { return actors(Waiter.class).allMatch(w -> w.clock(1) != null); }
    @Invariant boolean whichObject() { return actors(Waiter.class).allMatch(w -> w.last != null); }
    @Override protected boolean expectFinal() { return actors(Waiter.class).allMatch(w -> w.seen > 0); }
}`

// Parts that a property cannot read are left out of the visible part: fields, fields of messages, pending timers and tasks.
func TestVisiblePartOfAProgram(t *testing.T) {
	p := must.Get(loadSource(t, waiter))
	got := map[string]string{}
	for i, property := range p.Program().Properties {
		b := must.Get(p.Decomposition(space.Selective).Visible(i, nil)(p.Program().Initial.Actors[0].Local))
		v := must.Get(serializer.Decode(b))
		got[property.Name] = serializer.Format(v)
	}
	want := map[string]string{
		"aField":           "waiter: Waiter{seen=1}",
		"aFieldOfAMessage": "waiter: Waiter{last=Tick(n=3)}",
		"insideOfAnObject": "waiter: Waiter{log=Log{entries=[5]}}",
		"nothing":          "waiter: Waiter{}",
		"every terminal state is an expected one (expectFinal)": "waiter: Waiter{seen=1}",
		"pendingTimers": "waiter: Waiter{pending timers=[Tick()]}",
		"whichObject":   "waiter: Waiter{last=Tick()}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("visible (-want +got):\n%s", diff)
	}
}

const readers = `
import java.lang.invoke.MethodHandles;
import java.util.*;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
public class Main extends Scenario {
    record Pair(int left) {}
    static class Box implements Cloneable {
        static final AtomicIntegerFieldUpdater<Box> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Box.class, "updated");
        int compared, copied, supplied, reflected;
        Integer hashed = 0;
        String text = "";
        volatile int updated;
        int handled;
        Pair pair = new Pair(0);
        int[] elements = new int[1];
        Object twin = this;
        @Override public int hashCode() { return hashed; }
        @Override public boolean equals(Object o) { return o instanceof Box b && hashed.equals(b.hashed); }
        @Override public String toString() { return text; }
        @Override protected Box clone() throws CloneNotSupportedException { return (Box) super.clone(); }
    }
    static class Changing extends Actor {
        final Box box = new Box(), other = new Box();
        final Map<Box, Integer> sizes = new HashMap<>(Map.of(other, 1));
        final Comparator<Box> order = Comparator.comparing(b -> b.compared);
        final Supplier<Integer> later = () -> box.supplied;
        @Override protected void start() { for (int i = 0; i < 11; i++) { send(self(), i); } }
        @Handler void on(Integer what) {
            switch (what) {
                case 0 -> box.compared++;
                case 1 -> box.copied++;
                case 2 -> box.supplied++;
                case 3 -> box.reflected++;
                case 4 -> box.hashed++;
                case 5 -> box.text = "changed";
                case 6 -> box.updated++;
                case 7 -> box.elements[0]++;
                case 8 -> box.handled++;
                case 9 -> box.pair = new Pair(1);
                default -> box.twin = other;
            }
        }
    }
    @Override protected void setUp() { create("a", new Changing()); }
    private Changing a() { return actors(Changing.class).findFirst().orElseThrow(); }
    @Invariant boolean byArray() { return a().box.elements[0] == 0; }
    @Invariant boolean byComparator() { return a().order.compare(a().box, a().other) == 0; }
    @Invariant boolean byCopy() throws CloneNotSupportedException { return a().box.clone().copied == 0; }
    @Invariant boolean byEquals() { return a().sizes.containsKey(a().box); }
    @Invariant boolean byFunction() { return a().later.get() == 0; }
    @Invariant boolean byHandle() throws Exception {
        return (int) MethodHandles.lookup().findVarHandle(Box.class, "handled", int.class).get(a().box) == 0;
    }
    @Invariant boolean byIdentity() { return a().box.twin == a().box; }
    @Invariant boolean byRecord() { return a().box.pair.equals(a().other.pair); }
    @Invariant boolean byReflection() throws Exception { return Box.class.getDeclaredField("reflected").getInt(a().box) == 0; }
    @Invariant boolean byText() { return String.valueOf(a().box).isEmpty(); }
    @Invariant boolean byUpdater() { return Box.UPDATER.get(a().box) == 0; }
    @Invariant boolean notAtAll() { return a().box != null; }
}`

// However a property gets at the content of an object, states on which its answers differ have different visible parts.
func TestVisiblePartHasWhatDecides(t *testing.T) {
	p := must.Get(loadSource(t, readers))
	initial := p.Program().Initial
	var questions []model.Question
	for _, m := range initial.Messages {
		questions = append(questions, model.Question{Local: initial.Actors[0].Local, Event: model.Event{Messages: []model.Message{m}}})
	}
	answers := must.Get(p.Steps(context.Background(), questions))
	visible := p.Decomposition(space.Selective).Visible
	for i, q := range p.Program().Properties {
		changing := 0
		judge := func(a model.Actor) model.Judgement {
			judgements, err := p.Evaluate(context.Background(), []model.Evaluation{{Property: i, Actors: []model.Actor{a}}})
			if err != nil {
				t.Fatalf("%s: %v", q.Name, err)
			}
			return judgements[0]
		}
		read := map[int]bool{}
		first := judge(initial.Actors[0])
		for _, number := range slices.Concat(first.Fields, first.Hashed) {
			read[number] = true
		}
		for _, answer := range answers {
			changed := initial.Actors[0]
			changed.Local = answer.Outcomes[0].Local
			holds := judge(changed).Holds
			if !holds {
				changing++
			}
			for what, of := range map[string]func([]byte) ([]byte, error){"visible": visible(i, nil), "read": visible(i, read)} {
				same := bytes.Equal(must.Get(of(initial.Actors[0].Local)), must.Get(of(changed.Local)))
				switch {
				case !holds && same:
					t.Errorf("%s: not all that decides is %s", q.Name, what)
				case q.Name == "notAtAll" && !same:
					t.Errorf("%s: what decides nothing is %s", q.Name, what)
				}
			}
		}
		if changing != 1 && q.Name != "notAtAll" {
			t.Errorf("%s: %d of %d steps change the answer, want 1", q.Name, changing, len(answers))
		}
	}
}
