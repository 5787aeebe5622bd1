package promises;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.AbstractActor;

/** Keeps what it is told of the actors of a promise. */
final class Witness extends AbstractActor {
    /** Asks for the actors of a promise to be created. */
    record Begin(int promise) {}

    /** Asks what it was told. */
    record Report() {}

    private final List<String> told = new ArrayList<>();
    private int promise = -1;

    @Override
    public Receive createReceive() {
        return receiveBuilder().match(Begin.class, b -> {
            promise = b.promise();
            getContext().actorOf(Promise.all().get(promise).actors().apply(getSelf()), "first");
        }).match(Report.class, r -> getSender().tell(told(), getSelf())).match(String.class, told::add).build();
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
