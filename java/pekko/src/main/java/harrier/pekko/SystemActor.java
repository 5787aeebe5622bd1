package harrier.pekko;

import harrier.Actor;
import harrier.Handler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Stands in for the ActorSystem: forwards mail past ordinary messages, keeps scheduled messages of stopped actors. */
final class SystemActor extends Actor {
    /** The numbers of timers that are set. */
    private final Set<Integer> due = new TreeSet<>();
    private final List<Object> shared = LocalSystem.shared();

    @Handler
    void on(Mail.PassOn m) {
        send(m.to(), m.mail());
    }

    @Handler
    void on(Mail.Gone m) {}

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
