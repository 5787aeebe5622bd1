package harrier.runtime.step;

import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import java.util.List;
import org.junit.Test;

/** Handlers that depend on identity hash codes are found each time, by however little; those that look up by them are let be. */
public class IdentityCodesTest {
    private static final UserProgram PROGRAM = new UserProgram("""
        import java.util.concurrent.*;
        import java.util.function.*;
        import java.util.stream.*;
        enum E { P, Q, R }
        class O { }
        class Fails extends RuntimeException {
            public int hashCode() { return super.hashCode() & 1; }
        }
        record Of(E e, int n) { }
        record Two(E e, E f) { }
        record Plain(O o) { }
        class Key {
            final E e;
            Key(E e) { this.e = e; }
            public int hashCode() { return 31 * e.hashCode(); }
            public boolean equals(Object o) { return o instanceof Key k && k.e == e; }
        }
        /** A hash table as libraries have them. */
        class Table {
            final Object[] keys = new Object[64];
            static int place(Object o) { return o.hashCode() & 63; }
            Table(Object... all) {
                for (Object o : all) {
                    int i = place(o);
                    while (keys[i] != null) i = i + 1 & 63;
                    keys[i] = o;
                }
            }
            boolean has(Object o) {
                for (int i = place(o); keys[i] != null; i = i + 1 & 63) if (keys[i].equals(o)) return true;
                return false;
            }
        }
        class A extends Actor {
            static final Object STATIC = new Object();
            static final Runnable LAMBDA = () -> { };
            static final Map<E, Integer> COUNTS = new HashMap<>(Map.of(E.P, 1, E.Q, 2));
            static final Map<Of, Integer> RECORDS = Map.of(new Of(E.P, 1), 1);
            static final Map<Object, Integer> KEYS = new ConcurrentHashMap<>(Map.of(new Key(E.P), 1, List.of(E.Q), 2));
            static final Table TABLE = new Table(E.R, TimeUnit.DAYS);
            static class Late {
                static final Table TABLE = new Table(E.Q);
            }
            final Map<TimeUnit, Integer> units = new HashMap<>(Map.of(TimeUnit.DAYS, 1, TimeUnit.HOURS, 2));
            final Map<E, Integer> own = new Hashtable<>(Map.of(E.P, 1, E.Q, 2));
            Object found;

            static boolean bit(int code) { return (code >> 3 & 1) == 1; }

            @Handler void on(String m) {
                Object a = new Object(), b = new Object();
                found = switch (m) {
                    case "object" -> bit(new Object().hashCode());
                    case "own class" -> bit(new O().hashCode());
                    case "System" -> bit(System.identityHashCode(new O()));
                    case "System of shared" -> bit(System.identityHashCode("interned")) || bit(System.identityHashCode(true));
                    case "System reference" -> Stream.of("interned").map(System::identityHashCode).findFirst().get() % 2;
                    case "reference" -> Stream.of(STATIC).map(Object::hashCode).findFirst().get() % 2;
                    case "bound reference" -> {
                        IntSupplier s = STATIC::hashCode;
                        yield s.getAsInt() % 2;
                    }
                    case "super" -> new Fails().hashCode();
                    case "enum" -> bit(E.P.hashCode());
                    case "JDK's enum" -> bit(TimeUnit.DAYS.hashCode());
                    case "less" -> E.P.hashCode() < E.Q.hashCode();
                    case "less of plain" -> a.hashCode() < b.hashCode();
                    case "Comparator" -> Stream.of(E.P, E.Q).min(Comparator.comparing(Object::hashCode)).get();
                    case "Objects.hash" -> bit(Objects.hash(E.P));
                    case "Objects.hash of two" -> Objects.hash(E.P, E.Q) & 1;
                    case "Objects.hashCode" -> bit(Objects.hashCode(a));
                    case "list" -> List.of(E.P).hashCode() & 1;
                    case "ArrayList" -> new ArrayList<>(List.of(new int[1])).hashCode() & 1;
                    case "array" -> new int[1].hashCode() & 1;
                    case "Arrays" -> Arrays.hashCode(new Object[] {a}) & 1;
                    case "set" -> new HashSet<>(Set.of(E.P)).hashCode() & 1;
                    case "map" -> new HashMap<>(Map.of(1, a)).hashCode() & 1;
                    case "record" -> new Of(E.P, 1).hashCode() & 1;
                    case "record of two" -> new Two(E.P, E.R).hashCode() & 1;
                    case "record of plain" -> new Plain(new O()).hashCode() & 1;
                    case "key" -> new Key(E.P).hashCode() & 1;
                    case "Optional" -> Optional.of(a).hashCode() & 1;
                    case "entry" -> Map.entry(a, 1).hashCode() & 1;
                    case "class" -> String.class.hashCode() & 1;
                    case "deque" -> new ArrayDeque<>().hashCode() & 1;
                    case "static" -> STATIC.hashCode() & 1;
                    case "lambda" -> LAMBDA.hashCode() & 1;
                    case "toString" -> a.toString().hashCode() & 1;
                    case "valueOf" -> String.valueOf(new O()).endsWith("0") || ("" + a).hashCode() % 2 == 0;
                    case "format" -> String.format("%h", a).hashCode() & 1;
                    case "identity map" -> new IdentityHashMap<>(Map.of(a, 1)).keySet().hashCode() & 1;

                    case "lookups" -> "" + COUNTS.get(E.Q) + RECORDS.get(new Of(E.P, 1)) + KEYS.get(new Key(E.P))
                        + KEYS.get(List.of(E.Q)) + units.get(TimeUnit.DAYS) + own.get(E.Q)
                        + new HashMap<>(COUNTS).equals(COUNTS) + Set.of(E.P).contains(E.P) + new Hashtable<>(COUNTS).get(E.P)
                        + new IdentityHashMap<>(COUNTS).get(E.P) + new WeakHashMap<>(COUNTS).get(E.P);
                    case "tables" -> "" + TABLE.has(E.R) + TABLE.has(TimeUnit.DAYS) + Late.TABLE.has(E.Q) + new Table(E.P, a).has(a);
                    case "unused" -> (a + "" + E.P.hashCode() + Objects.hash(a, b)).isEmpty();
                    case "same" -> a.hashCode() == a.hashCode() && E.P.hashCode() == E.valueOf("P").hashCode()
                        && a.hashCode() == System.identityHashCode(a) && List.of(E.P).hashCode() == Arrays.asList(E.P).hashCode();
                    default -> throw new AssertionError(m);
                };
            }
        }""");

