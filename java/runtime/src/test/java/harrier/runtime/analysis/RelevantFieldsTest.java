package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;

import harrier.runtime.UserProgram;
import harrier.runtime.load.compile.ProgramClasses;
import org.junit.Test;

/** Ways in which a field that looks harmless may matter. Each must be noticed. */
public class RelevantFieldsTest {
    /** The handler's code is under test: it may send {@code M}, whose first component decides things. */
    private static Inferred handler(String fields, String code) {
        return Inferred.actor("record M(int x, int y) {}\n" + fields + "\n@Handler void on(M m) {\n" + code
            + "\nif (m.x() == 5) send(peer, new M(1, 2));\n}\nint x(int i) { return i + 1; }");
    }

    @Test
    public void guards() {
        Inferred.actor("""
            int n; int k; boolean g; @Handler(when = "g") void on(String s) { n++; }
            boolean g() { return n < 3; }
            @Handler(when = "h") void on(Integer i) { k++; }
            boolean h(Integer i) { if (k > 3) { return false; } return true; }
            """).relevant("A.n", "A.k").auxiliary("A.g");
    }

    @Test
    public void whetherToWhomWhatAndHowMuch() {
        handler("int n;", "n++; if (n > 3) reply(m);").relevant("A.n");
        handler("ActorName n;", "send(n, m); n = self();").relevant("A.n");
        handler("int n;", "n++; send(n > 1 ? peer : self(), m);").relevant("A.n");
        handler("int n; record N(int z) {}", "n++; send(peer, n > 2 ? m : new N(1));").relevant("A.n");
        handler("int n;", "n++; M a = m; M b = new M(0, 0); M c = a; if (n > 2) c = b; reply(c);").relevant("A.n");
        handler("int n;", "n++; reply(new M(n, 0));").relevant("A.n").auxiliary("A$M.y");
        handler("int n;", "n++; reply(n);").relevant("A.n");
        handler("int n;", "n++; reply(\"n is \" + n);").relevant("A.n");
        handler("List<Integer> n = new ArrayList<>();", "n.add(1); reply(List.copyOf(n));").relevant("A.n");
        handler("int n;", "n++; if (n > 3) return; reply(m);").relevant("A.n");
        handler("int n; class N extends Actor {}", "n++; if (n > 3) create(\"n\", new N());").relevant("A.n");
        handler("int n;", "n = choose(n + 1);").relevant("A.n");
        handler("int n;", "n++; if (n > 3) choose(2);").relevant("A.n");
    }

    /** A property reads {@code a} and {@code b}, {@code c} flows into {@code b}, and what a handler sends depends on {@code b} and {@code e}. */
    @Test
    public void forProperties() {
        String actor = """
            class A extends Actor {
                int a; int c; int d; int e; int f; int g; int b;
                int e() { return e; }
                @Handler void on(Integer m) { a += m; d += m; e += m; f += m; g += m; c = a; %s }
            }
            class S extends Scenario {
                protected void setUp() { create("a", new A()); }
                @Invariant boolean holds() { return actors(A.class).allMatch(x -> { for (int i = x.f; i < x.g; i++) {} return x.b + x.e() < 9 && x.a < 5; }); }
            }""";
        new Inferred(actor.formatted("b = c;")).relevant("A.a", "A.b", "A.c", "A.e", "A.f", "A.g").auxiliary("A.d")
            .forProperties("A.a", "A.b", "A.c", "A.e", "A.f", "A.g");
        new Inferred(actor.formatted("b = c; if (b + e() > 3) reply(m);")).forProperties("A.f", "A.g");
        new Inferred(actor.formatted("if (e() > 3) reply(m);")).auxiliary("A.c", "A.d").forProperties("A.a", "A.b", "A.f", "A.g");
    }

    @Test
    public void whatAChildStartsWith() {
        handler("int n; static class C extends Actor { int k; int l; ActorName p; C(int k) { this.k = k; l = k; }"
            + " protected void start() { if (k > 2) send(p, \"x\"); } }", "n++; create(\"c\", new C(n));")
            .relevant("A.n", "A$C.k").auxiliary("A$C.l");
    }

