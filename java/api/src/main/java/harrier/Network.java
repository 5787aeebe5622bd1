package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.TimeBounds;
import harrier.host.World;
import harrier.host.WrongDeclaration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Declares what the network may do to messages. By default each message is received once, at any time and in any order. Losses,
 * duplicates and partitions that are declared may happen, and need not.
 *
 * <p>Actors are given by the roles or names under which the scenario creates them. A declaration without a role or name is about all
 * actors, also those that handlers create, which no role or name covers without {@link #andChildren}.
 *
 * <p>The budget of a declaration says how often it may happen in one run, all its receivers together. With 0 it does not happen, so that
 * a {@link Parameter} may be the budget; a negative one is an error. Without a budget it may happen any number of times. Several
 * declarations have a budget each. {@link #from}, {@link #to}, {@link #andChildren} and {@link #andToSelf} are about the declaration
 * before them:
 *
 * <pre>{@code
 * network().fifo()                                         // all channels keep the order of messages
 *     .lossy(2, "server")                                  // two messages to servers may get lost,
 *     .lossy().from("client").to("proxy").andChildren();   // and any from clients to proxies and to actors that proxies create
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#channels">Guide: channels</a>
 */
public final class Network {
    private final Consumer<Declaration> declare;
    private final Consumer<TimeBounds> time;
    /** The last declaration; null before the first. */
    private Declaration last;
    /** The actors that it named last: its receivers, its senders, or its side. */
    private List<String> named;

    Network(Consumer<Declaration> declare, Consumer<TimeBounds> time) {
        this.declare = declare;
        this.time = time;
    }

    /**
     * Declares how long messages are in flight at most, where time goes on ({@link Scenario#clocks}): at most so many ticks later, a message
     * was received, or lost. This is not so of one whose receiver does not take it: whose handlers do not accept it, or that is
     * down, and not while the network is split between them.
     *
     * @param max a number of ticks; none has messages arrive before time goes on
     */
    public Network delay(Duration max) {
        time.accept(new TimeBounds(null, null, null, max));
        return this;
    }

    /**
     * Declares that messages from one actor to one of these receivers are received in the order in which they were sent. Those of
     * different senders are received in any order. The messages that the scenario sends count as those of one sender.
     *
     * @param receivers roles or names; none for all actors
     */
    public Network fifo(String... receivers) {
        return declare(Kind.FIFO, Declaration.UNBOUNDED, receivers);
    }

    /**
     * Declares that any two of these actors send to each other on a connection, which opens when one of them sends. Each receives what the
     * other one sends in the order in which that was sent. When one of them crashes or stops, when the network is split between them, which
     * may break the connection, or when one calls {@link Actor#disconnect}, the connection is closed: of what is in flight on it the last
     * messages are lost, as many as may be, and after the last one that arrived the other end is told, if it has a handler for it: {@code
     * @Handler void on(Disconnected d)}. What it sends before that is lost, too; what it sends later opens another connection. An actor that
     * is down, or has stopped, refuses connections. What others send to them is received as if {@link #fifo} were said of them.
     *
     * @param actors roles or names; none for all actors
     */
    public Network connections(String... actors) {
        return declare(Kind.CONNECTION, Declaration.UNBOUNDED, actors);
    }

    /**
     * Declares that any messages to these receivers may get lost, but for those that an actor sends to itself.
     *
     * @param receivers roles or names; none for all actors
     */
    public Network lossy(String... receivers) {
        return declare(Kind.LOSE, Declaration.UNBOUNDED, receivers);
    }

    /**
     * Declares that so many messages to these receivers may get lost, but for those that an actor sends to itself.
     *
     * @param budget the number of losses in a run, all these receivers together
     * @param receivers roles or names; none for all actors
     */
    public Network lossy(int budget, String... receivers) {
        return declare(Kind.LOSE, Declaration.requireBudget("lossy", budget), receivers);
    }

    /**
     * Declares that each of these receivers has a mailbox of a size: a message that arrives when it is full is dropped, also one that the
     * receiver sends to itself. A message in flight may have arrived or not, so any may be dropped while at least {@code size} others are in
     * flight to the receiver. Nobody is told. It does not go together with {@link #fifo}, {@link #connections}, {@link #partition} and
     * duplication without a bound.
     *
     * @param size how many messages it holds, at least 1
     * @param receivers roles or names; none for all actors
     */
    public Network mailbox(int size, String... receivers) {
        if (size < 1) {
            throw new WrongDeclaration("mailbox(" + size + "): a mailbox holds at least one message");
        }
        return declare(Kind.MAILBOX, size, receivers);
    }

    /**
     * Declares that messages to these receivers may be received any number of times, at any time after they were sent. Equal messages
     * from one sender to one receiver are then one, as it makes no difference how often such a message is sent.
     *
     * @param receivers roles or names; none for all actors
     */
    public Network duplicating(String... receivers) {
        return declare(Kind.DUPLICATE, Declaration.UNBOUNDED, receivers);
    }

    /**
     * Declares that so many times a message to these receivers may be received and yet stay in flight, to be received again. With a
     * budget of 2, one message may be received three times, or two messages twice.
     *
     * @param budget the number of duplicates in a run, all these receivers together
     * @param receivers roles or names; none for all actors
     */
    public Network duplicating(int budget, String... receivers) {
        return declare(Kind.DUPLICATE, Declaration.requireBudget("duplicating", budget), receivers);
    }

    /**
     * Declares that the network may split in two: these actors on one side, all others on the other one, also those that handlers create
     * unless {@link #andChildren} follows. While it is split, messages from one side to the other are not received, and may get lost.
     * Those that the scenario sends are at their receiver's side. The network may heal at any time, and no run ends while it is split.
     * That it heals in each fair run is said by {@link Fairness#heals}.
     *
     * @param budget the number of times that it may split in a run
     * @param side roles or names, but not all; none if {@link #from} or {@link #to} follows: then the cut is of one way, and stops
     *     messages from these actors to those, or from and to all others where only one of them follows
     */
    public Network partition(int budget, String... side) {
        return declare(side.length == 0 ? Kind.CUT : Kind.SPLIT, Declaration.requireBudget("partition", budget), side);
    }

    /**
     * Restricts the declaration before this, of losses or of duplicates with a budget, to messages from these senders. By default it is
     * about those of all actors and of the scenario.
     *
     * @param senders roles or names, at least one
     */
    public Network from(String... senders) {
        Declaration of = narrowed("from");
        if (senders.length == 0 || of.kind() != Kind.LOSE && of.kind() != Kind.CUT && (of.kind() != Kind.DUPLICATE || of.budget() == Declaration.UNBOUNDED)) {
            throw new WrongDeclaration("from(" + String.join(", ", senders) + "): name senders, after lossy, duplicating with a budget or partition(n)");
        }
        of.senders().addAll(List.of(senders));
        named = of.senders();
        return this;
    }

    /**
     * Adds receivers to the declaration before this, which may be any but {@link #partition}. If it has none so far, it is about these
     * in place of all: {@code lossy().to("server")} is {@code lossy("server")}, and {@code lossy("server").to("client")} is about both.
     *
     * @param receivers roles or names, at least one
     */
    public Network to(String... receivers) {
        Declaration of = narrowed("to");
        if (receivers.length == 0 || of.kind() == Kind.SPLIT) {
            throw new WrongDeclaration("to(" + String.join(", ", receivers) + "): name receivers, after fifo, connections, lossy, duplicating or partition(n)");
        }
        of.whom().addAll(List.of(receivers));
        named = of.whom();
        return this;
    }

    /**
     * Adds, to the actors that were named last, those that they create, and those that these create, and so on. By
     * {@code lossy().from("client").andChildren().to("server")}, messages from children of clients to servers may get lost, too, but none
     * to children of servers.
     */
    public Network andChildren() {
        narrowed("andChildren");
        if (named.isEmpty()) {
            throw new WrongDeclaration("andChildren() comes after names, as in network().lossy().to(\"server\").andChildren():"
                + " without names all actors are meant");
        }
        named.addAll(named.stream().filter(n -> !n.isEmpty() && !n.endsWith("/")).map(Declaration::childrenOf).toList());
        return this;
    }

    /**
     * Adds, to the losses that the declaration before this is about, messages that an actor sends to itself. They are of actors that are
     * both senders and receivers of that declaration.
     */
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

    /**
     * Declares an address of an actor: what programs connect to with it reaches this actor, at any port. Without it, the name of an
     * actor is the name of its host, and {@code localhost} is the host of the actor that asks.
     *
     * @param actor the name of an actor
     * @param host the name or the digits of a host
     */
    public Network address(String actor, String host) {
        return address(actor, host, World.ANY_PORT);
    }

    /** As above, for one port of the host only. Several actors may have ports of one host, such as {@code localhost}. */
    public Network address(String actor, String host, int port) {
        declare.accept(new Declaration(Kind.ADDRESS, port, List.of(actor), List.of(host), null));
        return this;
    }

    /**
     * Declares that what one call writes to a connection may arrive in parts, as TCP has it: all sizes of all parts are explored. Without
     * it what one call writes arrives at once, together with what was written before and not read.
     */
    public Network fragments() {
        declare.accept(new Declaration(Kind.FRAGMENTS, Declaration.UNBOUNDED, List.of()));
        return this;
    }

    private Network declare(Kind kind, int budget, String... whom) {
        last = new Declaration(kind, budget, new ArrayList<>(List.of(whom)));
        named = last.whom();
        declare.accept(last);
        return this;
    }
}
