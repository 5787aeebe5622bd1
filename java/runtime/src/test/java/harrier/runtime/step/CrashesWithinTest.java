package harrier.runtime.step;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.recheck.Recheck;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Test;

/** Where an actor may crash within a handler, and what a crash there leaves. */
public class CrashesWithinTest {
    private static final String STORE = "final DurableStore<Integer> disk = new DurableStore<>(0); int n;"
        + " protected void onRestart() { n = disk.read(); }";

    private static Played crashing(String members) {
        return Played.scenario("faults().crashes(1).withinHandlers();", members);
    }

    /** The outcomes of a crash at each point of a step that consumes a message, or of an internal event. */
    private static List<String> crashes(Played a, boolean isForGood, String... messages) {
        return outcomes(a, isForGood, messages).stream().map(o -> shown(a, o)).toList();
    }

    private static List<Outcome> outcomes(Played a, boolean isForGood, String... messages) {
        Envelope[] all = Stream.of(messages).map(m -> new Envelope("b", "a", a.encoded(m))).toArray(Envelope[]::new);
        return UserProgram.within(a.program().steps(), a.local(), isForGood, all).outcomes();
    }

    private static List<String> crashes(Played a) {
        return crashes(a, false, "go");
    }

    private static String shown(Played a, Outcome o) {
        String text = o.point().where() + ": " + (o.failure() != null ? o.handler() + " fails" : o.stopped() ? "gone"
            : a.fields(o.local()).replace("harrier.", ""));
        for (Envelope e : o.sends()) {
            text += ", " + e.sender() + " to " + e.receiver() + " " + a.show(e.payload());
        }
        for (ActorState c : o.creates()) {
            text += ", " + c.name();
        }
        return text + (o.choices().isEmpty() ? "" : ", chose " + o.choices()) + (o.point().isWhole() ? ", whole" : "");
    }

    @Test
    public void whatIsSentAndWrittenBeforeTheCrashStays() {
        Played a = crashing(STORE
            + "@Handler void on(String m) { n = 9; send(self(), 1); disk.write(2); reply(3); disk.write(4); }");

        assertEquals(List.of(
            "before sending Integer to a: A{disk=DurableStore{value=0}, n=0}",
            "after sending Integer to a: A{disk=DurableStore{value=0}, n=0}, a to a 1",
            "after writing disk: A{disk=DurableStore{value=2}, n=2}, a to a 1",
            "after sending Integer to b: A{disk=DurableStore{value=2}, n=2}, a to a 1, a to b 3",
            "after writing disk: A{disk=DurableStore{value=4}, n=4}, a to a 1, a to b 3, whole"), crashes(a));
        assertEquals(List.of(
            "before sending Integer to a: gone", "after sending Integer to a: gone, a to a 1",
            "after writing disk: gone, a to a 1", "after sending Integer to b: gone, a to a 1, a to b 3",
            "after writing disk: gone, a to a 1, a to b 3, whole"),
            crashes(a, true, "go"));
    }

    @Test
    public void whoCrashesForGoodHasWhatItDidSoFarIfThatIsSeen() {
        Played a = crashing("int n; @Handler void on(String m) { n = 1; send(self(), 1); n = 2; }");
        ProgramLoader loader = a.program().loader();
        Setting setting = Setting.of(new Codec(loader, loader::defined), false, loader.covered());
        Steps seen = new Steps(setting, Recheck.NONE, true, new StepJudge() {
            @Override
            public Failure judge(ActorState before, ActorState after) {
                return null;
            }

            @Override
            public boolean seesStopped() {
                return true;
            }
        }, UserProgram.byItself());

        assertEquals(List.of("at its start: A{n=0}", "before sending Integer to a: A{n=1}",
            "after sending Integer to a: A{n=1}", "at its end: A{n=2}"),
            UserProgram.within(seen, a.local(), true, new Envelope("b", "a", a.encoded("go"))).outcomes().stream()
                .map(o -> o.point().where() + ": " + a.fields(o.local())).toList());
    }

