package bridge

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/model"
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

// What a property cannot read is left out of the visible part: fields, fields of messages, and what actors are to do.
func TestVisiblePartOfAProgram(t *testing.T) {
	p, err := loadSource(t, waiter)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, property := range p.Program().Properties {
		b, err := p.Decomposition(model.Selective).Visible(i, p.Program().Initial.Actors[0].Local)
		if err != nil {
			t.Fatal(err)
		}
		v, err := serializer.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
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
import java.util.*;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
public class Main extends Scenario {
    static class Box implements Cloneable {
        static final AtomicIntegerFieldUpdater<Box> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Box.class, "updated");
        int count;
        volatile int updated;
        int[] elements = new int[1];
        Object twin = this;
        int count() { return count; }
        @Override public int hashCode() { return 0; }
        @Override public boolean equals(Object o) { return o instanceof Box b && count == b.count; }
        @Override public String toString() { return "box " + count; }
        @Override protected Box clone() throws CloneNotSupportedException { return (Box) super.clone(); }
    }
    static class Ticking extends Actor {
        final Box box = new Box(), other = new Box();
        final Map<Box, Integer> hashed = new HashMap<>(Map.of(other, 1));
        final Comparator<Box> order = Comparator.comparing(Box::count);
        final Supplier<Integer> later = box::count;
        @Override protected void start() { send(self(), "tick"); }
        @Handler void on(String tick) {
            box.count++;
            box.updated++;
            box.elements[0]++;
            box.twin = new Box();
        }
    }
    @Override protected void setUp() { create("a", new Ticking()); }
    private Ticking a() { return actors(Ticking.class).findFirst().orElseThrow(); }
    @Invariant boolean byArray() { return a().box.elements[0] == 0; }
    @Invariant boolean byComparator() { return a().order.compare(a().box, a().other) == 0; }
    @Invariant boolean byCopy() throws CloneNotSupportedException { return a().box.clone().count == 0; }
    @Invariant boolean byEquals() { return a().hashed.containsKey(a().box); }
    @Invariant boolean byFunction() { return a().later.get() == 0; }
    @Invariant boolean byIdentity() { return a().box.twin == a().box; }
    @Invariant boolean byReflection() throws Exception { return Box.class.getDeclaredField("count").getInt(a().box) == 0; }
    @Invariant boolean byText() { return String.valueOf(a().box).equals("box 0"); }
    @Invariant boolean byUpdater() { return Box.UPDATER.get(a().box) == 0; }
    @Invariant boolean notAtAll() { return a().box != null; }
}`

// However a property gets at what is inside of an object, states on which its answers differ have different visible parts.
func TestVisiblePartHasWhatDecides(t *testing.T) {
	p, err := loadSource(t, readers)
	if err != nil {
		t.Fatal(err)
	}
	initial := p.Program().Initial
	answers, err := p.Steps(context.Background(), []model.Question{{Local: initial.Actors[0].Local, Event: model.Event{Messages: initial.Messages}}})
	if err != nil {
		t.Fatal(err)
	}
	before, after := initial.Actors[0], initial.Actors[0]
	after.Local = answers[0].Outcomes[0].Local
	visible := p.Decomposition(model.Selective).Visible
	for i, q := range p.Program().Properties {
		judgements, err := p.Evaluate(context.Background(), []model.Evaluation{
			{Property: i, Actors: []model.Actor{before}}, {Property: i, Actors: []model.Actor{after}}})
		if err != nil {
			t.Fatalf("%s: %v", q.Name, err)
		}
		one, err := visible(i, before.Local)
		if err != nil {
			t.Fatal(err)
		}
		other, err := visible(i, after.Local)
		if err != nil {
			t.Fatal(err)
		}
		differ, unread := judgements[0].Holds != judgements[1].Holds, q.Name == "notAtAll"
		if differ == unread || bytes.Equal(one, other) != unread {
			t.Errorf("%s: answers differ: %t, visible parts differ: %t", q.Name, differ, !bytes.Equal(one, other))
		}
	}
}
