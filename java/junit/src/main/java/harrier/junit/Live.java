package harrier.junit;

import harrier.Actor;
import harrier.ActorName;
import harrier.Disconnected;
import harrier.Durable;
import harrier.DurableStore;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.Operation;
import harrier.Parameter;
import harrier.PropertyAnnotation;
import harrier.PropertyAnnotation.Holds;
import harrier.Scenario;
import harrier.host.Declaration;
import harrier.host.Host;
import harrier.host.Stage;
import harrier.host.TimeBounds;
import harrier.host.World;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Replays a trace on live objects, in this virtual machine and on this thread: each actor is one object throughout, and
 * a message is the object that was sent. What happens comes from the trace; what actors do, from their code as it was
 * compiled.
 */
final class Live implements Stage<ActorName, Actor, InFlight, History>, World {

    private final Trace trace;
    private final Class<? extends Scenario> type;
    private final TreeMap<String, Actor> actors = new TreeMap<>();
    private final TreeMap<String, LiveHost> hosts = new TreeMap<>();
    private final Set<String> down = new HashSet<>();
    private final List<Sent> inFlight = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private Scenario scenario;
    private Instant start = Instant.EPOCH;
    /** The step that runs; null during set-up. */
    private Trace.Step step;
    /** Whether the loop is run for the second time. */
    private boolean repeats;
    private Set<ActorName> senders = Set.of();
    private int chosen;
    private boolean stops;
    private CrashPoint effects = new CrashPoint(-1);
    /** Whether the running step has added to the history. */
    private boolean records;
    /** The messages of the running step, in order. */
    private final List<Sent> sends = new ArrayList<>();
    private int moment;

    private record Sent(String sender, String receiver, Object message, String text) {}

