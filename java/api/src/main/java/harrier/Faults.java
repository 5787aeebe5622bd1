package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.Declaration.Manner;
import harrier.host.WrongDeclaration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Declares which actors may crash, and which are Byzantine. By default none crashes, and none is Byzantine. A declared crash may come
 * between any two steps of a run, and after {@link #withinHandlers} within a step, too. It need not come: a state in which nothing but
 * faults can happen is one in which a run ends, and {@link Final} methods are evaluated there.
 *
 * <p>Actors are given by the roles or names under which the scenario creates them. Crashes without a role or name may be of all these
 * actors. Actors that handlers create do not crash.
 *
 * <p>The budget of a declaration says how often its fault may happen in one run, all of its actors together. With 0 it does not happen,
 * so that a {@link Parameter} may be the budget; a negative one is an error. Several declarations have a budget each:
 *
 * <pre>{@code
 * faults().crashes(2, "server")                        // two crashes: of one server twice, or of two servers
 *     .crashes(1, "client").stops(1, "client");        // one client restarts, and the same or another one stops
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 * @see <a href="{@docRoot}/guide.html#byzantine-actors">Guide: Byzantine actors</a>
 */
public final class Faults {
    private final Consumer<Declaration> declare;
    /** The last declaration; null before the first. */
    private Declaration last;

    Faults(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /**
     * Declares that actors may crash and start again. Fields of the actor are then as its constructor left them, but for {@link Durable}
     * ones and what a {@link DurableStore} holds. Its timers and tasks are gone, its clock is where it starts, and an operation that was
     * pending stays so for ever. Messages in flight to it stay, and {@link Actor#onRestart} runs.
     *
     * @param budget the number of crashes in a run, all these actors together
     * @param actors roles or names; none for all actors that the scenario creates
     */
    public Faults crashes(int budget, String... actors) {
        return declare(Kind.CRASH, Declaration.requireBudget("crashes", budget), actors);
    }

    /**
     * Declares that actors may crash and not start again. As after {@link Actor#stop}, messages to such an actor vanish, and properties
     * see it by {@link Scenario#stopped} only.
     *
     * @param budget the number of actors that crash so in a run
     * @param actors roles or names; none for all actors that the scenario creates
     */
    public Faults stops(int budget, String... actors) {
        return declare(Kind.STOP, Declaration.requireBudget("stops", budget), actors);
    }

    /**
     * Has the crashes or stops that were declared last come within handlers, too. By default they come between two steps only. The crash
     * is before, between or after the effects of a handler: the messages that it sends, the actors that it creates, its writes to a
     * {@link DurableStore}, and the operations that it begins or ends. Effects before the crash stay, a {@link Durable} field has the
     * value that it has at that moment, and the messages that the handler takes are consumed. {@code start} and {@code onRestart} run to
     * their ends.
     *
     * <pre>{@code
     * faults().stops(1).crashes(1, "server").withinHandlers(); // crashes of servers, but not stops, come within handlers
     * }</pre>
     */
    public Faults withinHandlers() {
        if (last == null || last.kind() == Kind.BYZANTINE) {
            throw new WrongDeclaration("withinHandlers() comes right after crashes or stops, as in"
                + " faults().crashes(1).withinHandlers()");
        }
        last.manners().add(Manner.WITHIN_HANDLERS);
        return this;
    }

    /**
     * Has the actors that the crashes declared last are about be down for a while: a crash and the restart after it are two events, and
     * between them nothing of the actor happens. Messages to it wait, and {@link Scenario#isDown} is true of it; properties see it as the
     * crash left it, with what is durable, and otherwise as its constructor left it. An actor that is down need not start again, unless
     * {@link Fairness#recovers} says so. It does not crash again before it does.
     *
     * <pre>{@code
     * faults().crashes(1, "server").staysDown();
     * }</pre>
     */
    public Faults staysDown() {
        if (last == null || last.kind() != Kind.CRASH) {
            throw new WrongDeclaration("staysDown() comes right after crashes, as in faults().crashes(1).staysDown()");
        }
        last.manners().add(Manner.STAYS_DOWN);
        return this;
    }

    /**
     * Lets messages to an actor get lost while it is down, after {@link #staysDown}. Each message in flight to it may be lost, and need
     * not, as it may take longer than the actor is down.
     *
     * <pre>{@code
     * faults().crashes(1, "server").staysDown().losesMessages();
     * }</pre>
     */
    public Faults losesMessages() {
        if (last == null || !last.manners().contains(Manner.STAYS_DOWN)) {
            throw new WrongDeclaration("losesMessages() comes after staysDown(), as in"
                + " faults().crashes(1).staysDown().losesMessages()");
        }
        last.manners().add(Manner.LOSES_MESSAGES);
        return this;
    }

    /**
     * Declares actors to be adversaries, which send any message that an actor of their classes could send. The check finds these messages
     * by running the program without adversaries, and its summary has their number. They are sent at any time and to any actor. An
     * adversary runs no handlers and has no state; properties do not see it, and messages to it vanish.
     *
     * @param budget the number of messages in a run, all these actors together; with 0 they are no adversaries
     * @param actors roles or names, at least one
     */
    public Faults byzantine(int budget, String... actors) {
        return adversaries(budget, null, List.of(actors));
    }

    /**
     * Declares actors to be adversaries, as {@link #byzantine(int, String...)} does, which send no messages but these. Each may be sent
     * several times, and to any actor that {@link Scenario#setUp} creates and that has a handler for it. The program is refused if a
     * handler creates another actor that has one.
     *
     * <pre>{@code
     * faults().byzantine(2, List.of(new Vote(true), new Vote(false)), "voter3"); // up to two votes, which may differ
     * }</pre>
     *
     * @param budget the number of messages in a run, all these actors together; with 0 they are no adversaries
     * @param messages the messages, at least one unless the budget is 0
     * @param actors roles or names, at least one
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
