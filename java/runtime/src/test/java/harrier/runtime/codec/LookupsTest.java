package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.RuleException;
import org.junit.Test;

/** Elements of sets and maps that change where they are. */
public class LookupsTest {
    private static final String CLASSES = """
        class Key implements Comparable<Key> {
            int id;
            Key(int id) { this.id = id; }
            public int hashCode() { return id; }
            public boolean equals(Object o) { return o instanceof Key k && k.id == id; }
            public int compareTo(Key other) { return Integer.compare(id, other.id); }
        }
        enum Kind { GOOD, BAD }
        record Of(Kind kind, List<Kind> more, Object other) {}
        """;

    /** An actor that holds a collection of keys 1 and 2, and changes the first one in its second step. */
    private static UserProgram changes(String field, String add) {
        return new UserProgram(CLASSES + "class A extends Actor { Key one = new Key(1); final " + field + ";"
            + " @Handler void on(Integer n) { " + add + " } @Handler void on(String s) { one.id = 7; } }");
    }

    private static void missed(String field, String add, String type) {
        UserProgram program = changes(field, add);
        byte[] with = only(program, program.local("A"), 1);
        RuleException refusal = assertThrows(RuleException.class, () -> only(program, with, "change"));
        assertEquals("a, A.on(String): field kept holds " + type + ", which cannot be captured: an element has changed since it"
            + " was added, so that a look-up misses it: take it out before it changes, and add it again", refusal.getMessage());
    }

    private static byte[] only(UserProgram program, byte[] local, Object message) {
        return UserProgram.answer(program.steps(true), local, program.message(message)).outcomes().get(0).local();
    }

    @Test
    public void thatAreMissedAreRefused() {
        missed("Set<Key> kept = new HashSet<>()", "kept.add(one);", "a java.util.HashSet");
        missed("Set<Object> kept = new HashSet<>()", "kept.add(new Of(Kind.GOOD, List.of(), one));", "a java.util.HashSet");
        missed("Set<Key> kept = new LinkedHashSet<>()", "kept.add(one); kept.add(new Key(2));", "a java.util.LinkedHashSet");
        missed("Set<Key> kept = new TreeSet<>()", "kept.add(one); kept.add(new Key(2)); kept.add(new Key(3));", "a java.util.TreeSet");
        missed("Map<Key, String> kept = new HashMap<>()", "kept.put(one, \"x\"); kept.put(new Key(2), \"y\");", "a java.util.HashMap");
        missed("Map<Key, String> kept = new LinkedHashMap<>()", "kept.put(one, \"x\");", "a java.util.LinkedHashMap");
        missed("Map<Key, String> kept = new java.util.concurrent.ConcurrentHashMap<>()", "kept.put(one, \"x\");",
            "a java.util.concurrent.ConcurrentHashMap");
        missed("Map<Set<Key>, String> kept = new HashMap<>()", "kept.put(Set.of(one), \"x\");", "a java.util.HashMap");
    }

    /** Hash codes differ among executions, and so do the places of elements, where identity hash codes are in them. */
    @Test
    public void thatAreFoundAreNot() {
        UserProgram program = new UserProgram(CLASSES + """
            class A extends Actor {
                final Object mine = new Object();
                final Map<Of, Integer> byKind = new HashMap<>();
                final Set<Object> all = new LinkedHashSet<>();
                final Map<Object, Kind> byIdentity = new IdentityHashMap<>();
                final Key one = new Key(1);
                @Handler void on(Integer n) {
                    byKind.put(new Of(Kind.GOOD, List.of(Kind.BAD), mine), n);
                    all.add(mine);
                    all.add(new ArrayList<>(List.of(Kind.GOOD, mine)));
                    byKind.put(new Of(Kind.BAD, new ArrayList<>(List.of(Kind.BAD)), all), n);
                    byIdentity.put(one, Kind.GOOD);
                }
                @Handler void on(String s) { one.id = 7; }
            }""");
        only(program, only(program, only(program, program.local("A"), 1), "change"), 2);
    }
}
