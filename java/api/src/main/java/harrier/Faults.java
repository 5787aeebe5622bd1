package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says which actors may crash. A crash may come between any two steps. Nothing says that it must: a state in
 * which nothing but crashes can happen is an end.
 *
 * <p>Actors are given by the roles or names under which the scenario creates them; none means all of these.
 * Actors that handlers create do not crash. A budget says how often it may happen in a run, all these actors
 * together; with 0 it does not.
 */
public final class Faults {
    private final Consumer<Declaration> declare;

    Faults(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /**
     * These actors may crash so many times, and start again: what is not {@link Durable} is lost, messages on their
     * way to them are not, and {@link Actor#onRestart} runs.
     */
    public Faults crashes(int budget, String... actors) {
        return declare(Kind.CRASH, Declaration.requireBudget("crashes", budget), actors);
    }

    /** So many of these actors may crash for good. */
    public Faults stops(int budget, String... actors) {
        return declare(Kind.STOP, Declaration.requireBudget("stops", budget), actors);
    }

    private Faults declare(Kind kind, int budget, String... actors) {
        declare.accept(new Declaration(kind, budget, List.of(actors)));
        return this;
    }
}
