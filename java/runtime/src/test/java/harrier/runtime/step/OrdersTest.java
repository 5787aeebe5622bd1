package harrier.runtime.step;

import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.refusal.Loading;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Handlers that depend on the order of a hash collection are found, wherever it was made; those that do not are let be. */
public class OrdersTest {
    private static final UserProgram PROGRAM = new UserProgram("""
        import java.util.concurrent.*;
        import java.util.function.IntFunction;
        import java.util.stream.*;
        enum E { P, Q, R, S }
        class K {
            final int n;
            K(int n) { this.n = n; }
            public int hashCode() { return 1; }
            public boolean equals(Object o) { return o instanceof K k && k.n == n; }
            public String toString() { return "" + n; }
        }
        class O {
            final int n;
            O(int n) { this.n = n; }
        }
        class Ended {
            static final Ended NEVER = new Ended(0);
            int at;
            Ended(int at) { this.at = at; }
        }
        record Of(E e, int n) {}
        record One(String s, int n) {}
        record Day(java.time.DayOfWeek day) {}
        class A extends Actor {
            static final Object STATIC = new Object();
            static final Runnable LAMBDA = () -> { };
            static final Map<E, Integer> COUNTS = Map.of(E.P, 1, E.Q, 2);
            static final Map<java.time.DayOfWeek, Integer> DAYS = Map.copyOf(new HashMap<>(Map.of(java.time.DayOfWeek.FRIDAY, 5)));
            final Set<Integer> own = new HashSet<>(List.of(1, 2, 3));
            Object found;

            static List<K> keys() { return List.of(new K(1), new K(2), new K(3)); }

            static List<O> objects() { return List.of(new O(1), new O(2), new O(3)); }
            static Map<O, Integer> counts(Map<O, Integer> map) {
                objects().forEach(o -> map.put(o, o.n));
                return map;
            }

            @Handler void on(String m) {
                Set<E> enums = new HashSet<>(List.of(E.P, E.Q, E.R));
                Map<K, Integer> map = new HashMap<>();
                keys().forEach(k -> map.put(k, k.n));
                found = switch (m) {
                    case "enum" -> enums.iterator().next();
                    case "own" -> own.iterator().next();
                    case "own middle" -> own.iterator().next() == 2;
                    case "own last" -> new ArrayList<>(own).get(2) == 2;
                    case "two" -> new HashSet<>(List.of(1, 2)).iterator().next();
                    case "bucket" -> map.keySet().iterator().next().n;
                    case "bucket middle" -> map.values().iterator().next() == 2;
                    case "entries" -> map.entrySet().stream().findFirst().get().getValue();
                    case "joining" -> map.keySet().stream().map(K::toString).collect(Collectors.joining());
                    case "toString" -> map.toString();
                    case "Set.of" -> Set.of(1, 2).iterator().next();
                    case "Map.of" -> Map.of(1, 1, 2, 2, 3, 3).values().iterator().next() == 2;
                    case "concurrent" -> new ConcurrentHashMap<>(map).keySet().iterator().next().n;
                    case "identity after much", "identity after many" -> {
                        Set<O> set = new HashSet<>(objects());
                        IntFunction<Object> one = m.endsWith("much") ? O::new : Ended::new;
                        send(self(), IntStream.range(0, 5000).map(i -> i % 500).mapToObj(one).toList());
                        yield set.iterator().next().n == 1;
                    }
                    case "identity" -> {
                        Map<Object, Integer> identity = new IdentityHashMap<>();
                        keys().forEach(k -> identity.put(k, k.n));
                        yield identity.values().iterator().next();
                    }
                    case "identity is 1", "identity is 2", "identity is 3" -> {
                        Set<K> identity = Collections.newSetFromMap(new IdentityHashMap<>());
                        identity.addAll(keys());
                        yield m.endsWith("" + identity.iterator().next().n);
                    }
                    case "plain set" -> new HashSet<>(objects()).iterator().next().n == 2;
                    case "plain values" -> counts(new HashMap<>()).values().iterator().next() == 1;
                    case "plain entries" -> counts(new HashMap<>()).entrySet().stream().findFirst().get().getValue() == 3;
                    case "plain toArray" -> ((O) new HashSet<>(objects()).toArray()[1]).n == 2;
                    case "plain Set.of" -> Set.copyOf(objects()).iterator().next().n == 1;
                    case "plain Map.of" -> Map.copyOf(counts(new HashMap<>())).values().iterator().next() == 2;
                    case "plain concurrent" -> counts(new ConcurrentHashMap<>()).values().iterator().next() == 2;
                    case "plain weak" -> counts(new WeakHashMap<>()).values().iterator().next() == 2;
                    case "weak" -> {
                        Map<Object, Integer> weak = new WeakHashMap<>();
                        keys().forEach(k -> weak.put(k, k.n));
                        yield weak.values().iterator().next();
                    }
                    case "Hashtable" -> {
                        Map<Object, Integer> table = new Hashtable<>();
                        keys().forEach(k -> table.put(k, k.n));
                        yield ((Hashtable<?, ?>) table).elements().nextElement();
                    }
                    case "removeIf" -> {
                        int[] n = {0};
                        own.removeIf(i -> n[0]++ > 0);
                        yield own.toString();
                    }
                    case "toSet" -> keys().stream().collect(Collectors.toSet()).iterator().next().n;
                    case "groupingBy" -> keys().stream().collect(Collectors.groupingBy(k -> k.n)).keySet().iterator().next();
                    case "sends" -> {
                        map.forEach((k, v) -> send(self(), v));
                        yield null;
                    }

                    case "enum hash" -> E.P.hashCode();
                    case "identity hash" -> new Object().hashCode();
                    case "Objects.hash" -> Objects.hash(E.P, 1);
                    case "record hash" -> new Of(E.P, 1).hashCode();
                    case "sent" -> {
                        send(self(), new Of(E.Q, 2).hashCode());
                        yield null;
                    }
                    case "set hash" -> Set.of(E.P).hashCode();
                    case "JDK's enum" -> new Day(java.time.DayOfWeek.MONDAY).hashCode();
                    case "static" -> STATIC.hashCode();
                    case "class" -> Objects.hash(A.class);
                    case "lambda" -> LAMBDA.hashCode();
                    case "bits" -> STATIC.hashCode() & 0xff;

                    case "lookups" -> COUNTS.get(E.Q) + DAYS.get(java.time.DayOfWeek.FRIDAY) + COUNTS.size();
                    case "string" -> "one".hashCode() + new One("one", 1).hashCode() + List.of(1, 2).hashCode();
                    case "equal hashes" -> E.P.hashCode() == E.valueOf("P").hashCode();
                    case "sum" -> map.values().stream().mapToInt(i -> i).sum();
                    case "sorted" -> map.values().stream().sorted().toList();
                    case "TreeSet" -> new TreeSet<>(own).first();
                    case "LinkedHashMap" -> {
                        Map<K, Integer> linked = new LinkedHashMap<>();
                        keys().forEach(k -> linked.put(k, k.n));
                        yield linked.toString() + linked.keySet().iterator().next();
                    }
                    case "LinkedHashSet" -> new ArrayList<>(new LinkedHashSet<>(keys())).toString();
                    case "EnumMap" -> {
                        Map<E, Integer> counts = new EnumMap<>(E.class);
                        enums.forEach(e -> counts.put(e, 1));
                        yield counts.toString() + EnumSet.copyOf(enums);
                    }
                    case "distinct" -> Stream.of(3, 1, 3, 2).distinct().toList();
                    case "copies" -> new HashMap<>(map).equals(Map.copyOf(map)) && enums.containsAll(Set.copyOf(enums));
                    case "rest" -> {
                        enums.removeIf(e -> e != E.Q);
                        yield enums;
                    }
                    case "keys and values" -> {
                        List<K> keys = new ArrayList<>(map.keySet());
                        List<Integer> values = new ArrayList<>(map.values());
                        boolean fit = true;
                        for (int i = 0; i < 3; i++) fit &= keys.get(i).n == values.get(i);
                        yield fit;
                    }
                    case "max" -> Collections.max(own);
                    case "one" -> Set.of(1).iterator().next() + new HashSet<>(List.of(2)).iterator().next();
                    default -> throw new AssertionError(m);
                };
            }
            @Handler void on(Integer m) {}
        }""");

