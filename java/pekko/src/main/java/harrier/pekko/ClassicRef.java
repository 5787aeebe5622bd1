package harrier.pekko;

import harrier.ActorName;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorSelectionMessage;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.InvalidMessageException;
import org.apache.pekko.actor.LocalRef;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.dispatch.sysmsg.Recreate;
import org.apache.pekko.dispatch.sysmsg.Resume;
import org.apache.pekko.dispatch.sysmsg.Suspend;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.apache.pekko.dispatch.sysmsg.Terminate;
import org.apache.pekko.pattern.PromiseActorRef;
import scala.Product;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** A reference to a classic actor: its name. It is a value, as those to typed actors are. */
final class ClassicRef extends InternalActorRef implements LocalRef, Product {
    private final NamePath path;

    ClassicRef(ActorName name, String part) {
        path = new NamePath(name, part);
    }

    ClassicRef(ActorName name) {
        this(name, null);
    }

    /** What the library or a program holds as a reference to a classic actor. */
    static ClassicRef of(ActorRef ref) {
        if (ref instanceof ClassicRef known) {
            return known;
        }
        if (ref instanceof PromiseActorRef answer) {
            return of(answer.to());
        }
        throw new AssertionError(ref + " is no reference to a classic actor of the scenario");
    }

    /** The actor's name, which counterexamples show. */
    public ActorName name() {
        return path.actor();
    }

    @Override
    public void $bang(Object message, ActorRef sender) {
        if (message == null) {
            throw new InvalidMessageException("Message is null");
        }
        Outbox here = Outbox.here();
        if (message instanceof ActorSelectionMessage selection) {
            select(selection, sender, LocalSystem.actor());
        } else {
            here.tell(name(), mail(message, sender, here.actor()));
        }
    }

    /** Sends what is for those that a path leads to from here: the actor that runs looks at its children at once, others do later. */
    private void select(ActorSelectionMessage selection, ActorRef sender, LibraryActor from) {
        List<String> path = CollectionConverters.asJava(selection.elements().toSeq()).stream().map(Object::toString).toList();
        Mail.Select m = new Mail.Select(path, false, false, selection.msg(), sender);
        if (from instanceof ClassicActor actor && name().equals(from.self())) {
            actor.lead(m);
        } else if (name().equals(from.services().system())) {
            from.tell(name(), m);
        } else {
            from.tell(from.services().system(), new Mail.PassOn(name(), m));
        }
    }

    /** What an actor sends, or the set-up if that is null, for this one to get a message. */
    Object mail(Object message, ActorRef sender, LibraryActor from) {
        if (path.part() != null) {
            return new Mail.To(path.part(), message);
        }
        boolean isItsOwn = from == null ? sender == null : sender instanceof ClassicRef s && s.path.equals(new NamePath(from.self(), null));
        return isItsOwn ? message : new Mail.Tell(message, sender);
    }

    @Override
    public NamePath path() {
        return path;
    }

    // What happens to it as an actor fails or is to stop.

    @Override
    public void sendSystemMessage(SystemMessage message) {
        if (!(LocalSystem.actor() instanceof ClassicActor from)) {
            throw LocalSystem.unsupported("a watch or stop of a classic actor by a typed one");
        }
        from.send(message, this);
    }

    @Override
    public void start() {}

    @Override
    public void suspend() {
        sendSystemMessage(new Suspend());
    }

    @Override
    public void resume(Throwable cause) {
        sendSystemMessage(new Resume(cause));
    }

    @Override
    public void restart(Throwable cause) {
        sendSystemMessage(new Recreate(cause));
    }

    @Override
    public void stop() {
        sendSystemMessage(new Terminate());
    }

    @Override
    public ActorRefProvider provider() {
        return LocalProvider.ONLY;
    }

    @Override
    public InternalActorRef getParent() {
        throw LocalSystem.unsupported("the parent of a reference");
    }

    @Override
    public InternalActorRef getChild(Iterator<String> names) {
        return Nobody$.MODULE$;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isTerminated() {
        return false; // nobody knows
    }

    @Override
    public boolean canEqual(Object that) {
        return that instanceof ClassicRef;
    }

    @Override
    public int productArity() {
        return 1;
    }

    @Override
    public Object productElement(int n) {
        return path;
    }
}
