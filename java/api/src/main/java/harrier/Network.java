package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says what the network does to messages. By default, each message that is sent is received once, at any
 * time and in any order.
 *
 * <p>Receivers are given by the roles or the names of actors that the scenario creates; none means all. Actors
 * that handlers create belong to no role, but to all. A budget says how often something may happen in a run, all
 * receivers together; without one it may happen any number of times, and with 0 it does not. {@code lossy().from("client")
 * .to("server")} is about messages of clients to servers, and with {@code .andChildren()} after that also of clients to
 * actors that servers create.
 *
 * @see <a href="{@docRoot}/guide.html#channels">Guide: channels</a>
 */
public final class Network {
    private final Consumer<Declaration> declare;
    /** What was said last. */
    private Declaration last;
    /** Whom that named last: its receivers, its senders, or its side. */
    private List<String> named;

    Network(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /** What one actor sends to one of these receivers arrives in the order in which it was sent. */
    public Network fifo(String... receivers) {
        return declare(Kind.FIFO, Declaration.UNBOUNDED, receivers);
    }

    /** Messages to these receivers may get lost, but not what an actor sends to itself. */
    public Network lossy(String... receivers) {
        return declare(Kind.LOSE, Declaration.UNBOUNDED, receivers);
    }

    /** So many messages to these receivers may get lost, but not what an actor sends to itself. */
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

    /** What was said last of losses, or of duplicates with a budget, is about messages from these senders only. */
    public Network from(String... senders) {
        Declaration of = narrowed("from");
        if (senders.length == 0 || of.kind() != Kind.LOSE && (of.kind() != Kind.DUPLICATE || of.budget() == Declaration.UNBOUNDED)) {
            throw new WrongDeclaration("from(" + String.join(", ", senders) + "): name senders, after lossy or duplicating with a budget");
        }
        of.senders().addAll(List.of(senders));
        named = of.senders();
        return this;
    }

    /** Adds receivers to what was said last; if none were named, it is about these in place of all. */
    public Network to(String... receivers) {
        Declaration of = narrowed("to");
        if (receivers.length == 0 || of.kind() == Kind.SPLIT) {
            throw new WrongDeclaration("to(" + String.join(", ", receivers) + "): name receivers, after fifo, lossy or duplicating");
        }
        of.whom().addAll(List.of(receivers));
        named = of.whom();
        return this;
    }

    /** Adds, to the actors that were named just before, those that they create, and those that these create, and so on. */
    public Network andChildren() {
        narrowed("andChildren");
        if (named.isEmpty()) {
            throw new WrongDeclaration("andChildren() comes after names, as in network().lossy().to(\"server\").andChildren():"
                + " without names all actors are meant");
        }
        named.addAll(named.stream().filter(n -> !n.isEmpty() && !n.endsWith("/")).map(Declaration::childrenOf).toList());
        return this;
    }

    /** What was said last of losses is about what actors send to themselves, too: those that are both senders and receivers in it. */
    public Network andToSelf() {
        Declaration of = narrowed("andToSelf");
        if (of.kind() != Kind.LOSE) {
            throw new WrongDeclaration("andToSelf() comes after lossy: only losses leave alone what an actor sends to itself");
        }
        of.senders().add(Declaration.SELF);
        return this;
    }

    private Declaration narrowed(String method) {
        if (last == null) {
            throw new WrongDeclaration(method + " comes right after what it narrows, as in network().lossy().from(\"client\")");
        }
        return last;
    }

    private Network declare(Kind kind, int budget, String... whom) {
        last = new Declaration(kind, budget, new ArrayList<>(List.of(whom)));
        named = last.whom();
        declare.accept(last);
        return this;
    }
}
