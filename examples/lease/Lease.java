package lease;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;

/**
 * A lock that is given for a while. Its holder stops writing a little earlier than the server gives the lock to the next one, since
 * their clocks differ and messages take time: by {@code shorter} ticks. With fencing the store refuses writes of those who had the lock before
 * the last one that wrote.
 *
 * <p>Expected: verified; violated with {@code --set shorter=4}, as both clocks may be off by 2 ticks over a lease, and with
 * {@code --set drift=0,shorter=0}, since a holder may then stop at the moment in which the next one begins. Without bounds,
 * {@code --set bounded=false}, no lease is short enough, and it is violated unless {@code --set fencing=true}.
 */
public final class Lease extends Scenario {
    record Acquire() {}

    record Granted(int token) {}

    record Write(int token) {}

    record Expires() {}

    record Stops() {}

    record Begins() {}

    /** Gives the lock to one client after another. */
    static final class Server extends Actor {
        private final Duration lease;
        private boolean isTaken;
        private int token;

        Server(Duration lease) {
            this.lease = lease;
        }

        @Handler(when = "isFree")
        void on(Acquire m) {
            isTaken = true;
            token++;
            setTimer(new Expires(), lease);
            reply(new Granted(token));
        }

        boolean isFree() {
            return !isTaken;
        }

        @Handler
        void on(Expires t) {
            isTaken = false;
        }
    }

    /** Writes once while it holds the lock. */
    static final class Client extends Actor {
        private final ActorName server;
        private final ActorName store;
        private final Duration lease;
        private int token;

        Client(ActorName server, ActorName store, Duration lease) {
            this.server = server;
            this.store = store;
            this.lease = lease;
        }

        @Override
        protected void start() {
            setTimer(new Begins(), Duration.ZERO, TICK);
        }

        @Handler
        void on(Begins t) {
            send(server, new Acquire());
        }

        @Handler
        void on(Granted m) {
            token = m.token();
            setTimer(new Stops(), lease);
        }

        boolean holds() {
            return token > 0;
        }

        @Internal(when = "holds")
        void write() {
            send(store, new Write(token));
            token = 0;
            cancelTimer(new Stops());
        }

        @Handler
        void on(Stops t) {
            token = 0;
        }
    }

    /** Is written to by holders of the lock. */
    static final class Store extends Actor {
        private final boolean fencing;
        private int last;
        private int highest;

        Store(boolean fencing) {
            this.fencing = fencing;
        }

        @Handler
        void on(Write m) {
            if (m.token() > highest || !fencing) {
                last = m.token();
                highest = Math.max(last, highest);
            }
        }
    }

    private static final Duration TICK = Duration.ofMillis(100);

    @Parameter boolean fencing = false;
    @Parameter boolean bounded = true;
    @Parameter int drift = 1;
    @Parameter int lease = 6;
    @Parameter int shorter = 5;

    @Override
    protected void setUp() {
        if (bounded) {
            clocks().tick(TICK).within(TICK.multipliedBy(drift)).until(TICK.multipliedBy(lease + 3));
            network().delay(Duration.ZERO);
        }
        ActorName store = create("store", new Store(fencing));
        ActorName server = create("server", new Server(TICK.multipliedBy(lease)));
        create("client", 2, i -> new Client(server, store, TICK.multipliedBy(lease - shorter)));
    }

    @Invariant("no write comes after one of a later holder")
    boolean isInOrder() {
        return actors(Store.class).allMatch(s -> s.last == s.highest);
    }
}