    /** Handlers may move the clock until what tells the time fails, so it matters who asks. */
    @Test
    public void whetherTheTimeIsRead() {
        for (String time : new String[] {"System.currentTimeMillis()", "System.nanoTime()", "clock().millis()",
            "java.time.Instant.now().toEpochMilli()", "java.time.Clock.systemUTC().millis()", "new Date().getTime()"}) {
            handler("int n; long t; long k;", "n++; k = m.y(); if (n > 3) t = " + time + ";")
                .relevant("A.n").auxiliary("A.t", "A.k");
        }
    }

    @Test
    public void sendsTwoCallsAway() {
        handler("int n; void f() { g(); } void g() { h(); } void h() { reply(\"x\"); }", "n++; if (n > 3) f();")
            .relevant("A.n");
    }

    @Test
    public void chainsOfFields() {
        handler("int n; int k; int l;", "n++; k = n * 2; if (k > 3) l = 1; if (l == 1) reply(m);")
            .relevant("A.n", "A.k", "A.l")
            .reason("A.n", "A.n: read by A.on(M) (Program.java:6), which flows into A.k",
                "A.k: read by A.on(M) (Program.java:6), which decides whether A.l is written",
                "A.l: read by A.on(M) (Program.java:6), which decides whether M is sent");
        handler("int n; boolean late;", "late |= n++ > 3; if (late && m.x() > 0) reply(m);").relevant("A.n", "A.late");
    }

    @Test
    public void aliases() {
        new Inferred("""
            class A extends Actor {
                final List<Integer> log; final List<Integer> work; int n; ActorName peer; int k; record M(int x) {}
                A() { this(new ArrayList<>()); }
                A(List<Integer> shared) { log = shared; work = shared; }
                @Handler void on(M m) { log.add(n); if (work.size() > 3) send(peer, m); k++; }
            }""").relevant("A.log", "A.work", "A.n").auxiliary("A.k");
        handler("final List<List<Integer>> all = new ArrayList<>(); final List<Integer> mine = new ArrayList<>(); int n;",
            "all.add(mine); all.get(0).add(n); if (mine.size() > 2) reply(m);").relevant("A.all", "A.mine", "A.n");
        handler("static class Box { int v; } Box a = new Box(); Box b = a; int n;",
            "n++; b.v = n; if (a.v > 3) reply(m);").relevant("A.n", "A.a");
        handler("int[] a = new int[3]; int[] b = a; int n;", "n++; b[0] = n; if (a[0] > 3) reply(m);").relevant("A.n");
    }

    @Test
    public void changesThroughOtherReferences() {
        handler("final List<Integer> a = new ArrayList<>(); final List<Integer> b = new ArrayList<>(); int n;",
            "List<Integer> l = a; if (m.y() > 1) l = b; l.add(n++); if (a.contains(3)) reply(m);")
            .relevant("A.a", "A.n", "A$M.y");
        handler("final int[] a = new int[3]; int n; void put(int[] b, int v) { b[0] = v; }",
            "put(a, n++); if (a[0] > 3) reply(m);").relevant("A.a", "A.n");
        handler("final int[] a = new int[3]; int n; int[] get() { return a; }",
            "get()[0] = n++; if (a[0] > 3) reply(m);").relevant("A.a", "A.n");
    }

    @Test
    public void iteratorsAndViews() {
        handler("final List<Integer> log = new ArrayList<>(); int n;",
            "log.add(n); for (int i : log) { if (i > 3) reply(m); }").relevant("A.log", "A.n");
        handler("final Map<Integer, Integer> log = new HashMap<>(); int n;",
            "log.put(1, n); if (log.values().contains(3)) reply(m);").relevant("A.log", "A.n");
        handler("final Map<Integer, Integer> log = new HashMap<>(); int n; int k;",
            "k = n; for (Map.Entry<Integer, Integer> e : log.entrySet()) e.setValue(k); if (log.get(1) > 2) reply(m);")
            .relevant("A.log", "A.n", "A.k");
    }

