package harrier.pekko;

import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.InternalActorRef;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** Asks questions by the library's ask pattern, as the running actor. It has no state. */
final class LocalProvider implements ActorRefProvider {
    static final LocalProvider ONLY = new LocalProvider();

    private LocalProvider() {}

    @Override
    public ActorRef deadLetters() {
        return ClassicSystem.ONLY.deadLetters();
    }

    @Override
    public InternalActorRef question(FiniteDuration timeout, Supplier<Throwable> late) {
        LibraryActor actor = Outbox.here().actor();
        if (actor == null) {
            throw new AssertionError("setUp() cannot ask, as nobody is there for the answer: tell a message, or ask in an actor, such as a client");
        }
        return new ClassicRef(actor.self(), actor.questions().ask(Context.java(timeout), late));
    }

    @Override
    public Promise<Object> answer(InternalActorRef to) {
        return LocalSystem.actor().questions().answer(ClassicRef.of(to).path().part());
    }
}
