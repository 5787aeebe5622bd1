package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.Hosting;
import harrier.host.Host;
import java.util.function.Function;

/**
 * What an actor reaches while it is only looked at, by a guard or a property: its name.
 *
 * @param name the actor's name
 * @param refusal the error when one of the other methods is called, from the method's name
 */
public record ReadOnlyHost(String name, Function<String, RuntimeException> refusal) implements Host<ActorName, Actor> {
    /** For guards and properties. */
    public ReadOnlyHost(String name) {
        this(name, method -> new IllegalStateException(
            method + " works in start() and in handlers only: guards and properties must only read"));
    }

    @Override
    public ActorName self() {
        return Hosting.name(name);
    }

    @Override
    public RuntimeException refusal(String method) {
        return refusal.apply(method);
    }
}
