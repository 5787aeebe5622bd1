package harrier.runtime.rules;

import harrier.host.Agenda;
import harrier.host.Control;
import harrier.host.Controls;
import harrier.host.Hooks;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.jdk.JdkHook;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.OwnClasses;
import harrier.runtime.rules.refuse.Refusal;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.Stack;
import harrier.runtime.rules.statics.StaticAccess;
import harrier.runtime.rules.statics.Statics;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Sees to it that the code of one program keeps the rules, on the thread that it is bound to. It serves one thread at a time, and
 * one execution after another: {@link #begin} and {@link #end} are around each, and {@link #refuse} fails if a rule was broken.
 *
 * <p>What code may do is decided by the parts: {@link CallCheck} for calls of the JDK, {@link StaticAccess} for static fields,
 * {@link Machine} for the environment and the time, {@link Chance} for random numbers. {@link HookControl} hands on to them what hooks
 * ask. A guard has nothing to do with the guards of handlers.
 */
public final class Guard {
    private static final ThreadLocal<Guard> HERE = new ThreadLocal<>();
    /** What the rewritten JDK reports, while code of a program runs on the thread, of what it is about to do. */
    private static final ThreadLocal<BiConsumer<Object, String>> IN_JDK =
        JdkHook.field("StepRules", "HERE", new ThreadLocal<>());

    static {
        Hooks.install(new Controls() {
            @Override
            public Control here() {
                Guard guard = HERE.get();
                return guard == null ? null : guard.control;
            }

            @Override
            public Error refuseThread(String place) {
                return Refusals.note(place + " runs on a thread of its own: an actor is one sequential process");
            }
        });
    }

    private final Rules rules;
    private final Notes notes;
    private final OwnClasses own;
    /** Looks for a line; null if code calls no hook at its lines. */
    private final LineSearch lines;
    private final Refusals refusals = new Refusals();
    private final StaticAccess statics;
    private final CallCheck calls;
    private final Machine machine;
    private final Chance chance;
    private final Set<String> fails;
    private final Caught caught;
    private final HookControl control;
    private ClassLoader loader;

    /**
     * For a program.
     *
     * @param notes takes the notes
     * @param own the names of the program's own classes; others are libraries
     */
    public Guard(Rules rules, Notes notes, Set<String> own) {
        this(rules, notes, new OwnClasses(own), Set.of(), null);
    }

    private Guard(Rules rules, Notes notes, OwnClasses own, Set<String> fails, LineSearch lines) {
        this.rules = rules;
        this.notes = notes;
        this.own = own;
        this.fails = fails;
        this.lines = lines;
        statics = new StaticAccess(rules, own);
        caught = new Caught(rules, notes, own, fails, statics::isInitializing);
        Callers callers = new Callers(own, notes, statics);
        calls = new CallCheck(rules, notes, own, callers, statics);
        machine = new Machine(rules, notes, callers);
        chance = new Chance(rules, notes, callers);
        control = new HookControl(this, calls, statics, machine, chance, callers);
    }

    /** The guard of this thread; a strict one if none was bound. */
    public static Guard here() {
        Guard guard = HERE.get();
        if (guard == null) {
            guard = new Guard(Rules.STRICT, new Notes(), Set.of());
            guard.lend();
        }
        return guard;
    }

    /** Decides for this thread from now on; the program's classes are those of the loader. */
    public void bind(ClassLoader program) {
        loader = program;
        Thread.currentThread().setContextClassLoader(program);
        lend();
    }

    /** Decides for this thread, too, which does a part of the work of another one that waits for it. */
    void lend() {
        HERE.set(this);
        refusals.bind();
    }

    /** Returns and forgets the refusal on this thread, or on those that are bound to no program; null without one. */
    public static Refusal takeRefusal() {
        Refusal refusal = here().refusals.take();
        Refusal elsewhere = Refusals.takeElsewhere();
        return refusal == null ? elsewhere : refusal;
    }

    /** The same rules for one more loader of the same program. */
    public Guard again() {
        return new Guard(rules, notes, own, fails, null);
    }

    /** The same rules for code that calls a hook at its lines. Its notes were made before. */
    public Guard withLines(LineSearch search) {
        return new Guard(rules, new Notes(), own, fails, search);
    }

    /**
     * The same rules and what a scenario relaxes, where they do not say otherwise.
     *
     * @param scenarioFails the names of the classes of exceptions that fail steps, although they are caught
     */
    public Guard of(Rules scenario, Set<String> scenarioFails) {
        return new Guard(rules.or(scenario), notes, own, scenarioFails, lines);
    }

    public Rules rules() {
        return rules;
    }

    public Notes notes() {
        return notes;
    }

    /** What code may do with static fields. */
    public StaticAccess statics() {
        return statics;
    }

    /** The names of actors that an object leads to. */
    public static Set<String> namesBehind(Object value) {
        return StaticAccess.namesBehind(value);
    }

    /** Answers the questions of hooks. */
    Control control() {
        return control;
    }

    /** The class loader of the program. */
    public ClassLoader loader() {
        return loader;
    }

    /** Reports whether a class, by its binary name, is of a library that logs. */
    public boolean isLogger(String name) {
        return own.isLogger(name);
    }

    /** Reports whether a class, by its binary name, is of a library. */
    boolean isLibrary(String name) {
        return !own.has(name);
    }

    /** Notes that something beside the program's classes is read for the first time. What the set-up reads is known when it is over. */
    public void readsResource() {
        if (statics.isSealed()) {
            notes.addInput();
        }
    }

    /** An execution begins. It chooses nothing and has no clock, unless {@link #choices} and {@link #clock} are called. */
    public void begin() {
        IN_JDK.set(Guard::checkInJdk);
        chance.begin();
        machine.clock(null);
        statics.begin();
        caught.begin();
    }

    /** Called where something is thrown, on any thread. */
    static void thrown(Throwable thrown, long catcher, long location) {
        Guard guard = HERE.get();
        if (guard != null) {
            guard.caught.note(thrown, catcher, location);
        }
    }

    /**
     * The first failure of the execution that the program or a library caught; null if there is none. This may run code of the program:
     * whoever asks has the guard refuse what broke a rule afterwards.
     */
    public Failure caught() {
        return caught.take();
    }

    private static void checkInJdk(Object receiver, String method) {
        HERE.get().calls.checkInJdk(receiver, method);
    }

    /** Sets the source of the execution's choices. */
    public void choices(IntUnaryOperator choices) {
        chance.choices(choices);
    }

    /** Sets the actor that draws random values in the execution, by its name, and the agenda that counts them. */
    public void drawer(String name, Agenda agenda) {
        chance.drawer(name, agenda);
    }

    /** Sets the clock of the execution; it may give null for the time with which clocks start. */
    public void clock(Supplier<Instant> clock) {
        machine.clock(clock);
    }

    /** An execution ends, however it does. What it left where a later one could see it is taken away. */
    public void end() {
        IN_JDK.set(null);
        caught.end();
        calls.end();
        Thread.interrupted();
        if (loader != null && Thread.currentThread().getContextClassLoader() != loader) {
            Thread.currentThread().setContextClassLoader(loader);
        }
        statics.end().forEach(f -> notes.add("statics=frozen put back what a step changed, so no later step can see it: {}", f));
    }

    /**
     * Fails if the execution broke a rule, even if the program caught the error.
     *
     * @param where whose code ran
     * @param code what code it was, if that says more
     */
    public void refuse(String where, String code) {
        Refusal refusal = refusals.take();
        if (refusal != null) {
            throw RuleException.ofCode(where + ": " + refusal.getMessage(), callers(refusal), refusal.allow());
        }
        Refusals.requireNoneElsewhere();
        String left = leftOnThread();
        if (left != null) {
            throw refusal(where + code + " leaves its thread " + left + ": the thread runs other steps, too: put it back", left, null);
        }
        String changed = statics.changed();
        if (changed != null) {
            throw changed(where, code, changed);
        }
    }

    private String leftOnThread() {
        if (Thread.currentThread().isInterrupted()) {
            return "interrupted";
        }
        return loader == null || Thread.currentThread().getContextClassLoader() == loader ? null
            : "with another context class loader";
    }

    /**
     * The refusal of a whole execution, with the line that broke the rule if that is known.
     *
     * @param broken the name of the broken part, as {@link LineSearch#watch} tells it; null if it does not
     * @param thrown what the line threw, or else nobody
     */
    public RuleException refusal(String message, String broken, Throwable thrown) {
        if (thrown instanceof NotCapturableException refused && refused.isOfThreads()) {
            notes.keepThreads();
        }
        List<String> calls = Failure.calls(found() == null ? thrown : found(), own::has);
        return calls.isEmpty() ? RuleException.ofExecution(message, broken) : new RuleException(message, calls);
    }

    private RuleException changed(String where, String code, String field) {
        String what = "what the static field " + field + " holds";
        return found() == null ? RuleException.ofExecution(where + code + ": " + what + " changes: " + Statics.MEND, field)
            : RuleException.ofCode(where + ": " + Stack.say(Stack.place(found()), "changes " + what) + ": " + Statics.MEND,
                callers(found()), Statics.ALLOW);
    }

    /** The calls that led code of a library to where something was thrown, down to the program's own. */
    public List<String> callers(Throwable thrown) {
        return Failure.callers(thrown, own::has);
    }

    /** The search for a line; null if code calls no hook at its lines. */
    public LineSearch lines() {
        return lines;
    }

    /** Sets what tells of the execution that begins, if a line is looked for: {@link LineSearch#watch}. */
    public void watch(Supplier<String> broken, Supplier<?> done) {
        if (lines != null) {
            lines.watch(broken, done);
        }
    }

    /** A line of code begins, or a method returns. */
    void line(boolean returns) {
        if (lines != null) {
            lines.event(returns, what -> statics.differs(what) || what.equals(leftOnThread()));
        }
    }

    /** The calls that led to the line that is looked for; null if there is none. */
    private Throwable found() {
        return lines == null ? null : lines.found();
    }
}