    @Test
    public void aDurableFieldHoldsWhatItWasGivenSoFar() {
        Played a = crashing("@Durable int n; @Durable final List<Integer> log = new ArrayList<>();"
            + " @Handler void on(String m) { n = 1; send(self(), 1); log.add(2); n = 3; }");

        assertEquals(List.of(
            "at its start: A{n=0, log=[]}", "before sending Integer to a: A{n=1, log=[]}",
            "after sending Integer to a: A{n=1, log=[]}, a to a 1", "at its end: A{n=3, log=[2]}, a to a 1, whole"),
            crashes(a));
    }

    @Test
    public void theLastPointIsTheHandlerAndThenACrash() {
        String send = "@Handler void on(String m) { send(self(), 1); ";
        for (String members : List.of(
                STORE + send + "disk.write(7); }",
                "static final List<Integer> ALL = List.of(1, 2); @Durable List<Integer> some = ALL, other; " + send
                    + "other = ALL; some = null; }",
                "static class Log { int n; } static class Raft { final Log log; Raft(Log log) { this.log = log; } }"
                    + " @Durable final Log log = new Log(); final Raft raft = new Raft(log); " + send + "raft.log.n++; }",
                "class Inner { int n; void inc() { n++; total++; } } @Durable Inner inner = new Inner(); int total; "
                    + send + "inner.inc(); }",
                "@Durable Set<Integer> seen = new HashSet<>(); @Durable Runnable task; " + send
                    + "seen.add(5); task = () -> seen.add(6); }",
                "@Durable int n; protected void start() { setTimer(1, Duration.ZERO); } @Handler void on(Integer t) {} "
                    + send + "n = choose(3); cancelTimer(1); }")) {
            Played a = crashing(members);
            Envelope go = new Envelope("b", "a", a.encoded("go"));
            List<Outcome> handled = UserProgram.answer(a.program().steps(), a.local(), go).outcomes();
            List<Outcome> whole = outcomes(a, false, "go").stream().filter(o -> o.point().isWhole()).toList();
            assertEquals(handled.size(), whole.size());
            for (int i = 0; i < handled.size(); i++) {
                var crashed = UserProgram.restart(a.program().steps(), handled.get(i).local()).outcomes().get(0);
                assertArrayEquals(members, crashed.local(), whole.get(i).local());
            }
        }
    }

    @Test
    public void pointsHaveNumbers() {
        String handler = " @Handler void on(String m) { send(self(), 1); send(self(), 2); }";
        for (String[] c : new String[][] {{"", "[0, 2, 4]"}, {"@Durable int n;", "[0, 1, 2, 3, 4, 5]"}}) {
            Played a = crashing(c[0] + handler);
            assertEquals(c[1], outcomes(a, false, "go").stream().map(o -> o.point().number()).toList().toString());
        }
    }

    @Test
    public void childrenAreCreatedAsAWhole() {
        Played a = crashing("@Handler void on(String m) { create(\"c\", new C(self())); }"
            + " static class C extends Actor { final ActorName a; C(ActorName a) { this.a = a; }"
            + " final DurableStore<Integer> own = new DurableStore<>();"
            + " protected void start() { send(a, 1); own.write(1); send(a, 2); } }");

        assertEquals(List.of("before creating a/c1: A{}",
            "after creating a/c1: A{}, a/c1 to a 1, a/c1 to a 2, a/c1, whole"), crashes(a));
        byte[] after = outcomes(a, false, "go").get(1).local();
        assertEquals("a/c2", UserProgram.answer(a.program().steps(), after, new Envelope("b", "a", a.encoded("go"))).outcomes()
            .get(0).creates().get(0).name());
    }

