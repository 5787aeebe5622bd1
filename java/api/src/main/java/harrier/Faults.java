package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says which actors may crash, and which are Byzantine. A fault may come between any two steps, and crashes within
 * them, if that is said. Nothing says that it must: a state in which nothing but faults can happen is an end.
 *
 * <p>Actors are given by the roles or names under which the scenario creates them; none means all of these, where
 * nothing else is said. Actors that handlers create do not crash. A budget says how often it may happen in a run, all
 * these actors together; with 0 it does not.
 *
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 * @see <a href="{@docRoot}/guide.html#byzantine-actors">Guide: Byzantine actors</a>
 */
public final class Faults {
    private final Consumer<Declaration> declare;
    /** What was said last. */
    private Declaration last;

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

    /**
     * What was said last of crashes, or of stops, happens within handlers, too: before, between and after what a handler
     * sends, the actors that it creates, what it writes to a {@link DurableStore} and the operations that it begins or
     * ends. What it did so far stays, and what it handles is consumed. A field that is {@link Durable} holds what the
     * handler gave it so far. {@code start} and {@code onRestart} run to their ends.
     */
    public Faults withinHandlers() {
        if (last == null || last.kind() == Kind.BYZANTINE) {
            throw new WrongDeclaration("withinHandlers() comes right after crashes or stops, as in"
                + " faults().crashes(1).withinHandlers()");
        }
        last.within().set(true);
        return this;
    }

    /**
     * These actors are adversaries: they run no handlers and have no state, and properties do not see them. Messages to
     * them vanish. All together they send at most so many messages, each at any time and to any actor: by default any
     * message that an actor of these classes could send, as far as the check finds out.
     *
     * @param actors roles or names, at least one; with budget 0 they are as they would be without this
     */
    public Faults byzantine(int budget, String... actors) {
        return adversaries(budget, null, List.of(actors));
    }

    /**
     * These actors are adversaries, as above, that send some of these messages only, each to any actor of the start with a
     * handler for it.
     */
    public Faults byzantine(int budget, Collection<?> messages, String... actors) {
        if (budget > 0 && messages.isEmpty()) {
            throw new WrongDeclaration("byzantine(" + budget + ", []): declare a message that they send, or none at all for"
                + " those that the check finds");
        }
        return adversaries(budget, new ArrayList<>(messages), List.of(actors));
    }

    private Faults adversaries(int budget, List<?> messages, List<String> actors) {
        Declaration.requireBudget("byzantine", budget);
        if (actors.isEmpty()) {
            throw new WrongDeclaration("byzantine(" + budget + "): name the actors that are, by role or name");
        }
        return declare(new Declaration(Kind.BYZANTINE, budget, actors, List.of(), messages));
    }

    private Faults declare(Kind kind, int budget, String... actors) {
        return declare(new Declaration(kind, budget, List.of(actors)));
    }

    private Faults declare(Declaration declaration) {
        last = declaration;
        declare.accept(declaration);
        return this;
    }
}
