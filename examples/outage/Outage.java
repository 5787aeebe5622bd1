package outage;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Eventually;
import harrier.Final;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary numbers what clients write and sends it to its followers. A follower is down for a while, and misses what is
 * sent to it then. When it is up again it asks for what it has missed: of the entries before those that still come, and of
 * the last ones, after which none comes.
 *
 * <p>Expected: verified; violated with {@code --set asks=never}, as then an entry is missing in the middle, and with
 * {@code --set asks=gaps}, as then the last entry may be missing.
 */
public final class Outage extends Scenario {
    record Write(String text) {}

    record Entry(int number, String text) {}

    record Fetch(int from) {}

    enum Asks { NEVER, GAPS, ALWAYS }

    /** Decides on the order of entries. */
    static final class Primary extends Actor {
        private final List<ActorName> followers;
        private final List<String> log = new ArrayList<>();

        Primary(List<ActorName> followers) {
            this.followers = followers;
        }

        @Handler
        void on(Write m) {
            send(followers, new Entry(log.size(), m.text()));
            log.add(m.text());
        }

        @Handler
        void on(Fetch m) {
            for (int i = m.from(); i < log.size(); i++) {
                reply(new Entry(i, log.get(i)));
            }
        }
    }

    /** Has the primary's log on its disk, as far as it knows it. */
    static final class Follower extends Actor {
        private final ActorName primary;
        private final Asks asks;
        @Durable private final List<String> log = new ArrayList<>();

        Follower(ActorName primary, Asks asks) {
            this.primary = primary;
            this.asks = asks;
        }

        @Override
        protected void onRestart() {
            if (asks == Asks.ALWAYS) {
                send(primary, new Fetch(log.size()));
            }
        }

        @Handler
        void on(Entry m) {
            if (m.number() < log.size()) {
                return;
            }
            if (asks != Asks.NEVER && m.number() > log.size()) {
                reply(new Fetch(log.size()));
                return;
            }
            log.add(m.text());
        }
    }

    @Parameter("when a follower asks for entries: never, gaps (when one is missing) or always (when it starts again, too)")
    String asks = "always";

    @Parameter("how many followers")
    int followers = 1;

    @Parameter("how many writes")
    int writes = 2;

    @Parameter("how often followers crash")
    int crashes = 1;

    @Parameter("whether followers that are down start again")
    boolean recovers = true;

    private ActorName primary;

    @Override
    protected void setUp() {
        primary = names("primary", 1).get(0);
        List<ActorName> all = create("follower", followers, i -> new Follower(primary, Asks.valueOf(asks.toUpperCase())));
        create("primary", 1, i -> new Primary(all));
        for (int i = 1; i <= writes; i++) {
            send(primary, new Write("w" + i));
        }
        network().fifo("follower").fifo("primary");
        faults().crashes(crashes, "follower").staysDown().losesMessages();
        if (recovers) {
            fairness().recovers();
        }
    }

    @Invariant("a follower has the first entries of the primary's log")
    boolean prefixes() {
        List<String> log = actor(primary, Primary.class).log;
        return actors(Follower.class)
            .allMatch(f -> f.log.size() <= log.size() && f.log.equals(log.subList(0, f.log.size())));
    }

    @Final("who is not down has the whole log")
    boolean complete() {
        List<String> log = actor(primary, Primary.class).log;
        return actors(Follower.class).allMatch(f -> isDown(f.self()) || f.log.equals(log));
    }

    @Eventually("all followers have what was written")
    boolean caughtUp() {
        return actors(Follower.class).allMatch(f -> f.log.size() == writes);
    }
}
