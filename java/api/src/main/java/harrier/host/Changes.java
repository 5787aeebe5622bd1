package harrier.host;

import java.util.ConcurrentModificationException;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Tells whether the structure of a collection or map of the JDK has changed since a moment, as its iterators do. How often it has, which
 * they look at, is no part of a state.
 */
public final class Changes implements Resumed {
    /** That a collection does not count its changes. */
    public static final int UNCOUNTED = -1;

    private static ToIntFunction<Object> count = o -> UNCOUNTED;
    private static Function<Object, Object> inner = o -> o;

    private final Object of;
    private boolean areSeen;
    private transient int before;

    private Changes(Object of) {
        this.of = of;
        renew();
    }

    /** The changes of a collection, map or view of a map; null if these are not counted. */
    public static Changes of(Object of) {
        return areCounted(of) ? new Changes(of) : null;
    }

    /** Fails as the JDK does if there were any. */
    public static void refuse(Changes changes) {
        if (changes != null && changes.have()) {
            throw new ConcurrentModificationException();
        }
    }

    /** Sets what reads how often something has changed, and what gives the collection or map that a view or wrapper has. */
    public static void use(ToIntFunction<Object> counts, Function<Object, Object> views) {
        count = counts;
        inner = views;
    }

    /** The collection or map behind a view or wrapper of the JDK's; what is none is behind itself. */
    static Object behind(Object view) {
        Object found = inner(view);
        return found == view ? view : behind(found);
    }

    /** What such a view or wrapper has itself. */
    static Object inner(Object view) {
        return inner.apply(view);
    }

    private static boolean areCounted(Object of) {
        return count.applyAsInt(behind(of)) != UNCOUNTED;
    }

    /** Reports whether there were any. */
    public boolean have() {
        return areSeen || count.applyAsInt(behind(of)) != before;
    }

    /** Begins anew. */
    void renew() {
        areSeen = false;
        resume();
    }

    @Override
    public void capture() {
        areSeen = have();
    }

    @Override
    public void resume() {
        before = count.applyAsInt(behind(of));
    }
}
