package harrier.runtime.property;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.PropertyAnnotation;
import harrier.PropertyAnnotation.Holds;
import harrier.Scenario;
import harrier.host.Agenda;
import harrier.host.Looks;
import harrier.host.Stage;
import harrier.host.World;
import harrier.runtime.actor.AnnotatedMethods;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.NeededClass;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.recheck.Stopped;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Choices;
import harrier.runtime.step.Effects;
import harrier.runtime.step.StepJudge;
import harrier.runtime.wire.FieldNumber;
import harrier.runtime.wire.LivenessKind;
import harrier.runtime.wire.PropertyKind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Evaluates the properties of a scenario on the states of actors and the history of their operations, and
 * notes which of them they read.
 */
public final class Evaluator implements StepJudge {
    private final Scenario scenario;
    private final Setting setting;
    private final Codec codec;
    private final ProgramLoader program;
    private final byte[] marks;
    private final Repeater<Evaluator> again;
    private final boolean hasHistory;
    private final Snapshot snapshot;
    private final boolean seesStopped;
    private final Asked asked;
    /** The names that the scenario's fields lead to, which a property may know by the field. */
    private final Set<String> names;
    private final List<Property> properties = new ArrayList<>();
    /** The indices of those of steps. */
    private final List<Integer> ofSteps;
    private final List<Liveness> liveness = new ArrayList<>();
    /** The classes of actors: to ask a loader each time takes longer. */
    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();

    /**
     * A property.
     *
     * @param name the property's name
     * @param method the method that is asked; null for {@code expectFinal}, and for the property of operations
     * @param actor the actor that the method is asked for; empty if it takes none
     */
    public record Property(String name, PropertyKind kind, Method method, String actor) {
        private String what() {
            return "the property \"" + name + '"';
        }

        /** The name of the method that evaluates it. */
        public String methodName() {
            return method != null ? method.getName() : kind == PropertyKind.FINAL ? "expectFinal" : "";
        }
    }

    /**
     * A property of whole runs.
     *
     * @param name the property's name
     * @param formula in linear temporal logic, over atoms; of some kinds one of these
     * @param actor the actor of several that it is asked for; empty if it is asked once
     * @param atoms indices of properties, by the names that the formula has for them
     * @param method that it is declared at; null if it is declared at the class
     */
    public record Liveness(String name, LivenessKind kind, String formula, String actor, Map<String, Integer> atoms,
        Method method) {}

    /**
     * The answer to an evaluation.
     *
     * @param holds whether the property holds
     * @param failure how evaluating it failed, or why the property does not hold; null if neither is known
     * @param reads the indices of the actors whose states were read, {@link ReadIndex#HISTORY} if the history was, and
     *     {@link ReadIndex#NETWORK} if messages in flight were, in the order of the first reads
     * @param fields the numbers of the fields that the property read, ascending, as
     *     {@link harrier.runtime.load.rewrite.FieldReads} has them
     * @param hashed those of the fields that were read beside, to put what it read into hash collections
     * @param looks at names and at the order of actors; at all if it was not repeated
     * @param varied what the repetition gave, if it was asked of other states and did not give the same; else null
     */
    public record Judgement(boolean holds, Failure failure, List<Integer> reads, List<Integer> fields,
            List<Integer> hashed, Looks looks, Judgement varied) {
        /** Reports whether another copy of the program answers the same. */
        public boolean sameAs(Judgement other) {
            return holds == other.holds
                && (failure == null ? other.failure == null : failure.sameAs(other.failure));
        }
    }

