package harrier.runtime.analysis;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** What a method outside of the program does to the objects that it is given, by its name. */
enum Outside {
    /** Nothing; it tells of them. */
    TELLS,
    /** It gives what is inside of them, or an argument. */
    GIVES,
    /** It gives an object through which they may be changed. */
    VIEWS,
    /** It makes an object that holds what they hold. */
    COPIES,
    /** It makes an object that holds them. */
    HOLDS,
    /** It may change them, and keep one in another. */
    CHANGES;

    private static final Set<String> TELLING = Set.of("size", "isEmpty", "contains", "containsKey", "containsValue",
        "containsAll", "indexOf", "lastIndexOf", "equals", "hashCode", "toString", "compareTo", "compare", "allMatch",
        "anyMatch", "noneMatch", "count", "sum", "average", "hasNext", "isPresent", "length", "disjoint", "frequency",
        "intValue", "longValue", "doubleValue", "booleanValue", "name", "ordinal", "getClass", "valueOf", "format", "join",
        "isNull", "nonNull", "getAsInt", "getAsLong", "getAsDouble", "test", "applyAsInt", "applyAsLong", "forEach",
        "ifPresent", "accept", "run", "hasPrevious");
    private static final Set<String> GIVING = Set.of("get", "getOrDefault", "getFirst", "getLast", "first", "last", "peek",
        "peekFirst", "peekLast", "next", "firstKey", "lastKey", "firstEntry", "lastEntry", "floor", "ceiling", "higher",
        "lower", "floorKey", "ceilingKey", "higherKey", "lowerKey", "floorEntry", "ceilingEntry", "higherEntry",
        "lowerEntry", "getKey", "getValue", "orElse", "orElseThrow", "orElseGet", "findFirst", "findAny", "min", "max",
        "reduce", "element", "read", "apply", "previous", "requireNonNull");
    private static final Set<String> VIEWING = Set.of("iterator", "listIterator", "descendingIterator", "stream", "keySet",
        "values", "entrySet", "subList", "headMap", "tailMap", "subMap", "headSet", "tailSet", "subSet", "descendingMap",
        "descendingSet", "descendingKeySet", "navigableKeySet", "unmodifiableList", "unmodifiableSet", "unmodifiableMap",
        "unmodifiableCollection", "asList", "filter", "map", "mapToObj", "mapToInt", "mapToLong", "boxed", "flatMap",
        "limit", "skip", "sorted", "distinct", "takeWhile", "dropWhile", "range", "rangeClosed", "spliterator");
    private static final Set<String> COPYING = Set.of("copyOf", "toList", "collect", "toArray", "toSet", "clone");
    private static final Set<String> HOLDING = Set.of("of", "ofNullable", "entry", "emptyList", "emptySet", "emptyMap",
        "empty");

    static Outside of(String name) {
        return TELLING.contains(name) ? TELLS : GIVING.contains(name) ? GIVES : VIEWING.contains(name) ? VIEWS
            : COPYING.contains(name) ? COPIES : HOLDING.contains(name) ? HOLDS : CHANGES;
    }

    /** Methods that change what they are called on, and leave their arguments as they are. */
    private static final Set<String> KEEPING = Set.of("put", "putIfAbsent", "putAll", "add", "addAll", "addFirst", "addLast",
        "remove", "removeAll", "removeIf", "removeFirst", "removeLast", "retainAll", "replace", "replaceAll", "merge",
        "compute", "computeIfAbsent", "computeIfPresent", "offer", "offerFirst", "offerLast", "push", "pop", "poll",
        "pollFirst", "pollLast", "clear", "set", "setValue", "sort", "append", "insert", "write", "lazySet", "getAndSet",
        "compareAndSet", "complete");

    /** Whether a method, which changes objects, changes only the one that it is called on. */
    static boolean changesItself(String name) {
        return KEEPING.contains(name);
    }

    /** Whether a method that keeps its argument keeps what is inside of it instead. */
    static boolean keepsElements(MethodInsnNode call) {
        return call.name.equals("addAll") || call.name.equals("putAll")
            || call.name.equals("<init>") && (call.desc.equals("(Ljava/util/Collection;)V")
                || call.desc.equals("(Ljava/util/Map;)V")) && call.owner.startsWith("java/util/");
    }
}
