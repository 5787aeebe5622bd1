package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import java.util.List;
import org.junit.Test;

/** What a crash takes and leaves, and how an actor starts again. */
public class RestartsTest {
    private static Played crashing(String members) {
        return Played.scenario("faults().crashes(1);", members);
    }

    @Test
    public void whatIsDurableStaysAndAllElseIsAsTheConstructorLeftIt() {
        Played a = crashing("int n = 1; @Durable int kept = 1; @Durable Integer box; String s = \"x\";"
            + " protected void start() { s = \"started\"; }"
            + " @Handler void on(Integer m) { n = m; kept = m; box = m; s = \"y\"; }"
            + " protected void onRestart() { s += \"!\"; }");

        assertEquals("A{n=1, kept=7, box=7, s=\"x!\"}", a.receives(7).crashes().fields());
        assertEquals("A.onRestart()", a.last().handler());
    }

    @Test
    public void onRestartStartsTheActorUnlessItSaysOtherwise() {
        Played a = crashing("int starts; @Durable int all; protected void start() { starts++; all++; send(self(), all); }"
            + " @Handler void on(Integer m) {}");

        assertEquals("A{starts=1, all=2}", a.crashes().fields());
        assertEquals(List.of("a 2"), a.sent());
    }

    @Test
    public void timersTasksAndTheClockAreLost() {
        Played a = crashing("protected void start() { setTimer(1, Duration.ZERO); } protected void onRestart() {}"
            + " @Handler void on(Integer t) {} @Handler void on(String m) { clock().advance(Duration.ofSeconds(1));"
            + " eventLoop().execute(new T()); } static class T implements Runnable { public void run() {} }");

        a.receives("go");
        assertEquals(List.of("A.on(Integer)", "task A.T"), a.may());
        assertEquals("[]", a.crashes().beside());
        assertFalse(a.last().acts());
    }

    @Test
    public void tasksOfTheConstructorAreThereAgain() {
        Played a = crashing("int n; A() { eventLoop().execute(new T(this)); } static class T implements Runnable {"
            + " final A a; T(A a) { this.a = a; } public void run() { a.n++; } }");

        assertEquals("A{n=1}", a.does("task A.T").fields());
        assertEquals(List.of(), a.may());
        assertEquals("A{n=0}", a.crashes().fields());
        assertEquals("A{n=1}", a.does("task A.T").fields());
    }

    @Test
    public void namesOfChildrenDoNotRepeat() {
        Played a = crashing("static class C extends Actor {} @Handler void on(String m) { create(\"c\", new C()); }");

        assertEquals("a/c1", a.receives("go").last().creates().get(0).name());
        assertEquals("a/c2", a.crashes().receives("go").last().creates().get(0).name());
    }

    @Test
    public void aStoreHoldsWhatWasWritten() {
        Played a = crashing("final DurableStore<List<Integer>> disk = new DurableStore<>(List.of()); List<Integer> now;"
            + " protected void onRestart() { now = disk.read(); }"
            + " @Handler void on(Integer m) { List<Integer> l = new ArrayList<>(disk.read()); l.add(m); disk.write(l);"
            + " l.add(99); List<Integer> copy = disk.read(); copy.add(98); }");

        assertEquals("[1, 2]", a.receives(1).receives(2).crashes().field("now"));
    }

    @Test
    public void aDurableObjectIsTheSameWhereverTheConstructorHandedIt() {
        Played a = crashing("static class Log { int n; } static class Raft { final Log log; Raft(Log log) { this.log = log; } }"
            + " @Durable final Log log = new Log(); final Raft raft = new Raft(log); boolean same;"
            + " @Handler void on(Integer m) { raft.log.n += m; same = raft.log == log; }");

        a.receives(1).crashes();
        assertEquals("A{log=A$Log{n=1}, raft=A$Raft{log=A$Log{n=1}}, same=false}", a.fields());
        assertEquals("A{log=A$Log{n=3}, raft=A$Raft{log=A$Log{n=3}}, same=true}", a.receives(2).fields());
    }

    @Test
    public void whatOnlyLooksLikeADurableObjectIsNoneOfIt() {
        Played a = crashing("@Durable List<Integer> log = List.of(); List<Integer> other = List.of();"
            + " @Durable List<Integer> empty = Collections.emptyList(); List<Integer> another = Collections.emptyList();"
            + " @Handler void on(Integer m) { log = new ArrayList<>(List.of(m)); empty = new ArrayList<>(log); }");

        assertEquals("A{log=[1], other=[], empty=[1], another=[]}", a.receives(1).crashes().fields());
    }

    @Test
    public void aDurableFieldThatMayBeSetAgainTakesNoOtherOnesPlace() {
        Played a = crashing("static class Box { int n; } @Durable Box disk = new Box(); final Box cache = disk;"
            + " @Durable List<Integer> log; List<Integer> seen; A() { log = new ArrayList<>(List.of(7)); seen = log; }"
            + " @Handler void on(Integer m) { disk = new Box(); disk.n = m; log = new ArrayList<>(List.of(m)); }");

        assertEquals("A{disk=A$Box{n=5}, cache=A$Box{n=0}, log=[5], seen=[7]}", a.receives(5).crashes().fields());
    }

    @Test
    public void aStoreIsOneStoreEvenInAFieldThatIsNotFinal() {
        Played a = crashing("static class Part { final DurableStore<Integer> disk; Part(DurableStore<Integer> d) { disk = d; } }"
            + " DurableStore<Integer> disk = new DurableStore<>(1); final Part part = new Part(disk); int n;"
            + " @Handler void on(Integer m) { part.disk.write(m); } protected void onRestart() { n = part.disk.read(); }");

        assertEquals("5", a.receives(5).crashes().field("n"));
    }

    @Test
    public void durableObjectsMayKnowTheActor() {
        Played a = crashing("class Inner { int n; void inc() { n++; total++; } } @Durable Inner inner = new Inner(); int total;"
            + " @Handler void on(String m) { inner.inc(); } @Handler void on(Integer m) { total = 10 * inner.n; }");

        assertEquals("20", a.receives("x").crashes().receives("x").receives(1).field("total"));
    }

    @Test
    public void aDurableFieldThatTheConstructorLeftNullStays() {
        Played a = crashing("@Durable List<Integer> l; @Handler void on(Integer m) { l = new ArrayList<>(); l.add(m); }");

        assertEquals("A{l=null}", a.crashes().fields());
        assertEquals("A{l=[3]}", a.receives(3).crashes().fields());
    }

    @Test
    public void restartsAreExecutedTwiceAndMayChoose() {
        Played a = crashing("int n; protected void onRestart() { n = choose(2); }");
        assertEquals(2, UserProgram.restart(a.program().steps(), a.local()).outcomes().size());
        assertEquals(4, UserProgram.restart(a.program().steps(), a.local()).executions());

        Played wrong = crashing("@Durable final Set<Integer> all = new HashSet<>(Set.of(1, 16)); int n;"
            + " protected void onRestart() { n = all.iterator().next(); }");
        assertThrows(Steps.DifferenceException.class, wrong::crashes);
    }
}
