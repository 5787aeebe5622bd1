package harrier.runtime.analysis;

import org.junit.Test;

/** Fields that matter only through what an actor does by itself, or after a crash. Each must be noticed. */
public class OwnEventsTest {
    /** An actor with these members, with a message that its handler {@code code} consumes, and a timer. */
    private static Inferred actor(String members, String code) {
        return Inferred.actor("record M() {} record T(int k) {} record U() {} int other;\n" + members
            + "\n@Handler void on(M m) throws Exception { other++; " + code + " }\n@Handler void on(U u) {}");
    }

    private static final String T = "@Handler void on(T t) {}";
    private static final String SECOND = "java.time.Duration.ofSeconds(1)";

    @Test
    public void timers() {
        actor("int n;" + T, "n++; setTimer(new T(n), " + SECOND + ");").relevant("A.n", "A$T.k").auxiliary("A.other");
        actor("int n;" + T, "n++; if (n > 3) setTimer(new U(), " + SECOND + ");").relevant("A.n").auxiliary("A.other");
        actor("int n;" + T, "n++; setTimer(new U(), java.time.Duration.ofSeconds(n));").auxiliary("A.n", "A.other");
        actor("int n;" + T, "n++; cancelTimer(new T(n));").relevant("A.n").auxiliary("A.other");
        actor("int n;" + T, "n++; if (n > 3) cancelTimer(new U());").relevant("A.n").auxiliary("A.other");
        actor("int n; boolean was;" + T, "n++; was = cancelTimer(new U()); if (was) reply(m);").relevant("A.was")
            .auxiliary("A.n");
    }

    @Test
    public void whatATimerDoes() {
        actor("int n; @Handler void on(T t) { if (n > t.k()) send(peer, t); }", "n++; setTimer(new T(1), " + SECOND + ");")
            .relevant("A.n").auxiliary("A.other");
        actor("int n; @Handler(when = \"late\") void on(T t) {} boolean late() { return n > 3; }", "n++;").relevant("A.n");
    }

    @Test
    public void internalHandlersAndTheirGuards() {
        actor("int n; @Internal void act() { if (n > 3) send(peer, 1); }", "n++;").relevant("A.n").auxiliary("A.other");
        actor("int n; int k; @Internal(when = \"ready\") void act() { k++; } boolean ready() { return n > 3; }", "n++;")
            .relevant("A.n").auxiliary("A.k", "A.other");
    }

    @Test
    public void whatARestartReads() {
        actor("@Durable int n; protected void onRestart() { if (n > 3) send(peer, 1); }", "n++;").relevant("A.n")
            .auxiliary("A.other");
        actor("@Durable int n; protected void onRestart() { if (n > 3) super.onRestart(); }"
            + " protected void start() { send(peer, 1); }", "n++;").relevant("A.n").auxiliary("A.other");
        actor("@Durable int n; int k; protected void onRestart() { k = n; }", "n++; if (k > 3) reply(m);")
            .relevant("A.n", "A.k").auxiliary("A.other");
        actor("int n; final DurableStore<Integer> s = new DurableStore<>(0); int k;", "n++; s.write(n); k = 2;")
            .relevant("A.n").auxiliary("A.k");
    }

    @Test
    public void whetherAStoreIsWrittenAsThatIsAPointOfACrash() {
        actor("int n; final DurableStore<Integer> s = new DurableStore<>(0);", "n++; if (n > 3) s.write(1);").relevant("A.n")
            .auxiliary("A.other");
    }

    @Test
    public void whetherAnActorStops() {
        actor("int n;", "n++; if (n > 3) stop();").relevant("A.n").auxiliary("A.other");
    }

    @Test
    public void whatTasksDo() {
        actor("int n;", "n++; eventLoop().execute(() -> { if (n > 3) send(peer, 1); });").relevant("A.n");
        actor("int n;", "n++; int k = n; eventLoop().execute(() -> { if (k > 3) send(peer, 1); });").relevant("A.n");
        actor("int n;", "n++; if (n > 3) eventLoop().execute(() -> send(peer, 1));").relevant("A.n");
        actor("int n; class Later implements Runnable { public void run() { if (n > 3) send(peer, 1); } }",
            "n++; eventLoop().schedule(new Later(), 1, java.util.concurrent.TimeUnit.SECONDS);").relevant("A.n");
        actor("int n; Runnable task = () -> { if (n > 3) send(peer, 1); };", "n++; eventLoop().execute(task);")
            .relevant("A.n");
        actor("int n; final java.util.concurrent.Executor loop = eventLoop(); { loop.execute(() -> set(n)); } int k;"
            + " void set(int v) { k = v; }", "n++; if (k > 3) reply(m);").relevant("A.n", "A.k");
    }

    @Test
    public void whatFuturesGive() {
        actor("int n; java.util.concurrent.Future<Integer> f;",
            "n++; if (f == null) f = eventLoop().submit(() -> n); else if (f.get() > 3) reply(m);").relevant("A.n", "A.f");
        actor("int n; java.util.concurrent.Future<Integer> f;"
            + " class Asks implements java.util.concurrent.Callable<Integer> { public Integer call() { return n; } }",
            "n++; if (f == null) f = eventLoop().submit(new Asks()); else if (f.get() > 3) reply(m);")
            .relevant("A.n", "A.f");
    }

    @Test
    public void anActorThatIsItsOwnTask() {
        new Inferred("""
            class A extends Actor implements Runnable {
                record M() {} int n; ActorName peer;
                A() { eventLoop().execute(this); }
                @Handler void on(M m) { n++; }
                public void run() { if (n > 3) send(peer, new M()); }
            }""").relevant("A.n");
    }

    @Test
    public void clocks() {
        actor("int n;", "n++; clock().advance(java.time.Duration.ofSeconds(n));").relevant("A.n");
        actor("long n;", "n++; if (clock().millis() > n) reply(m);").relevant("A.n");
        actor("long n;", "n++; long now = clock().millis(); if (now > 3) reply(m);").auxiliary("A.n", "A.other");
    }
}
