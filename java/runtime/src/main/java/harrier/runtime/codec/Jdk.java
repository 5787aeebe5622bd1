package harrier.runtime.codec;

import harrier.runtime.codec.CollectionPlan.Style;
import java.time.Clock;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.IntFunction;

/**
 * The classes of the JDK that can be captured. All others cannot: their fields are nobody's business,
 * and many stand for something outside of the heap.
 */
final class Jdk {
    /** Superclasses without state of their own, once caches are left out. */
    static final Set<Class<?>> EMPTY_BASES = Set.of(Object.class, Record.class, Number.class,
        AbstractCollection.class, AbstractList.class, AbstractSequentialList.class, AbstractSet.class,
        AbstractMap.class, AbstractQueue.class, Clock.class);

    /** Classes whose instance fields are their state. */
    private static final Set<String> OBJECTS = names("""
        java.lang.Object
        java.math.BigInteger java.math.BigDecimal
        java.time.Duration java.time.Instant java.time.LocalDate java.time.LocalTime java.time.LocalDateTime
        java.util.AbstractMap$SimpleEntry java.util.AbstractMap$SimpleImmutableEntry java.util.KeyValueHolder
        java.util.Arrays$ArrayList
        java.util.Collections$CopiesList
        java.util.Collections$ReverseComparator2
        java.util.Collections$SetFromMap
        java.util.Collections$SingletonList java.util.Collections$SingletonMap java.util.Collections$SingletonSet
        java.util.Collections$SynchronizedCollection java.util.Collections$SynchronizedList
        java.util.Collections$SynchronizedMap java.util.Collections$SynchronizedNavigableMap
        java.util.Collections$SynchronizedNavigableSet java.util.Collections$SynchronizedRandomAccessList
        java.util.Collections$SynchronizedSet java.util.Collections$SynchronizedSortedMap
        java.util.Collections$SynchronizedSortedSet
        java.util.Collections$UnmodifiableCollection java.util.Collections$UnmodifiableList
        java.util.Collections$UnmodifiableMap java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet
        java.util.Collections$UnmodifiableNavigableMap java.util.Collections$UnmodifiableNavigableSet
        java.util.Collections$UnmodifiableNavigableMap$EmptyNavigableMap
        java.util.Collections$UnmodifiableNavigableSet$EmptyNavigableSet
        java.util.Collections$UnmodifiableRandomAccessList java.util.Collections$UnmodifiableSet
        java.util.Collections$UnmodifiableSortedMap java.util.Collections$UnmodifiableSortedSet
        java.util.HashMap$EntrySet java.util.HashMap$KeySet java.util.HashMap$Values
        java.util.LinkedHashMap$LinkedEntrySet java.util.LinkedHashMap$LinkedKeySet
        java.util.LinkedHashMap$LinkedValues
        java.util.OptionalDouble java.util.OptionalInt java.util.OptionalLong
        java.util.TreeMap$EntrySet java.util.TreeMap$KeySet java.util.TreeMap$Values
        java.util.UUID
        java.util.concurrent.ConcurrentHashMap$EntrySetView java.util.concurrent.ConcurrentHashMap$KeySetView
        java.util.concurrent.ConcurrentHashMap$ValuesView
        java.util.concurrent.atomic.AtomicBoolean java.util.concurrent.atomic.AtomicInteger
        java.util.concurrent.atomic.AtomicIntegerArray java.util.concurrent.atomic.AtomicLong
        java.util.concurrent.atomic.AtomicLongArray java.util.concurrent.atomic.AtomicReference
        java.util.concurrent.atomic.AtomicReferenceArray
        """);

    /** Fields of theirs that hold what can be computed again, or count modifications. */
    private static final Set<String> CACHES = names("""
        java.util.AbstractList.modCount
        java.util.AbstractMap.keySet java.util.AbstractMap.values
        java.util.Collections$SingletonMap.entrySet java.util.Collections$SingletonMap.keySet
        java.util.Collections$SingletonMap.values
        java.util.Collections$SynchronizedMap.entrySet java.util.Collections$SynchronizedMap.keySet
        java.util.Collections$SynchronizedMap.values
        java.util.Collections$UnmodifiableMap.entrySet java.util.Collections$UnmodifiableMap.keySet
        java.util.Collections$UnmodifiableMap.values
        java.math.BigInteger.bitCountPlusOne java.math.BigInteger.bitLengthPlusOne
        java.math.BigInteger.firstNonzeroIntNumPlusTwo java.math.BigInteger.lowestSetBitPlusTwo
        java.math.BigDecimal.precision java.math.BigDecimal.stringCache
        """);

    private static final Set<String> IMMUTABLES = names("""
        java.util.ImmutableCollections$List12 java.util.ImmutableCollections$ListN
        java.util.ImmutableCollections$SubList
        java.util.ImmutableCollections$Set12 java.util.ImmutableCollections$SetN
        java.util.ImmutableCollections$Map1 java.util.ImmutableCollections$MapN
        """);

    /** A load factor that keeps tables from growing. */
    private static final float UNBOUNDED = 1_000;
    /** Another capacity than usual, for classes that always grow. */
    private static final int LARGE = 1_000;

    private static final Map<Class<?>, Plan> PLANS = new HashMap<>();

