package harrier;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Says what happens sooner or later in the runs that properties such as {@link Eventually} and {@link LeadsTo} are about. By default
 * messages that stay deliverable are delivered, timers that stay set fire, and internal events that stay enabled happen. Faults need
 * not happen, and which of several outcomes a choice has is left open.
 *
 * <p>Actors are given by the roles or names under which the scenario creates them.
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
public final class Fairness {
    private final Consumer<Declaration> declare;
    /** The actors that were named last; null if what came last names none. */
    private List<String> named;
    /** Whether weak or strong named them. */
    private boolean areFair;

    Fairness(Consumer<Declaration> declare) {
        this.declare = declare;
    }

    /**
     * A message to these actors that is deliverable again and again is received again and again, even if each time something
     * disables it: a channel that loses messages does not lose all. None means all actors.
     */
    public Fairness strong(String... receivers) {
        List<String> whom = new ArrayList<>(List.of(receivers));
        return declare(Kind.STRONG, whom, List.of()).narrowed(whom, true);
    }

    /**
     * What these actors can do or receive and stays possible happens, which is so by default: it is there to be narrowed by {@link #byChoice}.
     * None means all actors.
     */
    public Fairness weak(String... actors) {
        return narrowed(new ArrayList<>(List.of(actors)), true);
    }

    /**
     * Each value that {@code choose} may give in what these actors do is chosen, too, if it stays possible, as if it were an event of its own:
     * a handler that stays possible does not choose the same for ever, after {@link #strong} also one that is possible again and again. It comes right after {@link #weak} or {@link #strong}, and is about
     * the actors named there. Of several choices in one execution each combination counts by itself.
     */
    public Fairness byChoice() {
        if (named == null || !areFair) {
            throw new WrongDeclaration("byChoice() comes right after weak or strong, as in fairness().weak().byChoice()");
        }
        return declare(Kind.BY_CHOICE, named, List.of());
    }

    /** Adds the descendants of the actors that were named last: the actors that they create, that these create, and so on, as {@link Network#andChildren} does. */
    public Fairness andChildren() {
        if (named == null || named.isEmpty()) {
            throw new WrongDeclaration("andChildren() comes after names, as in fairness().strong(\"server\").andChildren(): without names all actors are meant");
        }
        named.addAll(named.stream().filter(n -> !n.endsWith("/")).map(Declaration::childrenOf).toList());
        return this;
    }

    /** What these actors could do or receive need not happen. Name at least one. */
    public Fairness unfair(String... actors) {
        requireSome(actors.length);
        List<String> whom = new ArrayList<>(List.of(actors));
        return declare(Kind.UNFAIR, whom, List.of()).narrowed(whom, false);
    }

    /** Messages and timers of these classes need not be handled. Name at least one. */
    public Fairness unfair(Class<?>... messages) {
        requireSome(messages.length);
        return declare(Kind.UNFAIR_MESSAGES, List.of(), Stream.of(messages).map(Class::getName).toList());
    }

    /** A network that has split heals. */
    public Fairness heals() {
        return declare(Kind.HEALS, List.of(), List.of());
    }

    /** An actor that is down after a crash ({@link Faults#staysDown}) starts again. */
    public Fairness recovers() {
        return declare(Kind.RECOVERS, List.of(), List.of());
    }

    private static void requireSome(int number) {
        if (number == 0) {
            throw new WrongDeclaration("unfair(): name the actors, or the classes of messages, that it is about");
        }
    }

    private Fairness narrowed(List<String> whom, boolean fair) {
        named = whom;
        areFair = fair;
        return this;
    }

    private Fairness declare(Kind kind, List<String> whom, List<String> messages) {
        named = null;
        declare.accept(new Declaration(kind, Declaration.UNBOUNDED, whom, new ArrayList<>(messages), null));
        return this;
    }
}
