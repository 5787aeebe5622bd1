package harrier.runtime.rules.statics;

import harrier.Actor;
import harrier.host.ThreadState;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.jdk.LoggerPlan;
import harrier.runtime.origin.Loggers;
import harrier.runtime.origin.Origin;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Proxy;
import java.security.SecureRandomSpi;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What all objects that a value reaches held at one moment, field by field. Putting it back changes the objects in
 * place, so whoever refers to one of them sees what it was, and none of them becomes another object.
 */
final class HeapCopy {
    private static final MethodHandle TRACE = Raw.method(Throwable.class, "getOurStackTrace", StackTraceElement[].class);

    private boolean reachesActor;
    private boolean isWhole = true;
    /** The objects of each class. */
    private final Map<Layout, Layout.Copies> copies = new LinkedHashMap<>();

    private HeapCopy() {}

    /** Copies the objects that a value reaches. Objects that stand for resources beyond the heap are not entered. */
    HeapCopy(Object value) {
        Deque<Object> open = new ArrayDeque<>(List.of(value));
        Set<Object> met = identities();
        while (!open.isEmpty()) {
            Object object = open.pop();
            reachesActor |= object instanceof Actor;
            Layout layout = Layout.of(object.getClass());
            if (isLeftAlone(object)) {
                isWhole &= object instanceof Enum || LoggerPlan.areNamed(object.getClass());
            } else if (!layout.isEmpty() && met.add(object)) {
                add(object);
                layout.eachReference(object, open::push);
            }
        }
    }

    /** Copies what the same objects hold by now. */
    HeapCopy again() {
        return union(Stream.of(this));
    }

    /** Copies what the objects of some copies hold by now, each once. */
    static HeapCopy union(Stream<HeapCopy> copies) {
        HeapCopy union = new HeapCopy();
        Set<Object> met = identities();
        copies.forEach(c -> c.each(object -> {
            if (met.add(object)) {
                union.add(object);
            }
        }));
        return union;
    }

    /** Reports whether nothing was copied, as nothing that the value reaches can change. */
    boolean isEmpty() {
        return copies.isEmpty();
    }

    private void add(Object object) {
        if (object instanceof Throwable thrown) {
            fillTrace(thrown);
        }
        Layout layout = Layout.of(object.getClass());
        copies.computeIfAbsent(layout, l -> l.new Copies()).add(object);
    }

    void each(Consumer<Object> to) {
        for (Layout.Copies some : copies.values()) {
            for (int i = 0; i < some.size(); i++) {
                to.accept(some.get(i));
            }
        }
    }

    /** Has a throwable make its stack trace, as it does when that is first asked for. */
    private static void fillTrace(Throwable thrown) {
        try {
            StackTraceElement[] ignored = (StackTraceElement[]) TRACE.invokeExact(thrown);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static Set<Object> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /**
     * Reports whether an object is looked after elsewhere, or is of no matter: what harrier has, other than generators of random numbers
     * and proxies, loggers, running threads, and the fields of enum constants, each of which is a cell.
     */
    private static boolean isLeftAlone(Object object) {
        Class<?> type = object.getClass();
        boolean isHarriers = Origin.isHarriers(type) && !Proxy.isProxyClass(type) && !(object instanceof Random)
            && !(object instanceof SecureRandomSpi) && !(object instanceof ThreadState);
        return isHarriers || object instanceof Actor || object instanceof Enum || Loggers.has(type.getName())
            || object == System.out || object == System.err || object instanceof Thread thread && thread.isAlive();
    }

    /** Reports whether there is an actor among the objects. */
    boolean reachesActor() {
        return reachesActor;
    }

    /** Reports whether all was looked into that could change what the value's encoding is. */
    boolean isWhole() {
        return isWhole;
    }

    /** Reports whether an object holds something else than was copied. */
    boolean isChanged() {
        for (Layout.Copies some : copies.values()) {
            if (some.changed(0) < some.size()) {
                return true;
            }
        }
        return false;
    }

    /** The objects that hold something else than was copied. */
    Set<Object> changed() {
        Set<Object> changed = Set.of();
        for (Layout.Copies some : copies.values()) {
            for (int i = some.changed(0); i < some.size(); i = some.changed(i + 1)) {
                changed = changed.isEmpty() ? identities() : changed;
                changed.add(some.get(i));
            }
        }
        return changed;
    }

    /** Adds the objects that hold something else than was copied, and those that lead to such. */
    void addChanged(Set<Object> changed) {
        Map<Object, List<Object>> holders = new IdentityHashMap<>();
        Deque<Object> open = new ArrayDeque<>(changed());
        for (Layout.Copies some : copies.values()) {
            for (int i = 0; i < some.size(); i++) {
                Object object = some.get(i);
                some.layout().eachReference(object, held -> holders.computeIfAbsent(held, h -> new ArrayList<>()).add(object));
            }
        }
        while (!open.isEmpty()) {
            Object object = open.poll();
            if (changed.add(object)) {
                open.addAll(holders.getOrDefault(object, List.of()));
            }
        }
    }

    /** How many objects were copied. */
    int size() {
        int size = 0;
        for (Layout.Copies some : copies.values()) {
            size += some.size();
        }
        return size;
    }

    /** The objects. */
    Set<Object> objects() {
        Set<Object> all = identities();
        each(all::add);
        return all;
    }

    /** Restores the content of every object. */
    void putBack() {
        copies.values().forEach(Layout.Copies::putBack);
    }
}
