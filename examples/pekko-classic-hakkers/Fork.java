package hakkers;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;

/** A fork, which one hakker has at a time. */
final class Fork extends AbstractActor {
    enum Command { TAKE, PUT }

    record Taken(ActorRef fork) {}

    record Busy(ActorRef fork) {}

    @Override
    public Receive createReceive() {
        return receiveBuilder().matchEquals(Command.TAKE, take -> {
            getSender().tell(new Taken(getSelf()), getSelf());
            getContext().become(takenBy(getSender()));
        }).build();
    }

    private Receive takenBy(ActorRef hakker) {
        return receiveBuilder().matchEquals(Command.TAKE, take -> getSender().tell(new Busy(getSelf()), getSelf()))
            .matchEquals(Command.PUT, put -> getContext().become(createReceive())).build();
    }
}
