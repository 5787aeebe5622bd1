package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import harrier.runtime.UserProgram;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Merging;
import java.util.List;
import org.junit.Test;

/** Objects that programs tell apart with ==. */
public class IdentityTest {
    @Test
    public void stringsAreObjectsOfTheirOwnOrMergedThoseOfLiterals() {
        Codec codec = new Codec(getClass().getClassLoader());
        for (int i = 0; i < 2; i++) {
            // The third and fourth have one hash.
            for (String s : List.of("", "a", "Aa", "BB", "\u00e9", "\u20ac", "go \ud800", "x".repeat(127), "x".repeat(128), "y".repeat(300))) {
                byte[] bytes = codec.encode(s);
                Object own = codec.decode(bytes);
                assertEquals(s, own);
                assertNotSame(s.intern(), own);
                assertSame(s.intern(), Merging.during(() -> codec.decode(bytes), run -> List.of(run.get())).get(0));
            }
        }
    }

    @Test
    public void statelessConstantsAreThemselves() {
        UserProgram program = new UserProgram("""
            interface Strategy { Strategy FAST = new Strategy() {}; }
            enum Mode { ON; static final Object OFF = new Object(); }
            class Slow implements Strategy { static final Strategy SLOW = new Slow(); static final Strategy OTHER = new Slow(); }
            class Order implements Comparator<String> {
                static final Order BACKWARDS = new Order();
                public int compare(String a, String b) { return b.compareTo(a); }
            }
            class A extends Actor {
                private static final Object NONE = new Object();
                Object value = NONE;
                List<Object> list = new ArrayList<>(List.of(NONE, Strategy.FAST, Slow.SLOW, Slow.OTHER, Mode.OFF, Mode.ON));
                Set<String> sorted = new TreeSet<>(Order.BACKWARDS);
                boolean same;
                @Handler void on(Object m) {
                    same = value == NONE && list.get(0) == NONE && list.get(1) == Strategy.FAST
                        && list.get(2) == Slow.SLOW && list.get(3) == Slow.OTHER && list.get(4) == Mode.OFF
                        && list.get(5) == Mode.ON && m == Slow.SLOW
                        && ((TreeSet<String>) sorted).comparator() == Order.BACKWARDS;
                    list.clear();
                    sorted = null;
                    value = null;
                }
            }""");
        byte[] local = program.local("A");

        assertStep("A{value=null, list=[], sorted=null, same=true}", program, constant(program, "Slow", "SLOW"));
        assertArrayEquals(local, program.local("A"));
        assertArrayEquals("not numbered, a class and a field", new byte[] {0x0d, 4, 'S', 'l', 'o', 'w', 4, 'S', 'L', 'O', 'W'},
            program.codec().encode(constant(program, "Slow", "SLOW")));
    }

    @Test
    public void otherObjectsAreWrittenByContent() {
        UserProgram program = new UserProgram("""
            class Plain { static final Plain ONE = new Plain(); static Plain open = new Plain(); }
            class Full { static final Full ONE = new Full(); int n = 1; }""");

        assertEquals(Tag.ENUM, tag(program, constant(program, "Plain", "ONE")));
        assertEquals(Tag.OBJECT, tag(program, constant(program, "Plain", "open")));
        assertEquals(Tag.OBJECT, tag(program, program.make("Plain")));
        assertEquals(Tag.OBJECT, tag(program, constant(program, "Full", "ONE")));
    }

    @Test
    public void lookingForConstantsInitializesNoClass() throws ReflectiveOperationException {
        UserProgram program = new UserProgram("""
            class Log { static boolean touched; }
            class Lazy { static { Log.touched = true; } static final Object NONE = new Object(); }
            class Plain {}""");
        Class.forName("Lazy", false, program.loader());

        assertEquals(Tag.OBJECT, tag(program, program.make("Plain")));
        assertFalse((boolean) constant(program, "Log", "touched"));
        byte[] lazy = {0x0d, 4, 'L', 'a', 'z', 'y', 4, 'N', 'O', 'N', 'E'};
        Object read = program.codec().decode(lazy);
        assertNotNull("what has a name is needed", read);
        assertSame(constant(program, "Lazy", "NONE"), read);
    }

    private static void assertStep(String expected, UserProgram program, Object message) {
        assertEquals(List.of(expected), program.step("A", message).outcomes().stream()
            .map(o -> program.show(o.local())).toList());
    }

    private static int tag(UserProgram program, Object value) {
        return program.codec().encode(value)[0];
    }

    private static Object constant(UserProgram program, String type, String field) {
        try {
            java.lang.reflect.Field f = program.type(type).getDeclaredField(field);
            f.setAccessible(true);
            return f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
