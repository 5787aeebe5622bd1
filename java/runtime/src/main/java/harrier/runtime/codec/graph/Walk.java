package harrier.runtime.codec.graph;

import harrier.Actor;
import harrier.ActorName;
import harrier.runtime.codec.format.LargeStack;
import harrier.runtime.origin.Origin;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/** What an {@link Encoder} does with the values that fields lead to, in place of writing them. */
public abstract class Walk {
    /** The objects that cannot be captured themselves. */
    private final Set<Object> passedOver = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Reports whether it visits the content of objects that are written as static fields, too. */
    boolean visitsNamed() {
        return false;
    }

    /** A value is on the encoder's present path. Returns whether to go on with its content. */
    boolean visit(Encoder e, Object value) {
        return true;
    }

    /**
     * An object that is not told by content alone is there.
     *
     * @param bare whether the way does not lead through an unmodifiable view
     */
    void meet(Encoder e, Object object, Plan plan, boolean bare) {}

    /** Goes on with what a collection or a reference of the JDK holds that cannot be captured itself. */
    final void goOn(Encoder e, Object value) {
        if (!Origin.isJdks(value.getClass()) || !passedOver.add(value)) {
            return;
        }
        int depth = e.path().depth();
        try {
            visitParts(e, value);
        } catch (LargeStack.Needed deeper) {
            throw deeper;
        } catch (RuntimeException none) {
            e.path().backTo(depth); // a view of what changed meanwhile, or a comparator that fails
        }
    }

    private static void visitParts(Encoder e, Object value) {
        if (value instanceof Reference<?> reference) {
            e.field("referent");
            e.write(reference.get());
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, held) -> {
                e.anyElement();
                e.write(key);
                e.entry(key);
                e.write(held);
            });
        } else if (value instanceof Map.Entry<?, ?> entry) {
            e.field("key");
            e.write(entry.getKey());
            e.field("value");
            e.write(entry.getValue());
        } else if (value instanceof Collection<?> collection) {
            collection.forEach(held -> {
                e.anyElement();
                e.write(held);
            });
        }
    }

    /** Adds what fields hold to what others than actors do. */
    public static final class Holding extends Walk {
        private final HeldObjects held;

        public Holding(HeldObjects held) {
            this.held = held;
        }

        @Override
        void meet(Encoder e, Object object, Plan plan, boolean bare) {
            held.add(e, object, plan, bare);
        }
    }

    /**
     * Gives names to the objects that static fields of a class lead to and that cannot change, or that actors have and whose changes are
     * noticed. Notes values: programs may compare them by identity, and states have their content alone.
     */
    public static final class Naming extends Walk {
        private final Plans plans;
        private final Class<?> owner;
        private final List<Identities> kept;
        private final Predicate<Object> isWatched;
        private final List<Runnable> found = new ArrayList<>();

        /**
         * For a static field.
         *
         * @param kept the objects that actors have; null if they may have any
         * @param isWatched whether it is noticed if a step changes an object
         */
        public Naming(Plans plans, Class<?> owner, List<Identities> kept, Predicate<Object> isWatched) {
            this.plans = plans;
            this.owner = owner;
            this.kept = kept;
            this.isWatched = isWatched;
        }

        @Override
        boolean visitsNamed() {
            return true; // all ways lead to an object, whichever it has for a name
        }

        @Override
        boolean visit(Encoder e, Object value) {
            if (value instanceof String string) {
                found.add(() -> plans.constants.addString(string));
            } else if (value != null && !e.keepsIdentity(value)) {
                found.add(() -> plans.constants.addValue(value, plans::bytes));
            }
            return true;
        }

        @Override
        void meet(Encoder e, Object object, Plan plan, boolean bare) {
            if (plan.keepsIdentity() && !(object instanceof Actor) && (HeldObjects.isShareable(object, plan) || isKept(object, plan))) {
                String way = e.path().text();
                found.add(() -> plans.constants.name(owner, way, object, plan));
            }
        }

        private boolean isKept(Object object, Plan plan) {
            return (kept == null || kept.stream().anyMatch(actor -> actor.has(object, plan))) && isWatched.test(object);
        }

        /** Names and notes the objects found. */
        public void name() {
            found.forEach(Runnable::run);
        }
    }

    /** Counts the ways to the objects behind fields. */
    public static final class Counting extends Walk {
        private final Map<Object, Integer> ways = new IdentityHashMap<>();

        @Override
        boolean visit(Encoder e, Object value) {
            return !mayBeTold(value) || ways.merge(value, 1, Integer::sum) == 1;
        }

        /** What there are several ways to, and strings. */
        public Set<Object> shared() {
            Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
            ways.forEach((value, count) -> {
                if (count > 1 || value instanceof String) {
                    shared.add(value);
                }
            });
            return shared;
        }

        /** Reports whether programs can tell a value from an equal one, other than a constant of the language or the JDK. */
        private static boolean mayBeTold(Object value) {
            boolean isCached = value == null || value instanceof Enum || value instanceof Class || value instanceof ActorName
                || value instanceof Boolean || value instanceof Byte
                || value instanceof Character c && c == Character.valueOf(c)
                || value instanceof Short s && s == Short.valueOf(s) || value instanceof Integer n && n == Integer.valueOf(n)
                || value instanceof Long l && l == Long.valueOf(l) || value instanceof String text && Constants.isLiteral(text);
            return !isCached;
        }
    }

    /** Finds the ways to some objects. */
    public static final class Sharing extends Walk {
        private final Map<Object, List<String>> ways = new IdentityHashMap<>();
        private final Set<Object> shared;
        private final Function<Object, byte[]> content;
        /** The values on the encoder's path. */
        private final List<Object> path = new ArrayList<>();

        /**
         * For the counted values.
         *
         * @param content gives the bytes of a key or an element, by which a way is told from others; null if it has none
         */
        public Sharing(Set<Object> shared, Function<Object, byte[]> content) {
            this.shared = shared;
            this.content = content;
        }

        @Override
        boolean visit(Encoder e, Object value) {
            path.subList(Math.min(path.size(), e.path().depth() - 2), path.size()).clear();
            path.add(value);
            if (!shared.contains(value)) {
                return true;
            }
            List<String> all = ways.computeIfAbsent(value, v -> new ArrayList<>());
            all.add(e.path().way(path, this::told));
            return all.size() == 1;
        }

        private String told(Object element) {
            byte[] bytes = content.apply(element);
            return bytes == null ? "" : UUID.nameUUIDFromBytes(bytes).toString();
        }

        /** The ways to each. */
        public List<List<String>> ways() {
            ways.values().forEach(Collections::sort);
            return List.copyOf(ways.values());
        }
    }
}
