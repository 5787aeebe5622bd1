package harrier.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Stand in for {@code forEach} of the JDK, whose function may wait: a thread cannot leave the JDK's own loop and come back to it. */
public final class Loops {
    private static final String EACH = "java.lang.Iterable.forEach(Ljava/util/function/Consumer;)V";

    private Loops() {}

    /**
     * A loop that has begun. It goes over a copy of the elements of a collection, as the state of the JDK's iterators cannot be
     * captured.
     */
    private static final class Loop implements ThreadState {
        private final Consumer<Object> action;
        /** The collection whose size may not change; null if it may. */
        private final Collection<?> over;
        private final Iterator<?> iterator;
        private final List<Object> elements;
        private int next;

        Loop(Iterable<?> all, Consumer<Object> action) {
            this.action = action;
            boolean isCopied = all instanceof Collection;
            over = isCopied && all.getClass().getName().startsWith("java.util.") && !all.getClass().getName().startsWith("java.util.concurrent.")
                ? (Collection<?>) all : null;
            elements = isCopied ? new ArrayList<>((Collection<?>) all) : null;
            iterator = isCopied ? null : all.iterator();
        }

        boolean hasNext() {
            if (over != null && over.size() != elements.size()) {
                throw new ConcurrentModificationException();
            }
            return elements == null ? iterator.hasNext() : next < elements.size();
        }

        Object next() {
            return elements == null ? iterator.next() : elements.get(next++);
        }
    }

    /** Stands in for {@link Iterable#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Iterable<?> all, Consumer<?> action, String place) {
        if (BlockingHooks.isOwn(all, "forEach", Consumer.class)) {
            all.forEach((Consumer<Object>) action);
        } else {
            loop(all, all, (Consumer<Object>) action);
        }
    }

    /** Stands in for {@link Map#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Map<?, ?> map, BiConsumer<?, ?> action, String place) {
        if (BlockingHooks.isOwn(map, "forEach", BiConsumer.class)) {
            ((Map<Object, Object>) map).forEach((BiConsumer<Object, Object>) action);
        } else {
            Consumer<Object> ofKeys = action == null ? null : new OfEntries(map, (BiConsumer<Object, Object>) action);
            loop(map, map == null ? List.of() : new ArrayList<>(map.keySet()), ofKeys);
        }
    }

    /** Calls a function with a key and its value. */
    private record OfEntries(Map<?, ?> map, BiConsumer<Object, Object> action) implements Consumer<Object> {
        @Override
        public void accept(Object key) {
            action.accept(key, map.get(key));
        }
    }

    /** Goes over all elements, or goes on with a loop that the thread left, where the arguments mean nothing. */
    private static void loop(Object self, Iterable<?> all, Consumer<Object> action) {
        boolean isBack = Frames.place() > 0;
        if (!isBack && (self == null || action == null)) {
            throw new NullPointerException();
        }
        Loop loop = isBack ? (Loop) Frames.value() : new Loop(all, action);
        if (isBack && left(self, loop, null)) {
            return;
        }
        while (loop.hasNext()) {
            if (left(self, loop, loop.next())) {
                return;
            }
        }
    }

    /** Calls the function, and reports whether the thread leaves. */
    private static boolean left(Object self, Loop loop, Object element) {
        loop.action.accept(element);
        if (Frames.isLeft()) {
            Frames.save(loop);
            Frames.saved(self, EACH, 0, 1);
            return true;
        }
        return false;
    }
}
