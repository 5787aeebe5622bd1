package harrier.runtime.actor;

import harrier.runtime.codec.Codec;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.rewrite.Coverage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all steps of a program have in common.
 *
 * @param codec encodes its states and messages
 * @param declared its scenario's declarations of roles, timers, the network, crashes and adversaries
 * @param newActors the states that its actors were made with
 * @param covered says when executed code counts as executed by steps
 * @param classes memory of {@link #classOf}
 */
public record Setting(Codec codec, Declared declared, NewActors newActors, Coverage.Copy covered, Map<Class<?>, ActorClass> classes) {
    /**
     * For a program whose scenario has said nothing yet.
     *
     * @param honest whether Byzantine actors are as they would be without being declared so
     */
    public static Setting of(Codec codec, boolean honest, Coverage.Copy covered) {
        Declared declared = new Declared(honest);
        return new Setting(codec, declared, new NewActors(codec, declared), covered, new ConcurrentHashMap<>());
    }

    /** The facts of an actor class. Which step finds them depends on who comes first. */
    public ActorClass classOf(Class<?> type) {
        return classes.computeIfAbsent(type, t -> Order.plain(() -> ActorClass.of(t)));
    }
}
