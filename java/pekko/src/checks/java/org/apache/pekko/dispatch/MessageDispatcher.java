package org.apache.pekko.dispatch;

import org.apache.pekko.actor.ActorCell;
import scala.concurrent.ExecutionContextExecutor;

/** The library's class of this name, in checks: what an actor's code calls of the thread that runs it. */
public abstract class MessageDispatcher implements ExecutionContextExecutor {
    public void suspend(ActorCell actor) {
        actor.mailbox().suspend();
    }

    public void resume(ActorCell actor) {
        actor.mailbox().resume();
    }

    public abstract void detach(ActorCell actor);
}