    private static void step(Steps steps, String message) {
        UserProgram.answer(steps, PROGRAM.local("A"), PROGRAM.message(message));
    }

    @Test
    public void orderThatMattersIsFound() {
        Steps steps = PROGRAM.stepsOnSecondCopy();
        for (String m : List.of("enum", "own", "own middle", "own last", "two", "bucket", "bucket middle", "entries", "joining",
                "toString", "Set.of", "Map.of", "concurrent", "weak", "Hashtable", "removeIf", "toSet", "groupingBy")) {
            assertThrows(m, Steps.DifferenceException.class, () -> step(steps, m));
        }
    }

    /** Of elements whose hash codes are the same everywhere; nothing is found that depends on it. */
    @Test
    public void theOrderMayBeTheJdksOwn() {
        String source = """
            class A extends Actor {
                @Handler void on(Integer n) { send(self(), new HashSet<>(List.of(1, 2)).iterator().next()); }
            }
            %s class S extends Scenario { protected void setUp() { send(create("a", new A()), 1); } }""";
        assertThrows(Steps.DifferenceException.class, () -> firstStep(source.formatted("")));
        firstStep(source.formatted("@Allow(\"order=plain\")"));
    }

    private static void firstStep(String source) {
        LoadedProgram program = Loading.load(UserProgram.compile(source), "here", "", Map.of(), Options.STANDARD);
        UserProgram.answer(program.steps(), program.initial().creates().get(0).local(), program.initial().sends().get(0));
    }

