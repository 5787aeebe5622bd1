package harrier.pekko;

import harrier.ActorName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** The children of an actor, until it knows that they have stopped. */
final class Children {
    private final TypedActor<?> parent;
    /** By their names. */
    private final Map<String, Child> all = new TreeMap<>();
    /** How many got no name. */
    private int anonymous;
    /** Whether the parent stops. */
    private boolean isStopping;

    private record Child(ActorName name, boolean isStopping) {}

    Children(TypedActor<?> parent) {
        this.parent = parent;
    }

    /**
     * Spawns a child.
     *
     * @param name null if it is to get one
     */
    <U> ActorRef<U> spawn(String name, Behavior<U> behavior) {
        Behavior.validateAsInitial(behavior);
        String called = name == null ? "$" + letters(anonymous++) : name;
        if (name != null) {
            ActorPath.validatePathElement(name);
        }
        if (all.containsKey(called)) {
            throw new InvalidActorNameException("actor name [" + called + "] is not unique!");
        }
        if (isStopping) {
            throw new IllegalStateException("cannot create children while terminating or terminated");
        }
        ActorName created = parent.createChild(NamePath.role(called), behavior);
        all.put(called, new Child(created, false));
        return new Ref<>(created);
    }

    /** The names that the library gives: a, b, and so on. */
    private static String letters(int number) {
        String last = String.valueOf((char) ('a' + number % 26));
        return number < 26 ? last : letters(number / 26 - 1) + last;
    }

    /** Stops a child; fails as the library does if it is none. */
    void stop(Ref<?> child) {
        ActorName self = parent.self();
        if (child.name().equals(self)) {
            throw new IllegalArgumentException("Only direct children of an actor can be stopped through the actor context, but you tried to stop ["
                + self + "] by passing its ActorRef to the `stop` method. Stopping self has to be expressed as explicitly returning a Stop"
                + " Behavior with `Behaviors.stopped`.");
        }
        for (Map.Entry<String, Child> e : all.entrySet()) {
            if (e.getValue().name.equals(child.name())) {
                stop(e);
                return;
            }
        }
        if (!child.path().parent().equals(new NamePath(self, null).plain())) { // else one that has stopped
            throw new IllegalArgumentException("Only direct children of an actor can be stopped through the actor context, but [" + child
                + "] is not a child of [" + self + "]. Stopping other actors has to be expressed as an explicit stop message that the"
                + " actor accepts.");
        }
    }

    /** It takes nothing that is sent to it after this, and need not take what was sent before: either message stops it. */
    private void stop(Map.Entry<String, Child> child) {
        if (!child.getValue().isStopping) {
            parent.tell(parent.services().system(), new Mail.PassOn(child.getValue().name, new Mail.Stop()));
            parent.tell(child.getValue().name, new Mail.Stop());
            child.setValue(new Child(child.getValue().name, true));
        }
    }

    /** The parent stops, and has all stopped. */
    void stopAll() {
        isStopping = true;
        all.entrySet().forEach(this::stop);
    }

    /** Forgets one, which has gone, and reports whether it was one. */
    boolean remove(ActorName child) {
        return all.values().removeIf(c -> c.name.equals(child));
    }

    boolean has(ActorName child) {
        return all.values().stream().anyMatch(c -> c.name.equals(child));
    }

    boolean isStopping() {
        return isStopping;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The names of their actors. */
    List<ActorName> names() {
        return all.values().stream().map(Child::name).toList();
    }

    /** The references to them. */
    List<ActorRef<?>> refs() {
        List<ActorRef<?>> refs = new ArrayList<>();
        all.values().forEach(c -> refs.add(new Ref<>(c.name)));
        return refs;
    }

    /** The reference to the one with a name; null if there is none. */
    ActorRef<?> ref(String name) {
        Child child = all.get(name);
        return child == null ? null : new Ref<>(child.name);
    }
}
