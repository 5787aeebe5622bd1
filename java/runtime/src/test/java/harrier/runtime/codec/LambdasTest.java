package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import harrier.Actor;
import harrier.runtime.UserProgram;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.load.ProgramLoader;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.junit.Test;

/** A program's lambdas and method references are part of its actors' state. */
public class LambdasTest {
    private static final String PROGRAM = """
        import java.util.function.*;
        import java.util.stream.*;
        record Tell(Function<Integer, Integer> f) {}
        class A extends Actor {
            private static final Runnable NONE = () -> { };
            int count;
            Runnable idle = NONE;
            Runnable later;
            Supplier<Integer> counter = this::count;
            List<Function<Integer, Integer>> steps = new ArrayList<>();
            TreeSet<String> sorted = new TreeSet<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
            Optional<IntBinaryOperator> op = Optional.empty();
            boolean same;
            int count() { return count; }

            @Handler void on(Integer n) {
                List<Integer> shared = new ArrayList<>();
                long wide = 1L << n;
                later = () -> { count += n; shared.add((int) wide); };
                steps.add(x -> x + n);
                steps.add(Math::abs);
                sorted.addAll(List.of("bb", "a", "cc"));
                op = Optional.of((a, b) -> a * b + shared.size());
            }

            @Handler void on(String s) {
                later.run();
                same = idle == NONE;
                count = counter.get() * 10 + steps.stream().map(f -> f.apply(-3)).mapToInt(i -> i).sum()
                    + op.get().applyAsInt(2, 3);
                sorted.add("aa");
                count += sorted.headSet("bb").size() * 1000;
                later = null;
                steps.clear();
                op = null;
            }

            @Handler void on(Tell tell) { count = tell.f().apply(20); }
        }
        class Tells implements Supplier<Object> {
            public Object get() { int n = 22; return new Tell(x -> x + n); }
        }
        class Two implements Supplier<Object> {
            static Runnable make(Object captured) { return () -> captured.hashCode(); }
            public Object get() {
                List<Object> list = new ArrayList<>();
                Runnable one = make(list);
                return List.of(List.of(one, one), List.of(make(list), make(list)), List.of(one, make(new ArrayList<>())));
            }
        }""";

    private final UserProgram program = new UserProgram(PROGRAM);

    @Test
    public void theyDoTheSameInALaterStep() {
        byte[] after = only(program.local("A"), 4);
        byte[] end = only(after, "go");
        A state = show(end);
        // count 4; 4 * 10, steps give 1 and 3, the product and one element; "a" and "aa" come before "bb"
        assertEquals(40 + 1 + 3 + 7 + 2000, state.count());
        assertEquals(true, state.same());
    }

    @Test
    public void anotherLoaderReadsThem() {
        byte[] after = only(program.local("A"), 4);
        ProgramLoader fresh = UserProgram.loader(program.loader().classes());
        Codec other = new Codec(fresh, fresh::defined);
        for (LocalState state : Orders.all(() -> other.decodeLocalState(after))) {
            assertSame(fresh, state.actor().getClass().getClassLoader());
            assertArrayEquals(after, other.encode(state));
        }
    }

    @Test
    public void theyGoInMessages() {
        Object tell = ((Supplier<?>) program.make("Tells")).get();
        byte[] end = UserProgram.answer(program.steps(true), program.local("A"), program.message(tell)).outcomes().get(0).local();
        assertEquals(42, show(end).count());
    }

    /** Which of two it is decides if they capture something, as it does for objects. */
    @Test
    public void theyKeepTheirIdentity() {
        List<?> pairs = (List<?>) ((Supplier<?>) program.make("Two")).get();
        byte[] same = program.codec().encode(pairs.get(0));
        byte[] others = program.codec().encode(pairs.get(1));
        assertFalse(Arrays.equals(same, others));
        List<?> decoded = (List<?>) program.codec().decode(same);
        assertSame(decoded.get(0), decoded.get(1));
        decoded = (List<?>) program.codec().decode(others);
        assertNotSame(decoded.get(0), decoded.get(1));
        assertEquals("an object whose name says where it stands", "11" + HexFormat.of().formatHex("\u0010Two$make_lambda0".getBytes()),
            HexFormat.of().formatHex(program.codec().encode(((List<?>) pairs.get(0)).get(0)), 0, 18));
    }

    private byte[] only(byte[] local, Object message) {
        return UserProgram.answer(program.steps(true), local, program.message(message)).outcomes().get(0).local();
    }

    private record A(int count, boolean same) {}

    private A show(byte[] local) {
        Actor actor = program.codec().decodeLocalState(local).actor();
        return new A((int) field(actor, "count"), (boolean) field(actor, "same"));
    }

    private static Object field(Object holder, String name) {
        try {
            java.lang.reflect.Field field = holder.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(holder);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
