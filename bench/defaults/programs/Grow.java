import harrier.*;

/** A sender that no receiver holds back: its messages wait in an inbox that grows without end. */
public final class Grow extends Scenario {
    record Add(int k) {}

    static final class Beat extends Actor {
        final ActorName to;

        Beat(ActorName to) { this.to = to; }

        @Internal void beat() { send(to, new Add(1)); }
    }

    static final class Sink extends Actor {
        int sum;

        @Handler void on(Add m) { sum = (sum + m.k()) % 3; }
    }

    @Override protected void setUp() {
        create("beat", new Beat(create("sink", new Sink())));
    }

    @Invariant("the sum is a remainder") boolean isRemainder() { return actors(Sink.class).allMatch(s -> s.sum < 3); }
}
