package harrier;

import harrier.host.Control;
import harrier.host.Hooks;
import harrier.host.Looks;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of an actor: all that one actor may hold of another.
 *
 * <p>A name is a value. Two names are equal, and one object, when their text is. The actors that a
 * {@link Scenario} creates are called after their role ({@code acceptor1}, {@code acceptor2}); an
 * actor created by another actor's handler is called after its creator
 * ({@code proposer1/worker1}).
 *
 * <p>Names have no order on purpose: a protocol that needs ranks should give its actors ranks.
 *
 * @see <a href="{@docRoot}/guide.html#symmetry">Guide: symmetry</a>
 */
public final class ActorName {
    private static final Pattern ROLE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    /** What a child may be called: names of other frameworks' actors, too. */
    private static final Pattern CHILD = Pattern.compile("[A-Za-z$][^\\s/]*");

    private final String text;

    private ActorName(String text) {
        this.text = text;
    }

    /**
     * The name with the given text. Programs under check get their names from {@code create} and
     * {@code self}; this is for the code that runs them. In a copy of a program equal names are one object, as code may
     * compare them by {@code ==}.
     */
    static ActorName of(String text) {
        Control control = Hooks.bound();
        if (control == null) {
            return new ActorName(Objects.requireNonNull(text));
        }
        Object known = control.names().get(text);
        return (ActorName) (known != null ? known : control.names().computeIfAbsent(text, ActorName::new));
    }

    /** Fails unless {@code role} can be part of a name: a letter, then letters, digits, - or _. */
    static void requireRole(String role) {
        if (role == null || !ROLE.matcher(role).matches()) {
            throw new IllegalArgumentException(
                "a role is a letter followed by letters, digits, '-' or '_', not \"" + role + '"');
        }
    }

    /** Fails unless a child can be called {@code role}, which is followed by a number. */
    static void requireChildRole(String role) {
        if (role == null || !CHILD.matcher(role).matches()) {
            throw new IllegalArgumentException("a role is a letter, or $ for a child, followed by anything but white space and slashes,"
                + " not \"" + role + '"');
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ActorName name && name.text.equals(text);
    }

    @Override
    public int hashCode() {
        Looks.atHashCode(text);
        return text.hashCode();
    }

    /** The text of the name. */
    @Override
    public String toString() {
        Looks.at(text);
        return text;
    }

    /** The text of the name, for the code that runs programs. */
    String text() {
        return text;
    }
}
