package harrier.host;

import java.util.ArrayList;
import java.util.List;

/** What a thread local holds in a thread of an actor, and the stand-ins of its methods. */
public final class ThreadValue implements ThreadState {
    private final ThreadLocal<?> local;
    private Object value;

    private ThreadValue(ThreadLocal<?> local, Object value) {
        this.local = local;
        this.value = value;
    }

    /** Stands in for {@link ThreadLocal#get}. */
    public static Object get(ThreadLocal<?> local, String place) {
        List<ThreadValue> all = BlockingHooks.isOwn(local, "get") ? null : all(local, place);
        ThreadValue found = all == null ? null : find(all, local);
        if (all == null || found != null) {
            return found == null ? local.get() : found.value;
        }
        local.remove();
        Object first = local.get(); // by initialValue()
        local.remove();
        set(all, local, first);
        return first;
    }

    /** Stands in for {@link ThreadLocal#set}. */
    @SuppressWarnings("unchecked")
    public static void set(ThreadLocal<?> local, Object value, String place) {
        List<ThreadValue> all = BlockingHooks.isOwn(local, "set", Object.class) ? null : all(local, place);
        if (all == null) {
            ((ThreadLocal<Object>) local).set(value);
        } else {
            set(all, local, value);
        }
    }

    /** Stands in for {@link ThreadLocal#remove}. */
    public static void remove(ThreadLocal<?> local, String place) {
        List<ThreadValue> all = BlockingHooks.isOwn(local, "remove") ? null : all(local, place);
        if (all == null) {
            local.remove();
        } else {
            all.removeIf(v -> v.local == local);
        }
    }

    /** The values of the thread that runs; null if a step of no actor does, a library that logs asks, or the thread local has methods of its own. */
    private static List<ThreadValue> all(ThreadLocal<?> local, String place) {
        boolean isOwn = BlockingHooks.isOwn(local, "get") || BlockingHooks.isOwn(local, "set", Object.class) || BlockingHooks.isOwn(local, "remove");
        boolean isKept = Hooks.control(place).keeps(local, isOwn, place);
        return isKept && !isOwn && Threads.here() != null ? Threads.here().current().locals : null;
    }

    private static ThreadValue find(List<ThreadValue> all, ThreadLocal<?> local) {
        return all.stream().filter(v -> v.local == local).findFirst().orElse(null);
    }

    private static void set(List<ThreadValue> all, ThreadLocal<?> local, Object value) {
        ThreadValue found = find(all, local);
        if (found == null) {
            all.add(new ThreadValue(local, value));
        } else {
            found.value = value;
        }
    }

    /** The inheritable values of the current thread, as a thread that it makes begins with them. */
    static List<ThreadValue> inherited() {
        List<ThreadValue> inherited = new ArrayList<>();
        for (ThreadValue v : Threads.here() == null ? List.<ThreadValue>of() : Threads.here().current().locals) {
            if (v.local instanceof InheritableThreadLocal) {
                requireSame(v.local);
                inherited.add(new ThreadValue(v.local, v.value));
            }
        }
        return inherited;
    }

    /** Refuses a thread local that changes what is inherited. */
    private static void requireSame(ThreadLocal<?> local) {
        for (Class<?> c = local.getClass(); c != InheritableThreadLocal.class; c = c.getSuperclass()) {
            for (var method : c.getDeclaredMethods()) {
                if (method.getName().equals("childValue")) {
                    throw Hooks.control("").refused("makes a thread for which an InheritableThreadLocal has a childValue of its own",
                        "set the value in the thread itself");
                }
            }
        }
    }
}
