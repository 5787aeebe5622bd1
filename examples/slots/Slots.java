package slots;

import harrier.Actor;
import harrier.ActorName;
import harrier.Eventually;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Two stations take slots of a frame, and choose again if they chose the same one. One of them keeps its slot, so the other one comes to another
 * slot if it chooses each again and again. That is strong fairness: between two frames it can choose none.
 *
 * <p>Expected: verified; violated with {@code --set fair=false}, as a station need not choose another slot, and with {@code --set keeps=false}:
 * both may choose each slot again and again, and always the same ones. That they do so with probability 0 is not said by fairness.
 */
public final class Slots extends Scenario {
    record Frame() {}

    record Takes(int slot) {}

    /** Takes a slot. */
    static final class Station extends Actor {
        private final int slots;
        private final boolean keeps;
        private int slot;

        Station(int slots, boolean keeps) {
            this.slots = slots;
            this.keeps = keeps;
        }

        @Handler
        void on(Frame m) {
            if (!keeps) {
                slot = choose(slots);
            }
            reply(new Takes(slot));
        }
    }

    /** Begins frames until all slots are different. */
    static final class Master extends Actor {
        private final List<ActorName> stations;
        private final Set<Integer> taken = new HashSet<>();
        private int answers;

        Master(List<ActorName> stations) {
            this.stations = stations;
        }

        @Override
        protected void start() {
            begin();
        }

        private void begin() {
            taken.clear();
            answers = 0;
            stations.forEach(s -> send(s, new Frame()));
        }

        @Handler
        void on(Takes m) {
            taken.add(m.slot());
            answers++;
            if (answers == stations.size() && !isDone()) {
                begin();
            }
        }

        boolean isDone() {
            return taken.size() == stations.size();
        }
    }

    @Parameter("how many slots a frame has")
    int slots = 2;

    @Parameter("the first station keeps its slot")
    boolean keeps = true;

    @Parameter("each slot is chosen again and again")
    boolean fair = true;

    @Override
    protected void setUp() {
        List<ActorName> stations = create("station", 2, i -> new Station(slots, keeps && i == 0));
        create("master", new Master(stations));
        if (fair) {
            fairness().strong("station").byChoice();
        }
    }

    @Eventually("the stations have different slots")
    boolean done() {
        return actors(Master.class).allMatch(Master::isDone);
    }
}