    @Test
    public void loops() {
        handler("int n;", "n++; for (int i = 0; i < n; i++) { }").relevant("A.n");
        handler("int n;", "n++; int i = 0; while (true) { if (i++ > n) break; }").relevant("A.n");
        handler("int n;", "if (n++ > 3) { while (true) { } }").relevant("A.n");
        Inferred.actor("int n; @Handler void on(String s) { if (n++ > 3) { while (true) { } } }").relevant("A.n");
        handler("int n; void f(int i) { if (i > 0) f(i - 1); }", "f(n++);").relevant("A.n");
        handler("List<Integer> n = new ArrayList<>();", "n.add(1); while (n.size() > 3) n.remove((Object) 1);")
            .relevant("A.n");
    }

    @Test
    public void exceptions() {
        handler("Integer n;", "int i = n + 1; n = null;").relevant("A.n");
        handler("String n;", "if (n.isEmpty()) n = null;").relevant("A.n");
        handler("int n; int[] a = new int[3];", "n++; a[n] = 1;").relevant("A.n");
        handler("int n; final int[] a = new int[3];", "n++; int i = a[n];").relevant("A.n");
        handler("Object n;", "String s = (String) n; n = m;").relevant("A.n");
        handler("int n;", "n = 7 / n;").relevant("A.n");
        handler("long n;", "n = 7 % n;").relevant("A.n");
        handler("int n; int k;", "n++; if (n > 3) k = 1 / m.y();").relevant("A.n", "A$M.y").auxiliary("A.k");
        handler("int n;", "n++; if (n > 3) throw new IllegalStateException();").relevant("A.n");
        handler("int n;", "n++; assert n < 3;").relevant("A.n");
        handler("int n; static final RuntimeException E = new IllegalStateException();", "if (n++ > 3) throw E;")
            .relevant("A.n");
        Inferred.actor("int n; static final RuntimeException E = new IllegalStateException();"
            + " @Handler void on(String s) { if (n++ > 3) throw E; }").relevant("A.n");
        handler("int n;", "if (n++ > 3) Objects.checkIndex(5, 3);").relevant("A.n");
        handler("int n;", "n++; assert n < 3 : \"n\";").relevant("A.n");
        handler("int n;", "n++; try { if (n > 3) throw new Exception(\"x\"); } catch (Exception e) { reply(m); }")
            .relevant("A.n");
        handler("int n;", "n++; try { throw new Exception(\"x\" + n); } catch (Exception e) { reply(e.getMessage()); }")
            .relevant("A.n");
        handler("int n;", "n++; int[] a = new int[n];").relevant("A.n");
        handler("final Deque<Integer> n = new ArrayDeque<>();", "n.add(1); n.removeFirst();").relevant("A.n");
        handler("final Deque<String> n = new ArrayDeque<>(); String k;", "n.add(k); k = null;").relevant("A.k")
            .auxiliary("A.n");
        handler("final Map<String, Integer> n = new TreeMap<>(); String k;", "n.put(k, 1); k = null;").relevant("A.k")
            .auxiliary("A.n");
        handler("final List<Object> n = new ArrayList<>();", "n.add(1); String s = (String) n.get(0);").relevant("A.n");
        handler("final LinkedList<Object> n; A() { LinkedList<Object> l = new LinkedList<>(); l.add(1); n = new LinkedList<>(l); }",
            "String s = (String) n.peek();").relevant("A.n");
        handler("final Map<String, Integer> n = new HashMap<>();", "n.put(\"k\", n.get(\"k\") + 1);").relevant("A.n");
        handler("List<Integer> n = new ArrayList<>();", "n.add(1); if (m.x() > 2) n = null;").relevant("A.n");
        handler("List<Integer> n = List.of();", "n.add(1);").relevant("A.n");
        handler("String n = \"\";", "n = n.substring(1);").relevant("A.n");
        handler("int n; final List<Integer> l = new ArrayList<>();", "n++; l.get(n);").relevant("A.n", "A.l");
    }

    @Test
    public void keysThatMayFail() {
        String bad = "static class K { int v; public int hashCode() { return 1 / v; } }";
        handler(bad + " K n = new K(); final Set<K> s = new HashSet<>();", "n.v++; s.add(n);").relevant("A.n");
        handler("record K(Object o) {} Object n; final Set<K> s = new HashSet<>();", "n = m; s.add(new K(n));")
            .relevant("A.n");
        handler("record K(int v) {} int n; final Map<K, Integer> s = new TreeMap<>();", "n++; s.put(new K(n), 1);")
            .relevant("A.n");
        handler("final Set<Object> s = new TreeSet<>(); int n;", "s.add(1); if (n++ > 3) s.add(\"x\");")
            .relevant("A.n", "A.s");
    }

