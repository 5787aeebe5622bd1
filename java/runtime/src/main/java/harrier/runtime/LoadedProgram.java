package harrier.runtime;

import harrier.Actor;
import harrier.ActorName;
import harrier.Scenario;
import harrier.host.Declaration;
import harrier.host.Hosting;
import harrier.host.Stage;
import harrier.host.World;
import harrier.host.WrongDeclaration;
import harrier.runtime.analysis.Decomposition;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.NeededClass;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.ScenarioSetUp;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.property.Evaluator;
import harrier.runtime.property.LinearizabilityMonitor;
import harrier.runtime.property.Recorder;
import harrier.runtime.property.Recording;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Notes;
import harrier.runtime.rules.Running;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.ActorClass;
import harrier.runtime.step.Declared;
import harrier.runtime.step.Setting;
import harrier.runtime.step.SetUpEffects;
import harrier.runtime.step.Steps;
import harrier.runtime.wire.EventKind;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * A program that is ready to be asked: its scenario set up, its steps and properties at hand.
 *
 * @param loader the loader of its classes
 * @param scenario the scenario, set up
 * @param parameters the values that its parameters had before that
 * @param declared what the set-up says of roles, timers, the network, crashes and adversaries
 * @param initial the actors created and the messages sent by the set-up
 * @param history the history after the set-up, encoded; empty if it has no operations
 * @param steps runs local steps
 * @param recorder extends what is kept of operations
 * @param evaluator evaluates properties
 * @param decomposition which fields of actors and messages are auxiliary
 * @param shown which objects people are shown by texts of their own
 * @param options how it is run
 */
