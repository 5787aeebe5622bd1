import harrier.*;
import java.util.ArrayList;
import java.util.List;

/** Nodes that mix what they get into what they have, which takes some milliseconds, and pass it on to those before them. Expected: verified. */
public final class Mixing extends Scenario {
    @Parameter int nodes = 3, steps = 3, rounds = 2_000_000;

    static final class Node extends Actor {
        private final int steps, rounds;
        private final List<ActorName> earlier;
        private int taken;
        private int value;

        Node(int steps, int rounds, int value, List<ActorName> earlier) {
            this.earlier = earlier;
            this.steps = steps;
            this.rounds = rounds;
            this.value = value;
        }

        @Handler(when = "mayTake") void on(Integer m) {
            taken++;
            int mixed = value * 31 + m;
            for (int i = 0; i < rounds; i++) {
                mixed ^= mixed << 13;
                mixed ^= mixed >>> 17;
                mixed ^= mixed << 5;
            }
            value = mixed;
            send(earlier, mixed);
            send(self(), mixed);
        }

        boolean mayTake(Integer m) {
            return taken < steps;
        }
    }

    @Override protected void setUp() {
        var names = new ArrayList<ActorName>();
        for (int i = 0; i < nodes; i++) {
            names.add(create("node" + i, new Node(steps, rounds, i + 1, List.copyOf(names))));
            send(names.get(i), i);
        }
    }

    @Invariant("nobody takes more than it may") boolean bounded() {
        return actors(Node.class).allMatch(n -> n.taken <= n.steps);
    }
}