    /**
     * For a scenario that was set up.
     *
     * @param actors those that there are at first
     * @param again repeats every evaluation
     * @param hasHistory whether histories are kept
     * @param asked the properties that are asked, by their texts or the names of their methods; all if there are none
     * @throws UsageException if there is none of a name that is asked
     */
    public Evaluator(Scenario scenario, List<ActorState> actors, Setting setting, ProgramLoader program,
        Repeater<Evaluator> again,
            boolean hasHistory, List<String> asked) {
        this.asked = new Asked(asked);
        this.scenario = scenario;
        this.setting = setting;
        codec = setting.codec();
        this.program = program;
        marks = program.fieldReads();
        this.again = again;
        this.hasHistory = hasHistory;
        seesStopped = calls("stopped", scenario.getClass(), program);
        snapshot = new Snapshot(scenario, codec, "properties must only read");
        names = Guard.namesBehind(scenario);
        find(Holds.IN_EACH_STATE, PropertyKind.INVARIANT);
        findLinearizable();
        find(Holds.WHERE_RUNS_END, PropertyKind.FINAL);
        findExpectFinal();
        findLiveness(actors);
        ofSteps = find(Holds.OF_EACH_STEP, PropertyKind.STEP);
        find(Holds.IN_EXPLORED_STATES, PropertyKind.WITHIN);
        refuseEqualNames();
        this.asked.refuseUnknown(scenario.getClass().getSimpleName());
    }

    /**
     * Invariants by the name of their method, then what holds of operations, final conditions by the name of their
     * method with {@code expectFinal} last, predicates, step invariants, bounds.
     */
    public List<Property> properties() {
        return properties;
    }

    /** Properties of whole runs. */
    public List<Liveness> liveness() {
        return liveness;
    }

    /** Reports whether properties ask which messages are received: final conditions and those of runs. */
    public boolean asksWhatIsReceived() {
        return !liveness.isEmpty() || properties.stream().anyMatch(p -> p.kind() == PropertyKind.FINAL);
    }

    /**
     * A question.
     *
     * @param property the index of a property
     * @param history encoded
     * @param inFlight messages that are not consumed, if a property may read these
     * @param stopped the indices of actors that have stopped and are in their last states, if a property may read these
     * @param down the indices of actors that are down
     * @param varied local states that some actors have when it is asked again, by their indices; empty for the same
     */
    public record Request(int property, byte[] history, List<ActorState> actors, List<Envelope> inFlight,
            List<Integer> stopped, List<Integer> down, Map<Integer, byte[]> varied) {
        /** As above, where there is nothing else to read. */
        public Request(int property, byte[] history, List<ActorState> actors) {
            this(property, history, actors, List.of(), List.of(), List.of(), Map.of());
        }

        /** The repetition of a question. */
        private Request again() {
            if (varied.isEmpty()) {
                return this;
            }
            List<ActorState> others = new ArrayList<>(actors);
            varied.forEach((i, local) -> {
                ActorState actor = others.get(i);
                others.set(i, new ActorState(actor.name(), actor.type(), local, actor.acts()));
            });
            return new Request(property, history, others, inFlight, stopped, down, Map.of());
        }
    }

    /**
     * Reports whether a method of {@link Scenario} that gives a stream is called by the code of a scenario's class or
     * its superclasses.
     */
    public static boolean calls(String method, Class<? extends Scenario> scenario, ProgramLoader program) {
        return Stream.of("()", "(Ljava/lang/Class;)")
            .anyMatch(taken -> program.classes()
                .refersTo(scenario.getName(), method, taken + Stream.class.descriptorString()));
    }

    @Override
    public boolean seesStopped() {
        return seesStopped;
    }

    /** Whether properties hold, one after the other. */
    public List<Judgement> evaluate(List<Request> asked) {
        Iterator<Request> compared = asked.iterator();
        return again.answers(this, asked.stream().map(a -> new Repeater.Question<Evaluator, Judgement>(a.history, true,
            e -> e.evaluated(a), e -> e.evaluated(a.again()))).toList(), (first, others) -> compared(compared.next(), first, others));
    }

    private Judgement evaluated(Request asked) {
        Looks looks = Looks.begin();
        Judgement judgement;
        try {
            judgement = evaluateOnce(asked, looks);
        } finally {
            Looks.end();
        }
        if (judgement.failure != null && judgement.failure.isHang()) {
            throw new Stopped(judgement);
        }
        return judgement;
    }