    @Test
    public void ordersOfTheirOwn() {
        handler("final Set<Integer> s = new TreeSet<>((a, b) -> 1 / (a - b)); int n;", "s.add(n++);").relevant("A.n", "A.s");
        handler("final Set<Integer> s; int n; A() { s = new TreeSet<>(Comparator.reverseOrder()); }", "s.add(n++);")
            .relevant("A.n", "A.s");
    }

    @Test
    public void guardsOfUnknownMessages() {
        Inferred.actor("""
            record M(int x, int y) {}
            int n; @Handler(when = "g") void on(M m) { n++; }
            boolean g(Object o) { return o.hashCode() > 3; }
            """).relevant("A$M.x", "A$M.y").auxiliary("A.n");
    }

    @Test
    public void nativeMethodsMayDoAnythingWhereTheyRun() {
        handler("int n; native void f();", "n++; f();").auxiliary("A.n"); // f fails
        ProgramClasses program = UserProgram.compile("class A extends Actor { int n; native void f();"
            + " @Handler void on(String m) { n++; f(); } } class S extends Scenario { protected void setUp() { } }");
        assertEquals("A.f, called by A.on(String) (Program.java:1), cannot be analysed", Decomposition.of(program, "S",
            new Decomposition.Settings(true, true, false, false, false, false, false)).unknown());
    }

    @Test
    public void equalityOfRecords() {
        Inferred.actor("""
            record M(int x, String unread) {} record N(int x, String unread) {}
            final Set<M> seen = new HashSet<>();
            @Handler void on(M m) { seen.add(m); if (seen.size() > 3) reply("many"); }
            @Handler void on(N n) { if (n.x() > 1) reply(n); }
            """).relevant("A.seen", "A$M.x", "A$M.unread", "A$N.x").auxiliary("A$N.unread");
        Inferred.actor("""
            record M(int x, String unread) {}
            M last;
            @Handler void on(M m) { if (m.equals(last)) reply("again"); last = m; }
            """).relevant("A.last", "A$M.x", "A$M.unread");
        Inferred.actor("""
            record M(int x, String unread) {}
            @Handler void on(M m) { if (m.toString().length() > 10) reply("long"); }
            """).relevant("A$M.x", "A$M.unread");
        Inferred.actor("""
            record M(int x, String unread) {}
            @Handler void on(M m) { reply("got " + m); }
            """).relevant("A$M.x", "A$M.unread");
    }

    @Test
    public void messagesThatAreKept() {
        Inferred.actor("""
            record M(int x, String unread) {}
            M best = new M(0, "");
            @Handler void on(M m) { if (m.x() > best.x()) { best = m; reply("better"); } }
            """).relevant("A.best", "A$M.x", "A$M.unread");
    }

    @Test
    public void messagesOfUnknownType() {
        Inferred.actor("""
            record M(int x, String unread) {}
            @Handler void on(Object o) { if (o.hashCode() > 3) reply(new M(1, "")); }
            """).relevant("A$M.x", "A$M.unread");
    }

    @Test
    public void lambdas() {
        handler("int n; final List<ActorName> all = new ArrayList<>();",
            "n++; all.forEach(p -> { if (n > 3) send(p, m); });").relevant("A.n");
        handler("int n; final List<Integer> all = new ArrayList<>();",
            "n++; int k = n; if (all.stream().anyMatch(i -> i > k)) reply(m);").relevant("A.n");
        handler("int n; Runnable r() { int k = n++; return () -> { if (k > 3) reply(\"x\"); }; }", "r().run();")
            .relevant("A.n");
        handler("interface Do { void it(int i); } int n; void call(Do d) { d.it(n++); }",
            "call(i -> { if (i > 3) reply(m); });").relevant("A.n");
        handler("int n; int get() { return n++; } int use(java.util.function.IntSupplier s) { return s.getAsInt(); }",
            "if (use(this::get) > 3) reply(m);").relevant("A.n");
        handler("int n; final List<Integer> all = new ArrayList<>();",
            "all.add(1); all.forEach(i -> n++); if (n > 3) reply(m);").relevant("A.n");
        handler("int n; final Map<Integer, List<Integer>> all = new HashMap<>();",
            "all.computeIfAbsent(1, k -> new ArrayList<>()).add(n++); if (all.get(1).size() > 2) reply(m);")
            .relevant("A.n", "A.all");
    }

