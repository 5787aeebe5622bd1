package hakkers;

import java.time.Duration;
import org.apache.pekko.actor.AbstractFSM;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.FSM;

/** A hakker thinks, and eats with two forks. It asks for both forks at a time, and gives back the fork that it got if it does not get both. */
final class Hakker extends AbstractFSM<Hakker.State, Hakker.Forks> {
    enum State { THINKING, HUNGRY, WAITING, DENIED, EATING }

    /** The fork that the hakker got first; null if none. */
    record Forks(ActorRef first) {}

    private static final Forks NONE = new Forks(null);

    private final ActorRef left;
    private final ActorRef right;

    /** @param givesBoth whether it gives back what it does not have: a mistake */
    Hakker(ActorRef left, ActorRef right, boolean givesBoth) {
        this.left = left;
        this.right = right;
        startWith(State.THINKING, NONE);
        when(State.THINKING, Duration.ofSeconds(3), matchEventEquals(StateTimeout(), (timeout, forks) -> {
            tellBoth(Fork.Command.TAKE);
            return goTo(State.HUNGRY);
        }));
        when(State.HUNGRY, matchEvent(Fork.Taken.class, (taken, forks) -> goTo(State.WAITING).using(new Forks(taken.fork())))
            .event(Fork.Busy.class, (busy, forks) -> goTo(State.DENIED)));
        when(State.WAITING, matchEvent(Fork.Taken.class, (taken, forks) -> goTo(State.EATING).using(NONE)).event(Fork.Busy.class, (busy, forks) -> {
            forks.first().tell(Fork.Command.PUT, getSelf());
            if (givesBoth) {
                busy.fork().tell(Fork.Command.PUT, getSelf());
            }
            return think();
        }));
        when(State.DENIED, matchEvent(Fork.Taken.class, (taken, forks) -> {
            taken.fork().tell(Fork.Command.PUT, getSelf());
            return think();
        }).event(Fork.Busy.class, (busy, forks) -> think()));
        when(State.EATING, Duration.ofSeconds(5), matchEventEquals(StateTimeout(), (timeout, forks) -> {
            tellBoth(Fork.Command.PUT);
            return think();
        }));
        initialize();
    }

    private void tellBoth(Fork.Command command) {
        left.tell(command, getSelf());
        right.tell(command, getSelf());
    }

    private FSM.State<State, Forks> think() {
        return goTo(State.THINKING).using(NONE);
    }
}
