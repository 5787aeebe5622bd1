package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.load.ProgramLoader;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.Test;

/** Proxies are part of an actor's state: their interfaces, and their handlers as objects like others. */
public class ProxiesTest {
    private static final String PROGRAM = """
        import java.lang.reflect.*;
        import java.util.function.*;
        interface Own { int own(); }
        class Counting implements InvocationHandler {
            int n;
            Object self;
            Counting(int n) { this.n = n; }
            static Object proxy(InvocationHandler handler, Class<?>... interfaces) {
                return Proxy.newProxyInstance(Own.class.getClassLoader(), interfaces, handler);
            }
            static Object of(int n) { return proxy(new Counting(n), Own.class, IntSupplier.class); }
            public Object invoke(Object proxy, Method m, Object[] arguments) throws Throwable {
                return switch (m.getName()) {
                    case "hashCode" -> n;
                    case "equals" -> arguments[0] instanceof Own o && o.own() == n;
                    case "own" -> n;
                    case "getAsInt" -> ++n;
                    default -> throw new AssertionError(m);
                };
            }
        }
        class Cycle implements Supplier<Object> {
            public Object get() {
                Counting handler = new Counting(7);
                return handler.self = Counting.proxy(handler, IntSupplier.class, Own.class);
            }
        }
        class Hashed implements Supplier<Object> {
            public Object get() {
                Object one = Counting.of(1);
                return new ArrayList<>(List.of(one, new HashMap<>(Map.of(one, one, Counting.of(2), "two")),
                    new HashSet<>(List.of(Counting.of(3), one))));
            }
        }
        class Lambdas implements Supplier<Object> {
            public Object get() {
                int n = 5;
                return List.of(Counting.proxy((p, m, arguments) -> n, IntSupplier.class),
                    Counting.proxy((p, m, arguments) -> 6, IntSupplier.class));
            }
        }
        class Two implements Supplier<Object> {
            public Object get() {
                Object one = Counting.of(1);
                return List.of(List.of(one, one), List.of(Counting.of(1), Counting.of(1)));
            }
        }""";

    private final UserProgram program = new UserProgram(PROGRAM);

    private Object make(String name) {
        return ((Supplier<?>) program.make(name)).get();
    }

    private static int call(Object proxy) {
        return ((IntSupplier) proxy).getAsInt();
    }

    /** Makes another proxy in another loader first, so that their classes have other numbers there. */
    private Codec other() {
        ProgramLoader fresh = UserProgram.loader(program.loader().classes());
        Proxy.newProxyInstance(fresh, new Class<?>[] {Runnable.class}, (p, m, arguments) -> null);
        return new Codec(fresh, fresh::defined);
    }

    @Test
    public void anotherLoaderReadsThem() {
        for (String name : List.of("Cycle", "Hashed", "Lambdas", "Two")) {
            byte[] bytes = program.codec().encode(make(name));
            assertFalse(name, new String(bytes, StandardCharsets.ISO_8859_1).contains("$Proxy"));
            Codec other = other();
            assertArrayEquals(name, bytes, other.encode(other.decode(bytes)));
            assertArrayEquals(name, bytes, program.codec().encode(program.codec().decode(bytes)));
        }
    }

    @Test
    public void theyDoTheSameWhenTheyAreMadeAnew() {
        Object cycle = make("Cycle");
        Object again = program.codec().decode(program.codec().encode(cycle));
        assertSame("the same interfaces in the same order", cycle.getClass(), again.getClass());
        assertEquals(8, call(again));
        assertEquals("each has a handler of its own", 8, call(cycle));
        List<?> lambdas = (List<?>) program.codec().decode(program.codec().encode(make("Lambdas")));
        assertEquals(List.of(5, 6), lambdas.stream().map(ProxiesTest::call).toList());
    }

    @Test
    public void aHandlerMayReferToItsProxy() {
        Object again = program.codec().decode(program.codec().encode(make("Cycle")));
        InvocationHandler handler = Proxy.getInvocationHandler(again);
        Slot self = Slots.shown(handler.getClass()).stream().filter(s -> s.name.equals("self")).findFirst().orElseThrow();
        assertSame(again, Raw.UNSAFE.getReference(handler, self.offset));
    }

    @Test
    public void hashCollectionsFindThem() {
        byte[] bytes = program.codec().encode(make("Hashed"));
        for (Object decoded : Orders.all(() -> program.codec().decode(bytes))) {
            List<?> all = (List<?>) decoded;
            assertSame(all.get(0), ((Map<?, ?>) all.get(1)).get(all.get(0)));
            assertTrue(((Set<?>) all.get(2)).contains(all.get(0)));
            assertArrayEquals(bytes, program.codec().encode(decoded));
        }
    }

    @Test
    public void theyKeepTheirIdentity() {
        List<?> pairs = (List<?>) make("Two");
        byte[] same = program.codec().encode(pairs.get(0));
        byte[] others = program.codec().encode(pairs.get(1));
        assertFalse(Arrays.equals(same, others));
        List<?> decoded = (List<?>) program.codec().decode(same);
        assertSame(decoded.get(0), decoded.get(1));
        decoded = (List<?>) program.codec().decode(others);
        assertNotSame(decoded.get(0), decoded.get(1));
    }

    @Test
    public void theirClassesAreRefused() {
        Object proxy = make("Cycle");
        String mend = ", which cannot be captured: the class of a proxy has another name in every run; use one of its interfaces";
        refused(proxy.getClass(), "the value is a java.lang.Class" + mend);
        refused(Array.newInstance(proxy.getClass(), 1, 1).getClass(), "the value is a java.lang.Class" + mend);
        refused(Array.newInstance(proxy.getClass(), 1), "the value is a [Ljava.lang.reflect.Proxy;" + mend);
        refused(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Hidden.class}, (p, m, arguments) -> null),
            "the value is a java.lang.reflect.Proxy, which cannot be captured: the program's class loader finds no such interfaces;"
            + " keep it out of the actor's state");
    }

    private interface Hidden {}

    private void refused(Object value, String message) {
        assertEquals(message, assertThrows(NotCapturableException.class, () -> program.codec().encode(value)).getMessage());
    }

    /** Bytes that no encoder writes are refused as such. */
    @Test
    public void damagedBytesAreRefused() {
        byte[] bytes = program.codec().encode(make("Lambdas"));
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String[] change : new String[][] {{"java.util.function.IntSupplier", "java.util.function.IntSuppliex"},
            {"java.util.function.IntSupplier", "java.lang.NullPointerException"}, {"interfaces", "interfacez"},
            {"\u0001h\u0011", "\u0001i\u0011"}}) {
            assertTrue(change[0], text.contains(change[0]));
            byte[] damaged = text.replace(change[0], change[1]).getBytes(StandardCharsets.ISO_8859_1);
            assertThrows(change[1], FormatException.class, () -> program.codec().decode(damaged));
        }
    }
}
