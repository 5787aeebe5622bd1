package deathwatch;

import harrier.Actor;
import harrier.ActorName;
import harrier.Disconnected;
import harrier.Eventually;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.List;

/**
 * A master gives a job to a worker, and to the next one if that crashes before the job is done. It watches the worker. The
 * notice that it has gone comes after its answer, if it has sent one, so the job is not done twice.
 *
 * <p>Expected: verified; violated with {@code --set detects=timeout}, as a worker that is slow has not gone, and with
 * {@code --set detects=monitor}, as the message of somebody else that the worker has gone may overtake its answer.
 */
public final class DeathWatch extends Scenario {
    record Job() {}

    record Done() {}

    record Gone(ActorName worker) {}

    record Timeout(int attempt) {}

    enum Detects { WATCH, TIMEOUT, MONITOR }

    /** Does what it is told. */
    static final class Worker extends Actor {
        @Handler
        void on(Job m) {
            reply(new Done());
        }
    }

    /** Watches workers for the master. */
    static final class Monitor extends Actor {
        private final ActorName master;
        private final List<ActorName> workers;

        Monitor(ActorName master, List<ActorName> workers) {
            this.master = master;
            this.workers = workers;
        }

        @Override
        protected void start() {
            workers.forEach(this::watch);
        }

        @Handler
        void on(Disconnected d) {
            send(master, new Gone(d.actor()));
        }
    }

    /** Has the job done. */
    static final class Master extends Actor {
        private final List<ActorName> workers;
        private final Detects detects;
        private int attempt;
        private int done;

        Master(List<ActorName> workers, Detects detects) {
            this.workers = workers;
            this.detects = detects;
        }

        @Override
        protected void start() {
            give();
        }

        private void give() {
            ActorName worker = workers.get(attempt);
            if (detects == Detects.WATCH) {
                watch(worker);
            } else if (detects == Detects.TIMEOUT) {
                setTimer(new Timeout(attempt), Duration.ofSeconds(1));
            }
            send(worker, new Job());
        }

        private void giveAgain(ActorName gone) {
            if (done == 0 && attempt + 1 < workers.size() && gone.equals(workers.get(attempt))) {
                attempt++;
                give();
            }
        }

        @Handler
        void on(Done m) {
            done++;
            if (detects == Detects.WATCH) {
                unwatch(workers.get(attempt));
            }
        }

        @Handler
        void on(Disconnected d) {
            giveAgain(d.actor());
        }

        @Handler
        void on(Gone m) {
            giveAgain(m.worker());
        }

        @Handler
        void on(Timeout t) {
            giveAgain(workers.get(t.attempt()));
        }
    }

    @Parameter("how the master knows that a worker has gone: watch, timeout or monitor")
    String detects = "watch";

    @Parameter("how many workers")
    int workers = 2;

    @Parameter("how many of them crash for good")
    int crashes = 1;

    @Override
    protected void setUp() {
        List<ActorName> all = create("worker", workers, i -> new Worker());
        Detects how = Detects.valueOf(detects.toUpperCase());
        ActorName master = create("master", new Master(all, how));
        if (how == Detects.MONITOR) {
            create("monitor", new Monitor(master, all));
        }
        faults().stops(crashes, "worker");
    }

    @Invariant("the job is done once")
    boolean once() {
        return actors(Master.class).allMatch(m -> m.done <= 1);
    }

    @Eventually("the job is done")
    boolean done() {
        return actors(Master.class).allMatch(m -> m.done > 0);
    }
}