    @Test
    public void overriddenHelpers() {
        new Inferred("""
            class A extends Actor { int n; int k; ActorName peer; int f() { return 0; } void g() {}
                @Handler void on(String s) { n++; k++; if (f() > 3) send(peer, s); g(); } }
            class B extends A { int f() { return n; } }
            class C extends B { void g() { if (k > 3) send(peer, "k"); } }
            """).relevant("A.n", "B.n", "C.n", "A.k", "B.k");
        new Inferred("""
            interface Kind { int f(); } record One(int v) implements Kind { public int f() { return v; } }
            record Two() implements Kind { public int f() { return 0; } }
            class A extends Actor { int n; @Handler void on(Kind s) { if (s.f() > 3) reply(new One(n++)); } }
            """).relevant("A.n", "One.v");
        new Inferred("""
            interface Kind { int f(); default int g() { return f(); } }
            class A extends Actor implements Kind { int n; public int f() { return n++; }
                @Handler void on(String s) { if (g() > 3) reply(s); } }
            """).relevant("A.n");
        new Inferred("""
            interface Kind { } record One() implements Kind { public String toString() { return "1"; } }
            record Two() implements Kind { }
            class A extends Actor { Kind n = new One();
                @Handler void on(String s) { n = s.isEmpty() ? new One() : new Two(); reply("kind " + n); } }
            """).relevant("A.n");
    }

    @Test
    public void whichOfSeveralMethodsRuns() {
        String kinds = "interface Kind { default int f() { return 0; } default void g(A a) { } } record One() implements Kind {"
            + " public int f() { return 1; } public void g(A a) { a.say(); } } record Two() implements Kind { } class A extends"
            + " Actor { Kind n = new One(); void say() { reply(\"x\"); } @Handler void on(Integer m) {"
            + " n = m > 3 ? new One() : new Two(); %s } }";
        new Inferred(kinds.formatted("if (n.f() > 0) say();")).relevant("A.n");
        new Inferred(kinds.formatted("n.g(this);")).relevant("A.n");
        new Inferred(kinds.formatted("")).auxiliary("A.n");
    }

    @Test
    public void overriddenHandlers() {
        new Inferred("""
            abstract class Base<T> extends Actor { @Handler abstract void on(T t); }
            class A extends Base<String> { int n; void on(String s) { if (n++ > 3) reply(s); } }
            """).relevant("A.n");
    }

    @Test
    public void properties() {
        String scenario = " class S extends Scenario { protected void setUp() { create(\"a\", new A()); } %s }";
        String actor = "class A extends Actor { int n; final List<Integer> l = new ArrayList<>(); int k; int t;"
            + " int n() { return n; } List<Integer> l() { return l; } public String toString() { return \"\" + t; }"
            + " @Handler void on(String s) { n++; l.add(k++); t++; } }";
        new Inferred(actor + scenario.formatted("@Invariant boolean p() { return actors(A.class).allMatch(a -> a.n() < 3); }"))
            .relevant("A.n").auxiliary("A.l", "A.k", "A.t");
        new Inferred(actor + scenario.formatted(
            "@Invariant boolean p() { return actors(A.class).mapToInt(A::n).sum() < 3; }"))
            .relevant("A.n").auxiliary("A.l");
        new Inferred(actor + scenario.formatted(
            "@Invariant boolean p() { return actors(A.class).flatMap(a -> a.l().stream()).noneMatch(i -> i > 3); }"))
            .relevant("A.l", "A.k").auxiliary("A.n", "A.t");
        new Inferred(actor + scenario.formatted(
            "@Override protected boolean expectFinal() { int i = 0; for (A a : actors(A.class).toList()) { i += a.k; } return i > 3; }"))
            .relevant("A.k").auxiliary("A.n");
        new Inferred(actor + scenario.formatted("@Invariant boolean p() { return q(); }"
            + " private boolean q() { return actors(A.class).map(Object::toString).count() > 3; }"))
            .relevant("A.t").auxiliary("A.n");
    }

