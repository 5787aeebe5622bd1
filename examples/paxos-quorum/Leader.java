package paxosquorum;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import java.util.List;
import java.util.Set;
import paxosquorum.Messages.Accept;
import paxosquorum.Messages.Ballot;
import paxosquorum.Messages.Prepare;
import paxosquorum.Messages.Promise;
import paxosquorum.Messages.Proposal;

/**
 * Chooses a number and asks for promises, and may do so again under a higher number as long as it has none of a majority.
 * Then it proposes itself, unless it was told of a value that may be chosen already.
 */
final class Leader extends Actor {
    private final List<ActorName> acceptors;
    /** The highest number that it may choose. */
    private final int numbers;
    /** Whether it chooses more than once. */
    private final boolean again;
    /** Null until it begins. */
    private Ballot ballot;
    private boolean proposed;

    Leader(List<ActorName> acceptors, int numbers, boolean again) {
        this.acceptors = acceptors;
        this.numbers = numbers;
        this.again = again;
    }

    @Internal(when = "mayBegin")
    void begin() {
        ballot = new Ballot(number() + 1 + choose(numbers - number()), self());
        send(acceptors, new Prepare(ballot));
    }

    boolean mayBegin() {
        return ballot == null || again && !proposed && number() < numbers;
    }

    private int number() {
        return ballot == null ? 0 : ballot.number();
    }

    @Handler(quorum = "majority", when = "areAwaited")
    void on(Set<Promise> promises) {
        Proposal highest = null;
        for (Promise m : promises) {
            if (m.accepted() != null && (highest == null || m.accepted().ballot().exceeds(highest.ballot()))) {
                highest = m.accepted();
            }
        }
        proposed = true;
        send(acceptors, new Accept(new Proposal(ballot, highest == null ? self() : highest.value())));
    }

    /** Promises of a ballot that was given up stay where they are. */
    boolean areAwaited(Set<Promise> promises) {
        return !proposed && promises.stream().allMatch(m -> m.ballot().equals(ballot));
    }
}
