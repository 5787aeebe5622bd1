package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** Which fields invariants may read. */
public class SightTest {
    private static final String ACTOR = """
        import java.util.function.*; import java.util.stream.*;
        class A extends Actor {
            int n; int other; List<Integer> log = new ArrayList<>(); Object box; Set<M> sent = new TreeSet<>();
            Predicate<Integer> test = i -> i > other; Comparator<M> order = (a, b) -> a.k - b.k; M last;
            record M(int k, String text) implements Comparable<M> {
                public int compareTo(M m) { return k - m.k; }
            }
            static final class Own {
                final int id; int count;
                Own(int id) { this.id = id; }
                @Override public boolean equals(Object o) { return o instanceof Own p && p.id == id; }
                @Override public int hashCode() { return id; }
            }
            @Handler void on(M m) { n++; other++; last = new M(n, ""); log.add(n); box = new Own(n); sent.add(m); }
            @Handler void on(Own m) { m.count++; log.removeIf(i -> i > other); }
            int n() { return n; }
            java.time.Instant time() { return clock().instant(); }
        }
        """;

    private final TreeSet<String> seen = new TreeSet<>();
    private Decomposition decomposition;

    private SightTest sees(String properties, String... fields) {
        decomposition = new Inferred(ACTOR + """
            class S extends Scenario {
                Predicate<A> kept = a -> a.last == null;
                protected void setUp() { create("a", new A()); }
                Stream<A> all() { return actors(A.class); }
            """ + properties + "\n}").decomposition;
        seen.clear();
        for (FieldFact f : decomposition.fields()) {
            if (!f.seen().isEmpty()) {
                seen.add(f.type().replace("A$", "") + "." + f.field());
            }
        }
        assertEquals(properties, new TreeSet<>(List.of(fields)), seen);
        return this;
    }

    private SightTest invariant(String body, String... fields) {
        return sees("@Invariant boolean holds() { " + body + " }", fields);
    }

    @Test
    public void eachPropertyByItself() {
        sees("");
        sees("protected boolean expectFinal() { return all().allMatch(a -> a.n > 0); }"
            + " @Invariant boolean other() { return all().allMatch(a -> a.other > 0 && a.time() != null); }", "A.n", "A.other");
        for (FieldFact f : decomposition.fields()) {
            Set<String> seeing = f.field().equals("n") ? Set.of("expectFinal") : f.field().equals("other") ? Set.of("other") : Set.of();
            assertEquals(f.field(), seeing, f.seen().keySet());
        }
        assertEquals(Set.of("other"), decomposition.agendaSeen());
    }

    @Test
    public void whatTheirCodeReads() {
        invariant("return all().allMatch(a -> a.n > 0);", "A.n");
        assertEquals(Set.of(), decomposition.agendaSeen());
        invariant("return all().mapToInt(A::n).sum() > 0;", "A.n");
        invariant("for (Iterator<A> i = all().iterator(); i.hasNext();) if (i.next().other > 0) return true; return false;",
            "A.other");
        invariant("return all().allMatch(a -> a.log.size() > 3);", "A.log");
        invariant("return all().allMatch(a -> a.last.k() > 3);", "A.last", "M.k");
        sees("@Invariant boolean one() { return two(); } boolean two() { return all().anyMatch(a -> a.n == 0); }"
            + " boolean three() { return all().anyMatch(a -> a.other == 0); }", "A.n");
    }

    @Test
    public void whatCodeOutsideComparesOrPrints() {
        // The comparator is one that the program made.
        invariant("return all().allMatch(a -> a.log.contains(3));", "A.log", "M.k", "M.text", "Own.id");
        invariant("return all().map(a -> a.last).distinct().count() > 1;", "A.last", "M.k", "M.text", "Own.id");
        invariant("return all().allMatch(a -> (\"\" + a.box).equals(\"\"));", "A.box", "M.k", "M.text", "Own.id");
        invariant("return all().allMatch(a -> (\"\" + a.n).equals(\"1\"));", "A.n");
    }

    @Test
    public void whatFunctionsRead() {
        invariant("return all().allMatch(a -> a.test.test(3));", "A.last", "A.test", "A.other", "M.k", "M.text", "Own.id");
        invariant("return all().allMatch(kept);", "A.last", "A.other", "M.k", "M.text", "Own.id");
        assertEquals(Set.of("holds"), decomposition.agendaSeen());
        invariant("Predicate<A> p = a -> a.n == 0; return all().allMatch(p);", "A.n");
    }

    @Test
    public void everythingWhereNothingIsKnown() throws Exception {
        invariant("try { return A.class.getDeclaredField(\"n\") != null; } catch (Exception e) { return false; }",
            "A.box", "A.last", "A.log", "A.n", "A.order", "A.other", "A.sent", "A.test", "M.k", "M.text", "Own.count", "Own.id");
        assertEquals(Set.of("holds"), decomposition.agendaSeen());
        assertEquals("Program.java:23: calls Class.getDeclaredField", decomposition.fields().get(0).seen().get("holds"));
    }

    @Test
    public void theAgenda() {
        invariant("return all().allMatch(a -> a.time() != null);");
        assertEquals(Set.of("holds"), decomposition.agendaSeen());
    }
}
