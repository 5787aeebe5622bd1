package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.failure.RuleException;
import java.util.List;
import org.junit.Test;

/** Executors and clocks that code made for production can be given. */
public class EventLoopTest {
    private static final String TASKS = """
        String seen = "";
        class Say implements Runnable, Callable<String> {
            final String text;
            Say(String text) { this.text = text; }
            public void run() { seen += text; }
            public String call() { run(); return seen; }
        }
        """;

    private static String seen(Played a) {
        return a.field("seen").replace("\"", "");
    }

    @Test
    public void tasksRunInTheOrderInWhichTheyCome() {
        Played a = Played.actor(TASKS + "@Handler void on(String m) { eventLoop().execute(new Say(m)); }");

        a.receives("x").receives("y");
        assertEquals(List.of("task A.Say"), a.may());
        assertEquals("xy", seen(a.does("task A.Say").does("task A.Say")));
        assertEquals(List.of(), a.may());
    }

    @Test
    public void aTaskSharesObjectsWithTheActor() {
        Played a = Played.actor("static class Box { int n; } final Box box = new Box(); final Executor loop = eventLoop();"
            + " static class Inc implements Runnable { final Box b; Inc(Box b) { this.b = b; } public void run() { b.n++; } }"
            + " boolean same; @Handler void on(String m) { loop.execute(new Inc(box)); same = loop.equals(eventLoop()); }");

        assertTrue(a.receives("go").does("task A.Inc").field("box").equals("A$Box{n=1}"));
        assertEquals("true", a.field("same"));
    }

    @Test
    public void aScheduledTaskFiresAtAnyMomentButOnce() {
        Played a = Played.actor(TASKS + "protected void start() {"
            + " eventLoop().schedule((Runnable) new Say(\"x\"), 1, TimeUnit.SECONDS);"
            + " eventLoop().schedule((Runnable) new Say(\"y\"), 2, TimeUnit.SECONDS); }");

        assertEquals(List.of("task A.Say", "task A.Say"), a.may());
        a.does("task A.Say").does("task A.Say");
        assertEquals(List.of(), a.may());
    }

    @Test
    public void inOrderDelaysCount() {
        Played a = Played.scenario("timers().inOrder();", TASKS + "protected void start() {"
            + " eventLoop().schedule((Runnable) new Say(\"x\"), 1, TimeUnit.SECONDS);"
            + " setTimer(\"y\", Duration.ofSeconds(2)); } @Handler void on(String t) { seen += t; }");

        assertEquals(List.of("task A.Say"), a.may());
        assertEquals("xy", seen(a.does("task A.Say").does("A.on(String)")));
    }

    @Test
    public void periodicTasksRunAgainUntilTheyAreCancelled() {
        Played a = Played.actor(TASKS + "ScheduledFuture<?> f; protected void start() {"
            + " f = eventLoop().scheduleAtFixedRate(new Say(\"x\"), 1, 1, TimeUnit.SECONDS); }"
            + " @Handler void on(String m) { seen += f.cancel(false) + \" \" + f.isCancelled() + f.cancel(false); }");

        a.does("task A.Say").does("task A.Say");
        assertEquals(List.of("task A.Say"), a.may());
        a.receives("stop");
        assertEquals(List.of(), a.may());
    }

    private static final String ASKS = TASKS + "Future<String> f; protected void start() {"
        + " f = eventLoop().submit((Callable<String>) new Say(\"x\")); }"
        + " @Handler void on(String m) throws Exception { send(self(), f.isDone() + f.get()); }";

    @Test
    public void aFutureKnowsTheResultOnceTheTaskHasRun() {
        Played a = Played.actor(ASKS);

        assertEquals(List.of("a \"truex\""), a.does("task A.Say").receives("ask").sent());
    }

    @Test
    public void askingForWhatIsNotThereFailsAsItWouldWait() {
        assertTrue(assertThrows(RuleException.class, () -> Played.actor(ASKS).receives("ask")).getMessage()
            .contains("calls Future.get"));
        for (String wait : List.of("awaitTermination(1, TimeUnit.DAYS)", "invokeAll(List.of())", "invokeAny(List.of())")) {
            Played a = Played.actor("@Handler void on(String m) throws Exception { eventLoop()." + wait + "; }");
            assertTrue(assertThrows(AssertionError.class, () -> a.receives("go")).getMessage()
                .contains(" would wait for ever"));
        }
    }