    @Test
    public void inheritedProperties() {
        new Inferred("""
            class A extends Actor { int n; @Handler void on(String s) { n++; } }
            abstract class Base extends Scenario { @Invariant boolean p() { return actor(null, A.class).n > 3; } }
            class S extends Base { protected void setUp() { create("a", new A()); } }
            """).relevant("A.n");
    }

    @Test
    public void staticsAndEscapes() {
        handler("int n; static int all;", "n++; all = n;").relevant("A.n");
        handler("int n; static final List<Integer> ALL = new ArrayList<>();", "ALL.add(n++);").relevant("A.n");
        handler("int n; static void give(Object o) { System.getProperties().put(\"x\", o); }", "n++; give(this);")
            .relevant("A.n");
        handler("int n; static final List<Object> ALL = new ArrayList<>();", "n++; ALL.add(this);").relevant("A.n");
        handler("int n; final Object lock = new Object();", "n++; if (n > 3) synchronized (lock) { }").relevant("A.n");
    }

    @Test
    public void innerClasses() {
        handler("int n; class In { void f() { if (n > 3) reply(\"x\"); } } final In in = new In();", "n++; in.f();")
            .relevant("A.n");
        handler("int n; class In implements Comparator<Integer> { public int compare(Integer a, Integer b) {"
            + " return n; } } final List<Integer> l = new ArrayList<>();", "n++; l.sort(new In()); reply(List.copyOf(l));")
            .relevant("A.n");
        handler("int n;", "n++; Object o = new Object() { public int hashCode() { return n; } };"
            + " if (Objects.hash(o) > 3) reply(m);").relevant("A.n");
        handler("int n; final List<Integer> l = new ArrayList<>();", "int k = n++; class In implements Comparator<Integer> {"
            + " public int compare(Integer a, Integer b) { return k; } } l.sort(new In()); reply(List.copyOf(l));")
            .relevant("A.n");
    }

    @Test
    public void operandStack() {
        handler("int n;", "n++; reply(new M(n > 3 ? 1 : 2, 0));").relevant("A.n");
        handler("int n; int a; int b;", "n++; a = m.x(); b = m.y(); reply(new M(x(n > 3 ? a : b), 0));").relevant("A.n");
        handler("int n; boolean b;", "n++; b = m.x() > 1 && n > 3 || n == 0; if (b) reply(m);").relevant("A.n", "A.b");
        handler("int n;", "n++; int k = m.x(); switch (n) { case 1: k = 2; break; case 7: k = m.y(); } reply(new M(k, 0));")
            .relevant("A.n", "A$M.y");
        handler("String n = \"\";", "n += 'x'; switch (n) { case \"xx\" -> reply(m); default -> { } }").relevant("A.n");
        handler("int n; int k = 1;", "n++; k += n > 3 ? 1 : 0; if (k > 3) reply(m);").relevant("A.n", "A.k");
        handler("int n; int k;", "n++; k = 1; if (n > 3) { k = 1; } else { return; }").relevant("A.n").auxiliary("A.k");
        handler("enum E { A, B } E n = E.A; void t() { n = E.B; }",
            "switch (n) { case A: reply(m); break; default: } t();").relevant("A.n");
    }

    @Test
    public void tryAndFinally() {
        handler("int n; int k;", "try { n++; k = 7 / m.y(); } finally { if (n > 3) reply(m); }").relevant("A.n");
        handler("int n; int k;", "try { k = 7 / m.y(); n = 1; } catch (ArithmeticException e) { } if (n > 0) reply(m);")
            .relevant("A.n", "A$M.y");
    }

    @Test
    public void callsToWhatIsNotKnown() {
        handler("int n;", "n++; new Random(n).nextInt();").relevant("A.n");
        handler("final List<Integer> n = new ArrayList<>();", "n.add(1); Collections.sort(n);").relevant("A.n");
        handler("final List<Integer> n = new ArrayList<>(); final List<Integer> k = new ArrayList<>();",
            "n.add(1); Collections.addAll(k, 1); k.addAll(n); if (k.size() > 1) reply(m);").relevant("A.n", "A.k");
        handler("int n; final List<Integer> k = Collections.synchronizedList(new ArrayList<>());", "k.add(n++);")
            .relevant("A.n", "A.k");
        handler("static class L extends ArrayList<Integer> { public boolean add(Integer i) { throw new Error(); } }"
            + " int n; final List<Integer> k = new L();", "if (n++ > 3) k.add(1);").relevant("A.n", "A.k");
    }

