package harrier.runtime.step.setup;

import harrier.Actor;
import harrier.ActorName;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.Scenario;
import harrier.host.Declaration;
import harrier.host.Stage;
import harrier.host.TimeBounds;
import harrier.host.World;
import harrier.host.WrongDeclaration;
import harrier.runtime.actor.Declared;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.Choices;
import harrier.runtime.wire.FirstState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One run of a scenario's {@code setUp}: {@link #run} executes it, and {@link #seal} ends it, from when on nothing that it made may change. */
public final class SetUp {
    private final ProgramLoader loader;
    private final Setting setting;
    private final SetUpEffects effects;
    private final boolean honest;
    private final Map<String, String> values;
    /** The first state that is asked for, null for the only one. */
    private final String first;
    private final Choices choices;
    /** How many alternatives the choices of another run had, which must be the same; null for none. */
    private final List<Integer> alternatives;
    private Scenario scenario;
    private Map<String, String> parameters;

    /**
     * A set-up that has not begun.
     *
     * @param honest whether Byzantine actors are as they would be without being declared so
     * @param values of the scenario's parameters, and of what its set-up chooses
     * @param alternatives those of a run of the same set-up in another order of hash collections; null for none
     */
    public SetUp(ProgramLoader loader, boolean honest, Map<String, String> values, List<Integer> alternatives) {
        this(loader, honest, values, FirstStates.choices(values), alternatives);
    }

    private SetUp(ProgramLoader loader, boolean honest, Map<String, String> values, Choices choices, List<Integer> alternatives) {
        this.loader = loader;
        this.honest = honest;
        this.values = new TreeMap<>(values);
        this.values.remove(FirstState.FIRST_STATE);
        first = values.get(FirstState.FIRST_STATE);
        this.choices = choices;
        this.alternatives = alternatives;
        setting = Setting.of(new Codec(loader, loader::defined), honest, loader.covered());
        effects = new SetUpEffects(setting, choices);
    }

    /**
     * Makes a scenario of the class, and sets it up.
     *
     * @throws UsageException if it chooses, and which of its first states is meant is not said
     * @throws RuleException if it chooses among other numbers of alternatives than in another order: some first states would not be listed
     */
    public void run(Class<? extends Scenario> type) {
        runOnce(type);
        if (alternatives != null && !alternatives.equals(alternatives())) {
            throw RuleException.ofTwo(where() + " chooses among different numbers of alternatives: they must not depend on iteration order,"
                + " time or chance");
        }
        if (first != null || choices.isOfSeveral()) {
            requireFirst(type);
            parameters.put(FirstState.FIRST_STATE, first);
        }
    }

    private void requireFirst(Class<? extends Scenario> type) {
        String made = FirstStates.value(choices);
        if (first == null) {
            throw new UsageException(where() + " chooses: --set " + FirstState.FIRST_STATE + "=" + FirstState.ALL_FIRST_STATES
                + " checks each of the first states, and --set " + FirstState.FIRST_STATE + "=" + made + " one");
        } else if (!choices.isOfSeveral()) {
            throw new UsageException(where() + " chooses nothing, so it has one first state: leave out --set " + FirstState.FIRST_STATE,
                first.equals(FirstState.ALL_FIRST_STATES) ? List.of(FirstState.NO_FIRST_STATES) : List.of());
        } else if (first.equals(FirstState.ALL_FIRST_STATES)) {
            throw new UsageException(where() + " chooses, and one of its first states has to be named",
                FirstStates.settings(all(type.getName(), made)));
        } else if (!first.equals(made)) {
            throw new UsageException(where() + " has no first state " + first + ": --set " + FirstState.FIRST_STATE + "=" + FirstState.ALL_FIRST_STATES
                + " checks those that it has");
        }
    }

    /** The values of all first states. Each is set up with classes and static fields of its own. */
    private List<String> all(String type, String made) {
        List<String> found = new ArrayList<>(List.of(made));
        for (Choices next = choices.next(); next != null; next = next.next()) {
            if (found.size() == FirstStates.MOST) {
                throw new UsageException(where() + " chooses among more than " + FirstStates.MOST
                    + " first states: send an actor a first message, and choose in its handler");
            }
            ProgramLoader copy = loader.again();
            copy.enter();
            new SetUp(copy, honest, values, next, null).runOnce(ScenarioSetUp.initialize(copy, type));
            found.add(FirstStates.value(next));
        }
        return found;
    }

