package harrier.runtime.analysis;

import org.junit.Test;

/** What ordinary code keeps for people only must be found to be auxiliary. */
public class AuxiliaryFieldsTest {
    private static final String MESSAGE = "record M(int ballot, String note, ActorName from) {}\n";

    @Test
    public void countersAndTimes() {
        Inferred.actor(MESSAGE + """
            int handled; long lastSeen; int best; boolean seen; double mean; ActorName last;
            @Handler void on(M m) {
                handled++;
                lastSeen = System.currentTimeMillis();
                if (m.ballot() > best) best = m.ballot();
                if (handled > 10) handled = 0;
                mean = (mean + m.ballot()) / 2;
                seen = true;
                last = m.from();
            }""").auxiliary("A.handled", "A.lastSeen", "A.best", "A.seen", "A.mean", "A.last", "A$M.ballot", "A$M.note",
            "A$M.from");
    }

    @Test
    public void counterBesideSends() {
        Inferred.actor(MESSAGE + """
            int sent; int round;
            @Handler void on(M m) {
                if (m.ballot() > round) {
                    round = m.ballot();
                    sent += 2;
                    send(peer, new M(round, "note " + sent, self()));
                }
            }""").auxiliary("A.sent", "A$M.note", "A$M.from").relevant("A.round", "A$M.ballot", "A.peer");
    }

    @Test
    public void logs() {
        Inferred.actor(MESSAGE + """
            private final List<M> log = new ArrayList<>();
            private final List<String> lines = new LinkedList<>();
            private final Deque<Integer> last = new ArrayDeque<>();
            private final Set<Integer> seen = new TreeSet<>();
            private final Set<M> all = new HashSet<>();
            @Handler void on(M m) {
                log.add(m);
                lines.add("got " + m + " after " + log.size() + " in " + self());
                last.addLast(m.ballot());
                if (last.size() > 3) last.pollFirst();
                seen.add(m.ballot());
                if (all.add(m)) seen.clear();
            }""").auxiliary("A.log", "A.lines", "A.last", "A.seen", "A.all", "A$M.note", "A$M.ballot");
    }

    @Test
    public void statistics() {
        Inferred.actor(MESSAGE + """
            private final Map<String, Integer> byHash = new HashMap<>();
            private final Map<Integer, Integer> byTree = new TreeMap<>();
            private final Map<ActorName, Long> times = new HashMap<>();
            private final java.util.concurrent.atomic.AtomicInteger count = new java.util.concurrent.atomic.AtomicInteger();
            private final Map<String, Integer> old = new HashMap<>();
            private final Map<Integer, M> latest = new TreeMap<>();
            private final Map<M, Integer> each = new HashMap<>();
            @Handler void on(M m, ActorName from) {
                byHash.merge(m.note(), 1, Integer::sum);
                byTree.merge(m.ballot(), 1, Integer::sum);
                times.put(from, 7L);
                count.incrementAndGet();
                old.put("k", old.getOrDefault("k", 0) + 1);
                latest.put(m.ballot(), m);
                each.merge(m, 1, Integer::sum);
            }""").auxiliary("A.byHash", "A.byTree", "A.times", "A.count", "A.old", "A.latest", "A.each", "A$M.note",
            "A$M.ballot");
    }

    @Test
    public void historyWithALocalBuilder() {
        Inferred.actor(MESSAGE + """
            String trace = "";
            @Handler void on(M m) {
                StringBuilder b = new StringBuilder();
                b.append(trace).append(m.ballot()).append(", ").append(m.note());
                trace = b.toString();
                System.out.println("trace is " + trace);
            }""").auxiliary("A.trace", "A$M.ballot", "A$M.note");
    }

    @Test
    public void readOnlyByToStringOrByNobody() {
        Inferred.actor(MESSAGE + """
            int a; int b; int c;
            int unused() { return 100 / b; }
            public String toString() { return "A" + 100 / a; }
            @Handler void on(M m) { a = m.ballot(); b = a; c++; }
            """).auxiliary("A.a", "A.b", "A.c", "A$M.ballot", "A$M.note");
    }

    @Test
    public void helperObjectsAndHelperMethods() {
        new Inferred("""
            class Stats { int n; int max; final List<String> l = new ArrayList<>();
                void note(int x) { n++; max = Math.max(max, x); l.add("x" + x); } }
            class A extends Actor {
                private final Stats stats = new Stats(); private int last; ActorName peer;
                record M(int x, int y) {}
                @Handler void on(M m) { stats.note(m.x()); last(m); send(peer, new M(1, m.y())); }
                private void last(M m) { if (m.x() > 3) last = m.x() + stats.max; }
            }""").auxiliary("A.stats", "A.last", "A$M.x", "A$M.y");
    }

    @Test
    public void initialValuesDoNotMatter() {
        new Inferred("""
            class A extends Actor { final int id; int n; A(int id) { if (id < 0) throw new Error(); this.id = id; }
                @Handler void on(String s) { n += id; } }
            class S extends Scenario { protected void setUp() { create("a", 2, i -> new A(i)); create("b", new A(7)); }
                @Invariant boolean p() { return actors(A.class).count() > 0; } }
            """).auxiliary("A.id", "A.n");
    }

    @Test
    public void enumsAndSwitches() {
        Inferred.actor("""
            enum Mode { IDLE, BUSY }
            Mode mode = Mode.IDLE; int n; int idle;
            record M(Mode mode, int x) {}
            @Handler void on(M m) {
                switch (mode) { case IDLE: idle++; break; case BUSY: idle = 0; break; default: }
                mode = mode == Mode.IDLE ? Mode.BUSY : Mode.IDLE;
                n = switch (m.x()) { case 1 -> 2; case 2 -> 5; default -> 0; };
            }""").auxiliary("A.mode", "A.n", "A.idle", "A$M.x", "A$M.mode");
    }

    @Test
    public void inheritedFieldsAreNamedAsInTheFormat() {
        new Inferred("""
            abstract class Base extends Actor { int n; int r; ActorName peer;
                @Handler void on(String s) { n++; hook(); if (r > 0) send(peer, s); } abstract void hook(); }
            class A extends Base { private int n; int q; void hook() { n++; q = n; } }
            class B extends Base { void hook() { r = 1; } }
            """).auxiliary("A.n", "A.A.n", "A.q", "B.n").relevant("A.r", "B.r", "B.peer");
    }

    @Test
    public void auxiliaryObjectsMadeUnderAnAuxiliaryCondition() {
        Inferred.actor("""
            record M(int x, int y) {}
            int n; M last = new M(0, 0);
            @Handler void on(M m) {
                n++;
                if (n > 3) last = new M(m.x(), n);
                if (m.x() > 0) send(peer, new M(m.x() - 1, n));
            }""").auxiliary("A.n", "A.last", "A$M.y").relevant("A$M.x");
    }
}
