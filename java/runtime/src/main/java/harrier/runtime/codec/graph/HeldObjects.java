package harrier.runtime.codec.graph;

import harrier.Actor;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that some hold and that could change, with the fields that lead there. No two actors may hold the same one:
 * what one does to it would show at the other without any message. Nor may an actor and a static field, or a field of the
 * scenario: its state is decoded for each step, so what it changes would be a copy that nobody else has.
 *
 * <p>What cannot change may be shared, with all that is in it but what can change: an object whose fields are all
 * final, an immutable collection, or a collection that both only have an unmodifiable view of.
 */
public final class HeldObjects {
    /** By the name of the class, as objects are not to draw identity hash codes ({@link Numbers}). */
    private final Map<String, List<Place>> places = new LinkedHashMap<>();
    private final List<Place> actors = new ArrayList<>();
    private final boolean areActors;
    private final String where;
    private final String mend;

    /**
     * A way to an object.
     *
     * @param actor whose it is; empty if it is no actor's
     * @param bare whether it is no way through an unmodifiable view
     */
    private record Place(Object object, Class<?> type, String actor, String path, boolean bare) {}

    private HeldObjects(boolean areActors, String where, String mend) {
        this.areActors = areActors;
        this.where = where;
        this.mend = mend;
    }

    /** What some actors reach; nothing so far. */
    public static HeldObjects byActors() {
        return new HeldObjects(true, "field %s of %s", "actors must not share what can change; give each its own, or one that"
            + " cannot change");
    }

    /** What static fields hold; nothing so far. */
    public static HeldObjects byStatics() {
        return new HeldObjects(false, "the static field %s", "actors share nothing but messages: give the actor its own, or one"
            + " that cannot change; --allow statics=frozen gives it a copy");
    }

    /** What the fields of a scenario hold; nothing so far. */
    public static HeldObjects byScenario() {
        return new HeldObjects(false, "field %s of the scenario", "that one stays as it is after the set-up: give the actor its"
            + " own, and read what an actor has with actor(name, ...)");
    }

    public boolean isEmpty() {
        return places.isEmpty();
    }

    /** Reports whether nobody can change an object, other than the objects that it refers to. */
    public static boolean isShareable(Object object, Plan plan) {
        return !plan.canChange() || plan.isArray && Array.getLength(object) == 0;
    }

    /** Notes an actor. */
    void add(String name, Actor actor) {
        actors.add(new Place(actor, actor.getClass(), name, "", true));
    }

    /** Notes an object on the encoder's present path, which is no actor's. */
    void add(Encoder e, Object object, Plan plan, boolean bare) {
        if (!isShareable(object, plan) || object instanceof Actor) {
            add(e, "", object, plan, bare);
        }
    }

    private void add(Encoder e, String actor, Object object, Plan plan, boolean bare) {
        places.computeIfAbsent(plan.type.getName(), n -> new ArrayList<>())
            .add(new Place(object, plan.type, actor, e.path().text(), bare));
    }

    /** Refuses an object that an actor reaches on the encoder's present path, if others hold it, too. */
    void refuse(Encoder e, String actor, Object object, Plan plan, boolean bare) {
        Place place = find(actor, object, plan.type, bare);
        if (place != null && !isShareable(object, plan)) {
            throw shared(actor, e.path().text(), place);
        }
    }

    /** Likewise, and notes that it does. */
    void meet(Encoder e, String actor, Object object, Plan plan, boolean bare) {
        if (isShareable(object, plan)) {
            return;
        }
        refuse(e, actor, object, plan, bare);
        if (places.getOrDefault(plan.type.getName(), List.of()).stream()
                .noneMatch(p -> p.object == object && p.bare == bare && p.actor.equals(actor))) {
            add(e, actor, object, plan, bare);
        }
    }

    /**
     * Refuses an object that others hold, too.
     *
     * @throws NotCapturableException if an actor reaches it, or is it
     */
    public void refuse(HeldObjects others) {
        for (Place a : actors) {
            Place place = others.find(a.actor, a.object, a.type, true);
            if (place != null) {
                throw new NotCapturableException(others.where(place) + " holds the actor " + a.actor
                    + " itself, which stays as it is after the set-up: hold the ActorName that create returns, and read the"
                    + " actor with actor(name, ...)");
            }
        }
        places.values().forEach(all -> all.forEach(p -> {
            Place place = others.find(p.actor, p.object, p.type, p.bare);
            if (place != null) {
                throw others.shared(p.actor, p.path, place);
            }
        }));
    }

    private Place find(String actor, Object object, Class<?> type, boolean bare) {
        for (Place place : places.getOrDefault(type.getName(), List.of())) {
            if (place.object == object && (bare || place.bare) && !place.actor.equals(actor)) {
                return place;
            }
        }
        return null;
    }

    private NotCapturableException shared(String actor, String path, Place place) {
        return new NotCapturableException("field " + path + " of " + actor + " holds the same " + place.type.getTypeName()
            + " as " + where(place) + ": " + mend, areActors);
    }

    private String where(Place place) {
        return where.formatted(place.path, place.actor);
    }
}
