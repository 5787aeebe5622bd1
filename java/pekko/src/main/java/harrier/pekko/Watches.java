package harrier.pekko;

import harrier.ActorName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The actors that an actor watches. */
final class Watches {
    private final TypedActor<?> actor;
    private final Map<Ref<?>, Watch> all = new LinkedHashMap<>();

    /**
     * A watch.
     *
     * @param message what the actor is to get in place of a signal; null for a signal
     * @param cause why a child fails that is watched; null if it does not
     */
    private record Watch(Object message, Throwable cause) {}

    Watches(TypedActor<?> actor) {
        this.actor = actor;
    }

    /** Watches one more; fails as the library does if it is watched otherwise. */
    void add(Ref<?> ref, Object message) {
        if (ref.name().equals(actor.self())) {
            return;
        }
        Watch before = all.get(ref);
        if (before == null) {
            all.put(ref, new Watch(message, null));
            actor.watchOther(ref.name());
        } else if (!Objects.equals(before.message, message)) {
            throw new IllegalStateException("Watch(" + new Ref<>(actor.self()) + ", " + ref + ") termination message was not overwritten from ["
                + before.message + "] to [" + message + "]. If this was intended, unwatch first before using `watch` / `watchWith` with"
                + " another message.");
        }
    }

    /** Watches one no more. */
    void remove(Ref<?> ref) {
        if (all.remove(ref) != null && all.keySet().stream().noneMatch(r -> r.name().equals(ref.name()))) {
            actor.unwatchOther(ref.name());
        }
    }

    /** A child says why it fails, which its watch has if there is one by now. */
    void fails(ActorName child, Throwable cause) {
        all.replaceAll((ref, watch) -> ref.name().equals(child) ? new Watch(watch.message, cause) : watch);
    }

    /** An actor has gone. */
    void gone(ActorName name) {
        for (Ref<?> ref : all.keySet().stream().filter(r -> r.name().equals(name)).toList()) {
            Watch watch = all.remove(ref);
            if (watch != null) {
                actor.terminated(ref, watch.message, watch.cause);
            }
        }
    }
}
