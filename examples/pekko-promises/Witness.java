package promises;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Keeps what it is told of the actors of a promise. */
final class Witness extends AbstractBehavior<Object> {
    /** Asks for the actors of a promise to be created. */
    record Begin(int promise) {}

    /** Asks what it was told. */
    record Report(ActorRef<String> to) {}

    private final List<String> told = new ArrayList<>();
    private int promise = -1;

    private Witness(ActorContext<Object> context) {
        super(context);
    }

    static Behavior<Object> create() {
        return Behaviors.setup(Witness::new);
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder().onMessage(Begin.class, this::begin).onMessage(Report.class, r -> {
            r.to().tell(told());
            return this;
        }).onMessage(String.class, what -> {
            told.add(what);
            return this;
        }).build();
    }

    private Behavior<Object> begin(Begin begin) {
        promise = begin.promise();
        getContext().spawn(Promise.all().get(promise).actors().apply(getContext().getSelf().unsafeUpcast()), "first");
        return this;
    }

    /** The number of the promise; -1 if there is none yet. */
    int promise() {
        return promise;
    }

    /** What it was told, in one text. */
    String told() {
        return String.join(" ", told);
    }
}
