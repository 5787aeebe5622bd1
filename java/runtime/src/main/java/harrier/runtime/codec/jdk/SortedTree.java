package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the trees of tree maps and tree sets out of sorted elements without comparing. So nothing of the program's
 * runs, and elements keep their order even if they would compare differently by now.
 */
final class SortedTree {
    private static final MethodHandle BUILD;
    /** What keys have in the map of a tree set. */
    private static final Object PRESENT;

    static {
        try {
            MethodType type =
                MethodType.methodType(void.class, int.class, Iterator.class, ObjectInputStream.class, Object.class);
            BUILD = MethodHandles.insertArguments(Raw.LOOKUP.findVirtual(TreeMap.class, "buildFromSorted", type), 3,
                (Object) null);
            PRESENT = Raw.LOOKUP.findStaticVarHandle(TreeSet.class, "PRESENT", Object.class).get();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private SortedTree() {}

    /** Puts elements into an empty tree set. */
    static void fill(Collection<Object> set, Object[] elements) {
        build((TreeMap<?, ?>) Parameter.owner(set), elements, PRESENT);
    }

    /** Puts entries into an empty tree map. */
    static void fill(Map<Object, Object> map, MapPlan.Entry[] entries) {
        build((TreeMap<?, ?>) map, entries, null);
    }

    private static void build(TreeMap<?, ?> tree, Object[] elements, Object value) {
        try {
            BUILD.invokeExact(tree, elements.length, (Iterator<?>) Arrays.asList(elements).iterator(), value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
