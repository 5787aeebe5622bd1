package harrier.host;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a scenario says about the network, about actors that may crash or are Byzantine, about components, about fairness, or about
 * names that it uses before there are such actors.
 *
 * @param budget how often it may happen in a run, or {@link #UNBOUNDED}; of no meaning for {@code FIFO}, {@code CONNECTION} and
 *     {@code COMPONENT};
 *     of {@code NAMES} how many there are to be, of {@code ADDRESS} the port, of {@code MAILBOX} how many messages it holds
 * @param whom roles or names of actors, or {@link #childrenOf} these: receivers, those that crash, one side of a split, a
 *     component, or the role of names; none for all
 * @param senders roles or names of the actors whose messages it is about, with {@link #SELF} if what an actor sends to itself is among
 *     them; none for all. Of {@code UNFAIR_MESSAGES} the names of classes, of {@code ADDRESS} the host
 * @param messages those that Byzantine actors may send; null if that is not declared
 * @param manners how crashes happen; it may be said later
 */
public record Declaration(Kind kind, int budget, List<String> whom, List<String> senders, List<?> messages,
        Set<Manner> manners) {
    /** The budget of a fault without a bound. */
    public static final int UNBOUNDED = -1;

    /** Stands among senders for the receiver. No role is called so. */
    public static final String SELF = "";

    /** What stands for all actors that an actor, or those of a role, create. */
    public static String childrenOf(String whom) {
        return whom + "/";
    }

    /** The kinds of declarations. */
    public enum Kind { FIFO, CONNECTION, CRASH, STOP, LOSE, MAILBOX, DUPLICATE, SPLIT, CUT, BYZANTINE, COMPONENT, NAMES, STRONG, BY_CHOICE, UNFAIR, UNFAIR_MESSAGES,
        HEALS, RECOVERS, ADDRESS, FRAGMENTS }

    /** How crashes happen: within handlers, too; so that the actor is down for a while; and so that messages to it may be lost then. */
    public enum Manner { WITHIN_HANDLERS, STAYS_DOWN, LOSES_MESSAGES }

    /** One without messages. */
    public Declaration(Kind kind, int budget, List<String> whom) {
        this(kind, budget, whom, new ArrayList<>(), null);
    }

    /** One of something that is no crash of another manner, so far. */
    public Declaration(Kind kind, int budget, List<String> whom, List<String> senders, List<?> messages) {
        this(kind, budget, whom, senders, messages, EnumSet.noneOf(Manner.class));
    }

    /** Fails if the budget that is given to a method is negative. */
    public static int requireBudget(String method, int budget) {
        if (budget < 0) {
            throw new WrongDeclaration(method + "(" + budget + "): a budget says how often something may happen, so it"
                + " cannot be less than 0");
        }
        return budget;
    }
}
