package harrier.runtime.program;

import harrier.Actor;
import harrier.Scenario;
import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.Declared;
import harrier.runtime.analysis.Decomposition;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.NeededClass;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.property.Evaluator;
import harrier.runtime.property.LinearizabilityMonitor;
import harrier.runtime.property.Recorder;
import harrier.runtime.property.Recording;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Notes;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.Steps;
import harrier.runtime.step.setup.ScenarioSetUp;
import harrier.runtime.step.setup.SetUp;
import harrier.runtime.step.setup.SetUpEffects;
import harrier.runtime.wire.EventKind;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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
 * @param alternatives how many alternatives each choice of the set-up had
 * @param initial the actors created and the messages sent by the set-up
 * @param history the history after the set-up, encoded; empty if it has no operations
 * @param steps runs local steps
 * @param recorder extends the history of operations
 * @param evaluator evaluates properties
 * @param decomposition which fields of actors and messages are auxiliary
 * @param shown which objects people are shown by texts of their own
 * @param options how it is run
 */
public record LoadedProgram(ProgramLoader loader, Scenario scenario, Map<String, String> parameters,
        Declared declared, List<Integer> alternatives, SetUpEffects initial, byte[] history, Steps steps, Recording recorder, Evaluator evaluator,
        Decomposition decomposition, Shown shown, Options options) {

    /**
     * Loads and sets up a scenario.
     *
     * @param loader a new loader of its classes
     * @param where the name of the program in messages
     * @param name the name of the scenario, empty for the only one
     * @param parameters values for its parameters
     * @param options how it is run
     */
    public static LoadedProgram load(ProgramLoader loader, String where, String name,
            Map<String, String> parameters, Options options) {
        try {
            LoadedProgram program = load(loader, where, name, parameters, options, null,
                (type, settings) -> KeptAnalysis.of(loader.classes(), type.getName(), settings));
            // These find wrong declarations now.
            program.actorClasses();
            program.decomposition.refuseContradictions();
            return program;
        } catch (RuleException | UsageException | LimitException | OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            loader.refuseDamaged(); // what a damaged class file leads to may be anything
            if (e instanceof LinkageError || e instanceof TypeNotPresentException) {
                throw NeededClass.unloadable("a class of the program", e);
            }
            throw e;
        }
    }

    /** The loader of a program's classes, under the rules that the options leave. */
    public static ProgramLoader loader(ProgramClasses classes, Options options) {
        return new ProgramLoader(classes, new Guard(options.rules(), new Notes(classes.moveClocks()), classes.own()), options.preempts());
    }

    /** Loads and sets up a scenario without the analysis of its fields, to look for a line of its set-up. */
    public static LoadedProgram unanalysed(ProgramLoader loader, String where, String name, Map<String, String> parameters,
            Options options) {
        return load(loader, where, name, parameters, options, null, (type, settings) -> null);
    }

    private static Decomposition.Settings settings(ProgramLoader loader, Declared declared, Evaluator evaluator,
            Options options) {
        Rules rules = loader.guard().rules();
        return new Decomposition.Settings(rules.mayRunNative(), rules.mayReachAny(), declared.countsDurations(),
            declared.repeats() && evaluator.asksWhatIsReceived(), options.footprints(), loader.hasThreads(), options.preempts());
    }

    /**
     * The same program once more, with classes, static fields and a scenario of its own. So two threads that run
     * one program each share nothing that it could change, and a {@link SecondCopy} has other objects.
     *
     * @throws Steps.DifferenceException if its set-up differs from the first one
     */
    public LoadedProgram again() {
        int[] order = Order.beginAside(); // the JDK iterates where it links lambdas and records, which is no part of the set-up
        ProgramLoader other = Order.plain(loader::again);
        Order.endAside(order);
        LoadedProgram copy = again(other, options);
        order = Order.beginAside();
        try {
            if (!copy.initial.sameAs(initial) || !copy.declared.sameAs(declared)) {
                String where = SetUp.where(scenario);
                throw new Steps.DifferenceException(initial.outcome(where), copy.initial.outcome(where));
            }
        } finally {
            Order.endAside(order);
        }
        return copy;
    }

    /** The same program once more, which executes each step once. */
    public LoadedProgram once(ProgramLoader other) {
        return again(other, options.once());
    }

    private LoadedProgram again(ProgramLoader other, Options as) {
        int[] order = Order.beginAside();
        String name = scenario.getClass().getName();
        BiFunction<Class<? extends Scenario>, Decomposition.Settings, Decomposition> found = (type, settings) -> decomposition;
        Order.endAside(order);
        return load(other, name, name, parameters, as, alternatives, found);
    }

    private static LoadedProgram load(ProgramLoader loader, String where, String name,
            Map<String, String> parameters, Options options, List<Integer> alternatives,
            BiFunction<Class<? extends Scenario>, Decomposition.Settings, Decomposition> decompose) {
        loader.enter();
        int[] order = Order.beginAside(); // what harrier iterates over is no part of the set-up
        String found = ScenarioSetUp.find(loader, name, where);
        Order.endAside(order);
        Order.begin();
        Class<? extends Scenario> type;
        SetUp setUp;
        try {
            type = ScenarioSetUp.initialize(loader, found);
            setUp = new SetUp(loader, options.honest(), parameters, alternatives);
            setUp.run(type);
        } finally {
            order = Order.beginAside();
        }
        Scenario scenario = setUp.scenario();
        boolean hasHistory = Recorder.isKept(type, loader.classes());
        boolean records = hasHistory || setUp.declared().specification() != null;
        boolean rechecks = options.recheck().isOn();
        SecondCopy copy = new SecondCopy(loader::enter, loader.guard().rules().isOrderPlain());
        Recording recorder = recorder(setUp, loader, rechecks ? copy : null, hasHistory);
        setUp.seal();
        Evaluator evaluator = new Evaluator(scenario, setUp.effects().creates(), setUp.setting(), loader,
            rechecks ? copy.of(LoadedProgram::evaluator) : Repeater.never(), hasHistory, options.properties());
        LoadedProgram program = new LoadedProgram(loader, scenario, setUp.parameters(), setUp.declared(), setUp.alternatives(),
            setUp.effects(),
            history(setUp, recorder(setUp, loader, null, hasHistory)),
            new Steps(setUp.setting(), options.recheck(), records, evaluator, copy.of(LoadedProgram::steps)),
            recorder, evaluator,
            decompose.apply(type, settings(loader, setUp.declared(), evaluator, options)),
            new Shown(loader, setUp.setting().codec(), options.show(), type), options);
        copy.by(program::again, alternatives != null);
        Order.endAside(order);
        return program;
    }

    /** What users should know of how the program was read. */
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>(loader.classes().remarks());
        if (!decomposition.unknown().isEmpty()) {
            remarks.add("no field is found to be auxiliary" + (decomposition.knowsProperties() ? ": " : ", and handlers and properties may read any: ")
                + decomposition.unknown());
        }
        return remarks;
    }

    /** The recorder of operations' histories. A copy, unless it is null, extends them once more. */
    private static Recording recorder(SetUp setUp, ProgramLoader loader, SecondCopy copy, boolean hasHistory) {
        Class<?> specification = setUp.declared().specification();
        Codec codec = setUp.setting().codec();
        if (specification == null) {
            return new Recorder(setUp.scenario(), codec,
                copy == null ? Repeater.never() : copy.of(p -> (Recorder) p.recorder()), hasHistory);
        }
        if (hasHistory) {
            throw new UsageException(setUp.where() + " calls " + setUp.declared().consistency()
                + ", and the scenario calls"
                + " history(): states keep configurations in place of the history, so use one of the two");
        }
        return new LinearizabilityMonitor(specification, setUp.declared().read(), codec,
            copy == null ? Repeater.never() : copy.of(p -> ((LinearizabilityMonitor) p.recorder()).steps()),
            loader.guard().lines() == null); // a search for a line runs the same code again
    }

    private static byte[] history(SetUp setUp, Recording recorder) {
        try {
            return recorder.extend(new byte[0], setUp.effects().records());
        } catch (RuleException e) {
            throw new RuleException(setUp.where() + ": " + e.getMessage());
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
}
