package harrier.pekko;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Stands in for the ActorSystem: forwards Stop and Gone past ordinary messages, keeps scheduled messages of stopped actors. */
final class SystemActor extends Actor implements Outbox {
    /** The numbers of timers that are set. */
    private final Set<Integer> due = new TreeSet<>();
    private final List<Object> shared = LocalSystem.shared();

    @Handler
    void on(Mail.PassOn m) {
        send(m.to(), m.mail());
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
    @SuppressWarnings("unchecked")
    void on(Mail.Due timer) {
        due.remove(timer.number());
        during(() -> ((Ref<Object>) timer.what().target()).tell(timer.what().message()));
    }

    @Override
    public void tell(ActorName to, Object message) {
        send(to, message);
    }
}
