package promises;

import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;

/** A classic actor of a promise, made of functions. */
final class Body extends AbstractActorWithStash {
    private final Function<Body, Receive> receive;
    /** Who is told of the hooks that run; null if nobody is. */
    private ActorRef told;
    private SupervisorStrategy strategy = SupervisorStrategy.defaultStrategy();
    private boolean keepsChildren;
    /** What it counts. */
    int count;

    private Body(Function<Body, Receive> receive) {
        this.receive = receive;
    }

    /** Of a function that runs whenever the actor starts, and returns what it does with messages. */
    static Props of(Function<Body, Receive> receive) {
        return Props.create(Body.class, () -> new Body(receive));
    }

    /** One that tells each message. {@code fail} has it fail, and {@code stop} stop. */
    static Props echo(ActorRef witness) {
        return of(b -> b.echoes(witness));
    }

    /** The same, which tells of its hooks, too. */
    static Props telling(ActorRef witness) {
        return of(b -> b.hooks(witness).echoes(witness));
    }

    Receive echoes(ActorRef witness) {
        return receiveBuilder().matchAny(m -> {
            witness.tell(m, getSelf());
            if (m.equals("fail")) {
                throw new IllegalStateException("failed");
            }
            if (m.equals("stop")) {
                getContext().stop(getSelf());
            }
        }).build();
    }

    /** Takes no messages. */
    Receive nothing() {
        return receiveBuilder().build();
    }

    /** Has somebody told of the hooks that run. */
    Body hooks(ActorRef witness) {
        told = witness;
        return this;
    }

    Body supervises(SupervisorStrategy by) {
        strategy = by;
        return this;
    }

    Body keepsChildren() {
        keepsChildren = true;
        return this;
    }

    ActorRef child(Props props, String name) {
        return getContext().actorOf(props, name);
    }

    /** Tells an actor several messages. */
    void tell(ActorRef to, Object... messages) {
        for (Object message : messages) {
            to.tell(message, getSelf());
        }
    }

    private void tellHook(String name) {
        if (told != null) {
            told.tell(name, getSelf());
        }
    }

    @Override
    public Receive createReceive() {
        return receive.apply(this);
    }

    @Override
    public SupervisorStrategy supervisorStrategy() {
        return strategy;
    }

    @Override
    public void preStart() {
        tellHook("preStart");
    }

    @Override
    public void postStop() {
        tellHook("postStop");
    }

    @Override
    public void preRestart(Throwable reason, Optional<Object> message) throws Exception {
        tellHook("preRestart," + message.orElse("none"));
        if (!keepsChildren) {
            super.preRestart(reason, message);
        }
    }

    @Override
    public void postRestart(Throwable reason) throws Exception {
        tellHook("postRestart");
        super.postRestart(reason);
    }
}
