package paxos;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import java.util.List;
import paxos.Messages.Accept;
import paxos.Messages.Accepted;
import paxos.Messages.Prepare;
import paxos.Messages.Promise;

/**
 * Promises and accepts. As in Lamport's "Paxos Made Simple", section 2.2, accepting a ballot does not
 * promise it, so an acceptor may accept a lower ballot after a higher one; it remembers the higher.
 */
public class Acceptor extends Actor {
    private final List<ActorName> learners;
    /** The highest ballot promised. It is on disk before the promise is sent, as is what was accepted. */
    @Durable
    protected int promised;

    @Durable
    private int accepted;

    @Durable
    private Integer value;

    /** How many requests came too late: a sign of proposers in each other's way. */
    private int refused;

    public Acceptor(List<ActorName> learners) {
        this.learners = learners;
    }

    @Handler
    void on(Prepare m) {
        if (m.ballot() > promised) {
            promised = m.ballot();
            reply(new Promise(m.ballot(), accepted, value));
        } else {
            refused++;
        }
    }

    @Handler
    void on(Accept m) {
        if (accepts(m.ballot(), promised)) {
            if (remembers(m.ballot(), accepted)) {
                accepted = m.ballot();
                value = m.value();
            }
            send(learners, new Accepted(m.ballot(), m.value()));
        } else {
            refused++;
        }
    }

    /** Whether a ballot is accepted after the promise that was given. */
    protected boolean accepts(int ballot, int promised) {
        return ballot >= promised;
    }

    /** Whether an accepted ballot replaces the one that is remembered. */
    protected boolean remembers(int ballot, int remembered) {
        return ballot > remembered;
    }
}