    /** A step cannot be taken, or is not as in the trace. */
    static final class Departure extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Departure(String problem) {
            super(problem);
        }
    }

    Live(Trace trace, Class<? extends Scenario> type) {
        this.trace = trace;
        this.type = type;
    }

    /** What to throw if a step cannot be taken, or does something else than in the trace. */
    static Departure unable(Trace.Step step, String problem) {
        String where = step == null ? "at the start" : "step " + step.number() + ", " + step.actor() + " " + step.what();
        return new Departure(where + ": " + problem
            + ": the program is not the one of the trace, or \"harrier replay TRACE --debug\" can, which live objects"
            + " cannot");
    }

    /**
     * Replays, the loop twice if there is one, and evaluates the violated property.
     *
     * @throws AssertionError if the violation comes about
     */
    void run() {
        World before = World.enter(this);
        try {
            if (trace.live()) {
                throw unable(null, "it begins in the state of a live run");
            }
            if (trace.parameters().containsKey("setUp.choose")) {
                throw unable(null, "its set-up chooses");
            }
            scenario = setUp(this);
            compareSends(trace.starts());
            take(trace.steps());
            repeats = true;
            take(trace.loop());
            if (!holds()) {
                throw new AssertionError(trace.message());
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            World.enter(before);
        }
    }

    private Scenario setUp(Stage<ActorName, Actor, InFlight, History> stage) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        var made = constructor.newInstance();
        for (var p : trace.parameters().entrySet()) {
            Field field = field(p.getKey());
            field.setAccessible(true);
            field.set(made, parse(field.getType(), p.getValue()));
        }
        Hosting.bind(made, stage);
        Hosting.setUp(made);
        return made;
    }

    private Field field(String name) throws NoSuchFieldException {
        for (Class<?> c = type; c != Scenario.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (f.getName().equals(name) && f.isAnnotationPresent(Parameter.class)) {
                    return f;
                }
            }
        }
        throw unable(null, type.getSimpleName() + " has no parameter " + name);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object parse(Class<?> type, String value) {
        return type == int.class ? (Object) Integer.valueOf(value) : type == long.class ? Long.valueOf(value)
            : type == double.class ? Double.valueOf(value) : type == boolean.class ? Boolean.valueOf(value)
            : type == String.class ? value : Enum.valueOf((Class<Enum>) type, value);
    }

    private void take(List<Trace.Step> steps) throws ReflectiveOperationException {
        for (Trace.Step s : steps) {
            step = s;
            Breakpoint.before(s.number(), s.actor(), s.what());
            take();
        }
    }

    private void take() throws ReflectiveOperationException {
        sends.clear();
        chosen = 0;
        stops = false;
        records = false;
        if (step.event().equals("byzantine")) {
            throw unable(step, "nobody has the object that a Byzantine actor sends");
        }
        var received = step.receives().stream().map(this::onItsWay).toList();
        if (!step.event().equals("duplicate") && !step.event().equals("deliver")) {
            received.forEach(r -> inFlight.removeIf(m -> m == r));
        }
        var actor = actors.get(step.actor());
        try {
            switch (step.event()) {
                case "stop" -> stops = true;
                case "restart" -> {
                    crash(actor);
                    restart();
                }
                case "crash" -> {
                    crash(actor);
                    down.add(step.actor());
                }
                case "recover" -> {
                    down.remove(step.actor());
                    restart();
                }
                case "internal" -> new Act(step, actor).internal();
                case "restart-within", "stop-within", "crash-within" -> crashWithin(received);
                default -> {
                    if (!step.handler().isEmpty()) {
                        receive(received);
                    }
                }
            }
        } catch (Departure e) {
            throw e;
        } catch (Throwable e) {
            if (step.fails()) {
                throw new AssertionError(trace.message(), e);
            }
            throw unable(step, "it fails: " + e);
        }
        if (step.fails()) {
            throw unable(step, "it does not fail (an assert needs -ea)");
        }
        senders = Set.of();
        compareSends(step.sends());
        if (stops) {
            actors.remove(step.actor());
        }
    }

    private void receive(List<Sent> received) throws Throwable {
        var from = new ArrayList<ActorName>();
        received.forEach(r -> from.add(r.sender().isEmpty() ? null : Hosting.name(r.sender())));
        senders = new HashSet<>(from);
        senders.remove(null);
        new Act(step, actors.get(step.actor())).receive(received.stream().map(Sent::message).toList(), from);
    }

    /** Runs a handler up to where its actor crashes. */
    private void crashWithin(List<Sent> received) throws Throwable {
        var actor = actors.get(step.actor());
        effects = new CrashPoint(step.point());
        try {
            effects.start();
            if (received.isEmpty()) {
                new Act(step, actor).internal();
            } else {
                receive(received);
            }
            effects.end();
            throw unable(step, "the handler does not come to where the actor crashes");
        } catch (CrashPoint.Crash e) {
            effects = new CrashPoint(-1);
        }
        stops = step.event().equals("stop-within");
        if (!stops) {
            crash(actor);
        }
        if (step.event().equals("crash-within")) {
            down.add(step.actor());
        } else if (!stops) {
            restart();
        }
    }

    /**
     * The message that the trace means, the one that was sent first of equal ones. When the loop is repeated, it may have
     * another sender and other fields, as far as these are auxiliary.
     */
    private Sent onItsWay(Trace.Message m) {
        if (step.event().equals("notify")) {
            return new Sent(m.sender(), m.receiver(), new Disconnected(Hosting.name(m.sender())), m.text());
        }
        var toReceiver = inFlight.stream().filter(s -> s.receiver().equals(m.receiver())).toList();
        return toReceiver.stream().filter(s -> s.sender().equals(m.sender()) && s.text().equals(m.text())).findFirst()
            .or(() -> toReceiver.stream().filter(s -> repeats && type(s.text()).equals(type(m.text()))).findFirst())
            .orElseThrow(() -> unable(step, "nobody sent " + m.text() + " to " + m.receiver()));
    }

    /** The name of the class that a text of an object begins with. */
    private static String type(String text) {
        return text.replaceFirst("\\(.*", "");
    }

    /** Gives the messages that were sent the texts by which the trace names them. */
    private void compareSends(List<Trace.Message> expected) {
        for (int i = 0; i < Math.max(sends.size(), expected.size()); i++) {
            if (i >= sends.size() || i >= expected.size() || !sends.get(i).receiver().equals(expected.get(i).receiver())
                    || !sends.get(i).sender().equals(expected.get(i).sender())) {
                throw unable(step, "it sends "
                    + sends.stream().map(s -> s.message() + " to " + s.receiver()).toList() + ", in the trace "
                    + expected.stream().map(m -> m.text() + " to " + m.receiver()).toList());
            }
            var s = sends.get(i);
            inFlight.add(new Sent(s.sender(), s.receiver(), s.message(), expected.get(i).text()));
        }
        sends.clear();
    }

    /** Has an actor start again. */
    private void restart() {
        prune();
        end(step.actor(), Operation.ABANDONED, null);
        Hosting.restart(actors.get(step.actor()));
    }

    /** Puts an actor with the durable values of another one in its place. Another set-up makes its object. */
    private void crash(Actor crashed) throws ReflectiveOperationException {
        var made = new TreeMap<String, Actor>();
        setUp(new SetUp(made));
        var born = made.get(step.actor());
        if (born == null) {
            throw unable(step, "an actor that another one created cannot be made again");
        }
        for (Class<?> c = born.getClass(); c != Actor.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers())
                        && (f.isAnnotationPresent(Durable.class) || f.getType() == DurableStore.class)) {
                    f.setAccessible(true);
                    f.set(born, f.get(crashed));
                }
            }
        }
        put(step.actor(), born);
    }

    /** Evaluates the property that the trace violates, if that is one of states; the run itself shows that others do not hold. */
    private boolean holds() throws ReflectiveOperationException {
        var violated = Stream.of(Holds.values()).filter(h -> h.isViolation(trace.kind())).toList();
        if (violated.isEmpty() || !violated.get(0).isOfStates()) {
            return violated.isEmpty();
        }
        for (Class<?> c = type; c != Scenario.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                for (var a : PropertyAnnotation.values()) {
                    if (violated.contains(a.holds()) && a.isOn(m) && a.textOf(m).equals(trace.property())) {
                        return evaluate(m);
                    }
                }
            }
        }
        if (violated.contains(Holds.WHERE_RUNS_END) && trace.property().endsWith("(expectFinal)")) {
            return Hosting.expectFinal(scenario);
        }
        throw unable(null, type.getSimpleName() + " has no method that is " + violated.get(0).noun() + " \"" + trace.property() + '"');
    }

    private boolean evaluate(Method m) throws ReflectiveOperationException {
        m.setAccessible(true);
        try {
            return (boolean) m.invoke(scenario);
        } catch (InvocationTargetException e) {
            throw new AssertionError(trace.message(), e.getCause());
        }
    }

    @Override public ActorName create(String role, String name, Actor actor) {
        put(name, actor);
        Hosting.start(actor);
        return Hosting.name(name);
    }

    private void put(String name, Actor actor) {
        actors.put(name, actor);
        Hosting.bind(actor, hosts.computeIfAbsent(name, LiveHost::new));
    }

    @Override public void send(ActorName to, Object message) {
        sends.add(new Sent("", to.toString(), message, ""));
    }

    @Override public void declare(Declaration declaration) {}

    @Override public void timersInOrder() {}

    @Override public void timersAtMost(int most) {}

    @Override public void clocksStartAt(Instant instant) {
        start = instant;
    }

    @Override public void time(TimeBounds bounds) {
        throw unable(null, "its clocks go on by themselves");
    }

    @Override public Instant startOfTime() {
        return start;
    }

    /** The value itself. */
    @Override public <T> T copy(T value) {
        return value;
    }

    @Override public void writing(Object store) {
        effects.begins();
    }

    @Override public void written() {
        effects.ends();
    }

    @Override public <A extends Actor> Stream<A> actors(Class<A> wanted) {
        return actors.values().stream().filter(wanted::isInstance).map(wanted::cast);
    }

    @Override public <A extends Actor> A actor(ActorName name, Class<A> wanted) {
        return wanted.cast(actors.get(name.toString()));
    }

    @Override public boolean isDown(ActorName actor) {
        return down.contains(actor.toString());
    }

    @Override public History history() {
        return new History(operations);
    }

    /** Gives up the operations that the scenario does not keep, before a step adds to the history. */
    private void prune() {
        if (step != null && !records) {
            var before = history();
            operations.clear();
            operations.addAll(before.operations());
            operations.removeIf(o -> o.isComplete() && !Hosting.keeps(scenario, o, before));
            moment = operations.stream().mapToInt(o -> Math.max(o.invokedAt(), o.returnedAt())).max().orElse(-1) + 1;
        }
        records = true;
    }

    private void end(String actor, int at, Object result) {
        operations.replaceAll(o -> o.actor().toString().equals(actor) && o.returnedAt() == Operation.PENDING
            ? new Operation(o.actor(), o.invocation(), result, o.invokedAt(), at) : o);
    }

    /** Makes actors, and starts none. */
    private record SetUp(TreeMap<String, Actor> made) implements Stage<ActorName, Actor, InFlight, History> {
        @Override public ActorName create(String role, String name, Actor actor) {
            made.put(name, actor);
            return Hosting.name(name);
        }

        @Override public void send(ActorName to, Object message) {}

        @Override public void declare(Declaration declaration) {}

        @Override public void timersInOrder() {}

        @Override public void timersAtMost(int most) {}

        @Override public void clocksStartAt(Instant instant) {}

        @Override public void time(TimeBounds bounds) {}

        @Override public <A extends Actor> Stream<A> actors(Class<A> wanted) {
            return made.values().stream().filter(wanted::isInstance).map(wanted::cast);
        }

        @Override public <A extends Actor> A actor(ActorName name, Class<A> wanted) {
            return wanted.cast(made.get(name.toString()));
        }

        @Override public History history() {
            return new History(List.of());
        }
    }

    /** What an actor reaches. */
    private final class LiveHost implements Host<ActorName, Actor> {
        private final String name;
        private int children;

        LiveHost(String name) {
            this.name = name;
        }

        @Override public ActorName self() {
            return Hosting.name(name);
        }

        @Override public ActorName sender() {
            if (senders.size() != 1) {
                throw new IllegalStateException("there is nobody to reply to: the messages have " + senders.size()
                    + " senders");
            }
            return senders.iterator().next();
        }

        @Override public void send(ActorName to, Object message) {
            effects.begins();
            sends.add(new Sent(name, to.toString(), message, ""));
            effects.ends();
        }

        @Override public ActorName create(String role, Actor child) {
            effects.begins();
            children++;
            var created = Live.this.create(role, name + "/" + role + children, child);
            effects.ends();
            return created;
        }

        @Override public int choose(int n) {
            if (step == null || chosen >= step.choices().size()) {
                throw unable(step, "it chooses more often than in the trace");
            }
            return step.choices().get(chosen++);
        }

        @Override public void invoked(Object operation) {
            effects.begins();
            prune();
            operations.add(new Operation(self(), operation, null, moment++, Operation.PENDING));
            effects.ends();
        }

        @Override public void returned(Object result) {
            effects.begins();
            prune();
            end(name, moment++, result);
            effects.ends();
        }

        @Override public void setTimer(Object timer, long min, long max) {
            cancelTimer(timer);
            Hosting.changing(actors.get(name), "setTimer").delay(timer, min, max);
        }

        @Override public boolean cancelTimer(Object timer) {
            return Hosting.changing(actors.get(name), "cancelTimer").delayed.removeIf(d -> d.what().equals(timer));
        }

        /** The trace has the notices that come of it. */
        @Override public void watch(ActorName actor) {}

        @Override public void unwatch(ActorName actor) {}

        @Override public void disconnect(ActorName actor) {}

        @Override public void stop() {
            stops = true;
        }

        @Override public void requireChanging(String method) {}
    }
}
