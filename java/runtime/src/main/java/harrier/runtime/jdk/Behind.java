package harrier.runtime.jdk;

import harrier.host.Changes;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/** What is private to collections of the JDK: what is behind a view or wrapper, and how often something has changed. */
public final class Behind {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** The fields with what is behind. */
    private static final Set<String> INNER = Set.of("this$0", "m", "map", "c", "al");
    private static final long NONE = -1;
    /** Where objects of a class have that, and how often they changed. */
    private static final Map<Class<?>, Long> INNERS = new ConcurrentHashMap<>();
    private static final Map<Class<?>, Long> COUNTS = new ConcurrentHashMap<>();

    private Behind() {}

    /** Has hooks look behind collections. */
    public static void use() {
        Changes.use(Behind::count, Behind::of);
    }

    /** The collection or map behind a view or wrapper; what is none is behind itself. */
    static Object of(Object view) {
        Object found = view;
        for (long at = at(found); at != NONE; at = at(found)) {
            found = UNSAFE.getReference(found, at);
        }
        return found;
    }

    private static long at(Object view) {
        return INNERS.computeIfAbsent(view.getClass(), type -> field(type, INNER));
    }

    /** How often something has changed; {@link Changes#UNCOUNTED} if it does not count, or other iterators do not fail then as those of lists do. */
    static int count(Object of) {
        if (of instanceof IdentityHashMap || of instanceof WeakHashMap || of.getClass().getName().contains("SubList")) {
            return Changes.UNCOUNTED;
        }
        long at = COUNTS.computeIfAbsent(of.getClass(), type -> field(type, Set.of("modCount")));
        return at == NONE ? Changes.UNCOUNTED : UNSAFE.getInt(of, at);
    }

    private static long field(Class<?> type, Set<String> names) {
        for (Class<?> c = type.getName().startsWith("java.util.") ? type : null; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (names.contains(field.getName())) {
                    return UNSAFE.objectFieldOffset(field);
                }
            }
        }
        return NONE;
    }
}
