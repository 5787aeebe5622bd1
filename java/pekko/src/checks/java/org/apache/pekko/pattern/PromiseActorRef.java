package org.apache.pekko.pattern;

import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.LocalRef;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.apache.pekko.util.Timeout;
import scala.Product;
import scala.collection.Iterator;
import scala.concurrent.Future;
import scala.concurrent.Promise;

/** The library's class of this name, in checks: a reference for the answer to a question. It is a value, and the promise is with the actor that asks. */
public final class PromiseActorRef extends InternalActorRef implements LocalRef, Product {
    private final InternalActorRef to;

    PromiseActorRef(InternalActorRef to) {
        this.to = to;
    }

    /** The reference to a part of the actor that asks. */
    public InternalActorRef to() {
        return to;
    }

    public Promise<Object> result() {
        return provider().answer(to);
    }

    /** The name of the question's class, which only texts have. */
    public void messageClassName_$eq(String name) {}

    public Future<Object> ask(ActorRef asked, Object message, Timeout timeout) {
        asked.tell(message, to);
        return result().future();
    }

    public Future<Object> ask(ActorSelection asked, Object message, Timeout timeout) {
        asked.tell(message, to);
        return result().future();
    }

    @Override
    public void $bang(Object message, ActorRef sender) {
        to.tell(message, sender);
    }

    @Override
    public ActorPath path() {
        return to.path();
    }

    @Override
    public void start() {}

    @Override
    public void suspend() {}

    @Override
    public void resume(Throwable cause) {}

    @Override
    public void restart(Throwable cause) {}

    @Override
    public void stop() {
        to.stop();
    }

    @Override
    public void sendSystemMessage(SystemMessage message) {
        to.sendSystemMessage(message);
    }

    @Override
    public ActorRefProvider provider() {
        return to.provider();
    }

    @Override
    public InternalActorRef getParent() {
        return to.getParent();
    }

    @Override
    public InternalActorRef getChild(Iterator<String> names) {
        return to.getChild(names);
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isTerminated() {
        return to.isTerminated();
    }

    @Override
    public boolean canEqual(Object that) {
        return that instanceof PromiseActorRef;
    }

    @Override
    public int productArity() {
        return 1;
    }

    @Override
    public Object productElement(int n) {
        return to;
    }
}
