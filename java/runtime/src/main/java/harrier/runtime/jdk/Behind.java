package harrier.runtime.jdk;

import harrier.host.Changes;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;

/** What is private to collections of the JDK: what is behind a view or wrapper, and how often something has changed. */
public final class Behind {
    private static final String PACKAGE = "java.util.";
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** The views and wrappers that have the elements of what is behind, in its order, and the fields with that. */
    private static final Set<String> VIEWS = Set.of("HashSet", "LinkedHashSet", "TreeSet", "concurrent.CopyOnWriteArraySet",
        "HashMap$KeySet", "HashMap$Values", "HashMap$EntrySet", "LinkedHashMap$LinkedKeySet", "LinkedHashMap$LinkedValues",
        "LinkedHashMap$LinkedEntrySet", "TreeMap$KeySet", "TreeMap$Values", "TreeMap$EntrySet", "Collections$UnmodifiableCollection",
        "Collections$UnmodifiableSet", "Collections$UnmodifiableSortedSet", "Collections$UnmodifiableNavigableSet",
        "Collections$UnmodifiableList", "Collections$UnmodifiableRandomAccessList", "Collections$UnmodifiableMap$UnmodifiableEntrySet");
    private static final Set<String> INNER = Set.of("this$0", "m", "map", "c", "al");
    /** What counts its changes, and whose iterators fail after them. */
    private static final Set<Class<?>> COUNTED = Set.of(ArrayList.class, LinkedList.class, HashMap.class, LinkedHashMap.class, TreeMap.class);
    private static final long NONE = -1;
    /** Where objects of a class have that, and how often they changed. */
    private static final Map<Class<?>, Long> INNERS = new ConcurrentHashMap<>();
    private static final Map<Class<?>, Long> COUNTS = new ConcurrentHashMap<>();

    private Behind() {}

    /** Has hooks look behind collections. */
    public static void use() {
        Changes.use(Behind::count, Behind::of);
    }

    /** The collection or map that a view or wrapper has; anything else itself. */
    static Object of(Object view) {
        long at = INNERS.computeIfAbsent(view.getClass(), type -> isView(type.getName()) ? field(type, INNER) : NONE);
        return at == NONE ? view : UNSAFE.getReference(view, at);
    }

    private static boolean isView(String type) {
        return type.startsWith(PACKAGE) && VIEWS.contains(type.substring(PACKAGE.length()));
    }

    /** How often something has changed; {@link Changes#UNCOUNTED} if it does not count. */
    static int count(Object of) {
        long at = COUNTS.computeIfAbsent(of.getClass(), type -> COUNTED.contains(type) ? field(type, Set.of("modCount")) : NONE);
        return at == NONE ? Changes.UNCOUNTED : UNSAFE.getInt(of, at);
    }

    private static long field(Class<?> type, Set<String> names) {
        for (Class<?> c = type.getName().startsWith(PACKAGE) ? type : null; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (names.contains(field.getName())) {
                    return UNSAFE.objectFieldOffset(field);
                }
            }
        }
        return NONE;
    }
}