    @Test
    public void receiversByAnIteratorOfTheProgram() {
        String own = "int k; ActorName p; G(int k, ActorName p) { this.k = k; this.p = p; }";
        handler("int n; static class G implements Iterable<ActorName> { " + own
            + " public Iterator<ActorName> iterator() { return Collections.nCopies(k, p).iterator(); } }",
            "n++; send(new G(n, peer), m);").relevant("A.n");
        handler("int n; static class G extends AbstractList<ActorName> { " + own
            + " public int size() { return k; } public ActorName get(int i) { return p; } }",
            "n++; send(new G(n, peer), m);").relevant("A.n");
        handler("int n; Iterator<ActorName> it() { return n > 3 ? null : null; }", "n++; send(this::it, m);").relevant("A.n");
    }

    @Test
    public void fieldsOfSubclassesOfClassesOutside() {
        handler("int n; final C c = new C(); static class C extends LinkedHashMap<Integer, Integer> { int cap;"
            + " protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) { return size() > cap; } }",
            "n++; c.cap = n; c.put(m.y(), 1); if (c.size() > 3) reply(m);").relevant("A.n", "A.c");
    }

    private static final String COUNTER = "class A extends Actor { int n; int k; @Handler void on(String s) { n++; k++; } }"
        + " class S extends Scenario %s { protected void setUp() { create(\"a\", new A()); %s } %s"
        + " @Invariant boolean p() { return %s; } }";

    private static void property(String implementing, String setUp, String members, String answer) {
        new Inferred(COUNTER.formatted(implementing, setUp, members, answer)).relevant("A.n").auxiliary("A.k");
    }

    @Test
    public void functionsThatWereMadeBeforeAProperty() {
        String type = "java.util.function.Predicate<A>";
        property("", "", "final " + type + " f = a -> a.n < 3;", "actors(A.class).allMatch(f)");
        property("", "", "static final " + type + " F = a -> a.n < 3;", "actors(A.class).allMatch(F)");
        property("", "f = a -> a.n < 3;", type + " f;", "actors(A.class).allMatch(f)");
        property("", "f = of(3);", type + " f; " + type + " of(int i) { return a -> a.n < i; }", "actors(A.class).allMatch(f)");
    }

    @Test
    public void objectsThatArePassedToMethodsOutsideByAProperty() {
        String type = "java.util.function.Predicate<A>";
        String test = "public boolean test(A a) { return a.n < 3; }";
        property("", "", "static class F implements " + type + " { " + test + " }", "actors(A.class).allMatch(new F())");
        property("", "", "enum F implements " + type + " { X { " + test + " } }", "actors(A.class).allMatch(F.X)");
        property("", "", "", "actors(A.class).allMatch(new " + type + "() { " + test + " })");
        property("implements " + type, "", test, "actors(A.class).allMatch(this)");
        property("", "", "static class W { final A a; W(A a) { this.a = a; } public int hashCode() { return a.n; } }",
            "actors(A.class).map(W::new).distinct().count() < 2");
        new Inferred("class A extends Actor { int n; @Handler void on(String s) { n++; } public int hashCode() { return n; } }"
            + " class S extends Scenario { protected void setUp() { create(\"a\", new A()); } @Invariant boolean p() {"
            + " return new HashSet<>(actors(A.class).toList()).isEmpty(); } }").relevant("A.n");
    }

    @Test
    public void fieldsThatAreReadBeforeTheyHaveAValue() {
        handler("int n; static class C { final String s; C(int k) { if (k > 3) f(); s = \"x\"; } int f() { return s.length(); } }",
            "n++; new C(n);").relevant("A.n");
        handler("int n; static class B { B(int k) { if (k > 3) f(); } void f() { } } static class C extends B { final String s;"
            + " C(int k) { super(k); s = \"x\"; } void f() { s.length(); } }", "n++; new C(n);").relevant("A.n");
        handler("int n; String s; A() { try { Integer.parseInt(\"x\"); s = \"\"; } catch (NumberFormatException e) { } }",
            "if (n++ > 3) s.length();").relevant("A.n");
        handler("int n; static class B { String s; } static class C extends B { String s; C() { super.s = \"\"; }"
            + " int f() { return s.length(); } } final C c = new C();", "if (n++ > 3) c.f();").relevant("A.n");
    }

