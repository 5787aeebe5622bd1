package harrier.runtime.analysis;

import org.junit.Test;

/** How long timers and scheduled tasks take is relevant where they fire in order, and nowhere else. */
public class DurationsTest {
    private static final String MESSAGES = "record M(int x) {} @Handler void on(String timer) {}\n";

    /** The field {@code n} is nothing but a duration, and it is by a branch on {@code k} that it grows. */
    private static void onlyWhereTimersFireInOrder(String members) {
        Inferred.actor(MESSAGES + members).auxiliary("A.n", "A.k");
        Inferred.actorInOrder(MESSAGES + members).relevant("A.n", "A.k");
    }

    private static void relevant(String members) {
        Inferred.actor(MESSAGES + members).relevant("A.n");
    }

    @Test
    public void ofTimers() {
        onlyWhereTimersFireInOrder("int n = 500; int k; @Handler void on(M m) { if (k++ > 3) n += 200;"
            + " setTimer(\"t\", java.time.Duration.ofMillis(n)); }");
        onlyWhereTimersFireInOrder("java.time.Duration n = java.time.Duration.ofMillis(500); int k;"
            + " @Handler void on(M m) { if (k++ > 3) n = n.plusMillis(200); setTimer(\"t\", n); }");
        onlyWhereTimersFireInOrder("java.time.Duration n = java.time.Duration.ZERO; int k; static final int FIRST = 3;"
            + " @Handler void on(M m) { if (k++ > 3) n = n.plusSeconds(m.x()).minusDays(1);"
            + " setTimer(\"t\", java.time.Duration.ofMinutes(FIRST), n); }");
        onlyWhereTimersFireInOrder("java.time.Duration n; int k; A() { this(java.time.Duration.ofHours(2)); }"
            + " A(java.time.Duration n) { this.n = n; }"
            + " @Handler void on(M m) { if (k++ > 3) n = n.plusNanos(1); setTimer(\"t\", n); }");
    }

    @Test
    public void reasons() {
        Inferred.actorInOrder(MESSAGES + "int n; @Handler void on(M m) { n++; setTimer(\"t\", java.time.Duration.ofMillis(n)); }")
            .reason("A.n", "A.n: read by A.on(M) (Program.java:4), which decides when a timer fires");
    }

    @Test
    public void ofScheduledTasks() {
        onlyWhereTimersFireInOrder("int n; int k; @Handler void on(M m) { if (k++ > 3) n++;"
            + " eventLoop().schedule(() -> { }, n, java.util.concurrent.TimeUnit.SECONDS); }");
        onlyWhereTimersFireInOrder("int n; int k;"
            + " final java.util.concurrent.ScheduledExecutorService loop = eventLoop(); @Handler void on(M m) { if (k++ > 3) n++;"
            + " loop.scheduleAtFixedRate(() -> { }, n, 5, java.util.concurrent.TimeUnit.SECONDS); }");
        relevant("int n; java.util.concurrent.ScheduledExecutorService loop ="
            + " java.util.concurrent.Executors.newScheduledThreadPool(1); @Handler void on(M m) { n++;"
            + " loop.schedule(() -> { }, n, java.util.concurrent.TimeUnit.SECONDS); }");
        relevant("int n; @Handler void on(M m) { n++;"
            + " eventLoop().scheduleAtFixedRate(() -> { }, 5, n, java.util.concurrent.TimeUnit.SECONDS); }");
        relevant("int n; @Handler void on(M m) { n++; eventLoop().schedule(() -> { if (n > 3) send(peer, m); }, n,"
            + " java.util.concurrent.TimeUnit.SECONDS); }");
    }

    @Test
    public void thatMayFail() {
        String sets = " setTimer(\"t\", n); }";
        relevant("java.time.Duration n; @Handler void on(M m) { " + sets);
        relevant("java.time.Duration n = java.time.Duration.ofMillis(5); @Handler void on(M m) { n = n.multipliedBy(2);" + sets);
        relevant("java.time.Duration n = java.time.Duration.ofMillis(5); @Handler void on(M m) { n = n.plus(n);" + sets);
        relevant("java.time.Duration n = java.time.temporal.ChronoUnit.FOREVER.getDuration();"
            + " @Handler void on(M m) { n = n.plusMillis(1);" + sets);
        relevant("java.time.Duration n = java.time.Duration.ofSeconds(Long.MAX_VALUE);"
            + " @Handler void on(M m) { n = n.plusMillis(1);" + sets);
        relevant("java.time.Duration n = java.time.Duration.ofSeconds(1); long x;"
            + " @Handler void on(M m) { x *= 2; n = n.plusSeconds(x);" + sets);
        relevant("long n; @Handler void on(M m) { n++; setTimer(\"t\", java.time.Duration.ofDays(n)); }");
    }

    @Test
    public void thatShowElsewhere() {
        relevant("int n; @Handler void on(M m) { n++; clock().advance(java.time.Duration.ofMillis(n)); }");
        relevant("java.time.Duration n = java.time.Duration.ZERO; @Handler void on(M m) { n = n.plusMillis(1); setTimer(\"t\", n);"
            + " if (n.toSeconds() > 3) send(peer, m); }");
        relevant("int n; @Handler void on(M m) { n++; setTimer(\"t\" + n, java.time.Duration.ZERO); }");
        relevant("int n; @Handler void on(M m) { if (n++ > 3) setTimer(\"t\", java.time.Duration.ZERO); }");
    }
}
