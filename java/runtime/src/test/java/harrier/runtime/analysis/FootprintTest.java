package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;

import harrier.runtime.analysis.footprint.Footprint;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.Test;

/** What handlers may do. Each test has a handler for {@code M}, and asks for one of its parts. */
public class FootprintTest {
    private static final String MEMBERS = """
        record M(int k, ActorName who, List<Integer> some) {} record U() {}
        int a; int b; List<Integer> list = new ArrayList<>(); List<Integer> other = new ArrayList<>();
        Map<Integer, Set<Integer>> map = new HashMap<>(); Helper helper = new Helper(); final List<ActorName> names;
        Runnable kept;
        A() { names = List.of(); }
        static class Helper { int count; List<Integer> held = new ArrayList<>(); void up() { count++; } }
        interface Action { void run(int i); }
        @Handler void on(U u) { b = a; }
        """;

    private static Footprint of(String members, String code) {
        String text = "import java.util.function.*; class A extends Actor { ActorName peer;" + MEMBERS + members
            + "\n@Handler void on(M m, ActorName from) throws Exception {\n" + code + "\n}}"
            + "class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }";
        return new Inferred(text).decomposition.footprints().stream()
            .filter(f -> f.handler().equals("A.on(M, ActorName)")).findFirst().orElseThrow();
    }

    private static String fields(List<Footprint.Touch> touches) {
        return touches.stream().map(t -> t.field().replaceFirst("^A[.$]", "")).sorted().collect(Collectors.joining(" "));
    }

    private static void writes(String code, String fields) {
        assertEquals(code, fields, fields(of("", code).writes()));
    }

    private static void reads(String code, String fields) {
        assertEquals(code, fields, fields(of("", code).reads()));
    }

