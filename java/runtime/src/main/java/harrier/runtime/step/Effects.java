package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.Host;
import harrier.host.Hosting;
import harrier.host.Task;
import harrier.host.World;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.wire.RecordKind;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Collects what running code does: the messages it sends, the actors it creates, and the operations it
 * begins and ends, frozen in the moment it does so. One instance serves one execution, or the set-up of a scenario.
 */
public final class Effects implements World {
    private final Setting setting;
    private final Codec codec;
    private final Choices choices;
    private final List<Envelope> sends = new ArrayList<>();
    /** What was sent. */
    private final List<Object> contents = new ArrayList<>();
    private final List<ActorState> creates = new ArrayList<>();
    /** The hosts of the actors in {@link #creates}. */
    private final List<ActorHost> created = new ArrayList<>();
    private final List<OperationRecord> records = new ArrayList<>();
    /** What the actors of this execution reach. */
    private HeldObjects reached = HeldObjects.byActors();
    private final boolean isSetUp;
    /** What would be refused of the actors of a set-up, unless they share a constant; null if nothing would. */
    private NotCapturableException suspected;
    private NotCapturableException notCapturable;
    /** The host of the actor whose effects are watched; null while another one starts, or if there is none. */
    private ActorHost watched;
    /** The objects that actors reached when they were created, by name, if static fields might reach them, too. */
    private final Map<String, Identities> objects = new TreeMap<>();

    /** Effects of one execution of a step. */
    public Effects(Setting setting, Choices choices) {
        this(setting, choices, false);
    }

    private Effects(Setting setting, Choices choices, boolean isSetUp) {
        this.isSetUp = isSetUp;
        this.setting = setting;
        codec = setting.codec();
        this.choices = choices;
    }

    /** Effects of a set-up, which chooses nothing. {@link #captureAgain} says at its end what actors may share. */
    public static Effects ofSetUp(Setting setting) {
        return new Effects(setting, Choices.NONE, true);
    }

    /** Refuses actors that reach what static fields hold, if each actor is to have its own. */
    public void requireApart(String where) {
        objects.forEach((name, reached) -> Guard.here().statics().requireApart(name, reached.again(), where));
    }

    public List<Envelope> sends() {
        return sends;
    }

    public List<ActorState> creates() {
        return creates;
    }

    public List<OperationRecord> records() {
        return records;
    }

    /**
     * What could not be captured so far, or null. It was thrown as well, but may have been caught; save that an actor
     * was changed after it was created, which shows only here.
     */
    public NotCapturableException notCapturable() {
        if (notCapturable == null) {
            notCapturable = late();
        }
        return notCapturable;
    }

    private NotCapturableException late() {
        return created.stream().filter(a -> !a.isAsStarted()).findFirst()
            .map(a -> NotCapturableException.late(a.self, "was changed")).orElse(null);
    }

    /** What would be said of the actors created if a set-up ended now; null if all is well. */
    public String broken() {
        NotCapturableException late = late();
        return late == null ? null : late.getMessage();
    }

    /**
     * What would be said of the actor that runs, and of those that it created, if it ended now; null if all is well.
     */
    String notCapturable(ActorHost running) {
        String late = broken();
        if (late != null) {
            return late;
        }
        try {
            codec.encode(Guard.here().statics().in(running.state()));
            return null;
        } catch (NotCapturableException e) {
            return e.getMessage();
        }
    }

    /**
     * What the execution would be if it ended now, to compare with another one; null if the state cannot be captured
     * now.
     */
    Outcome soFar(Act act, Choices answered, ActorHost running) {
        try {
            byte[] local = codec.encode(Guard.here().statics().in(running.state()));
            return new Outcome(act.label(), answered.answers(), local, List.copyOf(sends), List.copyOf(creates),
                List.copyOf(records), null, act.fired(), running.acts(), running.stopped());
        } catch (NotCapturableException e) {
            return null;
        }
    }

