package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.Hosting;
import harrier.host.Looks;
import harrier.host.World;
import harrier.runtime.actor.Addresses;
import harrier.runtime.actor.Decoding;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.wire.EventKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Collects what running code does: the messages it sends, the actors it creates, and the operations it
 * begins and ends, frozen in the moment it does so. One instance serves one execution; that of
 * a scenario's set-up is of a subclass, {@code SetUpEffects}.
 */
public class Effects implements World {
    protected final Setting setting;
    protected final Capture capture;
    final Choices choices;
    protected final List<Envelope> sends = new ArrayList<>();
    /** The messages sent. */
    protected final List<Object> contents = new ArrayList<>();
    protected final List<ActorState> creates = new ArrayList<>();
    /** The hosts of the actors in {@link #creates}. */
    protected final List<ActorHost> created = new ArrayList<>();
    protected final List<OperationRecord> records = new ArrayList<>();
    /** The host of the actor whose effects are watched; null while another one starts, or if there is none. */
    private ActorHost watched;

    /** The actor that does something, whose clock those have that it creates; null in a set-up. */
    private Actor acting;

    /** Effects of one execution of a step. */
    public Effects(Setting setting, Choices choices) {
        this(setting, choices, false);
    }

    protected Effects(Setting setting, Choices choices, boolean isSetUp) {
        this.setting = setting;
        capture = new Capture(setting.codec(), isSetUp);
        this.choices = choices;
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
        NotCapturableException late = capture.refused() == null ? late() : null;
        return late == null ? capture.refused() : capture.refuse(late);
    }

    private NotCapturableException late() {
        return created.stream().filter(a -> !a.isAsStarted()).findFirst()
            .map(a -> NotCapturableException.late(a.name(), "was changed")).orElse(null);
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
            setting.codec().encode(running.state());
            return null;
        } catch (NotCapturableException e) {
            return e.getMessage();
        }
    }

    /**
     * What the execution would be if it ended now, to compare with another one; null if the state cannot be captured.
     */
    Outcome soFar(Act act, Choices answered, ActorHost running) {
        try {
            byte[] local = setting.codec().encode(running.state());
            return new Outcome(act.label(), answered.answers(), local, List.copyOf(sends), List.copyOf(creates),
                List.copyOf(records), act.fired(), List.of(), running.acts(), running.stopped());
        } catch (NotCapturableException e) {
            return null;
        }
    }

    /** These effects, as they are now, as the outcome of what has no local state. */
    public Outcome outcome(String label) {
        return new Outcome(label, List.of(), Outcome.NOTHING, List.copyOf(sends), List.copyOf(creates),
            List.copyOf(records), Outcome.NOTHING, List.of(), false, false);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T copy(T value) {
        return value == null ? null : (T) decode(capture.encode("what is copied", value));
    }

    Object decode(byte[] encoded) {
        return Decoding.of("a copy", () -> setting.codec().decode(encoded));
    }

    @Override
    public void writing(Object store) {
        if (watched != null) {
            watched.writing(store);
        }
    }

    @Override
    public void written() {
        if (watched != null) {
            watched.written();
        }
    }

    /** Has somebody watch what an actor does. */
    void watch(ActorHost host, EffectWatch watch) {
        host.watch(watch);
        watched = host;
    }

    @Override
    public Instant startOfTime() {
        Instant now = acting == null ? null : setting.declared().now(Hosting.agenda(acting));
        return now == null || setting.declared().rounds() == null ? setting.declared().start() : now;
    }

    @Override
    public Object actorAt(String host, int port) {
        String found = setting.declared().addresses().actorAt(host, port);
        if (found == null) {
            return Addresses.isLocal(host) ? SELF : null;
        }
        Looks.at(found); // a text tells this actor from others
        return Hosting.name(found);
    }

    @Override
    public boolean fragments() {
        boolean fragments = setting.declared().addresses().fragments();
        if (!fragments) {
            Guard.here().notes().add("what one call writes to a connection arrives at once: network().fragments() explores parts, too", "");
        }
        return fragments;
    }

    @Override
    public boolean repeats() {
        return setting.declared().faults().stream().anyMatch(f -> f.kind() == EventKind.DUPLICATE);
    }

    @Override
    public byte[] addressOf(String actor) {
        return setting.declared().addresses().digitsOf(actor);
    }

    @Override
    public boolean timeGoesOn() {
        return setting.declared().rounds() != null;
    }

    /** Sends a message; an empty sender stands for the scenario. */
    public void send(String sender, ActorName to, Object message) {
        Objects.requireNonNull(to, "the receiver of a message must not be null");
        Objects.requireNonNull(message, "a message must not be null");
        String receiver = Hosting.text(to);
        sends.add(new Envelope(sender, receiver, capture.encode("a message to " + receiver, message)));
        contents.add(message);
    }

    /** Adds a request of an actor to be told when another one goes, or that this is taken back. */
    void ask(String by, ActorName of, byte[] what) {
        sends.add(new Envelope(by, Hosting.text(of), what));
        contents.add(of);
    }

    void record(OperationRecord record) {
        records.add(record);
    }

    /** Adds an actor under a name and starts it. Nothing may happen to the object later: it would not show. */
    public ActorName create(String name, Actor actor) {
        Class<?> sent = setting.declared().byzantineTypeFor(setting.classOf(actor.getClass()));
        if (sent != null) { // the set-up says whom adversaries deceive after it created all actors
            throw Refusals.note("the new actor " + name + " has a handler for " + sent.getSimpleName()
                + ", which Byzantine actors send to actors of the start only: create it in start() or setUp, or declare"
                + " no messages for them");
        }
        ActorHost host = new ActorHost(this, name, actor, List.of(), "", 0, true);
        if (acting != null && setting.declared().rounds() != null) {
            Hosting.changing(actor, "create").now = setting.declared().now(Hosting.agenda(acting));
        }
        Hosting.bind(actor, host);
        ActorHost creator = watched;
        watched = null;
        byte[][] counted = setting.covered().begin(); // the set-up creates actors too
        try {
            if (ProgramLoader.hasThreads(actor.getClass())) {
                MailboxRun.of(actor, MailboxRun.START, List.of(), () -> Hosting.start(actor));
            } else {
                Hosting.start(actor);
            }
        } finally {
            setting.covered().end(counted);
            watched = creator;
        }
        creates.add(new ActorState(name, actor.getClass().getName(), host.local(), host.acts()));
        host.keepStarted();
        created.add(host);
        Hosting.bind(actor, new ReadOnlyHost(name, method -> refuseLate(name, method)));
        return Hosting.name(name);
    }

    private NotCapturableException refuseLate(String name, String method) {
        return capture.refuse(NotCapturableException.late(name, "calls " + method));
    }

    /**
     * A host for an actor that does something.
     *
     * @param senders who sent the messages that it handles, each once; an empty name stands for the scenario
     * @param label what it does
     */
    ActorHost host(LocalState state, List<String> senders, String label) {
        acting = state.actor();
        return new ActorHost(this, state.name(), state.actor(), senders, label, state.children(), false);
    }
}
