package harrier.runtime.codec;

import harrier.Actor;
import harrier.ActorName;
import harrier.runtime.origin.Origin;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What an {@link Encoder} does with the values that fields lead to, in place of writing them. */
abstract class Walk {
    /** The objects that cannot be captured themselves. */
    private final Set<Object> passedOver = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Whether it visits what is in objects that are written as static fields, too. */
    boolean visitsNamed() {
        return false;
    }

    /** A value is on the encoder's present path. Returns whether to go on with what it holds. */
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
    static final class Holding extends Walk {
        private final HeldObjects held;

        Holding(HeldObjects held) {
            this.held = held;
        }

        @Override
        void meet(Encoder e, Object object, Plan plan, boolean bare) {
            held.add(e, object, plan, bare);
        }
    }

    /**
     * Gives names to the objects that static fields of a class lead to and that cannot change, and notes values: programs may compare
     * them by identity, and states have their content alone.
     */
    static final class Naming extends Walk {
        private final Plans plans;
        private final Class<?> owner;
        private final List<Runnable> found = new ArrayList<>();

        Naming(Plans plans, Class<?> owner) {
            this.plans = plans;
            this.owner = owner;
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
            if (HeldObjects.isShareable(object, plan) && plan.keepsIdentity() && !(object instanceof Actor)) {
                String way = e.path();
                found.add(() -> plans.constants.name(owner, way, object, plan));
            }
        }

        /** Names and notes what was found. */
        void name() {
            found.forEach(Runnable::run);
        }
    }

    /** Finds what fields lead to on several ways: {@link Codec#shared}. */
    static final class Sharing extends Walk {
        private final Map<Object, List<String>> ways = new IdentityHashMap<>();

        @Override
        boolean visit(Encoder e, Object value) {
            if (value == null || value instanceof Enum || value instanceof Class || value instanceof ActorName
                    || value instanceof String string && string == string.intern()) {
                return true;
            }
            List<String> all = ways.computeIfAbsent(value, v -> new ArrayList<>());
            all.add(e.path());
            return all.size() == 1;
        }

        /** A line for each object and string. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            ways.forEach((object, all) -> {
                if (all.size() > 1 || object instanceof String) {
                    lines.add(String.join(" = ", all));
                }
            });
            Collections.sort(lines);
            return lines;
        }
    }
}
