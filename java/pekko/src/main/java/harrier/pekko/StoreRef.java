package harrier.pekko;

import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.LocalRef;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import scala.collection.Iterator;

/** What the library knows as the actors that store things. What they are told, the actor that runs does with what it has stored. */
final class StoreRef extends InternalActorRef implements LocalRef {
    private final ActorPath path;

    StoreRef(String name) {
        path = NamePath.ROOT.child("system").child(name);
    }

    @Override
    public void $bang(Object message, ActorRef sender) {
        Stores.ask(LocalSystem.typedActor(), message);
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public void start() {}

    @Override
    public void resume(Throwable cause) {}

    @Override
    public void suspend() {}

    @Override
    public void restart(Throwable cause) {}

    @Override
    public void stop() {}

    @Override
    public void sendSystemMessage(SystemMessage message) {}

    @Override
    public ActorRefProvider provider() {
        throw LocalSystem.unsupported("the provider of a store");
    }

    @Override
    public InternalActorRef getParent() {
        throw LocalSystem.unsupported("the parent of a store");
    }

    @Override
    public InternalActorRef getChild(Iterator<String> name) {
        throw LocalSystem.unsupported("a child of a store");
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }
}
