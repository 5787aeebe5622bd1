package backup;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary appends what clients write to its log, and sends each entry to its backups without numbering them. So the
 * backups need channels that keep the order of messages.
 *
 * <p>Expected: verified; violated with {@code --set fifo=false}.
 */
public final class Backup extends Scenario {
    record Write(int value) {}

    record Append(int value) {}

    /** Decides on the order of the entries. */
    static final class Primary extends Actor {
        private final List<ActorName> backups;
        private final List<Integer> log = new ArrayList<>();

        Primary(List<ActorName> backups) {
            this.backups = backups;
        }

        @Handler
        void on(Write m) {
            log.add(m.value());
            send(backups, new Append(m.value()));
        }
    }

    /** Follows the primary. */
    static final class Follower extends Actor {
        private final List<Integer> log = new ArrayList<>();

        @Handler
        void on(Append m) {
            log.add(m.value());
        }
    }

    @Parameter("whether what the primary sends arrives in order")
    boolean fifo = true;

    @Parameter("how many backups")
    int backups = 2;

    @Parameter("how many writes")
    int writes = 3;

    private ActorName primary;

    @Override
    protected void setUp() {
        List<ActorName> followers = create("backup", backups, i -> new Follower());
        primary = create("primary", new Primary(followers));
        for (int i = 1; i <= writes; i++) {
            send(primary, new Write(i));
        }
        if (fifo) {
            network().fifo("backup");
        }
    }

    @Invariant("a backup has the first entries of the primary's log")
    boolean prefixes() {
        List<Integer> log = actor(primary, Primary.class).log;
        return actors(Follower.class)
            .allMatch(f -> f.log.size() <= log.size() && f.log.equals(log.subList(0, f.log.size())));
    }
}
