package harrier.pekko;

import harrier.ActorName;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.InvalidMessageException;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import scala.Product;

/**
 * A reference to an actor: its name. It is a value, so messages and actors may hold it, and it is renamed with the name. The library
 * knows it as a reference of its own, to a classic actor that is nobody.
 */
final class Ref<T> extends ActorRefAdapter<T> implements Product {
    private final NamePath path;

    /** The reference to an actor itself, or to a part of it. */
    Ref(ActorName name, String part) {
        super(Nobody$.MODULE$);
        path = new NamePath(name, part);
    }

    /** The reference to an actor itself. */
    Ref(ActorName name) {
        this(name, null);
    }

    /** What the library or a program holds as a reference to an actor. */
    static Ref<?> of(ActorRef<?> ref) {
        if (ref instanceof Ref<?> known) {
            return known;
        }
        if (ref instanceof ActorRefAdapter<?> answer && !(answer.classicRef() instanceof Nobody$)) {
            NamePath path = ClassicRef.of(answer.classicRef()).path(); // of AskPattern
            return new Ref<>(path.actor(), path.part());
        }
        throw new AssertionError(ref + " is no reference to an actor of the scenario");
    }

    /** The actor's name, which counterexamples show. */
    public ActorName name() {
        return path.actor();
    }

    /** What messages are for within the actor; null for the actor itself. */
    String part() {
        return path.part();
    }

    @Override
    public void tell(T message) {
        if (message == null) {
            throw new InvalidMessageException("[null] is not an allowed message");
        }
        Outbox.here().tell(name(), mail(message));
    }

    /** What is sent to tell a message. */
    Object mail(Object message) {
        return part() == null ? message : new Mail.To(part(), message);
    }

    @Override
    public ActorRefProvider provider() {
        return LocalProvider.ONLY;
    }

    @Override
    public boolean isTerminated() {
        return false; // nobody knows
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public boolean canEqual(Object that) {
        return that instanceof Ref;
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
