package harrier.runtime.step;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.failure.UsageException;
import java.util.List;
import org.junit.Test;

/** Timers and internal handlers: what an actor does by itself. */
public class TimersTest {
    private static final String TIMER = """
        record T(int n) {}
        void set(int n, int seconds) { setTimer(new T(n), Duration.ofSeconds(seconds)); }
        """;

    @Test
    public void aTimerFiresOnce() {
        Played a = Played.actor(TIMER + "int n; protected void start() { set(5, 1); } @Handler void on(T t) { n = t.n(); }");

        assertTrue(a.actsFirst());
        assertEquals(List.of("A.on(T)"), a.may());
        assertEquals("A$T{n=5}", a.show(a.internal().get(0).fired()));
        a.does("A.on(T)");
        assertEquals("A{n=5}", a.fields());
        assertEquals("[]", a.beside());
        assertFalse(a.last().acts());
        assertEquals(List.of(), a.may());
    }

    @Test
    public void anActorThatDoesNothingByItselfSaysSo() {
        assertFalse(Played.actor(TIMER).actsFirst());
        assertEquals(List.of(), Played.actor(TIMER).may());
    }

    @Test
    public void aTimerIsNoMessageOfAnybody() {
        Played a = Played.actor(TIMER + "boolean none; protected void start() { set(1, 1); }"
            + " @Handler void on(T t, ActorName from) { none = from == null; }");
        assertEquals("A{none=true}", a.does("A.on(T, ActorName)").fields());

        Played replies = Played.actor(TIMER + "protected void start() { set(1, 1); } @Handler void on(T t) { reply(t); }");
        assertEquals("IllegalStateException: there is nobody to reply to: no actor sent this message",
            replies.internal().get(0).failure().text());
    }

    @Test
    public void aTimerIsFrozenWhenItIsSet() {
        Played a = Played.actor("int n; protected void start() { List<Integer> t = new ArrayList<>(); t.add(1);"
            + " setTimer(t, Duration.ZERO); t.add(2); } @Handler void on(ArrayList<Integer> t) { n = t.size(); }");

        assertEquals("A{n=1}", a.does("A.on(ArrayList)").fields());
    }

    @Test
    public void anEqualTimerIsReplacedAndAnotherOneIsNot() {
        Played a = Played.actor(TIMER + "protected void start() { set(1, 1); set(1, 2); set(2, 1); }"
            + " @Handler void on(T t) {}");

        assertEquals(2, a.may().size());
    }

    @Test
    public void aTimerCanBeCancelled() {
        Played a = Played.actor(TIMER + "boolean first; boolean second; protected void start() { set(1, 1);"
            + " first = cancelTimer(new T(1)); second = cancelTimer(new T(1)); } @Handler void on(T t) {}");

        assertEquals("A{first=true, second=false}", a.fields());
        assertEquals(List.of(), a.may());
    }

    @Test
    public void aTimerWhoseGuardIsFalseDoesNotFireYet() {
        Played a = Played.actor(TIMER + "boolean open; protected void start() { set(1, 1); }"
            + " @Handler(when = \"open\") void on(T t) {} boolean open(T t) { return open && t.n() == 1; }"
            + " @Handler void on(String m) { open = true; }");

        assertEquals(List.of(), a.may());
        assertTrue("it is worth asking again", a.receives("open").last().acts());
        assertEquals(List.of("A.on(T)"), a.may());
    }

    @Test
    public void atWillNeitherDurationsNorTheOrderOfSettingMatter() {
        String handlers = TIMER + "@Handler void on(T t) {} @Handler void on(Integer m) {";
        byte[] oneWay = Played.actor(handlers + "set(1, 1); set(2, 9); }").receives(0).local();
        byte[] another = Played.actor(handlers + "set(2, 3); set(1, 4); }").receives(0).local();

        assertArrayEquals(oneWay, another);
    }

