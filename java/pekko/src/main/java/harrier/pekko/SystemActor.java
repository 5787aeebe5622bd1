package harrier.pekko;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Stands in for the ActorSystem: forwards mail past ordinary messages, leads along paths from the root, keeps scheduled messages of stopped actors. */
final class SystemActor extends Actor {
    /** The numbers of timers that are set. */
    private final Set<Integer> due = new TreeSet<>();
    private final List<Object> shared = LocalSystem.shared();
    /** The actors of the scenario that paths find. */
    private final Set<ActorName> actors;

    SystemActor(Set<ActorName> actors) {
        this.actors = actors;
    }

    @Handler
    void on(Mail.PassOn m) {
        send(m.to(), m.mail());
    }

    @Handler
    void on(Mail.Gone m) {
        actors.remove(m.child());
    }

    @Handler
    void on(Mail.Select m) {
        Selections.lead(m, actors, this::send);
    }

    @Handler
    void on(Mail.Scheduled m) {
        int number = 1;
        while (!due.add(number)) {
            number++;
        }
        setTimer(new Mail.Due(m, number), Duration.ZERO, m.within());
    }

    @Handler
    void on(Mail.Due timer) {
        due.remove(timer.number());
        send(timer.what().target(), timer.what().mail());
    }
}
