package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;

import harrier.runtime.analysis.slice.FieldFact;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** Which fields invariants may read. */
public class VisibleFieldsTest {
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

    private VisibleFieldsTest sees(String properties, String... fields) {
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

    private VisibleFieldsTest invariant(String body, String... fields) {
        return sees("@Invariant boolean holds() { " + body + " }", fields);
    }

    @Test
    public void eachPropertyByItself() {
        sees("");
        sees("protected boolean expectFinal() { return all().allMatch(a -> a.n > 0); }"
            + " @Final boolean end() { return all().allMatch(a -> a.n > 1); }"
            + " @Invariant boolean other() { return all().allMatch(a -> a.other > 0 && a.time() != null); }", "A.n", "A.other");
        for (FieldFact f : decomposition.fields()) {
            Set<String> readers = f.field().equals("n") ? Set.of("expectFinal", "end") : f.field().equals("other") ? Set.of("other") : Set.of();
            assertEquals(f.field(), readers, f.seen().keySet());
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

    /** What an invariant may read of objects inside of actors; a field is taken to be read wherever it is not known to be unseen. */
    private void inside(String body, String... fields) {
        Decomposition of = new Inferred("""
            import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*; import java.util.stream.*;
            class A extends Actor {
                record Go(int k) {}
                interface Rule { boolean holds(); }
                static class Base { int k; }
                static final class Box extends Base implements Comparable<Box>, Cloneable {
                    List<Integer> log = new ArrayList<>(); int count; volatile int updated; int[] few = new int[2];
                    static final AtomicIntegerFieldUpdater<Box> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Box.class, "updated");
                    public int compareTo(Box b) { return k - b.k; }
                    @Override public Box clone() {
                        try { return (Box) super.clone(); } catch (CloneNotSupportedException e) { return null; }
                    }
                    int count() { return count; }
                    Rule rule() { return () -> count > 0; }
                }
                static final class Items extends AbstractList<Integer> {
                    int size, unused;
                    public Integer get(int i) { return i; }
                    public int size() { return size; }
                }
                static final class Bag implements Iterable<Integer> {
                    int inside, size;
                    public Iterator<Integer> iterator() { return inside > 0 ? null : new ArrayList<Integer>().iterator(); }
                    int size() { return size; }
                }
                static final class Later extends java.util.concurrent.CompletableFuture<Integer> {
                    int asked;
                    @Override public boolean isDone() { return asked++ > 0; }
                }
                Bag bag = new Bag(); Later later = new Later();
                record Adding(Box to) implements Consumer<Integer> { public void accept(Integer i) { to.count += i; } }
                Runnable task = new Runnable() { public void run() { box.count++; } };
                Box box = new Box(); Items items = new Items(); List<Box> boxes = new ArrayList<>();
                Adding adding = new Adding(box);
                Map<Box, Integer> sorted = new TreeMap<>(); Map<Box, Integer> hashed = new HashMap<>();
                Set<Box> byCount = new TreeSet<>(Comparator.comparing(Box::count));
                Comparator<Box> order = Comparator.comparingInt(Box::count).reversed();
                Rule rule = box.rule(); Supplier<Integer> counting = box::count; Object any = box;
                @Handler void on(Go m) { box.k++; box.updated++; items.unused++; items.size++; box.few[0]++; }
            }
            class S extends Scenario {
                protected void setUp() { create("a", new A()); }
                @Invariant boolean holds() { return actors(A.class).allMatch(a -> {
            """ + body + " }); }\n}").decomposition;
        TreeSet<String> read = new TreeSet<>(Set.of("Box.k", "Box.log", "Box.count", "Box.updated", "Box.few", "Items.size", "Items.unused",
            "Bag.inside", "Bag.size", "Later.asked"));
        of.objects().stream().filter(f -> !f.seen().contains("holds")).forEach(f -> read.remove(f.type().replace("A$", "") + "." + f.field()));
        assertEquals(body, new TreeSet<>(List.of(fields)), read);
    }

    @Test
    public void insideOfActors() {
        // Items.size and Bag.inside are read by what code outside may call of its own accord.
        inside("return a.box.log.size() < 9;", "Box.log", "Items.size", "Bag.inside");
        inside("return a.box.count() < 9;", "Box.count", "Items.size", "Bag.inside");
        inside("return a.box.few.length < 9;", "Box.few", "Items.size", "Bag.inside");
        inside("return a.box.clone().k < 9;", "Box.k", "Items.size", "Bag.inside");
        inside("return a.any == a.box;", "Items.size", "Bag.inside");
        inside("return a.any.getClass().getSimpleName().isEmpty();", "Items.size", "Bag.inside");
        inside("return a.adding != null && a.task != null;", "Items.size", "Bag.inside");
        inside("return a.adding.to() != null;", "Items.size", "Bag.inside");
        inside("Optional.of(1).ifPresent(a.adding); return true;", "Box.count", "Box.k", "Items.size", "Bag.inside", "Later.asked");
        inside("return a.later.isDone();", "Items.size", "Bag.inside", "Later.asked");
        inside("Object o = a.later; return o instanceof Future<?> f && f.isDone();", "Box.count", "Box.k", "Items.size", "Bag.inside", "Later.asked");
        inside("for (int i : a.bag) { if (i > 0) { return false; } } return true;", "Items.size", "Bag.inside");
        inside("a.task.run(); return true;", "Box.count", "Box.k", "Items.size", "Bag.inside", "Later.asked");
        inside("return a.hashed.isEmpty();", "Items.size", "Bag.inside");
        inside("return a.rule.holds();", "Box.count", "Box.k", "Items.size", "Bag.inside", "Later.asked");
        inside("return a.counting.get() < 9;", "Box.count", "Box.k", "Items.size", "Bag.inside", "Later.asked");
    }

    @Test
    public void whatComparatorsAndUpdatersRead() {
        inside("return a.sorted.containsKey(a.box);", "Box.count", "Box.k", "Items.size", "Bag.inside");
        inside("return a.byCount.contains(a.box);", "Box.count", "Box.k", "Items.size", "Bag.inside");
        inside("return a.order.compare(a.box, a.box) == 0;", "Box.count", "Box.k", "Items.size", "Bag.inside");
        inside("return Collections.max(a.boxes, a.order) == null;", "Box.count", "Box.k", "Items.size", "Bag.inside");
        inside("return A.Box.UPDATER.get(a.box) < 9;", "Box.count", "Box.few", "Box.k", "Box.log", "Box.updated", "Items.size",
            "Items.unused", "Bag.inside", "Bag.size", "Later.asked");
    }
}
