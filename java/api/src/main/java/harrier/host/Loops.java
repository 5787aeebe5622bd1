package harrier.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Stand in for {@code forEach} of the JDK, whose function may wait: a thread cannot leave the JDK's own loop and come back to it. Loops that
 * keep a monitor stay the JDK's.
 */
public final class Loops {
    private static final String EACH = "java.lang.Iterable.forEach(Ljava/util/function/Consumer;)V";

    private Loops() {}

    /**
     * A loop that has begun. It goes over a copy of the elements of a collection, as the state of the JDK's iterators cannot be
     * captured.
     */
    private static final class Loop implements ThreadState {
        private final Consumer<Object> action;
        /** The collection or map whose size may not change; null if it may. */
        private final Object over;
        private final Iterator<?> iterator;
        private final List<Object> elements;
        private int next;

        /** A loop over the elements of a collection or of something else, which belong to a map if that is given. */
        Loop(Map<?, ?> map, Iterable<?> all, Consumer<Object> action) {
            this.action = action;
            boolean isCopied = all instanceof Collection;
            over = map != null ? failsFast(map) ? map : null : isCopied && failsFast(all) ? all : null;
            elements = isCopied ? new ArrayList<>((Collection<?>) all) : null;
            iterator = isCopied ? null : all.iterator();
        }

        private static boolean failsFast(Object all) {
            String type = all.getClass().getName();
            return type.startsWith("java.util.") && !type.startsWith("java.util.concurrent.");
        }

        private int size() {
            return over instanceof Map<?, ?> map ? map.size() : ((Collection<?>) over).size();
        }

        boolean hasNext() {
            if (over != null && size() != elements.size()) {
                throw new ConcurrentModificationException();
            }
            return elements == null ? iterator.hasNext() : next < elements.size();
        }

        /** Calls the function so that it goes on with its frames: what it is given means nothing. */
        void goOn() {
            if (action instanceof OfEntries entries) {
                entries.action.accept(null, null);
            } else {
                action.accept(null);
            }
        }

        Object next() {
            return elements == null ? iterator.next() : elements.get(next++);
        }
    }

    /** Stands in for {@link Iterable#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Iterable<?> all, Consumer<?> action, String place) {
        if (Threads.entersItself(all) || BlockingHooks.isOwn(all, "forEach", Consumer.class)) {
            all.forEach((Consumer<Object>) action);
        } else {
            loop(all, null, all, (Consumer<Object>) action);
        }
    }

    /** Stands in for {@link Map#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Map<?, ?> map, BiConsumer<?, ?> action, String place) {
        if (Threads.entersItself(map) || BlockingHooks.isOwn(map, "forEach", BiConsumer.class)) {
            ((Map<Object, Object>) map).forEach((BiConsumer<Object, Object>) action);
        } else {
            Consumer<Object> ofKeys = action == null ? null : new OfEntries(map, (BiConsumer<Object, Object>) action);
            loop(map, map, map == null ? List.of() : new ArrayList<>(map.keySet()), ofKeys);
        }
    }

    /** Calls a function with a key and its value, unless another thread has removed both. */
    private record OfEntries(Map<?, ?> map, BiConsumer<Object, Object> action) implements Consumer<Object> {
        @Override
        public void accept(Object key) {
            Object value = map.get(key);
            if (value != null || !(map instanceof ConcurrentMap)) {
                action.accept(key, value);
            }
        }
    }

    /** Goes over all elements, or goes on with a loop that the thread left, where the arguments mean nothing. */
    private static void loop(Object self, Map<?, ?> map, Iterable<?> all, Consumer<Object> action) {
        boolean isBack = Frames.place() > 0;
        if (!isBack && (self == null || action == null)) {
            throw new NullPointerException();
        }
        Loop loop = isBack ? (Loop) Frames.value() : new Loop(map, all, action);
        if (isBack) {
            loop.goOn();
        }
        while (!isLeft(self, loop) && loop.hasNext()) {
            loop.action.accept(loop.next());
        }
    }

    /** Reports whether the thread leaves the function, and so the loop. */
    private static boolean isLeft(Object self, Loop loop) {
        if (Frames.isLeft()) {
            Frames.save(loop);
            Frames.saved(self, EACH, 0, 1);
            return true;
        }
        return false;
    }
}