    @Test
    public void inOrderATimerWaitsForAnEarlierOneThatMustFireFirst() {
        String handlers = "record A1() {} record A2() {} @Handler void on(A1 t) {} @Handler void on(A2 t) {}"
            + " void set(Object t, int min, int max) { setTimer(t, Duration.ofSeconds(min), Duration.ofSeconds(max)); }"
            + " protected void start() {";
        assertEquals(List.of("A.on(A1)"), inOrder(handlers + "set(new A1(), 1, 1); set(new A2(), 2, 2); }"));
        assertEquals("as long", List.of("A.on(A1)"), inOrder(handlers + "set(new A1(), 1, 2); set(new A2(), 2, 3); }"));
        assertEquals("it may take longer", List.of("A.on(A1)", "A.on(A2)"),
            inOrder(handlers + "set(new A1(), 1, 3); set(new A2(), 2, 3); }"));
        assertEquals("set at once", List.of("A.on(A1)"), inOrder(handlers + "set(new A2(), 2, 2); set(new A1(), 1, 1); }"));
        assertEquals("just as long", List.of("A.on(A1)", "A.on(A2)"),
            inOrder(handlers + "set(new A2(), 1, 1); set(new A1(), 1, 1); }"));
        Played later = Played.scenario("timers().inOrder();", handlers + "set(new A2(), 2, 2); }"
            + " @Handler void on(Integer m) { set(new A1(), m, m); } @Handler void on(String m) { set(new A2(), 2, 2); }");
        assertEquals("set later", List.of("A.on(A2)", "A.on(A1)"), later.receives(1).may());
        assertEquals("set again is set later", List.of("A.on(A1)"), later.receives("again").may());
        assertEquals("as long, and set later", List.of("A.on(A2)"), later.receives(2).may());
    }

    @Test
    public void inOrderTheStateTellsNoMoreOfTheOrderThanMatters() {
        String set = TIMER + "@Handler void on(T t) {} @Handler void on(int[] m) { for (int n : m) set(n, n); }";
        byte[] oneWay = inOrderAfter(set, new int[] {1, 2, 3}).local();

        assertArrayEquals(oneWay, inOrderAfter(set, new int[] {3, 1, 2}).local());
        assertArrayEquals(oneWay, inOrderAfter(set, new int[] {1}, new int[] {2, 3}).local());
        assertArrayEquals(oneWay, inOrderAfter(set, new int[] {1}, new int[] {2}, new int[] {3}).local());
        assertEquals(1, inOrderAfter(set, new int[] {1}, new int[] {2, 3}).may().size());
        assertEquals("3 may have waited long", 2, inOrderAfter(set, new int[] {3}, new int[] {2, 1}).may().size());
    }

    private static Played inOrderAfter(String members, int[]... messages) {
        Played a = Played.scenario("timers().inOrder();", members);
        for (int[] m : messages) {
            a.receives(m);
        }
        return a;
    }

    @Test
    public void inOrderATimerThatWaitsForItsGuardHoldsNobodyBack() {
        Played a = Played.scenario("timers().inOrder();", TIMER + "boolean open; int n; protected void start() { set(1, 1); set(5, 5); }"
            + " @Handler(when = \"open\") void on(T t) { n = t.n(); } boolean open(T t) { return open || t.n() == 5; }"
            + " @Handler void on(String m) { open = true; }");

        assertEquals(List.of("A.on(T)"), a.may());
        assertEquals("A$T{n=5}", a.show(a.internal().get(0).fired()));
        a.receives("open");
        assertEquals(List.of("A.on(T)"), a.may());
        assertEquals("A$T{n=1}", a.show(a.internal().get(0).fired()));
        assertEquals("5", a.does("A.on(T)").does("A.on(T)").field("n"));
    }

    @Test
    public void inOrderATimerWhoseGuardFailsFails() {
        Played a = Played.scenario("timers().inOrder();", TIMER + "protected void start() { set(1, 1); set(5, 5); }"
            + " @Handler(when = \"open\") void on(T t) {} boolean open(T t) { return t.n() / (t.n() - 1) > 0; }");

        assertEquals(1, a.internal().size());
        assertEquals("ArithmeticException: / by zero", a.internal().get(0).failure().text());
    }

    private static List<String> inOrder(String members) {
        return Played.scenario("timers().inOrder();", members).may();
    }

    @Test
    public void durationsThatMakeNoSenseFail() {
        String members = TIMER + "@Handler void on(T t) {} @Handler void on(Integer m) { set(1, m); }";
        Played a = Played.scenario("timers().inOrder();", members);

        assertTrue(assertThrows(AssertionError.class, () -> a.receives(-1)).getMessage().startsWith(
            "IllegalArgumentException: setTimer(T, PT-1S, PT-1S): a timer takes from min to max"));
        assertEquals("at any moment", List.of("A.on(T)"), Played.actor(members).receives(-1).may());
    }