    private void runOnce(Class<? extends Scenario> type) {
        World before = World.enter(effects);
        loader.guard().watch(effects::broken, () -> effects.outcome(""));
        try {
            scenario = ScenarioSetUp.make(type, values);
            parameters = ScenarioSetUp.values(scenario);
            execute();
        } finally {
            World.enter(before);
        }
    }

    public Scenario scenario() {
        return scenario;
    }

    /** The values that the scenario's parameters had before its set-up. */
    public Map<String, String> parameters() {
        return parameters;
    }

    /** How many alternatives each of its choices had. */
    public List<Integer> alternatives() {
        return choices.alternatives();
    }

    public Setting setting() {
        return setting;
    }

    /** What the scenario declared. */
    public Declared declared() {
        return setting.declared();
    }

    /** The actors that were created, and the messages that were sent. */
    public SetUpEffects effects() {
        return effects;
    }

    /** What people call it. */
    public String where() {
        return where(scenario);
    }

    /** What people call the set-up of a scenario. */
    public static String where(Scenario scenario) {
        return scenario.getClass().getSimpleName() + ".setUp";
    }

    private void execute() {
        Hosting.bind(scenario, new SetUpStage(setting, effects, choices));
        Running.begin(where());
        loader.guard().choices(choices::choose); // as threads do in start
        try {
            Hosting.setUp(scenario);
            Running.requireReturned();
            Failure caught = Guard.here().caught();
            if (caught != null) {
                throw caught.isOutOfMemory() ? LimitException.heap(where()) : ScenarioSetUp.caught(where(), caught);
            }
        } catch (NotCapturableException e) {
            throw Guard.here().refusal(where() + ": " + e.getMessage(), null, e);
        } catch (LimitException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            UsageException failed = failed(e);
            refuseCaught(); // by code before the failure, or by code that ran to describe it
            throw failed;
        } finally {
            Running.end();
            Hosting.bind(scenario, null);
        }
        Running.during(where(), () -> { // elements of collections are looked up
            refuseCaught();
            return null;
        });
        if (effects.creates().isEmpty()) {
            throw new UsageException(where() + " creates no actors: it must create those that exist at the start");
        }
        effects.forget(declared().resolve(where(), effects.classes()));
    }

    private UsageException failed(Throwable thrown) {
        if (thrown instanceof UsageException e) {
            return e; // has a message of its own, such as of how an actor's class declares its handlers
        }
        return thrown instanceof WrongDeclaration e ? new UsageException(where() + ": " + e.getMessage())
            : ScenarioSetUp.failed(where(), thrown);
    }

    /** Refuses a scenario that breaks a rule, even if it caught the error. */
    private void refuseCaught() {
        Guard.here().refuse(where(), "");
        NotCapturableException refused = effects.notCapturable();
        if (refused != null) {
            throw Guard.here().refusal(where() + ": " + refused.getMessage(), effects.broken(), refused);
        }
    }

    /** Ends the set-up: actors and static fields are captured, and refused if they share objects that can change, also with the scenario. */
    public void seal() {
        Running.during(where(), () -> { // elements of collections are looked up
            try {
                effects.captureAgain(kept -> loader.guard().statics().seal(setting.codec(), loader, loader.defined(), kept, loader.hasProcesses()));
            } catch (NotCapturableException e) {
                throw loader.guard().refusal(where() + ": " + e.getMessage(), null, e);
            }
            return null;
        });
        HeldObjects held = HeldObjects.byScenario();
        setting.codec().hold(scenario, held);
        try {
            effects.refuseShared(held);
            effects.refuseShared(loader.guard().statics().held());
        } catch (NotCapturableException e) {
            throw new RuleException(where() + ": " + e.getMessage());
        }
    }

    /** Serves create and send while a scenario is set up. */
    private record SetUpStage(Setting setting, SetUpEffects effects, Choices choices) implements Stage<ActorName, Actor, InFlight, History> {
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
        public int choose(int n) {
            return choices.choose(n);
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
        public void timersAtMost(int most) {
            setting.declared().timersAtMost(most);
        }

        @Override
        public void clocksStartAt(Instant instant) {
            setting.declared().clocksStartAt(instant);
        }

        @Override
        public void time(TimeBounds bounds) {
            setting.declared().time(bounds);
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