    @Test
    public void choicesAfterTheCrashAreNotMade() {
        Played a = crashing("int n; @Handler void on(String m) { int k = choose(2); send(self(), k); choose(2); }"
            + " protected void onRestart() { n = choose(2); }");

        List<String> all = crashes(a);
        assertEquals(4 * 2 * 2, all.size());
        assertEquals("before sending Integer to a: A{n=1}, chose [0, 1]", all.get(1));
        assertEquals("after sending Integer to a: A{n=1}, a to a 0, chose [0, 0, 1], whole", all.get(3));
    }

    @Test
    public void timersAndInternalHandlersAreCutShort() {
        Played a = crashing("protected void start() { setTimer(\"t\", Duration.ZERO); } protected void onRestart() {}"
            + " @Handler void on(String t) { send(self(), t); } @Internal void act() { send(self(), 1); }");

        assertEquals(List.of("before sending String to a: A{}", "after sending String to a: A{}, a to a \"t\", whole",
            "before sending Integer to a: A{}", "after sending Integer to a: A{}, a to a 1, whole"), crashes(a, false));
    }

    @Test
    public void aHandlerThatFailsIsAViolationByItself() {
        assertEquals(List.of(),
            crashes(crashing("@Handler void on(String m) { send(self(), 1); throw new IllegalStateException(); }")));
        Played a = crashing(STORE.replace("n =", "if (disk.read() == 1) throw new IllegalStateException(); n = 0 *")
            + "@Handler void on(String m) { disk.write(1); disk.write(2); }");
        assertEquals(List.of(
            "before writing disk: A{disk=DurableStore{value=0}, n=0}", "after writing disk: A.onRestart() fails",
            "after writing disk: A{disk=DurableStore{value=2}, n=0}, whole"), crashes(a));
    }

    @Test
    public void aHandlerThatStopsItsActorIsCutShortUpToItsEnd() {
        assertEquals(List.of("before sending Integer to a: A{}", "after sending Integer to a: A{}, a to a 1"),
            crashes(crashing("@Handler void on(String m) { stop(); send(self(), 1); }")));
    }

    @Test
    public void guardsAndQuorumsAreAskedAsEver() {
        Played a = crashing("@Handler(when = \"never\") void on(String m) { send(self(), 1); }"
            + " boolean never(String m) { return false; }");
        assertEquals(List.of(), crashes(a));
        Played several = crashing("@Handler(quorum = \"2\") void on(Set<String> m) { send(self(), 1); }");
        Envelope one = new Envelope("b", "a", several.encoded("x"));
        Envelope other = new Envelope("c", "a", several.encoded("x"));
        assertEquals(2,
            UserProgram.within(several.program().steps(), several.local(), false, one, other).outcomes().size());
    }

    @Test
    public void whatIsDurableInTheMiddleMustBeCapturable() {
        Played a = crashing("@Durable Object o; @Handler void on(String m) { o = new Thread();"
            + " try { send(self(), 1); } catch (Error e) { } o = null; }");

        assertTrue(assertThrows(RuleException.class, () -> crashes(a)).getMessage()
            .startsWith("a, what is durable of it: field o holds a java.lang.Thread"));
    }

    @Test
    public void sendsBeforeWhatIsDurableAreNoted() {
        String handler = "@Handler void on(String m) {\nsend(self(), 1); disk.write(1); }"
            + " @Handler void on(Integer m) { disk.write(2); reply(1); }";
        assertEquals(List.of("A.on(String) sends before it makes A.disk durable (Program.java:3):"
            + " faults().crashes(…).withinHandlers() tests crashes in between"), noted("faults().crashes(1);", STORE + handler));
        assertEquals(List.of(), noted("faults().crashes(1).withinHandlers();", STORE + handler));
        assertEquals(List.of(), noted("faults().stops(1);", STORE + handler));
        assertEquals(List.of(), noted("faults().crashes(1);", STORE
            + "@Handler void on(String m) { send(self(), 1); n = 5; disk.write(0); }"
            + " @Handler void on(Integer m) {}"));
    }

    private static List<String> noted(String says, String members) {
        Played a = Played.scenario(says, members);
        a.receives("go").receives(1);
        return a.program().loader().guard().notes().list();
    }
}
