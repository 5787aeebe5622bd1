package harrier.runtime.analysis;

import java.util.Set;
import org.objectweb.asm.Handle;

/** What a method outside of the program may do, by itself, to find out what is in objects that it is given. */
enum Seeing {
    /** It holds or gives them, and calls functions that it is given. */
    NOTHING,
    /** It compares, sorts or prints them. */
    OBJECTS,
    /** It may call whatever functions it gets hold of. */
    FUNCTIONS,
    /** It may look into them. */
    ALL;

    /** The methods that comparing, sorting and printing calls. */
    static final Set<String> CALLED = Set.of("equals", "hashCode", "toString", "compareTo");

    private static final Set<String> QUIET = Set.of("operations", "completed", "pending",
        "filter", "map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj", "asLongStream", "asDoubleStream", "flatMap",
        "allMatch", "anyMatch", "noneMatch", "count", "sum", "average", "findFirst", "findAny", "toList", "stream",
        "iterator", "listIterator", "hasNext", "next", "size", "isEmpty", "isPresent", "ifPresent", "orElseThrow", "orElse",
        "orElseGet", "limit", "skip", "peek", "forEach", "reduce", "boxed", "range", "rangeClosed", "getAsInt", "getAsLong",
        "getAsDouble", "takeWhile", "dropWhile", "iterate", "ordinal", "length", "subList", "keySet", "values", "entrySet",
        "getKey", "getValue", "requireNonNull", "nonNull", "isNull", "unmodifiableList", "read", "getClass");
    /** What hashes, or looks for a key, in some classes only. */
    private static final Set<String> QUIET_IN_LISTS = Set.of("get", "add", "<init>", "getFirst", "getLast", "of", "asList",
        "copyOf");
    private static final Set<String> LISTS = Set.of("java/util/List", "java/util/ArrayList", "java/util/LinkedList",
        "java/util/Deque", "java/util/ArrayDeque", "java/util/Arrays", "java/util/Optional", "java/util/OptionalInt",
        "java/util/concurrent/atomic/AtomicInteger", "java/util/concurrent/atomic/AtomicLong",
        "java/util/concurrent/atomic/AtomicBoolean", "java/util/concurrent/atomic/AtomicReference");
    private static final Set<String> OF_CLASS = Set.of("getName", "getSimpleName", "hashCode", "equals", "toString",
        "isInstance", "cast", "desiredAssertionStatus", "getEnumConstants");

    /** What a method of a class outside may do with objects, other than functions that are handed on to it. */
    static Seeing of(String owner, String name) {
        if (owner.startsWith("java/lang/reflect/") || owner.startsWith("java/lang/invoke/")
                || owner.startsWith("java/io/Object") || owner.equals("java/lang/Class") && !OF_CLASS.contains(name)) {
            return ALL;
        }
        if (owner.startsWith("java/util/function/") || owner.equals(Classes.ACTOR) || owner.equals(Classes.SCENARIO)) {
            return NOTHING; // a function itself is looked at as one that is handed on
        }
        boolean isFuture = owner.startsWith("java/util/concurrent/") && !owner.startsWith("java/util/concurrent/atomic/")
            && !owner.startsWith("java/util/concurrent/Co");
        if (!owner.startsWith("java/util/") && !owner.startsWith("java/lang/") && !owner.startsWith("harrier/")
                || isFuture || owner.startsWith("java/lang/Thread") || owner.startsWith("java/lang/Run")) {
            return FUNCTIONS;
        }
        boolean isBase = name.equals("<init>") && Set.of("java/lang/Object", "java/lang/Record").contains(owner);
        return isBase || QUIET.contains(name) || QUIET_IN_LISTS.contains(name) && LISTS.contains(owner) ? NOTHING : OBJECTS;
    }

    /** What an instruction may do that calls code which it makes first: text, or the methods of a record. */
    static Seeing of(Handle maker) {
        return Set.of("java/lang/invoke/StringConcatFactory", "java/lang/runtime/ObjectMethods",
            "java/lang/runtime/SwitchBootstraps").contains(maker.getOwner()) ? OBJECTS : ALL;
    }

    /** Whether a method tells of timers, tasks or the time. */
    static boolean ofAgenda(String owner, String name) {
        return owner.equals(Classes.ACTOR) && !name.equals("self") && !CALLED.contains(name) && !name.equals("getClass")
            || owner.equals("harrier/EventLoop") || owner.equals("harrier/LogicalClock");
    }

    /** Whether a method tells the time without being given a clock. */
    static boolean tellsTime(String owner, String name) {
        return owner.startsWith("java/time/") && name.equals("now") || owner.equals("java/util/Date")
            || name.equals("currentTimeMillis") || name.equals("nanoTime");
    }

    /** Whether a method depends on chance. */
    static boolean isChance(String owner, String name) {
        return owner.contains("Random") || name.equals("random") || name.equals("randomUUID") || name.equals("shuffle");
    }

    /** Whether the values of a class are functions that only those call who are given one as such. */
    static boolean isFunction(String name) {
        return name.startsWith("java/util/function/") || name.equals("java/lang/Runnable")
            || name.equals("java/util/concurrent/Callable");
    }
}