    private static void step(Steps steps, String message) {
        UserProgram.answer(steps, PROGRAM.local("A"), PROGRAM.message(message));
    }

    @Test
    public void whatDependsOnOneBitIsFoundEachTime() {
        for (int i = 0; i < 20; i++) {
            Steps steps = PROGRAM.stepsOnSecondCopy();
            for (String m : List.of("object", "own class", "System", "System of shared", "System reference", "reference",
                    "bound reference", "super", "enum", "JDK's enum", "less", "less of plain", "Comparator", "Objects.hash",
                    "Objects.hash of two", "Objects.hashCode", "list", "ArrayList", "array", "Arrays", "set", "map", "record",
                    "record of two", "record of plain", "key", "Optional", "entry", "class", "deque", "static", "lambda",
                    "identity map")) {
                assertThrows(m, Steps.DifferenceException.class, () -> step(steps, m));
            }
        }
    }

    @Test
    public void textsDiffer() {
        for (String m : List.of("toString", "valueOf", "format")) {
            assertThrows(m, Steps.DifferenceException.class, () -> {
                for (int i = 0; i < 20; i++) {
                    step(PROGRAM.stepsOnSecondCopy(), m);
                }
            });
        }
    }

    @Test
    public void whatDoesNotDependOnThemIsLetBe() {
        for (int i = 0; i < 20; i++) {
            Steps steps = PROGRAM.stepsOnSecondCopy();
            List.of("lookups", "tables", "unused", "same").forEach(m -> step(steps, m));
        }
    }
}