    @Test
    public void nullFromWhereNoneIsExpected() {
        handler("int n; final java.util.logging.Logger log = java.util.logging.Logger.getAnonymousLogger();",
            "String s = log.getName(); if (n++ > 3) s.length();").relevant("A.n");
        handler("int n; interface Namer { String name(); }", "Namer f = () -> null; if (n++ > 3) f.name().length();")
            .relevant("A.n");
        String nobody = "static class W { public String toString() { return null; } } int n; final W w = new W();";
        handler(nobody, "String s = String.valueOf(w); if (n++ > 3) s.length();").relevant("A.n");
        handler(nobody, "Object o = w; String s = o.toString(); if (n++ > 3) s.length();").relevant("A.n");
        handler("int n; String s = \"\"; final Map<Integer, String> all = new HashMap<>();",
            "all.put(1, null); s = all.getOrDefault(1, \"\"); if (n++ > 3) s.length();").relevant("A.n");
    }

    @Test
    public void whatIsRecorded() {
        handler("record Op(String name, List<Integer> of) {} int kind; int whether; int result; int count; String note = \"\";"
            + " final List<Integer> with = new ArrayList<>();",
            "kind++; whether++; result++; count++; with.add(m.y()); note += count; invoked(new Op(\"op\" + kind, with));"
            + " if (whether > 3) returned(new int[] {result});")
            .relevant("A.kind", "A.whether", "A.result", "A.with", "A$M.y").auxiliary("A.count", "A.note");
    }

    /** What a function captured is read when a later handler calls it. */
    @Test
    public void functionsThatAreKept() {
        String call = " @Handler void on(String s) { ";
        handler("int n; List<java.util.function.Function<Integer, Integer>> kept = new ArrayList<>();" + call
            + "if (kept.get(0).apply(1) > 2) reply(s); }", "n++; int v = n; kept.add(x -> x + v);").relevant("A.n", "A.kept");
        handler("int n; Map<String, java.util.function.Supplier<Integer>> kept = new HashMap<>();" + call
            + "if (kept.get(s).get() > 2) reply(s); }", "n++; int v = n; kept.put(\"k\", () -> v);").relevant("A.n", "A.kept");
        handler("int n; Optional<java.util.function.Supplier<Integer>> kept = Optional.empty();" + call
            + "if (kept.get().get() > 2) reply(s); }", "n++; int v = n; kept = Optional.of(() -> v);").relevant("A.n", "A.kept");
        handler("int n; Runnable kept;" + call + "kept.run(); }", "n++; int v = n; kept = () -> { if (v > 2) reply(\"x\"); };")
            .relevant("A.n", "A.kept");
    }

    /** What a call of an interface runs may be the handler of a proxy: it is not followed, so all fields count where one is made. */
    @Test
    public void whatGoesThroughProxies() {
        String maker = "interface Sink { void take(int n); } class Quiet implements Sink { public void take(int n) { } }"
            + " Sink sink = new Quiet(); java.lang.reflect.InvocationHandler h = (p, o, a) -> { if ((Integer) a[0] > 2) send(peer, \"x\"); return null; };";
        handler(maker, "sink.take(m.y());").auxiliary("A$M.y");
        String arguments = "Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, h)";
        handler(maker, "sink.take(m.y()); sink = (Sink) java.lang.reflect.Proxy.newProxyInstance(" + arguments + ";").relevant("A$M.y")
            .reason("A$M.y", "Proxy.newProxyInstance, called by A.on(M) (Program.java:6), cannot be analysed");
        handler(maker + " interface Make { Object make(ClassLoader l, Class<?>[] i, java.lang.reflect.InvocationHandler h); }",
            "sink.take(m.y()); Make made = java.lang.reflect.Proxy::newProxyInstance; sink = (Sink) made.make(" + arguments + ";")
            .relevant("A$M.y");
    }
}