    /** Objects of the step itself get other identity hash codes in each execution, which decide about their plain order. */
    @Test
    public void orderOfIdentitiesIsFoundInEachStep() {
        for (int i = 0; i < 30; i++) {
            Steps steps = PROGRAM.stepsOnSecondCopy();
            for (String m : List.of("identity", "identity is 1", "identity is 2", "identity is 3", "plain set", "plain values",
                    "plain entries", "plain toArray", "plain Set.of", "plain Map.of", "plain concurrent", "plain weak")) {
                assertThrows(m, Steps.DifferenceException.class, () -> step(steps, m));
            }
        }
    }

    /** Objects draw no codes as they are encoded, so the last ones are still those that the program's sets go by. */
    @Test
    public void orderOfIdentitiesIsFoundAfterMuchIsEncoded() {
        for (int i = 0; i < 30; i++) {
            Steps steps = PROGRAM.stepsOnSecondCopy();
            for (String m : List.of("identity after much", "identity after many")) {
                assertThrows(m, Steps.DifferenceException.class, () -> step(steps, m));
            }
        }
    }

    @Test
    public void hashCodesThatMatterAreFound() {
        Steps steps = PROGRAM.stepsOnSecondCopy();
        for (String m : List.of("enum hash", "identity hash", "Objects.hash", "record hash", "sent", "set hash", "JDK's enum",
                "static", "class", "lambda", "bits")) {
            assertThrows(m, Steps.DifferenceException.class, () -> step(steps, m));
        }
    }

    @Test
    public void hashCodesThatDoNotMatterAreLetBe() {
        Steps steps = PROGRAM.stepsOnSecondCopy();
        List.of("lookups", "string", "equal hashes").forEach(m -> step(steps, m));
    }

    @Test
    public void orderThatDoesNotMatterIsLetBe() {
        Steps steps = PROGRAM.stepsOnSecondCopy();
        for (String m : List.of("sum", "sorted", "TreeSet", "LinkedHashMap", "LinkedHashSet", "EnumMap", "distinct", "copies",
                "rest", "keys and values", "max", "one", "sends")) {
            step(steps, m);
        }
    }
}
