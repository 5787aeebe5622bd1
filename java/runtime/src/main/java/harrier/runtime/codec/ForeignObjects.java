package harrier.runtime.codec;

import harrier.Actor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that could change and that others than actors hold: static fields, or the fields of a scenario. An actor
 * must not reach one: its state is decoded for each step, so what it changes would be a copy that nobody else has.
 */
public final class ForeignObjects {
    /** By the name of the class: identity hash codes may be all the same. */
    private final Map<String, List<Place>> places = new HashMap<>();
    private final String prefix;
    private final String suffix;
    private final String mend;

    /**
     * A way to an object.
     *
     * @param bare whether it is no way through an unmodifiable view
     */
    private record Place(Object object, String path, boolean bare) {}

    private ForeignObjects(String prefix, String suffix, String mend) {
        this.prefix = prefix;
        this.suffix = suffix;
        this.mend = mend;
    }

    /** What static fields hold; nothing so far. */
    public static ForeignObjects byStatics() {
        return new ForeignObjects("the static field ", "", "actors share nothing but messages: give the actor its own, or one that"
            + " cannot change; --allow statics=frozen gives it a copy");
    }

    /** What the fields of a scenario hold; nothing so far. */
    public static ForeignObjects byScenario() {
        return new ForeignObjects("field ", " of the scenario", "that one stays as it is after the set-up: give the actor its own,"
            + " and read what an actor has with actor(name, ...)");
    }

    public boolean isEmpty() {
        return places.isEmpty();
    }

    /** Notes an object on the encoder's present path. */
    void add(Encoder e, Object object, Plan plan, boolean bare) {
        if (ReachedObjects.isShareable(object, plan) && !(object instanceof Actor)) {
            return;
        }
        places.computeIfAbsent(plan.type.getName(), n -> new ArrayList<>()).add(new Place(object, e.path(), bare));
    }

    /** Refuses an object that an actor reaches on the encoder's present path, if it is held. */
    void refuse(Encoder e, String actor, Object object, Plan plan, boolean bare) {
        Place place = find(plan.type.getName(), object, bare);
        if (place != null && !ReachedObjects.isShareable(object, plan)) {
            throw shared(actor, e.path(), place);
        }
    }

    /** Refuses an object that an actor reaches on a path, if it is held. */
    void refuse(String actor, String path, Object object, boolean bare) {
        Place place = find(object.getClass().getName(), object, bare);
        if (place != null) {
            throw shared(actor, path, place);
        }
    }

    /** Refuses that an actor itself is held. */
    void refuse(String name, Actor actor) {
        Place place = find(actor.getClass().getName(), actor, true);
        if (place != null) {
            throw new NotCapturableException(prefix + place.path + suffix + " holds the actor " + name
                + " itself, which stays as it is after the set-up: hold the ActorName that create returns, and read the"
                + " actor with actor(name, ...)");
        }
    }

    private Place find(String type, Object object, boolean bare) {
        for (Place place : places.getOrDefault(type, List.of())) {
            if (place.object == object && (bare || place.bare)) {
                return place;
            }
        }
        return null;
    }

    private NotCapturableException shared(String actor, String path, Place place) {
        return new NotCapturableException("field " + path + " of " + actor + " holds the same "
            + place.object.getClass().getTypeName() + " as " + prefix + place.path + suffix + ": " + mend);
    }
}
