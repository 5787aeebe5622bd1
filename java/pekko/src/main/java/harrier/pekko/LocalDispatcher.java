package harrier.pekko;

import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.MessageDispatcher;

/** Runs tasks of classic actors. It has no state. */
final class LocalDispatcher extends MessageDispatcher {
    static final LocalDispatcher ONLY = new LocalDispatcher();

    private LocalDispatcher() {}

    @Override
    public void execute(Runnable task) {
        LocalSystem.ONLY.executionContext().execute(task);
    }

    @Override
    public void reportFailure(Throwable cause) {
        LocalSystem.ONLY.executionContext().reportFailure(cause);
    }

    @Override
    public void detach(ActorCell actor) {
        ((Cell) actor).terminated();
    }
}