    private static Judgement compared(Request asked, Judgement first, List<Judgement> others) {
        Judgement same = asked.varied.isEmpty() || others.isEmpty() ? first : others.get(0);
        Looks looks = others.isEmpty() ? Looks.atAll() : Looks.atNone(); // else the orders of hash collections are not tried
        others.forEach(j -> looks.add(j.looks));
        if (others.stream().anyMatch(j -> !j.sameAs(same))) {
            throw RuleException.ofTwo("two answers for the same states: a property must not depend on iteration order,"
                + " whether equal values are one object, time or chance");
        }
        return new Judgement(first.holds, first.failure, first.reads, first.fields, first.hashed, looks,
            same.sameAs(first) && same.reads.equals(first.reads) ? null : same);
    }

    /** Finds the properties that methods declare to hold somewhere, and returns the indices of those that are asked. */
    private List<Integer> find(Holds holds, PropertyKind kind) {
        List<Integer> found = new ArrayList<>();
        PropertyAnnotation.of(holds).forEach(annotation -> {
            List<Method> methods = AnnotatedMethods.of(scenario.getClass(), Scenario.class, annotation.type());
            methods.sort(Comparator.comparing(Method::getName));
            for (Method m : methods) {
                if (!holds.takes().isOf(m) || m.getReturnType() != boolean.class || Modifier.isStatic(m.getModifiers())) {
                    throw new UsageException(m.getDeclaringClass().getSimpleName() + "." + m.getName() + " cannot be " + holds.noun()
                        + ": it must return boolean, " + holds.takes() + " and not be static");
                }
                m.setAccessible(true);
                if (add(new Property(annotation.textOf(m), kind, m, ""))) {
                    found.add(properties.size() - 1);
                }
            }
        });
        return found;
    }

    /** Adds a property if it is asked, or a bound, and reports whether it did. */
    private boolean add(Property property) {
        boolean isAsked = asked.has(property.name(), property.methodName());
        return (isAsked || property.kind() == PropertyKind.WITHIN) && properties.add(property);
    }

    private void findLinearizable() {
        if (setting.declared().specification() != null) {
            add(new Property("operations are " + setting.declared().consistency() + " (" + specification() + ")",
                PropertyKind.INVARIANT, null, ""));
        }
    }

    private String specification() {
        return setting.declared().specification().getSimpleName();
    }