    @Test
    public void forEverIsADuration() {
        Played a = Played.scenario("timers().inOrder();", TIMER + "@Handler void on(T t) {} protected void start() {"
            + " set(2, 1); setTimer(new T(1), java.time.temporal.ChronoUnit.FOREVER.getDuration()); }");

        assertEquals(List.of("A.on(T)"), a.may());
        assertEquals("A$T{n=2}", a.show(a.internal().get(0).fired()));
    }

    /** What the last step set anew: timers as text, tasks by their labels. */
    private static List<String> renewed(Played a) {
        return a.last().renewed().stream().map(e -> e.task().isEmpty() ? a.show(e.timer()) : e.task()).toList();
    }

    @Test
    public void aStepTellsWhichTimersItSetsAnew() {
        Played a = Played.actor(TIMER + "protected void start() { set(1, 1); set(2, 1); } @Handler void on(T t) { set(t.n(), 1); }"
            + " @Handler void on(String m) { switch (m) {"
            + " case \"set\" -> set(1, 9); case \"cancel and set\" -> { cancelTimer(new T(1)); set(1, 1); }"
            + " case \"both\" -> { set(2, 1); set(1, 1); } case \"set and cancel\" -> { set(1, 1); cancelTimer(new T(1)); }"
            + " case \"another\" -> set(3, 1); default -> { } } }");

        assertEquals("it fired", List.of(), renewed(a.does("A.on(T)")));
        assertEquals(List.of("A$T{n=1}"), renewed(a.receives("set")));
        assertEquals(List.of("A$T{n=1}"), renewed(a.receives("cancel and set")));
        assertEquals(List.of("A$T{n=1}", "A$T{n=2}"), renewed(a.receives("both")));
        assertEquals(List.of(), renewed(a.receives("nothing")));
        assertEquals("it was not pending", List.of(), renewed(a.receives("another")));
        assertEquals("it is not pending", List.of(), renewed(a.receives("set and cancel")));
        assertEquals("it was not pending", List.of(), renewed(a.receives("set")));
    }

    @Test
    public void aTimerThatSetsAnotherOneAnewIsNotSetAnew() {
        Played a = Played.scenario("timers().inOrder();", TIMER + "protected void start() { set(1, 1); set(2, 2); }"
            + " @Handler void on(T t) { if (t.n() == 1) { set(2, 2); set(1, 1); } }");

        assertEquals(List.of("A$T{n=2}"), renewed(a.does("A.on(T)")));
    }

    @Test
    public void aRestartSetsAnewWhatWasPending() {
        Played a = Played.scenario("faults().crashes(1);", TIMER + "protected void start() { set(1, 1); } @Handler void on(T t) {}"
            + " @Handler void on(String m) { set(2, 1); }");

        assertEquals(List.of("A$T{n=1}"), renewed(a.receives("more").crashes()));
        assertEquals("it was not pending", List.of(), renewed(a.does("A.on(T)").crashes()));
    }

    @Test
    public void anActorThatStopsSetsNothingAnew() {
        Played a = Played.actor(TIMER + "protected void start() { set(1, 1); } @Handler void on(T t) {}"
            + " @Handler void on(String m) { set(1, 1); stop(); }");

        assertEquals(List.of(), renewed(a.receives("stop")));
    }

    @Test
    public void aTaskThatIsCancelledAndScheduledIsSetAnew() {
        Played a = Played.actor("ScheduledFuture<?> late; Future<?> next; int n; void late() { n = 1; }"
            + " void arm() { late = eventLoop().schedule((Runnable) this::late, 3, TimeUnit.SECONDS); }"
            + " protected void start() { arm(); eventLoop().scheduleAtFixedRate(new Beat(), 1, 1, TimeUnit.SECONDS); }"
            + " class Beat implements Runnable { public void run() { late.cancel(false); arm(); } }"
            + " @Handler void on(String m) { switch (m) {"
            + " case \"anew\" -> { late.cancel(false); arm(); } case \"before\" -> { var old = late; arm(); old.cancel(false); }"
            + " case \"second\" -> arm(); case \"drop\" -> late.cancel(false);"
            + " case \"submit\" -> { if (next != null) next.cancel(false); next = eventLoop().submit((Runnable) this::late); }"
            + " default -> { } } }");
        String late = "task A.arm lambda";

        assertEquals(List.of(late), renewed(a.receives("anew")));
        assertEquals("before the old one goes", List.of(late), renewed(a.receives("before")));
        assertEquals("a periodic one that runs is not set anew", List.of(late), renewed(a.does("task A.Beat")));
        assertEquals(List.of(), renewed(a.receives("submit")));
        assertEquals("the first that waits for its turn", List.of("task A.on lambda"), renewed(a.receives("submit")));
        assertEquals("both are equal, and one stays", List.of(), renewed(a.receives("second").receives("anew")));
    }