    @Test
    public void anExceptionOfATaskThatNobodyAsksForFailsTheStep() {
        Played a = Played.actor("protected void start() { eventLoop().execute(new Bad()); }"
            + "static class Bad implements Runnable { public void run() { throw new IllegalStateException(\"oh\"); } }");

        assertEquals("IllegalStateException: oh", a.internal().get(0).failure().text());
    }

    @Test
    public void aCheckedExceptionThatNobodyAsksForFailsTheStepToo() {
        Played a = Played.actor("protected void start() { eventLoop().execute(new Bad()); }"
            + " static class Bad implements Runnable { public void run() { Bad.<RuntimeException>sneak(new IOException(\"disk\")); }"
            + " static <T extends Throwable> void sneak(Throwable t) throws T { throw (T) t; } }"
            + " static class IOException extends Exception { IOException(String m) { super(m); } }");

        assertEquals("IOException: disk", a.internal().get(0).failure().text());
    }

    @Test
    public void aTaskThatCancelsItselfStaysCancelledThoughItThrows() {
        Played a = Played.actor("Future<?> f; boolean cancelled; protected void start() { f = eventLoop().submit(new Bad()); }"
            + " class Bad implements Runnable { public void run() { f.cancel(false); throw new IllegalStateException(); } }"
            + " @Handler void on(String m) { cancelled = f.isCancelled(); }");

        assertEquals("true", a.does("task A.Bad").receives("ask").field("cancelled"));
    }

    @Test
    public void aShutDownLoopTakesNothingAndRunsWhatItHas() {
        Played a = Played.actor(TASKS + "@Handler void on(String m) { eventLoop().execute(new Say(m));"
            + " eventLoop().scheduleAtFixedRate(new Say(\"again\"), 1, 1, TimeUnit.SECONDS); eventLoop().shutdown(); }"
            + " @Handler void on(Integer m) { send(self(), eventLoop().isTerminated()); eventLoop().execute(new Say(\"no\")); }");

        a.receives("x");
        assertTrue(a.last().acts());
        assertEquals(List.of("task A.Say"), a.may());
        a.does("task A.Say");
        assertEquals(List.of(), a.may());
        assertTrue(assertThrows(AssertionError.class, () -> a.receives(1)).getMessage()
            .contains("RejectedExecutionException: the event loop is shut down"));
    }

    @Test
    public void shutdownNowGivesUpWhatWaits() {
        Played a = Played.actor(TASKS + "protected void start() { eventLoop().execute(new Say(\"x\"));"
            + " eventLoop().schedule((Runnable) new Say(\"y\"), 1, TimeUnit.SECONDS); setTimer(1, Duration.ZERO);"
            + " seen = \"dropped \" + eventLoop().shutdownNow().size() + eventLoop().isTerminated(); }"
            + " @Handler void on(Integer t) {}");

        assertEquals("dropped 2true", seen(a));
        assertEquals("timers are no tasks", List.of("A.on(Integer)"), a.may());
    }

    @Test
    public void whatCannotBeCapturedIsRefusedInTasksToo() {
        Played a = Played.actor("static class Bad implements Runnable { final Thread t = new Thread(); public void run() {} }"
            + " @Handler void on(String m) { eventLoop().execute(new Bad()); }");

        assertTrue(assertThrows(RuleException.class, () -> a.receives("go")).getMessage().contains("waiting tasks[0]"));
    }

    private static final String CLOCK = "final Clock clock = clock(); long at = clock.millis(); String zone = \"\";"
        + " @Handler void on(Integer m) { clock().advance(Duration.ofMillis(m)); at = clock.millis();"
        + " zone = clock.withZone(ZoneOffset.ofHours(1)).getZone().toString() + clock.getZone(); }";

    @Test
    public void theClockStandsStillUntilItIsMoved() {
        Played a = Played.actor(CLOCK);

        assertEquals("Long(0)", a.field("at"));
        a.receives(5).receives(7);
        assertEquals("Long(12)", a.field("at"));
        assertEquals("\"+01:00Z\"", a.field("zone"));
        assertEquals("[\"logical clock\"->\"1970-01-01T00:00:00.012Z\"]", a.beside());
    }

    @Test
    public void theScenarioSaysWhereClocksStart() {
        Played a = Played.scenario("clock().startsAt(Instant.ofEpochMilli(1000));", CLOCK);

        assertEquals("Long(1000)", a.field("at"));
        assertEquals("Long(1005)", a.receives(5).field("at"));
    }
}