    private static void sends(String members, String code, String... sends) {
        assertEquals(code, new TreeSet<>(List.of(sends)), of(members, code).sends().stream()
            .map(s -> s.type() + " " + s.to().ordinal() + s.field()).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    public void fieldsThatAreWritten() {
        writes("a = 1;", "a");
        writes("up(); } void up() { b++;", "b");
        writes("new Helper().count = 3;", "");
        writes("helper.up();", "Helper.count");
        writes("helper = new Helper();", "helper");
    }

    @Test
    public void collectionsThatAreChanged() {
        writes("list.add(1);", "list");
        writes("List<Integer> l = m.k() > 0 ? list : other; l.clear();", "list other");
        writes("change(other); } void change(List<Integer> l) { l.clear();", "other");
        writes("map.get(1).add(2);", "map");
        writes("for (Iterator<Integer> i = list.iterator(); i.hasNext();) { if (i.next() > 3) i.remove(); }", "list");
        writes("map.values().forEach(s -> s.clear());", "map");
        writes("list.subList(0, 1).clear();", "list");
        writes("helper.held.add(1);", "Helper.held");
        writes("Collections.sort(list);", "list");
        writes("list.forEach(other::add);", "other");
        writes("map.computeIfAbsent(1, k -> new HashSet<>()).add(3);", "map");
        writes("int n = list.size() + list.indexOf(3) + map.get(1).size();", "");
        writes("List<Integer> mine = new ArrayList<>(list); mine.add(3);", "");
    }

    /** An array within an array, and a list behind its view, change with what holds them. */
    @Test
    public void arraysInArraysAndViewsOfLists() {
        String members = "int[][] grid = new int[2][2]; List<Integer> mine = new ArrayList<>();"
            + "List<Integer> view = Collections.unmodifiableList(mine); ";
        for (String code : List.of("grid[0][1] = 3;", "int[] row = grid[0]; row[1] = 3;", "Arrays.fill(grid[0], 3);")) {
            assertEquals(code, "grid", fields(of(members, code).writes()));
        }
        assertEquals("mine view", fields(of(members, "mine.add(3);").writes()));
    }

    /** A collection that is in two fields changes in both. */
    @Test
    public void collectionsInTwoFields() {
        assertEquals("list other", fields(of("@Handler void on(Integer i) { other = list; }", "list.add(1);").writes()));
        assertEquals("list map", fields(of("Set<Integer> own = new HashSet<>(); @Handler void on(Integer i) { map.put(1, own); }",
            "own.add(1); list.add(2);").writes().stream().filter(t -> !t.field().endsWith("own")).toList()));
    }

    @Test
    public void fieldsThatAreRead() {
        reads("if (a > 0) b = 1;", "a");
        reads("reply(new M(1, null, list));", "list");
        reads("list.removeIf(i -> i > a);", "a list");
        reads("helper.up();", "Helper.count helper");
        reads("map.values().stream().filter(s -> s.size() > a).count();", "a map");
    }

    @Test
    public void unknownCode() {
        writes("kept = () -> a++; kept.run();", "* a kept the agenda");
        writes("for (var f : A.class.getDeclaredFields()) { f.setInt(this, 1); }", "* the agenda");
        reads("kept.run();", "* kept the agenda");
        assertEquals("Program.java:11: uses a function that was made elsewhere", of("", "kept.run();").reads().stream()
            .filter(t -> t.field().equals("*")).findFirst().orElseThrow().where());
    }

    @Test
    public void whoGetsMessages() {
        sends("", "reply(new U());", "A$U 1");
        sends("", "send(from, new U());", "A$U 1");
        sends("", "send(self(), new U());", "A$U 2");
        sends("", "send(peer, new U());", "A$U 3A.peer");
        sends("", "send(names, new U()); send(names.get(1), m);", "A$M 3A.names", "A$U 3A.names");
        sends("", "for (ActorName n : names) send(n, new U());", "A$U 3A.names");
        sends("", "names.forEach(n -> send(n, new U()));", "A$U 3A.names");
        sends("", "send(m.who(), new U());", "A$U 0");
        sends("@Handler void on(String s, ActorName x) { peer = x; }", "send(peer, new U());", "A$U 0");
        sends("List<ActorName> known = new ArrayList<>(); @Handler void on(String s, ActorName x) { known.add(x); }",
            "send(known, new U());", "A$U 0");
        // One function for what a list holds and for something else, and classes whose methods have names of the JDK's.
        sends("", "Consumer<ActorName> f = n -> send(n, new U()); names.forEach(f); Optional.of(m.who()).ifPresent(f);", "A$U 0", "A$U 3A.names");
        sends("", "Function<ActorName, ActorName> f = n -> { send(n, new U()); return n; }; names.stream().map(f).count();"
            + " new HashMap<ActorName, ActorName>().computeIfAbsent(m.who(), f);", "A$U 0", "A$U 3A.names");
        sends("class Peers extends AbstractList<ActorName> { ActorName one; public int size() { return 1; }"
            + " public ActorName get(int i) { return one; } } final Peers peers = new Peers();",
            "peers.one = m.who(); send(peers.iterator().next(), new U()); peers.forEach(n -> send(n, new U()));", "A$U 0");
        sends("void tell(ActorName to, Object what) { send(to, what); }", "tell(from, new U()); tell(peer, m);",
            "A$M 1", "A$M 3A.peer", "A$U 1", "A$U 3A.peer");
        sends("Object any;", "reply(any);", " 1");
    }

    @Test
    public void whatElseHappens() {
        Footprint f = of("", "invoked(m); stop(); create(\"x\", new A());");
        assertEquals("true true true", f.records() + " " + f.stops() + " " + f.creates());
        assertEquals("the agenda", fields(of("", "setTimer(new U(), java.time.Duration.ofSeconds(1));").writes()));
        assertEquals("the agenda", fields(of("", "eventLoop().execute(() -> { });").writes()));
        assertEquals("the agenda", fields(of("", "clock().instant();").reads()));
        assertEquals("the agenda", fields(of("@Handler void on(String s) { setTimer(m(), java.time.Duration.ofSeconds(1)); }"
            + " M m() { return new M(1, null, null); }", "").writes()));
    }

    /** What a method does goes by its class and parameters: others of its name may do less. */
    @Test
    public void methodsOfOneName() {
        String members = "IntSummaryStatistics sum = new IntSummaryStatistics(); Integer[] some = new Integer[2]; int[] stamp = {0};"
            + "java.util.concurrent.atomic.AtomicStampedReference<String> at = new java.util.concurrent.atomic.AtomicStampedReference<>(\"\", 1);";
        for (String code : List.of("sum.accept(3);", "IntConsumer c = sum; c.accept(3);", "OptionalInt.of(3).ifPresent(sum);")) {
            assertEquals(code, "sum", fields(of(members, code).writes()));
        }
        assertEquals("", fields(of(members, "int i = sum.getMax() + at.getStamp(); at.getReference();").writes()));
        assertEquals("stamp", fields(of(members, "at.get(stamp);").writes().stream().filter(t -> !t.field().endsWith("at")).toList()));
        assertEquals("some", fields(of(members, "list.toArray(some);").writes().stream().filter(t -> !t.field().endsWith("list"))
            .toList()));
        assertEquals("", fields(of(members, "list.toArray();").writes()));
        assertEquals("* text the agenda", fields(of("StringBuilder text = new StringBuilder();",
            "new java.util.Formatter(text).format(\"%d\", 3);").writes()));
        assertEquals("", fields(of("", "String.format(\"%d\", list.size());").writes()));
    }

    /** Methods of the program that code outside calls. */
    @Test
    public void callbacks() {
        sends("java.util.concurrent.CompletableFuture<String> f = new java.util.concurrent.CompletableFuture<>();"
            + "@Handler void on(String s) { f.thenAccept(v -> send(peer, new U())); }", "f.complete(\"x\");", " 0");
        sends("class Cache extends LinkedHashMap<Integer, Integer> { boolean removeEldestEntry(Map.Entry<Integer, Integer> e) {"
            .replace("boolean", "@Override protected boolean")
            + " send(peer, new U()); return false; } } Map<Integer, Integer> cache = new Cache();", "cache.put(1, 2);", "A$U 3A.peer");
        sends("class Each extends AbstractList<Integer> { public int size() { return 1; } public Integer get(int i) {"
            + " reply(new U()); return i; } }", "for (int i : new Each()) a = i;", "A$U 1");
        sends("class Order implements Comparator<Integer> { public int compare(Integer i, Integer j) { reply(new U()); return 0; } }",
            "list.sort(new Order());", "A$U 1");
        sends("Map<Integer, Supplier<U>> by = new HashMap<>();"
            + "@Handler void on(String s) { by.put(1, () -> { send(peer, new U()); return null; }); }",
            "by.get(1).get();", " 0");
        sends("List<Supplier<U>> more = new ArrayList<>();", "more.forEach(s -> s.get());", " 0");
        writes("map.entrySet().stream().collect(java.util.stream.Collectors.toMap(e -> e.getKey(), e -> { e.getValue().add(3); return 1; }));", "*");
    }

    @Test
    public void guards() {
        String text = "class A extends Actor { int a; int b; record M() {} @Handler(when = \"ok\") void on(M m) { b++; }"
            + " boolean ok(M m) { return a > 0 && deep(); } boolean deep() { return b > 0; } boolean ok(String s) { return true; } }";
        Footprint f = new Inferred(text).decomposition.footprints().get(0);
        assertEquals("a b", fields(f.guardReads()));
        assertEquals("b", fields(f.writes()));
    }
}
