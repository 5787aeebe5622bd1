package harrier.runtime.codec;

import harrier.Actor;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that some actors reach and could change, with the fields that lead there. No two actors may reach the
 * same one: what one does to it would show at the other without any message.
 *
 * <p>What cannot change may be shared, with all that is in it but what can change: an object whose fields are all
 * final, an immutable collection, or a collection that both only have an unmodifiable view of.
 */
public final class ReachedObjects {
    /** By the name of the class: identity hash codes may be all the same. */
    private final Map<String, List<Meeting>> met = new LinkedHashMap<>();
    private final List<Meeting> actors = new ArrayList<>();

    /**
     * An actor's way to an object.
     *
     * @param mutable whether the way does not lead through an unmodifiable view
     */
    private record Meeting(Object object, String actor, String path, boolean mutable) {}

    /** Whether nobody can change an object, other than what it refers to. */
    static boolean isShareable(Object object, Plan plan) {
        return !plan.canChange() || plan.isArray && Array.getLength(object) == 0;
    }

    /** Notes an actor. */
    void add(String name, Actor actor) {
        actors.add(new Meeting(actor, name, "", true));
    }

    /**
     * Refuses what others hold, too.
     *
     * @throws NotCapturableException if an actor reaches it, or is it
     */
    public void refuse(ForeignObjects held) {
        actors.forEach(a -> held.refuse(a.actor, (Actor) a.object));
        met.values().forEach(all -> all.forEach(m -> held.refuse(m.actor, m.path, m.object, m.mutable)));
    }

    /** Notes that an actor reaches an object on the encoder's present path. Refuses what another one reaches too. */
    void meet(Encoder e, String actor, Object object, Plan plan, boolean mutable) {
        if (isShareable(object, plan)) {
            return;
        }
        List<Meeting> meetings = met.computeIfAbsent(plan.type.getName(), n -> new ArrayList<>());
        boolean known = false;
        for (Meeting m : meetings) {
            if (m.object != object) {
                continue;
            }
            if (!m.actor.equals(actor) && (mutable || m.mutable)) {
                throw NotCapturableException.shared(actor, e.path(), m.actor, m.path, plan.type);
            }
            known |= m.actor.equals(actor) && m.mutable == mutable;
        }
        if (!known) {
            meetings.add(new Meeting(object, actor, e.path(), mutable));
        }
    }
}
