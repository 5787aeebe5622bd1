package harrier.host;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ThreadFactory;

/**
 * The builder that {@code Thread.ofVirtual()} and {@code Thread.ofPlatform()} give: it makes threads of an actor. It cannot implement
 * {@code Thread.Builder}, which is sealed and which JDKs before 21 do not have, and need not: its static methods stand in for all of
 * the interface's.
 */
public final class ThreadBuilder implements ThreadState {
    private final boolean isVirtual;
    private String name;
    /** The number that the next thread's name ends with; -1 for none. */
    private long next = -1;
    private boolean isDaemon;
    private UncaughtExceptionHandler handler;
    private boolean inherits = true;

    private ThreadBuilder(boolean isVirtual) {
        this.isVirtual = isVirtual;
        isDaemon = isVirtual;
        name = isVirtual ? "" : null;
    }

    /** Stands in for {@code Thread.ofVirtual}. */
    public static Object ofVirtual(String place) {
        return new ThreadBuilder(true);
    }

    /** Stands in for {@code Thread.ofPlatform}. */
    public static Object ofPlatform(String place) {
        return new ThreadBuilder(false);
    }

    /** Stands in for {@code Thread.startVirtualThread}. */
    public static Thread startVirtualThread(Runnable body, String place) {
        return start(new ThreadBuilder(true), body, place);
    }

    // The methods of the interface, of the same names.

    public static Object name(Object builder, String name, String place) {
        return name(builder, name, -1, place);
    }

    public static Object name(Object builder, String name, long start, String place) {
        ((ThreadBuilder) builder).name = name;
        ((ThreadBuilder) builder).next = start;
        return builder;
    }

    public static Object daemon(Object builder, String place) {
        return daemon(builder, true, place);
    }

    public static Object daemon(Object builder, boolean on, String place) {
        ((ThreadBuilder) builder).isDaemon = on;
        return builder;
    }

    public static Object uncaughtExceptionHandler(Object builder, UncaughtExceptionHandler handler, String place) {
        ((ThreadBuilder) builder).handler = handler;
        return builder;
    }

    public static Object inheritInheritableThreadLocals(Object builder, boolean inherits, String place) {
        ((ThreadBuilder) builder).inherits = inherits;
        return builder;
    }

    public static Object group(Object builder, ThreadGroup group, String place) {
        return builder;
    }

    public static Object priority(Object builder, int priority, String place) {
        return builder;
    }

    public static Object stackSize(Object builder, long size, String place) {
        return builder;
    }

    public static Thread unstarted(Object builder, Runnable body, String place) {
        return ((ThreadBuilder) builder).make(body);
    }

    public static Thread start(Object builder, Runnable body, String place) {
        ActorThread thread = ((ThreadBuilder) builder).make(body);
        thread.start();
        return thread;
    }

    public static ThreadFactory factory(Object builder, String place) {
        ThreadBuilder from = (ThreadBuilder) builder;
        ThreadBuilder copy = new ThreadBuilder(from.isVirtual);
        copy.name = from.name;
        copy.next = from.next;
        copy.isDaemon = from.isDaemon;
        copy.handler = from.handler;
        copy.inherits = from.inherits;
        return new Factory(copy);
    }

    private record Factory(ThreadBuilder builder) implements ThreadFactory, ThreadState {
        @Override
        public Thread newThread(Runnable body) {
            return builder.make(body);
        }
    }

    private ActorThread make(Runnable body) {
        ActorThread thread = new ActorThread(null, body, next < 0 ? name : name + next++, 0, inherits);
        thread.isOfVirtual = isVirtual;
        thread.isOfDaemon = isDaemon;
        thread.handler = handler;
        return thread;
    }
}