    static {
        list(ArrayList.class, Style.AT_ONCE, Parameter.NONE, ArrayList::new);
        list(LinkedList.class, Style.AT_ONCE, Parameter.NONE, n -> new LinkedList<>());
        list(Vector.class, Style.AT_ONCE, Parameter.NONE, n -> new Vector<>());
        list(Stack.class, Style.AT_ONCE, Parameter.NONE, n -> new Stack<>());
        list(ArrayDeque.class, Style.AT_ONCE, Parameter.NONE, ArrayDeque::new);
        list(ConcurrentLinkedQueue.class, Style.AT_ONCE, Parameter.NONE, n -> new ConcurrentLinkedQueue<>());
        list(ConcurrentLinkedDeque.class, Style.AT_ONCE, Parameter.NONE, n -> new ConcurrentLinkedDeque<>());
        list(CopyOnWriteArrayList.class, Style.AT_ONCE, Parameter.NONE, n -> new CopyOnWriteArrayList<>());
        list(CopyOnWriteArraySet.class, Style.LATER, Parameter.NONE, n -> new CopyOnWriteArraySet<>());
        list(LinkedHashSet.class, Style.LATER, Parameter.NONE, n -> new LinkedHashSet<>());
        list(HashSet.class, Style.HASHED, Parameter.NONE,
            n -> n == CollectionPlan.ONE_BUCKET ? new HashSet<>(1, UNBOUNDED) : new HashSet<>(n));
        list(TreeSet.class, Style.SORTED, Parameter.COMPARATOR, n -> new TreeSet<>());
        list(ConcurrentSkipListSet.class, Style.LATER, Parameter.COMPARATOR, n -> new ConcurrentSkipListSet<>());
        list(PriorityQueue.class, Style.HEAP, Parameter.COMPARATOR, n -> new PriorityQueue<>());
        list(EnumSet.class, Style.AT_ONCE, Parameter.KEY_CLASS, null);

        map(HashMap.class, Style.HASHED, Parameter.NONE,
            n -> n == CollectionPlan.ONE_BUCKET ? new HashMap<>(1, UNBOUNDED) : new HashMap<>(n));
        map(Hashtable.class, Style.HASHED, Parameter.NONE,
            n -> new Hashtable<>(n == CollectionPlan.ONE_BUCKET ? LARGE : n));
        map(ConcurrentHashMap.class, Style.HASHED, Parameter.NONE,
            n -> new ConcurrentHashMap<>(n == CollectionPlan.ONE_BUCKET ? LARGE : n));
        map(LinkedHashMap.class, Style.LATER, Parameter.NONE, n -> new LinkedHashMap<>());
        map(TreeMap.class, Style.SORTED, Parameter.COMPARATOR, n -> new TreeMap<>());
        map(ConcurrentSkipListMap.class, Style.LATER, Parameter.COMPARATOR, n -> new ConcurrentSkipListMap<>());
        map(EnumMap.class, Style.AT_ONCE, Parameter.KEY_CLASS, null);

        add(new BitSetPlan());
        for (Object only : List.of(Collections.EMPTY_LIST, Collections.EMPTY_SET, Collections.EMPTY_MAP,
                Collections.reverseOrder(), String.CASE_INSENSITIVE_ORDER)) {
            add(new SingletonPlan(only));
        }
    }

    private Jdk() {}

    /** The plan of a class of the JDK that is neither an enum nor an array; null if there is none. */
    static Plan plan(Class<?> type) {
        if (EnumSet.class.isAssignableFrom(type)) {
            return PLANS.get(EnumSet.class); // its two subclasses depend on the size of the enum only
        }
        Plan plan = PLANS.get(type);
        if (plan != null) {
            return plan;
        }
        if (IMMUTABLES.contains(type.getName())) {
            return new Immutables(type);
        }
        return OBJECTS.contains(type.getName()) ? new FieldsPlan(type, Tag.OBJECT, Plans.slots(type)) : null;
    }

    /** Whether a field is no part of the state. */
    static boolean isCache(Class<?> declaring, String field) {
        return CACHES.contains(declaring.getName() + "." + field);
    }

    /** What to do about a class of the JDK that cannot be captured. */
    static String mend(Class<?> type) {
        if (type == IdentityHashMap.class || type == WeakHashMap.class) {
            return "use a HashMap";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "keep a String";
        }
        if (type == Class.class) {
            return "keep the name of the class";
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return "keep its message as a String";
        }
        if (Random.class.isAssignableFrom(type)) {
            return "take what it decides from choose(n)";
        }
        if (type.getName().startsWith("java.util.concurrent.locks.")) {
            return "leave it out; an actor's handlers run one at a time";
        }
        boolean collection = Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
        return collection ? "copy it into an ArrayList, a HashSet or a HashMap" : "keep it out of the actor's state";
    }

    private static void list(Class<?> type, Style style, Parameter parameter, IntFunction<Collection<Object>> maker) {
        add(new CollectionPlan(type, style, parameter, maker));
    }

    private static void map(Class<?> type, Style style, Parameter parameter, IntFunction<Map<Object, Object>> maker) {
        add(new MapPlan(type, style, parameter, maker));
    }

    private static void add(Plan plan) {
        PLANS.put(plan.type, plan);
    }

    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