    /** Finds the final condition that has no name of its own. */
    private void findExpectFinal() {
        if (AnnotatedMethods.of(scenario.getClass(), Scenario.class, Final.class).stream()
                .anyMatch(m -> m.getName().equals("expectFinal"))) {
            return; // it was given one
        }
        for (Class<?> c = scenario.getClass(); c != Scenario.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.getName().equals("expectFinal") && m.getParameterCount() == 0) {
                    add(new Property("every terminal state is an expected one (expectFinal)",
                        PropertyKind.FINAL, null, ""));
                    return;
                }
            }
        }
    }

    private void findLiveness(List<ActorState> actors) {
        Map<String, Class<?>> types = new HashMap<>();
        actors.forEach(a -> types.put(a.name(), load(a.type())));
        Temporal temporal = new Temporal(scenario.getClass(), actors, types);
        Map<Temporal.Predicate, Integer> known = new HashMap<>();
        for (Temporal.Formula formula : temporal.formulas()) {
            if (!asked.has(formula.name(), formula.place() == null ? "" : formula.place().getName())) {
                continue;
            }
            for (String subject : temporal.subjects(formula)) {
                Map<String, Integer> atoms = new TreeMap<>();
                for (Temporal.Predicate p : temporal.predicates(formula, subject)) {
                    atoms.put(p.name(), known.computeIfAbsent(p, of -> {
                        properties.add(new Property("predicate " + of.name(), PropertyKind.PREDICATE,
                            of.method(), of.actor()));
                        return properties.size() - 1;
                    }));
                }
                liveness.add(new Liveness(formula.name(), formula.kind(), formula.formula(), subject, atoms,
                    formula.place()));
            }
        }
    }

    private void refuseEqualNames() {
        Set<String> names = new HashSet<>();
        Stream.concat(properties.stream().map(p -> p.name() + p.actor()),
                liveness.stream().map(l -> l.name() + l.actor())).forEach(name -> {
            if (!names.add(name)) {
                throw new UsageException(scenario.getClass().getSimpleName() + " has two properties \"" + name
                    + "\": give one another text");
            }
        });
    }

    @Override
    public boolean judgesSteps() {
        return !ofSteps.isEmpty();
    }

    @Override
    public Failure judge(ActorState before, ActorState after) {
        if (ofSteps.isEmpty() || Arrays.equals(before.local(), after.local())) {
            return null; // which says nothing of what changes an actor
        }
        for (int i : ofSteps) {
            Property property = properties.get(i);
            if (takes(property, before)) {
                names.forEach(Looks::at);
                Judgement judgement = evaluateOnce(new Request(i, new byte[0], List.of(before, after)), Looks.atAll());
                if (!judgement.holds()) {
                    return Failure.ofStep(property.name(), judgement.failure());
                }
            }
        }
        return null;
    }

    /** Reports whether a step invariant is about the steps of an actor. */
    private boolean takes(Property property, ActorState actor) {
        return property.method().getParameterTypes()[0].isAssignableFrom(classOf(actor));
    }

    private Class<?> classOf(ActorState actor) {
        return classes.computeIfAbsent(actor.type(), this::load);
    }

    /** The judgement of one evaluation, with its looks: those that are noted while it goes on, and the others. */
    private Judgement evaluateOnce(Request asked, Looks looks) {
        Property property = properties.get(asked.property);
        Reading reading = new Reading(asked, new FieldsRead(marks), codec, hasHistory, this::classOf);
        Hosting.bind(scenario, property.kind() == PropertyKind.STEP ? new NothingToRead() : reading);
        boolean holds = false;
        Failure failure = null;
        World before = World.enter(new Effects(setting, Choices.NONE));
        snapshot.watch(property.what());
        Agenda.takeRead();
        Running.begin(property.what());
        try {
            holds = holds(property, reading);
            Running.requireReturned();
            failure = reading.explanation();
        } catch (InvocationTargetException e) {
            failure = failure(property, Running.cause(e.getCause()));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (RuntimeException | Error e) {
            failure = failure(property, Running.cause(e));
        } finally {
            Running.end();
            World.enter(before);
            Hosting.bind(scenario, null);
        }
        List<Integer> fields = new ArrayList<>(reading.fields().read());
        if (Agenda.takeRead() && !fields.contains(FieldNumber.ANY)) {
            fields.add(FieldNumber.ANY);
        }
        Guard.here().refuse(property.what(), "");
        reading.refuseCaught();
        snapshot.require(property.what());
        looks.add(names);
        looks.add(Guard.here().statics().names());
        if (!looks.isAtAll() && (Order.givesIdentity() || reading.hasHistoryRead() || reading.isChanged())) {
            looks.add(Looks.atAll());
        }
        return new Judgement(holds, failure, reading.reads(), fields, reading.fields().hashed(), looks, null);
    }

    /** An actor that has stopped has no predicate. A step invariant holds of the steps of other classes, and reads nothing of them. */
    private boolean holds(Property property, Reading reading) throws InvocationTargetException, IllegalAccessException {
        if (property.method() == null && property.kind() == PropertyKind.FINAL) {
            return Hosting.expectFinal(scenario);
        }
        if (property.method() == null) {
            return reading.isLinearizable(specification());
        }
        if (property.kind() == PropertyKind.STEP) {
            return !takes(property, reading.state(0))
                || (boolean) property.method().invoke(scenario, reading.read(0), reading.read(1));
        }
        if (property.actor().isEmpty()) {
            return (boolean) property.method().invoke(scenario);
        }
        Actor actor = reading.find(property.actor());
        return actor != null && (boolean) property.method().invoke(scenario, actor);
    }

    private Class<?> load(String name) {
        try {
            return program.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Failure failure(Property property, Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            throw LimitException.heap(property.what());
        }
        if (thrown instanceof LinkageError e) {
            throw new RuleException(property.what() + " " + NeededClass.problem(e),
                Guard.here().callers(NeededClass.rootCause(e)));
        }
        return Failure.of(thrown);
    }

    /** What stands behind the scenario while it is asked about a step. */
    private record NothingToRead() implements Stage<ActorName, Actor, InFlight, History> {
        @Override
        public IllegalStateException refusal(String method, String does) {
            return new IllegalStateException("a step invariant must only read the actors that it is given: it cannot "
                + does);
        }
    }
}
