package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.FieldsPlan;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.jdk.JdkFields;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The classes of the JDK that can be captured: by their fields, which {@link JdkFields} lists; as a collection
 * ({@link JdkCollections}); or by some parts that a constructor or factory takes ({@link JdkParts}). All others cannot:
 * their fields are details of the JDK, and many stand for something outside of the heap.
 */
public final class JdkPlans {
    private static final Map<Class<?>, Plan> PLANS = new HashMap<>();

    static {
        JdkCollections.plans().forEach(JdkPlans::add);
        JdkParts.plans().forEach(JdkPlans::add);
        for (Object only : List.of(Collections.EMPTY_LIST, Collections.EMPTY_SET,
                Collections.EMPTY_MAP, Collections.emptySortedSet(), Collections.emptySortedMap(), Collections.reverseOrder(),
                String.CASE_INSENSITIVE_ORDER)) {
            add(PartsPlan.only(only.getClass(), only));
        }
    }

    private JdkPlans() {}

    private static void add(Plan plan) {
        PLANS.put(plan.type, plan);
    }

    /** The plan of a class of the JDK that is neither an enum nor an array; null if there is none. */
    public static Plan plan(Class<?> type) {
        if (EnumSet.class.isAssignableFrom(type)) {
            return PLANS.get(EnumSet.class); // its two subclasses depend on the size of the enum only
        }
        Plan plan = PLANS.get(type);
        if (plan != null) {
            return plan;
        }
        if (Charset.class.isAssignableFrom(type)) {
            return JdkParts.charset(type);
        }
        if (MessageDigest.class.isAssignableFrom(type)) {
            return JdkFormats.digest(type);
        }
        Plan constant = ConstantPlan.of(type);
        if (constant != null) {
            return constant;
        }
        if (Immutables.has(type)) {
            return new Immutables(type);
        }
        if (SubListPlan.has(type)) {
            return new SubListPlan(type);
        }
        if (JdkFields.VALUES.contains(type.getName())) {
            return new FieldsPlan(type, Tag.RECORD, Slots.shown(type));
        }
        boolean fields = JdkFields.OBJECTS.contains(type.getName()) || Throwable.class.isAssignableFrom(type);
        return fields ? new FieldsPlan(type, Tag.OBJECT, Slots.shown(type)) : null;
    }

    /**
     * The collection among the superclasses of a class of the program; null if there is none. What a class adds to
     * it are fields.
     */
    public static Class<?> collectionBelow(Class<?> type) {
        for (Class<?> s = type.getSuperclass(); s != null; s = s.getSuperclass()) {
            Plan plan = PLANS.get(s);
            if (plan instanceof ContentPlan || plan instanceof BitSetPlan) {
                return s;
            }
        }
        return null;
    }

    /** Reports whether the fields of a superclass can be captured with those of a class of the program. */
    public static boolean isOpen(Class<?> superclass) {
        return JdkFields.OBJECTS.contains(superclass.getName()) || Throwable.class.isAssignableFrom(superclass)
            || Slots.own(superclass).isEmpty();
    }

    /** What to do about a class of the JDK that cannot be captured. */
    public static String mend(Class<?> type) {
        String name = type.getName();
        if (type == java.io.File.class || java.nio.file.Path.class.isAssignableFrom(type)) {
            return "keep its path, as a String";
        }
        if (type == WeakHashMap.class) {
            return "use a HashMap";
        }
        if (Iterator.class.isAssignableFrom(type) && type != Scanner.class || Spliterator.class.isAssignableFrom(type)) {
            return "iterate within one handler; keep the collection, and a position if need be";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "keep a String";
        }
        if (type == ThreadLocalRandom.class) {
            return "take what it decides from choose(n)";
        }
        if (Map.Entry.class.isAssignableFrom(type)) {
            return "it is a part of its map; keep Map.entry(key, value)";
        }
        if (name.equals("java.util.concurrent.CompletableFuture$ThreadPerTaskExecutor")
                || java.util.concurrent.Executor.class.isAssignableFrom(type)) {
            return "it has threads of its own; use an executor that runs tasks in the handler, or the actor's eventLoop()";
        }
        boolean collection = Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
        return collection ? "copy it into an ArrayList, a HashSet or a HashMap" : "keep it out of the actor's state";
    }
}
