package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.host.Host;
import harrier.host.Hosting;
import java.util.function.Function;

/**
 * What an actor reaches while it is only looked at, by a guard or a property: its name.
 *
 * @param name the actor's name
 * @param refusal what is thrown when one of the other methods is called, from the method's name
 */
public record ReadOnlyHost(String name, Function<String, RuntimeException> refusal) implements Host {
    /** For guards and properties. */
    public ReadOnlyHost(String name) {
        this(name, method -> new IllegalStateException(
            method + " works in start() and in handlers only: guards and properties must only read"));
    }

    @Override
    public ActorName self() {
        return Hosting.access().name(name);
    }

    @Override
    public ActorName sender() {
        throw onlyReads("reply");
    }

    @Override
    public void send(ActorName to, Object message) {
        throw onlyReads("send");
    }

    @Override
    public ActorName create(String role, Actor child) {
        throw onlyReads("create");
    }

    @Override
    public int choose(int n) {
        throw onlyReads("choose");
    }

    @Override
    public void invoked(Object operation) {
        throw onlyReads("invoked");
    }

    @Override
    public void returned(Object result) {
        throw onlyReads("returned");
    }

    @Override
    public void setTimer(Object timer, long min, long max) {
        throw onlyReads("setTimer");
    }

    @Override
    public boolean cancelTimer(Object timer) {
        throw onlyReads("cancelTimer");
    }

    @Override
    public void stop() {
        throw onlyReads("stop");
    }

    @Override
    public void requireChanging(String method) {
        throw onlyReads(method);
    }

    private RuntimeException onlyReads(String method) {
        return refusal.apply(method);
    }
}