    /**
     * Refuses what the actors created share with others.
     *
     * @throws NotCapturableException if there is something
     */
    public void refuseShared(HeldObjects held) {
        reached.refuse(held);
    }

    /** The classes of the actors created, by name, in order. */
    public Map<String, ActorClass> classes() {
        Map<String, ActorClass> classes = new LinkedHashMap<>();
        created.forEach(host -> classes.put(host.self, setting.classOf(host.actor.getClass())));
        return classes;
    }

    /** Forgets some of the actors created, what they sent and did, and what was sent to them. */
    public void forget(Set<String> actors) {
        created.removeIf(host -> actors.contains(host.self));
        creates.removeIf(a -> actors.contains(a.name()));
        for (int i = sends.size() - 1; i >= 0; i--) {
            if (actors.contains(sends.get(i).sender()) || actors.contains(sends.get(i).receiver())) {
                sends.remove(i);
                contents.remove(i);
            }
        }
        records.removeIf(r -> actors.contains(r.actor()));
    }

    /**
     * Captures the actors and messages of a set-up once more. Objects behind static fields have names from the end of
     * the set-up on, and what has none must not be shared.
     *
     * @param end ends it, and takes the objects that actors have
     * @throws NotCapturableException if actors share what could change
     */
    public void captureAgain(Consumer<List<Identities>> end) {
        List<Boolean> isAsSent = new ArrayList<>();
        for (int i = 0; i < sends.size(); i++) {
            isAsSent.add(Arrays.equals(codec.encode(contents.get(i)), sends.get(i).payload()));
        }
        reached = HeldObjects.byActors();
        List<Identities> kept = new ArrayList<>(setting.newActors().had());
        created.forEach(host -> kept.add(codec.identities(host.state())));
        end.accept(kept);
        setting.newActors().captureAgain();
        for (int i = 0; i < sends.size(); i++) {
            Envelope sent = sends.get(i);
            if (isAsSent.get(i)) {
                sends.set(i, new Envelope(sent.sender(), sent.receiver(), codec.encode(contents.get(i))));
            }
        }
        for (int i = 0; i < creates.size(); i++) {
            ActorState actor = creates.get(i);
            created.get(i).keepApart();
            creates.set(i, new ActorState(actor.name(), actor.type(), created.get(i).started, actor.acts()));
        }
    }

    /** A message that is declared, encoded. */
    public byte[] declared(Object message) {
        Objects.requireNonNull(message, "a message must not be null");
        return capture("a message that Byzantine actors may send", () -> codec.encode(message));
    }

    /** Reports whether other code did the same. */
    public boolean sameAs(Effects other) {
        return outcome("").sameAs(other.outcome(""), setting.declared().fifo());
    }

