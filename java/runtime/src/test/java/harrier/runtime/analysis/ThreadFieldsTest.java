package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;

import harrier.runtime.wire.Verdict;
import org.junit.Test;

/** Fields of programs with threads: what threads do counts as what handlers do, and so does what their frames keep. */
public class ThreadFieldsTest {
    /** A thread that the actor makes has this body, beside a queue and a counter that somebody else sets. */
    private static String body(String code) {
        return """
            final BlockingQueue<Integer> in = new LinkedBlockingQueue<>();
            int n;
            int m;
            @Handler void on(Integer i) { n = n * 2 + i; in.add(i); }
            void work() {
                try {
                    %s
                } catch (Exception e) {
                    return;
                }
            }
            """.formatted(code);
    }

    private static Inferred thread(String code, String... members) {
        return Inferred.threads(body(code) + String.join(" ", members) + "A() { new Thread(this::work).start(); }");
    }

    @Test
    public void whatNobodyUsesIsAuxiliary() {
        thread("while (true) { int i = in.take(); m += i; }").auxiliary("A.n", "A.m").relevant("A.in");
        thread("int i = n; in.take(); m += in.size();").auxiliary("A.n", "A.m");
    }

    @Test
    public void threadsSendAsHandlersDo() {
        String code = "in.take(); if (n > 3) send(peer, 1);";
        thread(code).relevant("A.n").auxiliary("A.m");
        Inferred.threads(body(code) + "@Override protected void start() { new Thread(this::work).start(); }").relevant("A.n");
        Inferred.threads(body(code) + "@Override protected void start() { Executors.newFixedThreadPool(1).submit(this::work); }").relevant("A.n");
        Inferred.threads(body(code) + "class W extends Thread { @Override public void run() { work(); } } A() { new W().start(); }").relevant("A.n");
        Inferred.threads(body(code) + "class W implements Runnable { public void run() { work(); } } A() { new Thread(new W()).start(); }")
            .relevant("A.n").auxiliary("A.m");
        Inferred.threads(body(code) + "class W implements Runnable { public void run() { work(); } } @Handler void on(String s) { new Thread(new W()).start(); }")
            .relevant("A.n").auxiliary("A.m");
    }

    @Test
    public void framesKeepWhatIsReadLater() {
        thread("int i = n; in.take(); m += i;").relevant("A.n").auxiliary("A.m");
        thread("m += n + in.take();").relevant("A.n");
        thread("later(n);", "void later(int i) throws InterruptedException { in.take(); m += i; }").relevant("A.n").auxiliary("A.m");
        Inferred.threads("int n; List<Integer> l = new ArrayList<>(); A() { new Thread(() -> { List<Integer> k = l; Thread.yield(); k.add(n); }).start(); }"
            + "@Handler void on(Integer i) { n += i; }").relevant("A.l", "A.n");
    }

    @Test
    public void whatDecidesWhetherAThreadWaits() {
        thread("if (n > 3) in.take();").relevant("A.n");
        thread("if (n > 3) Thread.yield();").relevant("A.n");
        thread("if (n > 3) synchronized (in) { m++; }").relevant("A.n").auxiliary("A.m");
        thread("if (n > 3) locked();", "synchronized void locked() { m++; }").relevant("A.n").auxiliary("A.m");
        thread("synchronized (this) { while (m == 0) wait(); }").relevant("A.m").auxiliary("A.n");
        thread("synchronized (this) { if (n > 3) notifyAll(); }").relevant("A.n").auxiliary("A.m");
    }

    @Test
    public void resultsOfTasksAreRelevant() {
        String task = "class W implements Callable<Integer> { public Integer call() { return n; } } Future<Integer> f;"
            + "@Override protected void start() { f = Executors.newFixedThreadPool(1).submit(new W()); }";
        Inferred.threads(body("m++; in.take();") + task).relevant("A.n").auxiliary("A.m");
    }

    @Test
    public void whereThreadsArePreemptedIsRelevantAtLocks() {
        String counts = body("") + "final AtomicInteger c = new AtomicInteger(); volatile int v; @Handler void on(String s) { if (n > 3) c.set(5); if (m > 3) v = 5; m++; }"
            + "A() { new Thread(this::work).start(); }";
        Inferred.threads(counts).auxiliary("A.n", "A.m");
        Inferred.threadsAtLocks(counts).relevant("A.n", "A.m");
    }

    @Test
    public void senders() {
        String wait = "final BlockingQueue<Integer> in = new LinkedBlockingQueue<>(); record M(int i) {} @Handler void on(M m) { %s }"
            + "A() { new Thread(() -> { }).start(); }";
        assertEquals(Verdict.RELEVANT, Inferred.threads(wait.formatted("Thread.yield();")).decomposition.senders().get(0).verdict());
        assertEquals(Verdict.INFERRED, Inferred.threads(wait.formatted("in.add(1);")).decomposition.senders().get(0).verdict());
    }
}
