package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.host.Host;
import harrier.host.Hosting;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.LocalState;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.codec.Reached;
import harrier.runtime.step.OperationRecord.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Collects what running code does: the messages it sends, the actors it creates, and the operations it
 * begins and ends, frozen in the moment it does so. One instance serves one execution, or the set-up of a scenario.
 */
public final class Effects {
    private final Codec codec;
    private final Choices choices;
    private final List<Envelope> sends = new ArrayList<>();
    private final List<ActorState> creates = new ArrayList<>();
    private final List<OperationRecord> records = new ArrayList<>();
    /** What the actors of this execution reach. */
    private final Reached reached = new Reached();
    private NotCapturableException notCapturable;

    public Effects(Codec codec, Choices choices) {
        this.codec = codec;
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

    /** What could not be captured so far, or null. It was thrown as well, but may have been caught. */
    public NotCapturableException notCapturable() {
        return notCapturable;
    }

    /** Whether other code did the same. */
    public boolean sameAs(Effects other) {
        return outcome().sameAs(other.outcome());
    }

    private Outcome outcome() {
        return new Outcome("", List.of(), new byte[0], sends, creates, records, null);
    }

    /** Sends a message; an empty sender stands for the scenario. */
    public void send(String sender, ActorName to, Object message) {
        Objects.requireNonNull(to, "the receiver of a message must not be null");
        Objects.requireNonNull(message, "a message must not be null");
        sends.add(new Envelope(sender, to.toString(), capture(() -> codec.encode(message))));
    }

    private byte[] capture(Supplier<byte[]> encoding) {
        try {
            return encoding.get();
        } catch (NotCapturableException e) {
            notCapturable = e;
            throw e;
        }
    }

    /** Adds an actor under a name and starts it. What happens to the object later does not show. */
    public ActorName create(String name, Actor actor) {
        ActorHost host = host(name, "", 0);
        Hosting.access().bind(actor, host);
        Hosting.access().start(actor);
        Hosting.access().bind(actor, null);
        creates.add(new ActorState(name, actor.getClass().getName(),
            capture(() -> codec.encode(new LocalState(name, host.children, actor), reached))));
        return Hosting.access().name(name);
    }

    /** The state of the actor that runs, which must not share anything with those that it created. */
    byte[] encode(LocalState state) {
        return creates.isEmpty() ? codec.encode(state) : codec.encode(state, reached);
    }

    /** A host for an actor that handles a message of {@code sender}; none if that is empty. */
    ActorHost host(String self, String sender, int children) {
        return new ActorHost(self, sender, children);
    }

    /** What an actor reaches while its code runs. */
    final class ActorHost implements Host {
        private final String self;
        private final String sender;
        private int children;

        private ActorHost(String self, String sender, int children) {
            this.self = self;
            this.sender = sender;
            this.children = children;
        }

        int children() {
            return children;
        }

        @Override
        public ActorName self() {
            return Hosting.access().name(self);
        }

        @Override
        public ActorName sender() {
            if (sender.isEmpty()) {
                throw new IllegalStateException("there is nobody to reply to: no actor sent this message");
            }
            return Hosting.access().name(sender);
        }

        @Override
        public void send(ActorName to, Object message) {
            Effects.this.send(self, to, message);
        }

        @Override
        public ActorName create(String role, Actor child) {
            children++;
            return Effects.this.create(self + "/" + role + children, child);
        }

        @Override
        public int choose(int n) {
            return choices.choose(n);
        }

        @Override
        public void invoked(Object operation) {
            Objects.requireNonNull(operation, "what is invoked must not be null");
            record(Kind.INVOKED, operation);
        }

        @Override
        public void returned(Object result) {
            record(Kind.RETURNED, result);
        }

        private void record(Kind kind, Object what) {
            records.add(new OperationRecord(self, kind, capture(() -> codec.encode(what))));
        }
    }
}
