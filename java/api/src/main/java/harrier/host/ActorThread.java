package harrier.host;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * A thread of an actor, in place of the JDK's: classes of programs that extend {@link Thread} extend it. The virtual
 * machine's thread never starts; what the thread does is run by the steps of its actor. Its fields are part of the
 * actor's state, those of {@link Thread} are not.
 */
public class ActorThread extends Thread implements ThreadState {
    private final Runnable body;
    /** Its name; null if it was given none. */
    String title;
    boolean isOfDaemon;
    boolean isOfVirtual;
    boolean isStarted;
    boolean isEnded;
    boolean isFlagged; // interrupted
    boolean isHook; // of the shutdown of its process
    /** Whether it was unparked before it parked. */
    boolean mayPass;
    UncaughtExceptionHandler handler;
    /** What it waits for; null unless it does. */
    Wait wait;
    /** The frames that it comes back to, outermost first; null unless it waits within one. */
    List<Frame> frames;
    /** The monitors and locks that it has. */
    final List<Held> held = new ArrayList<>();

    /** The values of thread locals that it has. */
    final List<ThreadValue> locals;

    /** A monitor or lock that a thread has. */
    static final class Held implements ThreadState {
        final Object lock;
        int count;

        Held(Object lock, int count) {
            this.lock = lock;
            this.count = count;
        }
    }

    public ActorThread() {
        this(null, null, null);
    }

    public ActorThread(Runnable body) {
        this(null, body, null);
    }

    public ActorThread(ThreadGroup group, Runnable body) {
        this(null, body, null);
    }

    public ActorThread(String name) {
        this(null, null, name);
    }

    public ActorThread(ThreadGroup group, String name) {
        this(null, null, name);
    }

    public ActorThread(Runnable body, String name) {
        this(null, body, name);
    }

    public ActorThread(ThreadGroup group, Runnable body, String name, long stackSize) {
        this(null, body, name);
    }

    public ActorThread(ThreadGroup group, Runnable body, String name, long stackSize, boolean inherits) {
        super(null, null, "thread of an actor", 0, false);
        this.body = body;
        title = name;
        locals = inherits ? ThreadValue.inherited() : new ArrayList<>();
    }

    public ActorThread(ThreadGroup group, Runnable body, String name) {
        this(null, body, name, 0, true);
    }

    @Override
    public void start() {
        Threads.start(this);
    }

    /** What the thread does, unless a class of the program says otherwise. It is called once more to come back to its frames. */
    @Override
    public void run() {
        Frames.place(); // it has nothing to go on with but what it calls
        if (body != null) {
            body.run();
        }
        if (Frames.isLeft()) {
            Frames.saved(this, "java.lang.Thread.run()V", 0, 1);
        }
    }

    /** What it does, if that was given; else itself. */
    public Object body() {
        return body == null ? this : body;
    }

    /** The task that it is in the middle of or to run next, if it runs tasks; else null. */
    public Object task() {
        Object runs = wait != null && wait.kind == Wait.Kind.TASK ? wait.on : body;
        Object task = runs instanceof Worker w ? w.task() : runs instanceof TaskThreads.Running r ? r.task()
            : runs instanceof ForkPool.Running f ? f.task() : runs instanceof ActorTimer.Run t ? t.task() : runs;
        task = task instanceof ActorTimer.Run due ? due.task() : task;
        return task instanceof PoolFuture<?> future ? future.body() : task instanceof ExecutorHooks.Supply<?> s ? s.body()
            : task == body ? null : task;
    }

    /** Its name; null if it was given none. */
    public String title() {
        return title;
    }

    /** What it waits for; null if it does not. */
    public Wait waiting() {
        return wait;
    }

    /** Reports whether it is started and has not ended. */
    boolean isRunning() {
        return isStarted && !isEnded;
    }

    @Override
    public void interrupt() {
        if (wait != null && wait.isInterruptible && !wait.isNotified && !isFlagged && Threads.wouldWait(this)) {
            wait.isInterrupted = true;
        }
        isFlagged = true;
    }

    @Override
    public boolean isInterrupted() {
        return isFlagged;
    }

    @Override
    public UncaughtExceptionHandler getUncaughtExceptionHandler() {
        return handler;
    }

    @Override
    public void setUncaughtExceptionHandler(UncaughtExceptionHandler newHandler) {
        handler = newHandler;
    }

    /** All code of a program has one. */
    @Override
    public ClassLoader getContextClassLoader() {
        return Hooks.bound() == null ? null : Hooks.bound().loader();
    }

    @Override
    public State getState() {
        if (!isRunning()) {
            return isStarted ? State.TERMINATED : State.NEW;
        } else if (wait == null || wait.kind == Wait.Kind.START || wait.kind == Wait.Kind.YIELD || wait.kind == Wait.Kind.TURN) {
            return State.RUNNABLE;
        }
        boolean isWoken = wait.isNotified || wait.isTimedOut || wait.isInterrupted;
        boolean isForLock = isWoken && (wait.kind == Wait.Kind.NOTIFY || wait.kind == Wait.Kind.CONDITION);
        if (wait.kind == Wait.Kind.MONITOR || isForLock && wait.kind == Wait.Kind.NOTIFY) {
            return State.BLOCKED;
        }
        return wait.isTimed && !isForLock ? State.TIMED_WAITING : State.WAITING;
    }

    @Override
    public String toString() {
        return ThreadStandIns.toString(this, "");
    }

    /** What people call it. */
    String label() {
        return title == null || title.isEmpty() ? "a thread" : title;
    }

    /** What it is doing, for people. */
    public String description() {
        String what = label();
        if (!isStarted) {
            return what + ", not started";
        } else if (isEnded) {
            return what + ", ended";
        }
        StringBuilder has = new StringBuilder();
        for (Held h : held) {
            has.append(has.length() == 0 ? ", which has " : " and ").append(nameOf(h.lock));
        }
        return what + (has.length() == 0 ? "" : has + ",") + (wait == null ? "" : " " + wait + field());
    }

    /** The field that has what the thread waits for, among those of the objects whose methods it is in; empty if none has. */
    private String field() {
        for (int i = frames == null || wait.on == null ? 0 : frames.size(); i > 0; i--) {
            Object self = frames.get(i - 1).self();
            for (Class<?> c = self == null ? Object.class : self.getClass(); isPrograms(c); c = c.getSuperclass()) {
                for (Field f : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(f.getModifiers()) && valueOf(f, self) == wait.on) {
                        return " (" + f.getName() + ")";
                    }
                }
            }
        }
        return "";
    }

    private static boolean isPrograms(Class<?> type) {
        return type.getClassLoader() != null && type.getClassLoader() != ActorThread.class.getClassLoader();
    }

    private static Object valueOf(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // it is not shown
        }
    }

    private static String nameOf(Object lock) {
        boolean isOfTwo = lock instanceof ActorReadWriteLock.Reader || lock instanceof ActorReadWriteLock.Writer;
        return isOfTwo ? lock.toString() : lock.getClass().getSimpleName();
    }

    Held held(Object lock) {
        for (Held h : held) {
            if (h.lock == lock) {
                return h;
            }
        }
        return null;
    }
}
