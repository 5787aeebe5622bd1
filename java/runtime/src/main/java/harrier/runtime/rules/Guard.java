package harrier.runtime.rules;

import harrier.ActorName;
import harrier.host.Control;
import harrier.host.Controls;
import harrier.host.Hooks;
import harrier.host.World;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.HeldObjects;
import harrier.runtime.codec.Identities;
import harrier.runtime.codec.JdkHook;
import harrier.runtime.codec.LocalState;
import harrier.runtime.codec.Loggers;
import harrier.runtime.codec.Order;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.origin.Origin;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Decides what the code of one program may do, on the thread that it is bound to. It serves one thread at a time, and
 * one execution after another: {@link #begin} and {@link #end} are around each. The guards of handlers are no such Guards.
 */
public final class Guard implements Control {
    private static final Pattern LITERAL = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

    /** The name of the loader of a program. */
    public static final String LOADER = "program";

    /** The protocol of addresses of what a program finds on its class path. */
    public static final String RESOURCES = "resource";

    /** What relaxes the rule that static fields are not written, as {@code name=value}. */
    public static final String STATICS_FROZEN = Statics.ALLOW;

    private static final HeldObjects NOTHING = HeldObjects.byStatics();
    private static final ThreadLocal<Guard> HERE = new ThreadLocal<>();
    /** What the rewritten JDK reports, while code of a program runs on the thread, of what it is about to do. */
    private static final ThreadLocal<BiConsumer<Object, String>> IN_JDK =
        JdkHook.field("StepRules", "HERE", new ThreadLocal<>());
    /** The first refusal on a thread that has no guard, whichever program it belongs to. */
    private static volatile Refusal elsewhere;

    static {
        Hooks.install(new Controls() {
            @Override
            public Control here() {
                return HERE.get();
            }

            @Override
            public Error refuseThread(String place) {
                return note(place + " runs on a thread of its own: an actor is one sequential process");
            }
        });
    }

    private final Rules rules;
    private final Notes notes;
    private final Set<String> own;
    private final Chance chance;
    private final List<ThreadLocal<?>> kept = new ArrayList<>();
    private ClassLoader loader;
    private Statics statics;
    /** Looks for a line; null if code calls no hook at its lines. */
    private final LineSearch lines;
    private final Map<String, ActorName> names = new ConcurrentHashMap<>();

    private Supplier<Instant> clock;
    /** What there was of the order that is on before the outermost initializer began. */
    private int[] aside;
    /** The first refusal since somebody asked: it is the cause of others. */
    private Refusal refused;

    /**
     * For a program.
     *
     * @param notes takes what is noted
     * @param own the names of the program's own classes; others are libraries
     */
    public Guard(Rules rules, Notes notes, Set<String> own) {
        this(rules, notes, own, null);
    }

    private Guard(Rules rules, Notes notes, Set<String> own, LineSearch lines) {
        this.rules = rules;
        this.notes = notes;
        this.own = own;
        this.lines = lines;
        chance = new Chance(rules, this::isInitializingInStep, this::isLibrarysInitializer);
    }

    /** The guard of this thread; a strict one if none was bound. */
    public static Guard here() {
        Guard guard = HERE.get();
        if (guard == null) {
            guard = new Guard(Rules.STRICT, new Notes(), Set.of());
            HERE.set(guard);
        }
        return guard;
    }

    /** Decides for this thread from now on; the program's classes are those of the loader. */
    public void bind(ClassLoader program) {
        loader = program;
        Thread.currentThread().setContextClassLoader(program);
        HERE.set(this);
    }

    @Override
    public Map<String, ActorName> names() {
        return names;
    }

    @Override
    public void lend() {
        HERE.set(this);
    }

    /** Where the innermost code of the program is. */
    public String place() {
        return Stack.place();
    }

    /** Notes that a handler sends something at a place before it makes what a field holds durable. */
    public void sendsEarly(String handler, String field, String place) {
        notes.add(handler + " sends before it makes {}: faults().crashes(…).withinHandlers() tests crashes in between",
            field + " durable" + place.substring(place.indexOf(" (")));
    }

    /** Notes a refusal, which stays even if the program catches what is thrown at it, and gives what to throw. */
    public static Refusal note(String message) {
        return note(message, "");
    }

    /**
     * As above.
     *
     * @param allow what relaxes the rule, as {@code name=value}; empty if nothing does
     */
    static Refusal note(String message, String allow) {
        Refusal refusal = new Refusal(message, allow);
        Guard guard = HERE.get();
        if (guard == null) {
            elsewhere = elsewhere == null ? refusal : elsewhere;
        } else if (guard.refused == null) {
            guard.refused = refusal;
        }
        return refusal;
    }

    /** Forgets what was refused, on this and on other threads, and gives it. */
    public static Refusal takeRefusal() {
        Refusal refusal = here().refused == null ? elsewhere : here().refused;
        here().refused = null;
        elsewhere = null;
        return refusal;
    }

    /** Fails if something was refused on a thread that has no guard. */
    public static void requireNoneElsewhere() {
        if (elsewhere != null) {
            throw new RuleException(elsewhere.getMessage());
        }
    }

    /** The same rules for one more loader of the same program. */
    public Guard again() {
        return new Guard(rules, notes, own);
    }

    /** The same rules for code that calls a hook at its lines. What is noted was noted before. */
    public Guard withLines(LineSearch search) {
        return new Guard(rules, new Notes(), own, search);
    }

    /** Looks for a line; null if code calls no hook at its lines. */
    public LineSearch lines() {
        return lines;
    }

    /** Says what tells of the execution that begins, if a line is looked for: {@link LineSearch#watch}. */
    public void watch(Supplier<String> broken, Supplier<?> done) {
        if (lines != null) {
            lines.watch(broken, done);
        }
    }

    /** The same rules and what a scenario relaxes, where they do not say otherwise. */
    public Guard relaxed(Rules scenario) {
        return new Guard(rules.or(scenario), notes, own, lines);
    }

    public Rules rules() {
        return rules;
    }

    public Notes notes() {
        return notes;
    }

    /**
     * Says that the program is set up. What its static fields hold now, or when their class is initialized, is what
     * every execution begins with.
     *
     * @param kept the objects that actors have
     */
    public void seal(Codec codec, Collection<Class<?>> loaded, List<Identities> kept) {
        statics = new Statics(codec, rules.allow(Rule.STATICS, "frozen"), hasOwnStatics(), own);
        statics.addAll(loaded, kept);
    }

    /** Whether native methods of the program may run. Elsewhere each fails. */
    public boolean mayRunNative() {
        return rules.allow(Rule.NATIVES, "any");
    }

    /** Whether static fields are part of the state of each actor. */
    public boolean hasOwnStatics() {
        return rules.allow(Rule.STATICS, "state");
    }

    /** Something beside the program's classes is read for the first time. What the set-up reads is known when it is over. */
    public void readsResource() {
        if (statics != null) {
            notes.addInput();
        }
    }

    /** What the static fields of a class hold, encoded; null if that cannot be captured. */
    public byte[] staticsOf(Class<?> type) {
        return statics.of(type);
    }

    /** The ways to objects that static fields of some classes lead to on several, the names of the classes first. */
    public List<List<String>> sharedStatics(Collection<Class<?>> types) {
        return statics.shared(types);
    }

    /** Whether a program may find any class by relaxed rules, or has static fields in states. */
    public boolean mayReachAny() {
        return hasOwnStatics() || rules.allow(Rule.REFLECTION, "any");
    }

    /** Says that it is a step of an actor that runs: static fields hold what its state says. */
    public void enter(LocalState state) {
        if (statics != null) {
            statics.enter(state.beside(), loader);
        }
    }

    /** The state of the actor that runs, with what static fields hold now, if they are part of it. */
    public LocalState withStatics(LocalState state) {
        return statics == null ? state : statics.in(state);
    }

    /** Sets static fields for an actor that is created in a step, if each has its own. What it gives sets them back. */
    public Runnable aside(Supplier<LocalState> created) {
        return statics == null || !hasOwnStatics() ? () -> { } : statics.aside(created.get());
    }

    /** Refuses actors that reach what static fields held when they were created, if each actor is to have its own. */
    public void requireApart(String actor, Identities objects, String where) {
        String shared = statics == null ? null : statics.sharedWith(objects);
        if (shared != null) {
            throw new RuleException(where + ": " + actor + " reaches what the static field " + shared
                + " holds, and each actor is to have its own: give the actor a copy, or take"
                + " statics=frozen, which gives it one");
        }
    }

    /** What static fields hold and actors must not reach; nothing before the program is set up, or where each has its own. */
    public HeldObjects held() {
        return statics == null || hasOwnStatics() ? NOTHING : statics.held();
    }

    /** An execution begins. It chooses nothing and has no clock, unless that is said. */
    public void begin() {
        IN_JDK.set(Guard::checkInJdk);
        chance.begin();
        clock = null;
        if (statics != null) {
            statics.begin();
        }
    }

    /** Says what answers the choices of the execution. */
    public void choices(IntUnaryOperator choices) {
        chance.choices(choices);
    }

    /** Says where to look for the time; there may be none, so that it is the one that clocks start with. */
    public void clock(Supplier<Instant> newClock) {
        clock = newClock;
    }

    /** An execution ends, however it does. What it left where a later one could see it is taken away. */
    public void end() {
        IN_JDK.set(null);
        kept.forEach(ThreadLocal::remove);
        kept.clear();
        Thread.interrupted();
        if (loader != null && Thread.currentThread().getContextClassLoader() != loader) {
            Thread.currentThread().setContextClassLoader(loader);
        }
        if (statics != null) {
            statics.end().forEach(f -> notes.add("statics=frozen put back what a step changed, so no later step can see it: {}", f));
        }
    }

    /**
     * What breaks a rule stays broken, even if the program caught what was thrown at it.
     *
     * @param where whose code ran
     * @param code what code it was, if that says more
     */
    public void refuse(String where, String code) {
        Refusal refusal = refused;
        refused = null;
        if (refusal != null) {
            throw RuleException.ofCode(where + ": " + refusal.getMessage(), callers(refusal), refusal.allow());
        }
        requireNoneElsewhere();
        String left = leftOnThread();
        if (left != null) {
            throw refusal(where + code + " leaves its thread " + left + ": the thread runs other steps, too: put it back", left, null);
        }
        if (statics != null && statics.isInitializerFailed()) {
            throw new RuleException(where + code + ": a static initializer fails, and each actor is to have static fields of"
                + " its own: refer to the class in the set-up");
        }
        String changed = statics == null ? null : statics.changed();
        if (changed != null) {
            throw changed(where, code, changed);
        }
    }

    /**
     * Refuses a whole execution, with the line that broke the rule if that is known.
     *
     * @param broken what is broken, as {@link LineSearch#watch} tells it; null if it does not
     * @param thrown what the line threw, or else nobody
     */
    public RuleException refusal(String message, String broken, Throwable thrown) {
        List<String> calls = Failure.calls(found() == null ? thrown : found(), own::contains);
        return calls.isEmpty() ? RuleException.ofExecution(message, broken) : new RuleException(message, calls);
    }

    private RuleException changed(String where, String code, String field) {
        String what = "what the static field " + field + " holds";
        return found() == null ? RuleException.ofExecution(where + code + ": " + what + " changes: " + Statics.MEND, field)
            : RuleException.ofCode(where + ": " + Stack.say(Stack.place(found()), "changes " + what) + ": " + Statics.MEND,
                callers(found()), Statics.ALLOW);
    }

    /** The calls that led to the line that is looked for; null if there is none. */
    private Throwable found() {
        return lines == null ? null : lines.found();
    }

    /** The calls that led code of a library to where something was thrown, down to the program's own. */
    public List<String> callers(Throwable thrown) {
        return Failure.callers(thrown, own::contains);
    }

    /**
     * Refuses what the JDK is about to do.
     *
     * @param receiver the object that does it, what it is about to throw, or the folder that it could not list
     * @param method the method, as its class's internal name, a dot and its own name
     */
    private static void checkInJdk(Object receiver, String method) {
        if (receiver instanceof IOException thrown) {
            HERE.get().requireGranted(thrown);
            return;
        } else if (receiver instanceof File folder) {
            requireListed(folder);
            return;
        }
        String type = receiver.getClass().getName();
        if (Origin.isRuntime(type) || type.equals("jdk.internal.misc.InnocuousThread")) {
            return; // a part of the codec's work, or nothing that runs code of programs
        }
        int dot = method.indexOf('.');
        String owner = method.substring(0, dot);
        String name = method.substring(dot + 1);
        int known = RefusedCalls.find(owner, name, "(", String::equals);
        RefusedCall refused = RefusedCalls.get(known >= 0 ? known : RefusedCalls.findUnknown(owner, name, "("));
        if (refused.rule() == Rule.JDK && HERE.get().mayReach(refused)) {
            return;
        }
        throw note(Stack.say(Stack.place(), "has the JDK call " + refused.label()) + ": " + refused.mend() + refused.letting(), refused.allow());
    }

    /** Whether code may use an object that reaches past the language, however it got hold of it. Libraries do without in the set-up. */
    private boolean mayReach(RefusedCall internals) {
        String type = Receivers.internals(internals, null);
        if (rules.allowJdk(type) || rules.allow(Rule.REFLECTION, "any")) {
            return true;
        }
        if (isStarting() && !own.contains(Stack.program())) {
            throw missing(type);
        }
        return false;
    }

    private static NoClassDefFoundError missing(String internals) {
        return new NoClassDefFoundError(internals + " is not there for what is checked, as it reaches past the language; --allow jdk="
            + internals + " lets it be used");
    }

    /** Has it refused if it is the operating system that keeps a folder from being listed. */
    private static void requireListed(File folder) {
        try {
            Files.newDirectoryStream(folder.toPath()).close();
        } catch (IOException | InvalidPathException e) {
            return; // what says that it may not be read was refused when it was made
        }
    }

    /** Refuses that the operating system keeps the program from a file, whether it catches that or not. Libraries may look around. */
    private void requireGranted(IOException thrown) {
        String denied = Failure.denied(thrown);
        if (denied.isEmpty()) {
            return;
        }
        String program = Stack.program();
        if (own.contains(program) || !isLogger(program) && !isStarting()) {
            throw note(Stack.say(Stack.place(), "gets " + Failure.describe(thrown)) + denied);
        }
    }

    private String leftOnThread() {
        if (Thread.currentThread().isInterrupted()) {
            return "interrupted";
        }
        return loader == null || Thread.currentThread().getContextClassLoader() == loader ? null
            : "with another context class loader";
    }

    @Override
    public void check(Object receiver, String called, int number, String place) {
        RefusedCall refused = RefusedCalls.get(number);
        if (called != null && (receiver == null || Receivers.overrides(receiver, called) && refused.isOfTheJdk())) {
            return; // no code of the JDK runs, or none yet
        }
        if (Receivers.isHarriers(refused, receiver)) {
            throw note(Stack.say(place, "calls " + Receivers.label(refused, receiver)) + ": it is harrier's own: call what"
                + " is public in the package harrier, and directly");
        }
        if (isAllowed(refused, receiver)) {
            reads(refused);
            return;
        }
        if (refused.when() == RefusedCall.When.KEEPS) {
            if (isInitializingInStep() && (kept.contains(receiver) || own.contains(Stack.caller()))) {
                throw note(Stack.say(place, "calls " + refused.label() + " in the static initializer of a class"
                    + " that a step initializes") + Stack.inTime());
            }
            kept.add((ThreadLocal<?>) receiver);
        } else if (Receivers.isRefused(refused, receiver)) {
            if (!isLibraryStarting(refused, place)) {
                throw refuse(refused, Receivers.label(refused, receiver), place);
            }
            if (Receivers.loadsNative(refused, receiver)) {
                throw new UnsatisfiedLinkError("no native code is loaded; --allow natives=any lets that happen");
            }
            String internals = Receivers.internals(refused, receiver);
            if (internals != null) {
                throw missing(internals);
            }
        } else if (refused.when() == RefusedCall.When.READS_LINES && statics != null && !isLogger(Stack.caller())) {
            notes.addInput(); // answers are kept by classes without their lines
        }
    }

    private boolean isAllowed(RefusedCall refused, Object receiver) {
        String jdk = Receivers.jdkClass(refused, receiver);
        return jdk != null && rules.allowJdk(jdk)
            || !refused.allowed().isEmpty() && rules.allow(refused.rule(), refused.allowed());
    }

    /** Libraries look around when they are first used, and what of that is part of a worker's start happens once. */
    private boolean isLibraryStarting(RefusedCall refused, String place) {
        if (refused.when() == RefusedCall.When.UNSEEDED) {
            return isLibrarysInitializer();
        }
        boolean lenient = switch (refused.rule()) {
            case IO, ENVIRONMENT, REFLECTION, NATIVES, JDK -> true;
            default -> false;
        };
        boolean may = lenient && isLibraryStarting("libraries look around when they are initialized, and may: {}", place);
        if (may && !isLogger(Stack.caller())) {
            reads(refused);
        }
        return may;
    }

    /** Code of the JDK is called that may read anything. Reflection reads classes only. */
    private void reads(RefusedCall refused) {
        if (refused.rule() != Rule.REFLECTION) {
            notes.addInput();
        }
    }

    /** Whether the initializer of a class runs during an execution: what it does is done once, for all. */
    private boolean isInitializingInStep() {
        return statics != null && statics.isInitializing() && Stack.isInitializing();
    }

    @Override
    public boolean isStarting() {
        return statics == null || Stack.isInitializing();
    }

    private static Refusal refuse(RefusedCall refused, String what, String place) {
        return note(Stack.say(place, refused.verb() + what) + ": " + refused.mend() + refused.letting(), refused.allow());
    }

    @Override
    public Instant now(String place) {
        if (rules.isTimeReal()) {
            notes.addInput();
            return Instant.now();
        }
        Instant moved = clock == null || isInitializingInStep() ? null : clock.get();
        if (moved != null) {
            return moved;
        }
        Instant start = World.startOfTimeHere();
        if (isLogger(Stack.caller())) {
            return start;
        }
        notes.readsTime(start, place);
        return start;
    }

    @Override
    public void sleep(String what, String place) {
        if (!rules.allow(Rule.THREADS, "ignore-sleep")) {
            throw note(Stack.say(place, "calls " + what) + ": a handler must not wait: return, and go on when a"
                + " message or a timer comes; --allow threads=ignore-sleep goes on at once", "threads=ignore-sleep");
        }
    }

    @Override
    public long seed(String what, String place) {
        if (what.equals("UUID.randomUUID") && rules.seed() != null && !isStarting()) {
            notes.add("randomness=seed:N draws the same in each step, so UUIDs of two steps are equal: {}", place);
        }
        return chance.seed(what, place);
    }

    @Override
    public long unseeded(Random random) {
        return Receivers.hasMarker(random) ? Receivers.UNSEEDED : 0;
    }

    /** Whether code of a library runs in the initializer of a class: what that draws is the same for all. */
    private boolean isLibrarysInitializer() {
        String caller = Stack.program();
        boolean is = !own.contains(caller) && Stack.isInitializing();
        if (is && !isLogger(caller)) {
            notes.add("libraries draw the same random numbers whenever they are initialized: {}", Stack.place());
        }
        return is;
    }

    @Override
    public void drawUnseeded() {
        if (isLibrarysInitializer()) {
            return;
        }
        throw note(Stack.say(Stack.place(), "draws from a java.util.Random without a seed")
            + ": give it a seed of your own, or take what is decided from choose(n); " + RefusedCalls.SEEDS, RefusedCalls.SEED);
    }

    @Override
    public double number(String what, String place) {
        return chance.number(what, place);
    }

    @Override
    public ThreadLocalRandom threadLocalRandom(String place) {
        return chance.threadLocalRandom(place);
    }

    @Override
    public String property(String name, String place) {
        String set = rules.properties().get(name);
        if (set != null) {
            return set;
        }
        return switch (Properties.kind(name)) {
            case CONSTANT -> System.getProperty(name);
            case UNSET -> {
                if (!isLogger(Stack.caller())) {
                    notes.add("system properties count as not set (--allow property=NAME:VALUE sets one): {}", name);
                }
                yield null;
            }
            case VARIES -> {
                asksOfMachine(place, "reads the system property " + name);
                yield Properties.fixed(name);
            }
        };
    }

    @Override
    public java.util.Properties properties(String place) {
        asksOfMachine(place, "calls System.getProperties");
        return Properties.all(rules);
    }

    @Override
    public Map<String, String> environment(String place) {
        asksOfMachine(place, "calls System.getenv");
        return Map.of();
    }

    @Override
    public int processors(String place) {
        asksOfMachine(place, "calls Runtime.availableProcessors");
        return 1;
    }

    @Override
    public void interfaces(String place) {
        asksOfMachine(place, "calls NetworkInterface.getNetworkInterfaces");
    }

    /** Refuses what asks where the program runs, unless that is allowed. */
    private void asksOfMachine(String place, String what) {
        if (!rules.allow(Rule.ENVIRONMENT, "fixed") && !isLibraryStarting(place)) {
            throw note(Stack.say(place, what) + ": " + Properties.MEND, Properties.ALLOW);
        }
    }

    @Override
    public void address(String host, String place) {
        boolean isLiteral = host == null || host.isEmpty() || host.contains(":") || LITERAL.matcher(host).matches();
        if (isLiteral) {
            return;
        }
        if (!isLibraryStarting("libraries look around when they are initialized, and may: {}", place)) {
            throw note(Stack.say(place, "asks for the address of the host " + host) + ": " + RefusedCalls.NO_IO
                + ", such as an address in digits, or one that InetSocketAddress.createUnresolved makes");
        }
        notes.addInput();
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    private boolean isLibraryStarting(String place) {
        return isLibraryStarting("libraries are told of no environment when they are initialized: {}", place);
    }

    private boolean isLibraryStarting(String note, String place) {
        String caller = Stack.caller();
        if (isLogger(caller)) {
            return true;
        }
        boolean may = isStarting() && !own.contains(caller);
        if (may) {
            notes.add(note, place);
        }
        return may;
    }

    /** Whether a class, by its binary name, is of a library that logs. */
    public boolean isLogger(String name) {
        return Loggers.has(name) && !own.contains(name);
    }

    @Override
    public void shutdownHook(String place) {
        if (!isLogger(Stack.caller())) {
            notes.add("the process does not end, so shutdown hooks are not run: {}", place);
        }
    }

    @Override
    public void parallel(String what, String place) {
        if (!rules.allow(Rule.THREADS, "sequential-streams")) {
            throw note(Stack.say(place, what) + ": an actor is one sequential process: leave the stream as it is;"
                + " --allow threads=sequential-streams does", "threads=sequential-streams");
        }
    }

    @Override
    public Error refused(String what, String mend) {
        return note(Stack.say(Stack.place(), what) + ": " + mend);
    }

    @Override
    public void refuseThreads(String what, String place) {
        throw note(Stack.say(place, what)
            + ": an actor is one sequential process: hand tasks to its eventLoop(), or make another actor");
    }

    @Override
    public void staticWrite(String field, String place) {
        String owner = field.substring(0, field.lastIndexOf('.'));
        if (statics == null || isLogger(owner)) {
            return;
        }
        if (Stack.isInitializing()) {
            if (statics.isInitialized(field) && own.contains(owner)) {
                throw note(Stack.say(place, "writes the static field " + Cell.label(field)
                    + " of another class when it is initialized during a step") + Stack.inTime());
            }
        } else if (!statics.mayWrite()) {
            throw note(writes(field, place) + ": " + Statics.MEND, Statics.ALLOW);
        }
    }

    /** What code at a place does that writes a static field, by the binary name of its class, a dot and its own. */
    public static String writes(String field, String place) {
        return Stack.say(place, "writes the static field " + Cell.label(field));
    }

    @Override
    public void line(boolean returns) {
        if (lines != null) {
            lines.event(returns, what -> statics != null && statics.differs(what) || what.equals(leftOnThread()));
        }
    }

    @Override
    public void staticRead(String owner, String field, String place) {
        if (statics != null && statics.isNobodys(owner, field, loader)) {
            String type = owner.substring(owner.lastIndexOf('.') + 1).replace('$', '.');
            throw note(Stack.say(place, "reads the static field " + type + "." + field) + ", of which each actor has"
                + " its own, where no actor runs: keep it in a field of the actor, or make it one that cannot change");
        }
    }

    @Override
    public void initializing() {
        if (statics != null) {
            if (!statics.isInitializing()) {
                chance.beginInitializer();
                aside = Order.beginAside();
            }
            statics.initializing();
        }
    }

    @Override
    public void initialized(Class<?> type) {
        if (statics != null) {
            try {
                if (statics.initialized(type)) {
                    notes.addValues();
                }
            } finally {
                if (!statics.isInitializing()) {
                    chance.endInitializer();
                    Order.endAside(aside); // it does not run again, and which step it runs in depends on who comes first
                }
            }
        }
    }
}