public record LoadedProgram(ProgramLoader loader, Scenario scenario, Map<String, String> parameters,
        Declared declared, SetUpEffects initial, byte[] history, Steps steps, Recording recorder, Evaluator evaluator,
        Decomposition decomposition, Shown shown, Options options) {

    /**
     * Loads and sets up a scenario.
     *
     * @param where what to call the program in messages
     * @param name the name of the scenario, empty for the only one
     * @param parameters values for its parameters
     * @param options how it is run
     */
    public static LoadedProgram load(ProgramClasses classes, String where, String name,
            Map<String, String> parameters, Options options) {
        ProgramLoader loader = new ProgramLoader(classes,
            new Guard(options.rules(), new Notes(classes.moveClocks()), classes.own()));
        try {
            LoadedProgram program = load(loader, where, name, parameters, options,
                (type, settings) -> KeptAnalysis.of(classes, type.getName(), settings));
            // These find wrong declarations now.
            program.actorClasses();
            program.decomposition.refuseContradictions();
            return program;
        } catch (RuleException e) {
            RuleException refused =
                RefusedLine.ofLoading(e, loader,
                    l -> load(l, where, name, parameters, options.once(), (type, settings) -> null));
            throw new OtherRefusals(classes, name).with(refused, loader);
        } catch (UsageException | LimitException | OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            loader.refuseDamaged(); // what a damaged class file leads to may be anything
            if (e instanceof LinkageError || e instanceof TypeNotPresentException) {
                throw NeededClass.unloadable("a class of the program", e);
            }
            throw e;
        }
    }

    private static Decomposition.Settings settings(Rules rules, Declared declared, Evaluator evaluator,
            Options options) {
        return new Decomposition.Settings(rules.mayRunNative(), rules.mayReachAny(), declared.isInOrder(),
            declared.repeats() && evaluator.asksWhatIsReceived(), options.footprints());
    }

    /**
     * The same program once more, with classes, static fields and a scenario of its own. So two threads that run
     * one program each share nothing that it could change, and a {@link SecondCopy} has other objects.
     */
    public LoadedProgram again() {
        LoadedProgram copy = again(Order.plain(loader::again), options);
        if (!copy.initial.sameAs(initial) || !copy.declared.sameAs(declared)) {
            String where = where(scenario);
            throw new Steps.DifferenceException(initial.outcome(where), copy.initial.outcome(where))
                .after(new RefusedLine(this).setUpDifference());
        }
        return copy;
    }

    /** The same program once more, which executes each step once. */
    LoadedProgram once(ProgramLoader other) {
        return again(other, options.once());
    }

    private LoadedProgram again(ProgramLoader other, Options as) {
        String name = scenario.getClass().getName();
        return load(other, name, name, parameters, as, (type, settings) -> decomposition);
    }

    private static LoadedProgram load(ProgramLoader loader, String where, String name,
            Map<String, String> parameters, Options options,
            BiFunction<Class<? extends Scenario>, Decomposition.Settings, Decomposition> decompose) {
        loader.enter();
        Order.begin();
        int[] order = Order.beginAside(); // what harrier iterates over is no part of the set-up
        Class<? extends Scenario> type = ScenarioSetUp.find(loader, name, where);
        Codec codec = new Codec(loader, loader::defined);
        Setting setting = Setting.of(codec, options.honest(), loader.covered());
        SetUpEffects initial = new SetUpEffects(setting);
        Scenario scenario;
        Map<String, String> values;
        World before = World.enter(initial);
        loader.guard().watch(initial::broken, () -> initial.outcome(""));
        Order.endAside(order);
        try {
            scenario = ScenarioSetUp.make(type, parameters);
            values = ScenarioSetUp.values(scenario);
            setUp(scenario, setting, initial);
        } finally {
            World.enter(before);
            order = Order.beginAside();
        }
        boolean hasHistory = Recorder.isKept(type, loader.classes());
        boolean records = hasHistory || setting.declared().specification() != null;
        boolean rechecks = options.recheck().isOn();
        SecondCopy copy = new SecondCopy(loader::enter, loader.guard().rules().isOrderPlain());
        Recording recorder = recorder(scenario, setting, loader, rechecks ? copy : null, hasHistory);
        seal(loader, codec, initial, where(scenario));
        refuseShared(scenario, codec, initial, loader.guard());
        Evaluator evaluator = new Evaluator(scenario, initial.creates(), setting, loader,
            rechecks ? copy.of(LoadedProgram::evaluator) : Repeater.never(), hasHistory, options.properties());
        LoadedProgram program = new LoadedProgram(loader, scenario, values, setting.declared(), initial,
            history(scenario, recorder(scenario, setting, loader, null, hasHistory), initial),
            new Steps(setting, options.recheck(), records, evaluator, copy.of(LoadedProgram::steps)),
            recorder, evaluator,
            decompose.apply(type, settings(loader.guard().rules(), setting.declared(), evaluator, options)),
            new Shown(loader, codec, options.show(), type), options);
        copy.by(program::again);
        Order.endAside(order);
        return program;
    }

    /** What users should know of how the program was read. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>(loader.classes().remarks());
        if (!decomposition.unknown().isEmpty()) {
            remarks.add("no field is found to be auxiliary, and handlers and properties may read any: "
                + decomposition.unknown());
        }
        return remarks;
    }

    private static void setUp(Scenario scenario, Setting setting, SetUpEffects initial) {
        String where = where(scenario);
        Hosting.access().bind(scenario, new SetUpStage(setting, initial));
        Running.begin(where);
        try {
            Hosting.access().setUp(scenario);
            Running.requireReturned();
            Failure caught = Guard.here().caught();
            if (caught != null) {
                throw caught.isOutOfMemory() ? LimitException.heap(where) : ScenarioSetUp.caught(where, caught);
            }
        } catch (NotCapturableException e) {
            throw Guard.here().refusal(where + ": " + e.getMessage(), null, e);
        } catch (LimitException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            UsageException failed = failed(where, e);
            refuseCaught(where, initial); // by what came before the failure, or by what was run to describe it
            throw failed;
        } finally {
            Running.end();
            Hosting.access().bind(scenario, null);
        }
        Running.during(where, () -> { // elements of collections are looked up
            refuseCaught(where, initial);
            return null;
        });
        if (initial.creates().isEmpty()) {
            throw new UsageException(where + " creates no actors: it must create those that exist at the start");
        }
        initial.forget(setting.declared().resolve(where, initial.classes()));
    }

    private static void seal(ProgramLoader loader, Codec codec, SetUpEffects initial, String where) {
        Running.during(where, () -> { // elements of collections are looked up
            try {
                initial.captureAgain(kept -> loader.guard().statics().seal(codec, loader.defined(), kept));
            } catch (NotCapturableException e) {
                throw loader.guard().refusal(where + ": " + e.getMessage(), null, e);
            }
            return null;
        });
    }

    private static UsageException failed(String where, Throwable thrown) {
        if (thrown instanceof UsageException e) {
            return e; // says by itself what is wrong, such as how an actor's class declares its handlers
        }
        return thrown instanceof WrongDeclaration e ? new UsageException(where + ": " + e.getMessage())
            : ScenarioSetUp.failed(where, thrown);
    }

    /** What the scenario and static fields hold must not be what an actor changes: that is a copy from now on. */
    private static void refuseShared(Scenario scenario, Codec codec, SetUpEffects initial, Guard guard) {
        HeldObjects held = HeldObjects.byScenario();
        codec.hold(scenario, held);
        try {
            initial.refuseShared(held);
            initial.refuseShared(guard.statics().held());
        } catch (NotCapturableException e) {
            throw new RuleException(where(scenario) + ": " + e.getMessage());
        }
    }

    /** What extends what is kept of operations. A copy, unless it is null, does so once more. */
    private static Recording recorder(Scenario scenario, Setting setting, ProgramLoader loader, SecondCopy copy,
            boolean hasHistory) {
        Class<?> specification = setting.declared().specification();
        if (specification == null) {
            return new Recorder(scenario, setting.codec(),
                copy == null ? Repeater.never() : copy.of(p -> (Recorder) p.recorder()), hasHistory);
        }
        if (hasHistory) {
            throw new UsageException(where(scenario) + " calls " + setting.declared().consistency()
                + ", and the scenario calls"
                + " history(): states keep configurations in place of the history, so use one of the two");
        }
        return new LinearizabilityMonitor(specification, setting.declared().read(), setting.codec(),
            copy == null ? Repeater.never() : copy.of(p -> ((LinearizabilityMonitor) p.recorder()).steps()),
            loader.guard().lines() == null); // a search for a line runs the same code again
    }

    private static byte[] history(Scenario scenario, Recording recorder, SetUpEffects initial) {
        try {
            return recorder.extend(new byte[0], initial.records());
        } catch (RuleException e) {
            throw new RuleException(where(scenario) + ": " + e.getMessage());
        }
    }

    private static String where(Scenario scenario) {
        return scenario.getClass().getSimpleName() + ".setUp";
    }

    /** What must not be stays refused, even if the scenario caught what was thrown at it. */
    private static void refuseCaught(String where, SetUpEffects initial) {
        Guard.here().refuse(where, "");
        NotCapturableException refused = initial.notCapturable();
        if (refused != null) {
            throw Guard.here().refusal(where + ": " + refused.getMessage(), initial.broken(), refused);
        }
    }

    /** The actor classes that exist at the start or that the program's own sources hold. */
    public List<ActorClass> actorClasses() {
        Map<String, ActorClass> found = new TreeMap<>();
        List<String> names = new ArrayList<>(loader.classes().concreteSubclasses(Actor.class));
        initial.creates().forEach(a -> names.add(a.type()));
        for (String name : names) {
            try {
                found.put(name, steps.classOf(loader.loadClass(name)));
            } catch (ClassNotFoundException | LinkageError e) {
                throw NeededClass.unloadable("the actor class " + name, e);
            }
        }
        return List.copyOf(found.values());
    }

    /** What actors of a class may run. */
    public List<HandlerFact> handlers(ActorClass type) {
        List<HandlerFact> found = new ArrayList<>();
        String name = type.type().getName();
        type.handlers().forEach(h -> found.add(new HandlerFact(name, h.label(), EventKind.RECEIVE, h.isQuorum(),
            h.message().getName(), Modifier.isFinal(h.message().getModifiers()), place(h.method()))));
        type.internals().forEach(h -> found.add(new HandlerFact(name, h.label(), EventKind.INTERNAL, false, "", true,
            place(h.method()))));
        if (initial.creates().stream().anyMatch(a -> a.type().equals(name) && declared.mayRestart(a.name()))) {
            found.add(new HandlerFact(name, type.restartLabel(), EventKind.RESTART, false, "", true, ""));
        }
        return found;
    }

    /**
     * A handler, or what an actor does when it starts again.
     *
     * @param kind the kind of event that it is for
     * @param takes the class of the messages that it takes; empty if it takes none
     * @param isExact whether it takes none of another class
     * @param place its file and line; empty if that is not known
     */
    public record HandlerFact(String type, String label, EventKind kind, boolean isQuorum, String takes,
        boolean isExact, String place) {}

    /** The file and the first line of a method of the program; empty if its class does not say. */
    public String place(Method method) {
        return method == null ? "" : loader.classes().place(method);
    }

    /** Serves create and send while a scenario is set up. */
    private record SetUpStage(Setting setting, SetUpEffects effects) implements Stage {
        @Override
        public ActorName create(String role, String name, Actor actor) {
            if (effects.creates().stream().anyMatch(a -> a.name().equals(name))) {
                throw new IllegalArgumentException("there is an actor " + name
                    + " already: give the role another name");
            }
            setting.newActors().add(name, actor);
            setting.declared().created(role, name);
            return effects.create(name, actor);
        }

        @Override
        public void declare(Declaration declaration) {
            setting.declared().add(declaration, effects::declared);
        }

        @Override
        public void timersInOrder() {
            setting.declared().timersInOrder();
        }

        @Override
        public void clocksStartAt(Instant instant) {
            setting.declared().clocksStartAt(instant);
        }

        @Override
        public void linearizable(Class<?> specification) {
            setting.declared().linearizable(specification);
        }

        @Override
        public void regular(Class<?> specification, Class<?> read) {
            setting.declared().regular(specification, read);
        }

        @Override
        public void send(ActorName to, Object message) {
            effects.send("", to, message);
        }

        @Override
        public IllegalStateException refusal(String method, String does) {
            return new IllegalStateException(method + " works in properties only");
        }
    }
}
