package reads;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.List;

/**
 * A leader with a lease answers reads by itself, as others do not lead before its lease has ended. A quorum, which is one actor here, grants
 * leases and keeps what was written. Each replica leads once, writes a higher number, and answers reads as long as it takes itself
 * for the leader, by its own clock.
 *
 * <p>Expected: verified; violated with {@code --set shorter=0}, as both then may lead at the moment in which the lease ends, and with
 * {@code --set drift=1}, by which clocks run 2 ticks slower and faster. Then {@code --set drift=1,shorter=5,lease=6} is verified, and
 * {@code --set drift=1,shorter=4,lease=6} violated: a read is dirty.
 */
public final class Reads extends Scenario {
    record Ask() {}

    record Granted(int written) {}

    record Write(int number) {}

    record Written(int number) {}

    record Read() {}

    record Answer(int number) {}

    record Begins() {}

    record Ends() {}

    record Free() {}

    /** Grants a lease to one replica at a time, by its own clock. */
    static final class Quorum extends Actor {
        private final Duration lease;
        private ActorName leader;
        private int written;

        Quorum(Duration lease) {
            this.lease = lease;
        }

        @Handler(when = "isFree")
        void on(Ask m, ActorName from) {
            leader = from;
            setTimer(new Free(), lease);
            reply(new Granted(written));
        }

        boolean isFree() {
            return leader == null;
        }

        @Handler
        void on(Free timer) {
            leader = null;
        }

        @Handler
        void on(Write m, ActorName from) {
            if (from.equals(leader)) {
                written = m.number();
                reply(new Written(written));
            }
        }
    }

    static final class Replica extends Actor {
        private final ActorName quorum;
        private final Duration lease;
        private boolean leads;
        private int number;

        Replica(ActorName quorum, Duration lease) {
            this.quorum = quorum;
            this.lease = lease;
        }

        @Override
        protected void start() {
            setTimer(new Begins(), Duration.ZERO, Duration.ofMillis(1));
        }

        @Handler
        void on(Begins timer) {
            send(quorum, new Ask());
        }

        @Handler
        void on(Granted m) {
            leads = true;
            number = m.written();
            setTimer(new Ends(), lease);
            send(quorum, new Write(number + 1));
        }

        @Handler
        void on(Written m) {
            number = m.number();
        }

        @Handler
        void on(Ends timer) {
            leads = false;
        }

        @Handler
        void on(Read m) {
            reply(new Answer(leads ? number : UNKNOWN));
        }
    }

    /** Reads of some replica, and then again. */
    static final class Client extends Actor {
        private final List<ActorName> replicas;
        private int reads;
        private int last;
        private boolean isDirty;

        Client(List<ActorName> replicas, int reads) {
            this.replicas = replicas;
            this.reads = reads;
        }

        @Override
        protected void start() {
            setTimer(new Begins(), Duration.ZERO, Duration.ofDays(1));
        }

        @Handler
        void on(Begins timer) {
            send(replicas.get(choose(replicas.size())), new Read());
        }

        @Handler
        void on(Answer m) {
            isDirty = m.number() != UNKNOWN && m.number() < last;
            last = Math.max(last, m.number());
            if (--reads > 0) {
                start();
            }
        }
    }

    private static final int UNKNOWN = -1;

    @Parameter("how long a lease is, in ticks")
    int lease = 2;

    @Parameter("by how many ticks the lease of the leader ends sooner, by its clock")
    int shorter = 1;

    @Parameter("by how many ticks a clock may be ahead or behind")
    int drift = 0;

    @Parameter("how often the client reads")
    int reads = 2;

    @Override
    protected void setUp() {
        Duration tick = Duration.ofMillis(1);
        clocks().tick(tick).within(tick.multipliedBy(drift)).until(tick.multipliedBy(lease + 1));
        network().delay(Duration.ZERO);
        ActorName quorum = create("quorum", new Quorum(tick.multipliedBy(lease)));
        List<ActorName> replicas = create("replica", 2, i -> new Replica(quorum, tick.multipliedBy(lease - shorter)));
        create("client", new Client(replicas, reads));
    }

    @Invariant("a read that begins after another one gives nothing older")
    boolean isFresh() {
        return actors(Client.class).noneMatch(c -> c.isDirty);
    }
}
