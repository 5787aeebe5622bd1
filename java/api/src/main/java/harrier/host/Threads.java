package harrier.host;

import harrier.host.ActorThread.Held;
import harrier.host.Agenda.Delayed;
import harrier.host.Wait.Kind;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Vector;
import java.util.function.Predicate;

/**
 * The thread of an actor that runs in a step, and how it leaves its frames at a call that has to wait and comes back
 * to them. {@link Frames} is what the rewritten methods call for that.
 */
public final class Threads {
    private static final ThreadLocal<Threads> HERE = new ThreadLocal<>();
    /** Has the monitors of code that runs where no step of an actor does. */
    private static final ThreadLocal<ActorThread> OUTSIDE = ThreadLocal.withInitial(() -> new ActorThread("main"));
    /** The actor whose constructor began last. */
    private static final ThreadLocal<Object> CONSTRUCTED = new ThreadLocal<>();
    private static final StackWalker WALKER = StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_REFLECT_FRAMES));
    /** Methods of harrier's that may be called once more to come back to the frames that they called. */
    private static final Set<String> CALLED_AGAIN = Set.of("harrier.host.Task.run", "harrier.host.Task.runBody",
        "harrier.Hosting.start", "harrier.Hosting.restart", "harrier.Actor.onRestart");

    /** The package of the stand-ins that are rewritten as the program's classes are. */
    private static final String LEAVING = "harrier.host.leaving.";

    /** What stands in for calls by reflection. */
    private static final String REFLECTION = "harrier.host.Reflection.invoke";

    /** Methods of harrier's that save frames of their own. */
    private static final Set<String> SAVE = Set.of("harrier.host.ActorThread.run", "harrier.host.Worker.run", "harrier.host.PoolFuture.run",
        "harrier.host.TaskThreads$Running.run", "harrier.host.ForkPool$Running.run", "harrier.host.ActorTimer$Run.run",
        "harrier.host.Forked.run", "harrier.host.ExecutorHooks$Supply.run",
        "harrier.host.MainThread.run", REFLECTION);

    /** The classes of harrier's by which a step runs code of the program. */
    private static final List<String> RUNS = List.of("harrier.host.BlockingHooks", "harrier.host.SynchronizerHooks", "harrier.host.SocketHooks",
        "harrier.host.StreamHooks", "harrier.host.Reflection",
        "harrier.host.Forked", "harrier.host.ForkPool", "harrier.host.Threads", "harrier.runtime.step.Act",
        "harrier.runtime.step.Exploration", "harrier.runtime.step.ThreadAct", "harrier.runtime.step.Effects", "harrier.ProcessActor$Main");

    /** The waits that are over without a look at the interrupt flag if what they wait for is there, as the JDK has it. */
    private static final Set<Kind> LOOKS_FIRST = EnumSet.of(Kind.RESULT, Kind.RESULTS, Kind.ANY, Kind.END, Kind.TERMINATION, Kind.PHASE);

    /** Something that a thread runs. */
    public interface Body {
        void run() throws Throwable;
    }

    private final Object actor;
    private final Agenda agenda;
    private final ActorThread current;
    final Frames frames = new Frames();
    /** Whether the thread has to wait and leaves its frames. */
    private boolean isLeaving;
    /** How many frames it has to leave. */
    private int depth;
    /** Whether threads are interleaved at locks, too. */
    private boolean isPreemptive;
    /** Names the code that runs and that a thread cannot leave; null if there is none. */
    private String whole;

    private Threads(Object actor, Agenda agenda, ActorThread current) {
        this.actor = actor;
        this.agenda = agenda;
        this.current = current;
    }

    /** The thread that runs; null if no step of an actor does. */
    static Threads here() {
        return HERE.get();
    }

    /** The thread that runs: where no step of an actor does, it is one of the program's set-up, guards and properties. */
    static ActorThread runs() {
        Threads here = HERE.get();
        return here == null ? OUTSIDE.get() : here.current;
    }

    /** Reports whether a thread is that of code that runs where no step of an actor does. */
    static boolean isOutside(ActorThread thread) {
        return OUTSIDE.get() == thread;
    }

    /** The thread that runs. */
    ActorThread current() {
        return current;
    }

    Agenda agenda() {
        return agenda;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /**
     * Runs something on a thread of an actor, or goes on with it where the thread has frames, until it is through or waits.
     *
     * @return whether it waits
     */
    public static boolean run(Object actor, Agenda agenda, ActorThread thread, Body body) throws Throwable {
        Threads outer = HERE.get();
        Threads here = new Threads(actor, agenda, thread);
        HERE.set(here);
        try {
            here.frames.comeBack(thread.frames);
            thread.frames = null;
            if (thread.wait != null && (thread.wait.kind == Kind.START || thread.wait.kind == Kind.WORKER)) {
                thread.wait = null;
            }
            agenda.cancelTimeOut(thread);
            body.run();
            if (here.isLeaving) {
                thread.frames = here.frames.left();
                if (thread.frames.size() != here.depth) {
                    throw Hooks.control("").refused("waits below a method that was called in a way that harrier cannot follow",
                        "call it directly");
                }
            }
            return here.isLeaving;
        } finally {
            HERE.set(outer);
        }
    }

    /** Notes that the thread of handlers waits in the middle of a task. */
    static void waitsIn(Task<?> task) {
        if (HERE.get().current instanceof Mailbox mailbox) {
            mailbox.task = task;
        }
    }

    /** Has something done by a thread of the JDK's own. */
    public static void alarm(Object actor, Agenda agenda, Agenda.Alarm alarm) throws Throwable {
        ActorThread thread = new ActorThread(alarm);
        thread.isStarted = true;
        agenda.threads.add(thread);
        goOn(actor, agenda, thread);
    }

    /** Goes on with a thread that the program started. */
    public static void goOn(Object actor, Agenda agenda, ActorThread thread) throws Throwable {
        boolean waits = run(actor, agenda, thread, () -> {
            try {
                thread.run();
            } catch (StepStopped e) {
                throw e;
            } catch (Throwable e) {
                if (thread.handler == null) {
                    throw e;
                }
                whole("the UncaughtExceptionHandler of a thread", () -> thread.handler.uncaughtException(thread, e));
            }
        });
        if (!waits) {
            thread.isEnded = true;
            agenda.threads.removeIf(t -> t == thread && t.held.isEmpty() && !t.isHook);
        }
    }

    /** Has the time pass for which a thread waits at most. */
    public static void timeOut(Agenda agenda, ActorThread thread) {
        thread.wait.isTimedOut = true;
        agenda.cancelTimeOut(thread);
    }

    /** Adds a thread to those of the actor that runs. */
    static void start(ActorThread thread) {
        start(thread, new Wait(Kind.START, null, null, false, ""));
    }

    /** The same, of a thread that waits for something before it begins. */
    static void start(ActorThread thread, Wait first) {
        if (thread.isStarted) {
            throw new IllegalThreadStateException();
        } else if (thread.isHook) {
            throw Hooks.control("").refused("starts a thread that is a shutdown hook", "it is started where its process ends: start another one");
        }
        Agenda agenda = owner("starts a thread").agenda;
        if (agenda.isOfProcess()) {
            requireNoInitializer("starts a thread");
        }
        thread.isStarted = true;
        thread.wait = first;
        agenda.threads.add(thread);
    }

    /** Reports whether a waiting thread of the actor could not go on now. */
    static boolean wouldWait(ActorThread thread) {
        Threads here = HERE.get();
        return here != null && !thread.wait.isReady(thread, here.agenda);
    }

    /**
     * Has the thread that runs pass a call that may wait.
     *
     * @param nanos for how long it may wait; less than 0 if not at all
     * @return the wait that is over; null if the thread leaves, so that whatever is returned counts for nothing
     */
    static Wait pass(Kind kind, Object on, Object with, long nanos, boolean isInterruptible, String place) {
        Threads here = HERE.get();
        if (here == null) {
            return passOutside(new Wait(kind, on, with, isInterruptible, place));
        }
        here.requireStaying();
        if (here.frames.isBack()) {
            Wait over = here.current.wait;
            here.current.wait = null;
            here.frames.clear();
            if (over.isInterrupted) {
                here.current.isFlagged = false;
            }
            return over;
        }
        Wait wait = new Wait(kind, on, with, isInterruptible, place);
        boolean always = kind == Kind.YIELD || kind == Kind.SLEEP;
        boolean isReady = !always && wait.isReady(here.current, here.agenda);
        if (isInterruptible && here.current.isFlagged && !(isReady && LOOKS_FIRST.contains(kind))) {
            here.current.isFlagged = false;
            wait.isInterrupted = true;
            return wait;
        }
        if (isReady) {
            return wait;
        }
        if (!always && nanos <= 0) {
            wait.isTimedOut = true;
            return wait;
        }
        here.leave(wait, nanos);
        return null;
    }

    /** Reports whether threads are interleaved at locks, too, as far as is known by now. */
    boolean isPreemptive() {
        return isPreemptive;
    }

    void preempts() {
        isPreemptive = true;
    }

    /** Reports whether the thread that runs has a monitor, so that no other one uses an object whose methods enter it. */
    static boolean isOwner(Object monitor) {
        return runs().held(monitor) != null && entersItself(monitor);
    }

    /** Reports whether methods of an object enter its monitor by themselves, which no hook sees. */
    static boolean entersItself(Object object) {
        return object instanceof Vector || object instanceof Hashtable || object instanceof StringBuffer
            || object != null && object.getClass().getName().startsWith("java.util.Collections$Synchronized");
    }

    /** A held lock, other than {@code but}, that the JDK's methods enter without a hook; null if none. */
    private Object enteredItself(Object but) {
        return current.held.stream().map(h -> h.lock).filter(lock -> lock != but && entersItself(lock)).findFirst().orElse(null);
    }

    /**
     * Lets other threads run before this one goes on. Where this one cannot leave its frames, or has a monitor that others would enter
     * unseen, it goes on at once.
     */
    static void preempt(String place) {
        Threads here = HERE.get();
        if (here == null) {
            return;
        }
        here.requireStaying();
        here.isPreemptive = true;
        if (here.frames.isBack()) {
            here.current.wait = null;
            here.frames.clear();
        } else if (here.hasOthers()) {
            Wait wait = new Wait(Kind.TURN, null, null, false, place);
            if (here.whole == null && here.enteredItself(null) == null && WALKER.walk(all -> new Leaving(all.iterator()).foreign) == null) {
                here.leave(wait, Wait.FOREVER);
            } else {
                Hooks.control(place).notPreempted(place);
            }
        }
    }

    /** Runs something that no thread can leave. */
    static void whole(String what, Runnable body) {
        Threads here = HERE.get();
        if (here == null) {
            body.run();
            return;
        }
        String outer = here.whole;
        here.whole = what;
        try {
            body.run();
        } finally {
            here.whole = outer;
        }
    }

    /** Reports whether anything else may run in the actor before the thread goes on. */
    private boolean hasOthers() {
        return !(current instanceof Mailbox) || !agenda.threads.isEmpty()
            || agenda.delayed.stream().anyMatch(d -> d.what() instanceof Task<?> task && task.body() instanceof Agenda.Alarm);
    }

    /** Reports whether the thread comes back to a call that waited, whose arguments count for nothing. */
    static boolean isBack() {
        Threads here = HERE.get();
        return here != null && here.frames.isBack();
    }

    private static Wait passOutside(Wait wait) {
        if (wait.kind == Kind.YIELD || wait.isReady(null, new Agenda())) {
            return wait;
        }
        throw Hooks.control(wait.place).refused(wait.toString().replaceFirst(" at .*? for ", " for "), "only steps of actors may wait");
    }

    /** Refuses to go on in a method that should have been left. */
    private void requireStaying() {
        if (isLeaving) {
            throw Hooks.control("").refused("goes on below a method that was called in a way that harrier cannot follow", "call it directly");
        }
    }

    private void leave(Wait wait, long nanos) {
        if (whole != null) {
            throw Hooks.control(wait.place).refused(wait.toString().replaceFirst(" at .*? for ", " for ") + " in " + whole,
                "a thread cannot leave that: have a method wait that is called later");
        }
        Leaving leaving = WALKER.walk(all -> new Leaving(all.iterator()));
        if (leaving.foreign != null) {
            throw stuck(wait, leaving.isOfProgram, leaving.foreign);
        }
        depth = leaving.depth;
        Object kept = enteredItself(wait.kind == Kind.NOTIFY ? wait.on : null);
        if (kept != null) {
            String type = kept.getClass().getSimpleName();
            throw Hooks.control(wait.place).refused(wait.toString().replaceFirst(" at .*? for ", " for ") + " while it has the monitor of a " + type,
                "methods of a " + type + " enter it, too, which harrier does not see: have a lock object of your own");
        }
        if (wait.kind != Kind.TASK && Hooks.control(wait.place).hasThreadLocals()) {
            throw Hooks.control(wait.place).refused(wait.toString().replaceFirst(" at .*? for ", " for ") + " after it used a ThreadLocal with methods of its own",
                "its values are not kept while a thread waits: keep them in fields");
        }
        current.wait = wait;
        if (nanos < Wait.FOREVER) {
            wait.isTimed = true;
            agenda.delay(new Task<>(actor, new TimeOut(current), false, true, -1, null), nanos, nanos);
        }
        isLeaving = true;
    }

    /** The frames of the program that a thread has to leave. */
    private static final class Leaving {
        int depth;
        /** A frame that cannot be left; null if there is none. */
        StackFrame foreign;
        /** Whether that is one of the program. */
        boolean isOfProgram;

        Leaving(Iterator<StackFrame> all) {
            StackFrame last = null;
            boolean isReflective = false; // last, and what it called up to the program's code
            while (foreign == null) {
                StackFrame frame = all.next();
                String type = frame.getClassName();
                String method = type + "." + frame.getMethodName();
                boolean isHarriers = type.startsWith("harrier.") && !type.startsWith(LEAVING);
                boolean isBase = method.equals("harrier.host.Threads.run");
                boolean isPrograms = !isHarriers && !type.startsWith("jdk.internal.reflect.") && isPrograms(frame.getDeclaringClass().getClassLoader());
                if (isReflective && method.equals(REFLECTION)) {
                    last = null;
                }
                if (last != null && (isBase || isPrograms)) {
                    foreign = last;
                } else if (isBase) {
                    return;
                } else if (isPrograms && frame.getMethodName().startsWith("<")) {
                    foreign = frame;
                    isOfProgram = true;
                } else if (isPrograms || SAVE.contains(method)) {
                    depth++;
                } else if (!isHarriers || !CALLED_AGAIN.contains(method) && RUNS.stream().noneMatch(type::startsWith)) {
                    isReflective = (last == null || isReflective)
                        && (type.startsWith("java.lang.reflect.") || type.startsWith("jdk.internal.reflect.") || type.startsWith("java.lang.invoke."));
                    last = frame;
                }
            }
        }
    }

    private static boolean isPrograms(ClassLoader loader) {
        return loader != null && loader != ClassLoader.getPlatformClassLoader();
    }

    private static Error stuck(Wait wait, boolean isPrograms, StackFrame frame) {
        String type = frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
        String method = frame.getMethodName();
        String what = wait.toString().replaceFirst(" at .*? for ", " for ");
        return isPrograms ? Hooks.control(wait.place).refused(what, "a thread cannot leave " + (method.equals("<init>") ? "the constructor"
                : "the initializer") + " of " + type + ": have a method wait that is called later")
            : Hooks.control(wait.place).refused(what + " below " + type + "." + method, "a thread cannot leave a method of the JDK or"
                + " of reflection: " + mend(frame.getClassName()));
    }

    private static String mend(String type) {
        if (type.startsWith("java.util.stream.")) {
            return "loop over the collection in place of its stream";
        }
        return type.startsWith("java.util.concurrent.CompletableFuture") ? "have a task join the future, and call the function then"
            : "call the method that waits directly, from a loop for instance";
    }

    /** Notes that a thread has a monitor or lock once more. */
    static void acquire(ActorThread thread, Object lock, int times) {
        Held held = thread.held(lock);
        if (held == null) {
            thread.held.add(new Held(lock, times));
        } else {
            held.count += times;
        }
    }

    /** A thread gives a monitor or lock back, as often as it has it or once, and how often it did. */
    static int release(ActorThread thread, Object lock, boolean once) {
        Held held = thread.held(lock);
        if (held == null) {
            throw new IllegalMonitorStateException();
        }
        int times = once ? 1 : held.count;
        held.count -= times;
        if (held.count == 0) {
            thread.held.remove(held);
        }
        return times;
    }

    /** Has something done after a while. */
    static void delay(Agenda.Alarm alarm, long nanos) {
        Owner owner = owner("waits for time to pass");
        owner.agenda.delay(new Task<>(owner.actor, alarm, false, true, -1, null), nanos, nanos);
    }

    /** The tasks of a pool that are scheduled for later. */
    static List<Pool.Due> delayedOf(Pool pool) {
        List<Pool.Due> found = new ArrayList<>();
        for (Delayed d : owner("shuts an executor down").agenda.delayed) {
            if (d.what() instanceof Task<?> task && task.body() instanceof Pool.Due due && due.pool() == pool) {
                found.add(due);
            }
        }
        return found;
    }

    /** Gives up what was to be done after a while. */
    static void cancel(Agenda.Alarm alarm) {
        cancelIf(a -> a == alarm);
    }

    /** Gives up all alarms that a condition holds for. */
    static void cancelIf(Predicate<Agenda.Alarm> isOne) {
        owner("cancels a task").agenda.delayed
            .removeIf(d -> d.what() instanceof Task<?> task && task.body() instanceof Agenda.Alarm alarm && isOne.test(alarm));
    }

    /** Ends a thread that waits. */
    static void end(ActorThread thread) {
        thread.isEnded = true;
        thread.wait = null;
        thread.frames = null;
        owner("ends a thread").agenda.threads.removeIf(t -> t == thread);
    }

    /** The actor whose code runs. */
    private record Owner(Object actor, Agenda agenda) {}

    /** Notes that the constructor of an actor has begun. */
    public static void constructs(Object actor) {
        CONSTRUCTED.set(actor);
    }

    /** The actor whose code runs: if that is its constructor, it has no step yet. */
    private static Owner owner(String what) {
        Object constructed = CONSTRUCTED.get();
        if (constructed != null && WALKER.walk(all -> all.anyMatch(f -> f.getMethodName().equals("<init>")
                && f.getDeclaringClass().isInstance(constructed) && f.getDeclaringClass() != Object.class))) {
            return new Owner(constructed, Task.agenda(constructed, what));
        }
        Threads here = HERE.get();
        if (here == null) {
            throw Hooks.control("").refused(what + " where no actor runs", "do so in the actor's constructor or start()");
        }
        return new Owner(here.actor, here.agenda);
    }

    /** Refuses to do something in the initializer of a class: it runs in one process, and counts for all. */
    static void requireNoInitializer(String what) {
        if (Hooks.control("").isInitializing()) {
            throw Hooks.control("").refused(what + " in the initializer of a class", "it runs once, for all actors: do so in a method");
        }
    }

    /** The actor whose code runs. */
    static Object actor(String what) {
        return owner(what).actor;
    }

    /** Its agenda. */
    static Agenda agenda(String what) {
        return owner(what).agenda;
    }

    /** What a time-out does, as the body of a scheduled task. */
    public record TimeOut(ActorThread thread) {}

    /** Reports whether a timer or task that is pending is the time-out of a thread. */
    static boolean isTimeOut(Delayed delayed, ActorThread thread) {
        return delayed.what() instanceof Task<?> task && task.body() instanceof TimeOut out && out.thread == thread;
    }
}
