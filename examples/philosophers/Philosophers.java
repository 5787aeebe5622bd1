package philosophers;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * Dining philosophers: each takes the fork to the left, then that to the right, eats once, and lays both down. The last one
 * takes them in the other order, so that not all can wait in a circle. Consecutive philosophers are one component, with the
 * forks to the left of each.
 *
 * <p>Expected: verified; violated with {@code --set circle=true}.
 */
public final class Philosophers extends Scenario {
    record Take() {}

    record Taken() {}

    record LayDown() {}

    /** Is held by one philosopher at a time. */
    static final class Fork extends Actor {
        private boolean held;

        @Handler(when = "isFree")
        void on(Take m) {
            held = true;
            reply(new Taken());
        }

        boolean isFree(Take m) {
            return !held;
        }

        @Handler
        void on(LayDown m) {
            assert held : "a fork is laid down that nobody holds";
            held = false;
        }
    }

    /** Needs two forks. */
    static final class Philosopher extends Actor {
        private final ActorName first;
        private final ActorName second;
        private int forks;
        private boolean hasEaten;

        Philosopher(ActorName first, ActorName second) {
            this.first = first;
            this.second = second;
        }

        @Override
        protected void start() {
            send(first, new Take());
        }

        @Handler
        void on(Taken m) {
            forks++;
            if (forks == 1) {
                send(second, new Take());
                return;
            }
            hasEaten = true;
            forks = 0;
            send(List.of(first, second), new LayDown());
        }
    }

    @Parameter("how many components")
    int components = 2;

    @Parameter("how many philosophers each component has")
    int philosophers = 2;

    @Parameter("whether all take the left fork first")
    boolean circle = false;

    @Override
    protected void setUp() {
        int all = components * philosophers;
        List<ActorName> forks = create("fork", all, i -> new Fork());
        create("philosopher", all, i -> {
            ActorName left = forks.get(i);
            ActorName right = forks.get((i + 1) % all);
            return circle || i < all - 1 ? new Philosopher(left, right) : new Philosopher(right, left);
        });
        for (int c = 0; c < components; c++) {
            List<String> together = new ArrayList<>();
            for (int i = c * philosophers + 1; i <= (c + 1) * philosophers; i++) {
                together.add("fork" + i);
                together.add("philosopher" + i);
            }
            components().together(together.toArray(String[]::new));
        }
    }

    @Final("everybody has eaten")
    boolean fed() {
        return actors(Philosopher.class).allMatch(p -> p.hasEaten);
    }
}