    /** These effects, as they are now, as the outcome of what has no local state. */
    public Outcome outcome(String label) {
        return new Outcome(label, List.of(), Outcome.NOTHING, List.copyOf(sends), List.copyOf(creates),
            List.copyOf(records), null, Outcome.NOTHING, false, false);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T copy(T value) {
        return value == null ? null : (T) decode(capture("what is copied", () -> codec.encode(value)));
    }

    private Object decode(byte[] encoded) {
        return Decoding.of("a copy", () -> codec.decode(encoded));
    }

    @Override
    public void writing(Object store) {
        if (watched != null) {
            watched.begins(EffectWatch.Kind.WRITE, watched.fieldOf(store));
        }
    }

    @Override
    public void written() {
        if (watched != null) {
            watched.ends();
        }
    }

    /** Has somebody watch what an actor does. */
    void watch(ActorHost host, EffectWatch watch) {
        host.watch = watch;
        watched = host;
    }

    @Override
    public Instant startOfTime() {
        return setting.declared().start();
    }

    /** Sends a message; an empty sender stands for the scenario. */
    public void send(String sender, ActorName to, Object message) {
        Objects.requireNonNull(to, "the receiver of a message must not be null");
        Objects.requireNonNull(message, "a message must not be null");
        sends.add(new Envelope(sender, to.toString(), capture("a message to " + to, () -> codec.encode(message))));
        contents.add(message);
    }

    /** Encodes something, which is called {@code what} if it cannot be; nothing if the complaint says enough. */
    private <T> T capture(String what, Supplier<T> encoding) {
        try {
            return encoding.get();
        } catch (NotCapturableException e) {
            notCapturable = what.isEmpty() ? e : e.of(what);
            throw notCapturable;
        }
    }

    /** Adds an actor under a name and starts it. Nothing may happen to the object later: it would not show. */
    public ActorName create(String name, Actor actor) {
        Runnable back = capture("the new actor " + name,
            () -> Guard.here().statics().aside(() -> Pending.local(setting, name, 0, actor)));
        try {
            start(name, actor);
        } finally {
            back.run();
        }
        return Hosting.access().name(name);
    }

    private void start(String name, Actor actor) {
        Class<?> sent = setting.declared().byzantineTypeFor(setting.classOf(actor.getClass()));
        if (sent != null) { // the set-up says whom adversaries deceive after it created all actors
            throw Refusals.note("the new actor " + name + " has a handler for " + sent.getSimpleName()
                + ", which Byzantine actors"
                + " send to actors of the start only: create it in start() or setUp, or declare no messages for them");
        }
        ActorHost host = new ActorHost(name, actor, List.of(), "", 0, true);
        Hosting.access().bind(actor, host);
        ActorHost creator = watched;
        watched = null;
        byte[][] counted = setting.covered().begin(); // the set-up creates actors too
        try {
            Hosting.access().start(actor);
        } finally {
            setting.covered().end(counted);
            watched = creator;
        }
        creates.add(new ActorState(name, actor.getClass().getName(), host.local(), host.acts()));
        host.keepStarted();
        created.add(host);
        Hosting.access().bind(actor, new ReadOnlyHost(name, method -> refuseLate(name, method)));
        if (Guard.here().rules().hasOwnStatics()) {
            objects.put(name, codec.identities(host.state()));
        }
    }

    private NotCapturableException refuseLate(String name, String method) {
        notCapturable = NotCapturableException.late(name, "calls " + method);
        return notCapturable;
    }

    /**
     * A host for an actor that does something.
     *
     * @param senders who sent the messages that it handles, each once; an empty name stands for the scenario
     * @param label what it does
     */
    ActorHost host(LocalState state, List<String> senders, String label) {
        return new ActorHost(state.name(), state.actor(), senders, label, state.children(), false);
    }

    /** What an actor reaches while its code runs. */
    final class ActorHost implements Host {
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

        private ActorHost(String self, Actor actor, List<String> senders, String label, int children, boolean starts) {
            this.self = self;
            this.actor = actor;
            this.senders = senders;
            this.label = label;
            this.children = children;
            this.starts = starts;
        }

        /**
         * The actor's local state, encoded now. It must not share anything with actors of the same execution, nor with
         * static fields.
         */
        byte[] local() {
            LocalState state = state();
            Guard guard = Guard.here();
            boolean isAlone = !starts && creates.isEmpty();
            return capture(starts ? "the new actor " + self : "",
                () -> isSetUp && !guard.rules().hasOwnStatics() ? suspecting(state)
                    : codec.encode(guard.statics().in(state), isAlone ? null : reached, guard.statics().held()));
        }

        /** The state of an actor that may share with others what turns out to be a constant. */
        private byte[] suspecting(LocalState state) {
            try {
                codec.encode(state, reached, Guard.here().statics().held());
            } catch (NotCapturableException e) {
                suspected = suspected == null && e.isShared() ? e : suspected;
            }
            return codec.encode(state);
        }

        /** The actor's local state as it is now, without static fields. */
        private LocalState state() {
            return Pending.local(setting, self, children, actor);
        }

        /** Keeps the state that the actor has after its start, for {@link #isAsStarted}. */
        private void keepStarted() {
            started = codec.encode(state());
        }

        /** Keeps it once more, now that it is known what actors may share. */
        private void keepApart() {
            try {
                started = codec.encode(state(), reached, Guard.here().statics().held());
            } catch (NotCapturableException e) {
                throw suspected == null ? e : suspected; // which tells the calls that created the actor
            }
        }

        /** Reports whether the actor still has the state that it had after its start. */
        private boolean isAsStarted() {
            try {
                return Arrays.equals(codec.encode(state()), started);
            } catch (NotCapturableException e) {
                return false;
            }
        }

        /** The actor as it is now, without what it is to do by itself, which no crash leaves. */
        LocalState crashing() {
            return new LocalState(self, children, actor, Map.of());
        }

        Class<? extends Actor> type() {
            return actor.getClass();
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
            Agenda agenda = Hosting.access().agenda(actor);
            return !stopped && (!agenda.delayed.isEmpty() || !agenda.tasks.isEmpty()
                || !setting.classOf(actor.getClass()).internals().isEmpty());
        }

        boolean stopped() {
            return stopped;
        }

        @Override
        public ActorName self() {
            return Hosting.access().name(self);
        }

        @Override
        public ActorName sender() {
            if (senders.size() > 1) {
                throw Refusals.note(label + " calls reply, but its messages have " + senders.size()
                    + " senders: take a Set<ActorName> after the messages, and send to these");
            }
            if (senders.isEmpty() || senders.get(0).isEmpty()) {
                throw new IllegalStateException("there is nobody to reply to: no actor sent this message");
            }
            return Hosting.access().name(senders.get(0));
        }

        @Override
        public void send(ActorName to, Object message) {
            begins(EffectWatch.Kind.SEND, watch == null || message == null ? ""
                : ProgramLoader.labels(type()).of(message.getClass()) + " to " + to);
            Effects.this.send(self, to, message);
            ends();
        }

        @Override
        public ActorName create(String role, Actor child) {
            String name = self + "/" + role + (children + 1);
            begins(EffectWatch.Kind.CREATE, name);
            children++;
            ActorName created = Effects.this.create(name, child);
            ends();
            return created;
        }

        @Override
        public int choose(int n) {
            return choices.choose(n);
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
            byte[] content = capture("a timer", () -> codec.encode(timer));
            if (setting.declared().isInOrder() && (min < 0 || min > max)) {
                throw new IllegalArgumentException("setTimer(" + timer.getClass().getSimpleName() + ", "
                    + Duration.ofNanos(min) + ", " + Duration.ofNanos(max) + "): a timer takes from min to max, and not less than no time");
            }
            Agenda agenda = Hosting.access().changing(actor, "setTimer");
            agenda.delayed.removeIf(d -> isTimer(d, content));
            agenda.delay(decode(content), min, max);
        }

        @Override
        public boolean cancelTimer(Object timer) {
            byte[] content = capture("a timer", () -> codec.encode(timer));
            return Hosting.access().changing(actor, "cancelTimer").delayed.removeIf(d -> isTimer(d, content));
        }

        private boolean isTimer(Delayed d, byte[] content) {
            return !(d.what() instanceof Task) && Arrays.equals(codec.encode(d.what()), content);
        }

        @Override
        public void stop() {
            if (starts) {
                throw new IllegalStateException("stop does not work in start(): do not create an actor"
                    + " that is not needed");
            }
            stopped = true;
        }

        @Override
        public void requireChanging(String method) {
            // A step may change everything.
        }

        /** Records that the actor crashed. */
        void crashed() {
            record(RecordKind.ABANDONED, null);
        }

        private void record(RecordKind kind, Object what) {
            records.add(new OperationRecord(self, kind, capture("an operation", () -> codec.encode(what))));
        }
    }
}
