package store;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.Handler;
import harrier.Internal;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * A store that is replicated from a primary to backups. Each replica has a manager and a disk, which may write a checkpoint at
 * any time; workers on the primary's machine change the store at once. A change is committed when all disks have it.
 *
 * <p>Expected: verified.
 */
public final class Store extends Scenario {
    record Put(int value) {}

    record Committed() {}

    record Replicate(int number, int value) {}

    record Write(int number, int value) {}

    record Written(int number) {}

    /** Keeps a log, and writes a checkpoint of it once. */
    static final class Disk extends Actor {
        private final List<Integer> log = new ArrayList<>();
        private int saved = -1;

        @Handler
        void on(Write m) {
            assert m.number() == log.size() : "a change is missing in the log";
            log.add(m.value());
            reply(new Written(m.number()));
        }

        @Internal(when = "isDirty")
        void checkpoint() {
            saved = log.size();
        }

        boolean isDirty() {
            return saved < 0;
        }
    }

    /** Replicates changes to other managers, if it is the primary's, and has its disk write them. */
    static final class Manager extends Actor {
        private final ActorName disk;
        private final List<ActorName> backups;
        private final List<ActorName> clients = new ArrayList<>();
        private final List<Integer> missing = new ArrayList<>(); // by change: how many disks do not have it
        private ActorName primary;

        Manager(ActorName disk, List<ActorName> backups) {
            this.disk = disk;
            this.backups = backups;
        }

        @Handler
        void on(Put m, ActorName sender) {
            int number = clients.size();
            clients.add(sender);
            missing.add(1 + backups.size());
            send(disk, new Write(number, m.value()));
            send(backups, new Replicate(number, m.value()));
        }

        @Handler
        void on(Replicate m, ActorName sender) {
            primary = sender;
            send(disk, new Write(m.number(), m.value()));
        }

        @Handler
        void on(Written m, ActorName sender) {
            if (primary != null && sender.equals(disk)) {
                send(primary, m);
                return;
            }
            missing.set(m.number(), missing.get(m.number()) - 1);
            if (missing.get(m.number()) == 0) {
                send(clients.get(m.number()), new Committed());
            }
        }
    }

    /** Makes one change. */
    static final class Worker extends Actor {
        private final ActorName manager;
        private final int value;
        private boolean done;

        Worker(ActorName manager, int value) {
            this.manager = manager;
            this.value = value;
        }

        @Override
        protected void start() {
            send(manager, new Put(value));
        }

        @Handler
        void on(Committed m) {
            done = true;
        }
    }

    @Parameter("how many replicas, the primary included")
    int replicas = 2;

    @Parameter("how many workers change the store")
    int workers = 2;

    @Override
    protected void setUp() {
        List<ActorName> disks = create("disk", replicas, i -> new Disk());
        List<ActorName> backups = create("backup", replicas - 1, i -> new Manager(disks.get(i + 1), List.of()));
        ActorName primary = create("primary", new Manager(disks.get(0), backups));
        create("worker", workers, i -> new Worker(primary, i + 1));
        components().together("primary", "worker", "disk1");
        for (int i = 1; i < replicas; i++) {
            components().together("backup" + i, "disk" + (i + 1));
        }
        network().fifo();
    }

    @Final("all disks have the same changes, and all workers know that theirs are committed")
    boolean same() {
        return actors(Disk.class).map(d -> d.log).distinct().count() == 1 && actors(Worker.class).allMatch(w -> w.done);
    }
}
