package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.Hosting;
import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.Host;
import harrier.host.Task;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.NewActors;
import harrier.runtime.actor.Pending;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.wire.RecordKind;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an actor reaches while its code runs, and what the execution asks of the actor: its local state, and what it may
 * do next. Half of the methods are those of {@link Host}.
 */
public final class ActorHost implements Host<ActorName, Actor> {
    private final Effects effects;
    private final Capture capture;
    private final Setting setting;
    private final String self;
    private final Actor actor;
    private final List<String> senders;
    private final String label;
    private final boolean starts;
    private int children;
    private byte[] started;
    private boolean stopped;
    /** Null if nobody watches. */
    private EffectWatch watch;

    /**
     * A host for an actor that starts, or does something.
     *
     * @param senders who sent the messages that it handles, each once; an empty name stands for the scenario
     * @param label the label of its event
     * @param children how many actors it has created
     */
    ActorHost(Effects effects, String self, Actor actor, List<String> senders, String label, int children,
            boolean starts) {
        this.effects = effects;
        capture = effects.capture;
        setting = effects.setting;
        this.self = self;
        this.actor = actor;
        this.senders = senders;
        this.label = label;
        this.children = children;
        this.starts = starts;
    }

    /** The actor's local state, encoded now. */
    byte[] local() {
        boolean isAlone = !starts && effects.creates().isEmpty();
        return capture.local(starts ? "the new actor " + self : "", state(), isAlone);
    }

    /** The actor's local state as it is now. */
    public LocalState state() {
        return Pending.local(setting, self, children, actor);
    }

    /** Keeps the state that the actor has after its start, for {@link #isAsStarted}. */
    void keepStarted() {
        started = setting.codec().encode(state());
    }

    /** Keeps it once more, now that it is known what actors may share, and gives it. */
    public byte[] keepApart() {
        started = capture.apart(state());
        return started;
    }

    /** Reports whether the actor still has the state that it had after its start. */
    boolean isAsStarted() {
        try {
            return Arrays.equals(setting.codec().encode(state()), started);
        } catch (NotCapturableException e) {
            return false;
        }
    }

    /** The actor as it is now, without what it is to do by itself, which no crash leaves. */
    LocalState crashing() {
        return new LocalState(self, children, actor, Map.of());
    }

    public Class<? extends Actor> type() {
        return actor.getClass();
    }

    /** Has somebody watch what the actor does. */
    void watch(EffectWatch by) {
        watch = by;
    }

    /** Begins to change what the actor has on disk. */
    void writing(Object store) {
        begins(EffectWatch.Kind.WRITE, fieldOf(store));
    }

    /** The change is over. */
    void written() {
        ends();
    }

    private void begins(EffectWatch.Kind kind, String what) {
        if (watch != null) {
            watch.begins(new EffectWatch.Effect(kind, what));
        }
    }

    private void ends() {
        if (watch != null) {
            watch.ends();
        }
    }

    /** What people call what a field of the actor holds. */
    private String fieldOf(Object store) {
        try {
            for (Field field : NewActors.durable(type())) {
                if (field.get(actor) == store) {
                    return field.getName();
                }
            }
            return "a store";
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports whether the actor may do something by itself now. */
    boolean acts() {
        Agenda agenda = Hosting.agenda(actor);
        return !stopped && (!agenda.delayed.isEmpty() || !agenda.tasks.isEmpty() || !agenda.threads.isEmpty() || agenda.isBusy()
            || !setting.classOf(actor.getClass()).internals().isEmpty());
    }

    public String name() {
        return self;
    }

    boolean stopped() {
        return stopped;
    }

    @Override
    public ActorName self() {
        return Hosting.name(self);
    }

    @Override
    public ActorName sender() {
        if (senders.size() > 1) {
            throw Refusals.note(label + " calls reply, but its messages have " + senders.size()
                + " senders: take a Set<ActorName> after the messages, or a map from them to the messages, and send to these");
        }
        if (senders.isEmpty() || senders.get(0).isEmpty()) {
            throw new IllegalStateException("there is nobody to reply to: no actor sent this message");
        }
        return Hosting.name(senders.get(0));
    }

    @Override
    public void send(ActorName to, Object message) {
        begins(EffectWatch.Kind.SEND, watch == null || message == null ? ""
            : ProgramLoader.labels(type()).of(message.getClass()) + " to " + Hosting.text(to));
        effects.send(self, to, message);
        ends();
    }

    @Override
    public ActorName create(String role, Actor child) {
        String name = self + "/" + role + (children + 1);
        begins(EffectWatch.Kind.CREATE, name);
        children++;
        ActorName created = effects.create(name, child);
        ends();
        return created;
    }

    @Override
    public int choose(int n) {
        return effects.choices.choose(n);
    }

    @Override
    public void invoked(Object operation) {
        Objects.requireNonNull(operation, "what is invoked must not be null");
        begins(EffectWatch.Kind.RECORD, "invoked");
        record(RecordKind.INVOKED, operation);
        ends();
    }

    @Override
    public void returned(Object result) {
        begins(EffectWatch.Kind.RECORD, "returned");
        record(RecordKind.RETURNED, result);
        ends();
    }

    @Override
    public void setTimer(Object timer, long min, long max) {
        byte[] content = capture.encode("a timer", timer);
        if (setting.declared().countsDurations() && (min < 0 || min > max)) {
            throw new IllegalArgumentException("setTimer(" + timer.getClass().getSimpleName() + ", "
                + Duration.ofNanos(min) + ", " + Duration.ofNanos(max)
                + "): a timer takes from min to max, and not less than no time");
        }
        Agenda agenda = Hosting.changing(actor, "setTimer");
        agenda.delayed.removeIf(d -> isTimer(d, content));
        agenda.delay(effects.decode(content), min, max);
    }

    @Override
    public boolean cancelTimer(Object timer) {
        byte[] content = capture.encode("a timer", timer);
        return Hosting.changing(actor, "cancelTimer").delayed.removeIf(d -> isTimer(d, content));
    }

    private boolean isTimer(Delayed d, byte[] content) {
        return !(d.what() instanceof Task) && Arrays.equals(setting.codec().encode(d.what()), content);
    }

    @Override
    public void watch(ActorName actor) {
        effects.ask(self, actor, Envelope.WATCH);
    }

    @Override
    public void unwatch(ActorName actor) {
        effects.ask(self, actor, Envelope.UNWATCH);
    }

    @Override
    public void disconnect(ActorName actor) {
        if (starts) {
            throw new IllegalStateException("disconnect does not work in start(), where there is no connection yet: leave it out");
        }
        effects.ask(self, actor, Envelope.CLOSED);
    }

    @Override
    public void stop() {
        if (starts) {
            throw new IllegalStateException("stop does not work in start(): do not create an actor that is not needed");
        }
        stopped = true;
    }

    @Override
    public void requireChanging(String method) {
        if (method.equals("advance") && setting.declared().rounds() != null) {
            throw Refusals.note(self + " calls clock().advance, and time goes on by itself, as clocks() says: leave one of them out");
        }
    }

    /** Records that the actor crashed. */
    void crashed() {
        record(RecordKind.ABANDONED, null);
    }

    private void record(RecordKind kind, Object what) {
        effects.record(new OperationRecord(self, kind, capture.encode("an operation", what)));
    }
}
