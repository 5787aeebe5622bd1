package everything;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import harrier.Internal;
import harrier.Final;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All kinds of events, each of which must happen before the boss is done. Expected: violated. */
public final class Everything extends Scenario {
    record Go(int n) {}

    record Ping(int n) {}

    record Pong(int n) {}

    static final class Boss extends Actor {
        private final List<ActorName> servers;
        private ActorName child;
        private boolean isTold;
        private int picked;
        int done;

        Boss(List<ActorName> servers) {
            this.servers = servers;
        }

        @Override protected void start() {
            setTimer(new Go(1), Duration.ofSeconds(1));
            setTimer(new Go(2), Duration.ofSeconds(1));
        }

        @Handler void on(Go go) {
            if (go.n() == 2) {
                cancelTimer(new Go(1));
                child = create("child", new Child(self()));
            }
        }

        @Handler void on(Ping ping) {
            eventLoop().execute(() -> isTold = true);
        }

        @Internal(when = "mayPick") void pick() {
            int answer = choose(3);
            picked = answer;
            send(servers, new Ping(answer));
        }

        boolean mayPick() {
            return isTold && picked == 0;
        }

        @Handler(quorum = "size", when = "hasPicked") void on(Map<ActorName, Pong> pongs) {
            on(Set.copyOf(pongs.values()), pongs.keySet());
        }

        @Handler(quorum = "size", when = "hasPicked") void on(Set<Pong> pongs, Set<ActorName> senders) {
            int seen = pongs.stream().mapToInt(Pong::n).sum();
            done = picked == 2 && child != null && senders.equals(Set.copyOf(servers)) ? seen : 0;
        }

        boolean hasPicked() {
            return picked > 0;
        }

        int size() {
            return servers.size();
        }
    }

    static final class Child extends Actor {
        private final ActorName boss;

        Child(ActorName boss) {
            this.boss = boss;
        }

        @Override protected void start() {
            send(boss, new Ping(0));
        }
    }

    static final class Server extends Actor {
        @Durable private int starts = 1;

        @Override protected void onRestart() {
            starts++;
        }

        @Handler void on(Ping ping) {
            reply(new Pong(starts * ping.n()));
        }
    }

    @Parameter int most = 5;

    @Override protected void setUp() {
        var servers = create("server", 2, i -> new Server());
        create("boss", new Boss(servers));
        faults().crashes(1, "server");
    }

    @Invariant("the boss is not done")
    boolean isNotDone() {
        return actors(Boss.class).allMatch(b -> b.done <= most);
    }

    @Final("the boss is not done at the end")
    boolean endsUndone() {
        return isNotDone();
    }
}