    @Test
    public void aTimeOutOfAFutureIsSetAnew() {
        Played a = Played.actor("CompletableFuture<String> asked; ScheduledFuture<?> limit; String got;"
            + " protected void start() { ask(); }"
            + " void ask() { asked = new CompletableFuture<>(); asked.thenAccept(this::got);"
            + " limit = eventLoop().schedule(new Expire(asked), 3, TimeUnit.SECONDS); }"
            + " record Expire(CompletableFuture<String> what) implements Runnable {"
            + " public void run() { what.completeExceptionally(new TimeoutException()); } }"
            + " void got(String m) { got = m; limit.cancel(false); ask(); }"
            + " @Handler void on(String m) { asked.complete(m); }");

        assertEquals(List.of("task A.Expire"), renewed(a.receives("answer")));
    }

    @Test
    public void guardsOnlyRead() {
        for (String call : List.of("setTimer(1, Duration.ZERO)", "cancelTimer(1)", "stop()",
                "eventLoop().execute(null)", "clock().advance(Duration.ZERO)")) {
            String method = call.replaceAll("\\(.*?\\)\\.", " ").replaceAll("\\(.*", "").replaceAll(".* ", "");
            Played a = Played.actor("@Internal(when = \"g\") void act() {} boolean g() { "
                + call.replace("null", "() -> {}") + "; return true; }");
            assertEquals("IllegalStateException: " + method + " works in start() and in handlers only: guards and"
                + " properties must only read", a.internal().get(0).failure().text());
        }
    }

    @Test
    public void internalHandlersRunWhileTheirGuardsAreTrue() {
        Played a = Played.actor("int n; @Internal(when = \"few\") void act() { n++; } boolean few() { return n < 2; }");

        assertTrue(a.actsFirst());
        assertEquals("A{n=2}", a.does("A.act()").does("A.act()").fields());
        assertEquals(List.of(), a.may());
    }

    @Test
    public void everyChoiceOfAnInternalHandlerIsAnOutcome() {
        Played a = Played.actor("int n; @Internal void act() { n = choose(3); } @Internal void other() {}");

        assertEquals(List.of("A.act()", "A.act()", "A.act()", "A.other()"), a.may());
    }

    @Test
    public void aGuardOfAnInternalHandlerTakesNothing() {
        assertUsage("@Internal(when = \"g\") void act() {} boolean g(String m) { return true; }",
            "A.act() has no guard g: A needs a method boolean g()");
    }

    private static void assertUsage(String members, String message) {
        assertTrue(assertThrows(UsageException.class, () -> Played.actor(members)).getMessage().endsWith(message));
    }

    @Test
    public void anInternalEventIsExecutedTwiceAndCompared() {
        Played a = Played.actor("final Set<Integer> all = new HashSet<>(Set.of(1, 16)); int n;"
            + " @Internal void act() { n = all.iterator().next(); }");

        assertThrows(Steps.DifferenceException.class, a::may);
    }

    @Test
    public void anActorThatStopsSaysSoAndItsMessagesAreSent() {
        Played a = Played.actor("protected void start() { setTimer(1, Duration.ZERO); }"
            + " @Handler void on(Integer t) { send(self(), \"last\"); stop(); setTimer(2, Duration.ZERO); }");

        a.does("A.on(Integer)");
        assertTrue(a.last().stopped());
        assertFalse(a.last().acts());
        assertEquals(List.of("a \"last\""), a.sent());
    }

    @Test
    public void nobodyStopsInStart() {
        assertTrue(assertThrows(UsageException.class, () -> Played.actor("protected void start() { stop(); }")).getMessage()
            .contains("stop does not work in start()"));
    }
}
