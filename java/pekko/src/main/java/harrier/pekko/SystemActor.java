package harrier.pekko;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.concurrent.TimeUnit;

/** What the library does beside its actors: it passes on what overtakes messages, and has what stopped actors had scheduled. */
final class SystemActor extends Actor implements Outbox {
    @Handler
    void on(Mail.PassOn m) {
        send(m.to(), m.mail());
    }

    @Handler
    @SuppressWarnings("unchecked")
    void on(Mail.Scheduled m) {
        eventLoop().schedule(() -> during(() -> ((Ref<Object>) m.target()).tell(m.message())), 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public void tell(ActorName to, Object message) {
        send(to, message);
    }
}
