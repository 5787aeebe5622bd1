package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says what the network does to messages. Without a word, each message that is sent is received once, at any
 * time and in any order.
 *
 * <p>Receivers are given by the roles or the names of actors that the scenario creates; none means all. Actors
 * that handlers create belong to no role, but to all. A budget says how often something may happen in a run, all
 * receivers together; without one it may happen any number of times, and with 0 it does not.
 */
public final class Network {
    private final Consumer<Declaration> declare;

    Network(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /** What one actor sends to one of these receivers arrives in the order in which it was sent. */
    public Network fifo(String... receivers) {
        return declare(Kind.FIFO, Declaration.UNBOUNDED, receivers);
    }

    /** Messages to these receivers may get lost. */
    public Network lossy(String... receivers) {
        return declare(Kind.LOSE, Declaration.UNBOUNDED, receivers);
    }

    /** So many messages to these receivers may get lost. */
    public Network lossy(int budget, String... receivers) {
        return declare(Kind.LOSE, Declaration.requireBudget("lossy", budget), receivers);
    }

    /** Messages to these receivers may arrive any number of times, at any time after they were sent. */
    public Network duplicating(String... receivers) {
        return declare(Kind.DUPLICATE, Declaration.UNBOUNDED, receivers);
    }

    /** So many times a message to these receivers may be received, and yet stay to be received again. */
    public Network duplicating(int budget, String... receivers) {
        return declare(Kind.DUPLICATE, Declaration.requireBudget("duplicating", budget), receivers);
    }

    /**
     * The network may split in two so many times: these actors on one side, all others on the other one. What is
     * sent across waits until the network heals, or gets lost.
     */
    public Network partition(int budget, String... side) {
        if (side.length == 0) {
            throw new WrongDeclaration("partition(" + budget + "): name the actors of one side, by role or name");
        }
        return declare(Kind.SPLIT, Declaration.requireBudget("partition", budget), side);
    }

    private Network declare(Kind kind, int budget, String... whom) {
        declare.accept(new Declaration(kind, budget, List.of(whom)));
        return this;
    }
}
