package hakkers;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A fork, which one hakker has at a time. */
final class Fork {
    sealed interface Command {}

    record Take(ActorRef<Answer> hakker) implements Command {}

    record Put(ActorRef<Answer> hakker) implements Command {}

    sealed interface Answer {
        ActorRef<Command> fork();
    }

    record Taken(ActorRef<Command> fork) implements Answer {}

    record Busy(ActorRef<Command> fork) implements Answer {}

    private final ActorRef<Command> self;

    private Fork(ActorRef<Command> self) {
        this.self = self;
    }

    static Behavior<Command> create() {
        return Behaviors.setup(context -> new Fork(context.getSelf()).free());
    }

    private Behavior<Command> free() {
        return Behaviors.receive(Command.class).onMessage(Take.class, take -> {
            take.hakker().tell(new Taken(self));
            return takenBy(take.hakker());
        }).build();
    }

    private Behavior<Command> takenBy(ActorRef<Answer> hakker) {
        return Behaviors.receive(Command.class).onMessage(Take.class, take -> {
            take.hakker().tell(new Busy(self));
            return Behaviors.same();
        }).onMessage(Put.class, put -> free()).build();
    }
}
