package harrier.host;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;

/**
 * What code of a program finds out of actors' names, other than which of them are equal: the names whose text, hash code
 * or number in a role it read. Code that reads none of these does the same with any other names, whatever it keeps, compares,
 * sends to and looks up in hash collections. It is noted of what one thread does while an execution is repeated, in which
 * look-ups in hash collections of the JDK's are known as such, and hash codes that nothing else sees.
 */
public final class Looks {
    /** What {@link #use} is given: nothing is noted. */
    public static final int NONE = 0;
    /** Looks are noted. */
    public static final int NOTED = 1;
    /** Looks are noted, but for hash codes, which go to a look-up of the JDK's. */
    public static final int IN_LOOKUP = 2;

    private static final ThreadLocal<Looks> HERE = new ThreadLocal<>();
    private static final StackWalker STACK = StackWalker.getInstance();
    private static volatile IntSupplier state = () -> NONE;
    private static volatile Runnable endLookup = () -> {};

    private final Set<String> names = new TreeSet<>();
    private boolean isAtAll;

    private Looks() {}

    /**
     * Sets which looks are noted from now on.
     *
     * @param newState gives one of the constants above, of the thread that asks
     * @param newEndLookup has hash codes noted until the look-up that goes on has ended
     */
    public static void use(IntSupplier newState, Runnable newEndLookup) {
        state = newState;
        endLookup = newEndLookup;
    }

    /** Looks at all names there may be. */
    public static Looks atAll() {
        Looks looks = new Looks();
        looks.isAtAll = true;
        return looks;
    }

    /** No looks. */
    public static Looks atNone() {
        return new Looks();
    }

    /** What this thread looks at from now on. Until it is called, that is noted nowhere. */
    public static Looks begin() {
        Looks looks = new Looks();
        HERE.set(looks);
        if (state.getAsInt() == NONE) {
            looks.isAtAll = true;
        }
        return looks;
    }

    /** Ends the notes begun. */
    public static void end() {
        HERE.remove();
    }

    /** The text of a name, or its number in a role, is read. */
    public static void at(String name) {
        if (state.getAsInt() != NONE) {
            Looks looks = HERE.get();
            if (looks != null) {
                looks.names.add(name);
            }
        }
    }

    /** Reports whether the looks of this thread are noted. */
    public static boolean areNoted() {
        return state.getAsInt() != NONE && HERE.get() != null;
    }

    /** The hash code of a name is read. */
    public static void atHashCode(String name) {
        if (state.getAsInt() == NOTED) {
            at(name);
        }
    }

    /** A method {@code hashCode} of the program's own begins: it may do something else with the codes that it asks for. */
    public static void ownHashCode() {
        if (state.getAsInt() == IN_LOOKUP) {
            endLookup.run();
        }
    }

    /**
     * A method {@code equals} or {@code compareTo} of the program's own begins. If a hash collection calls it, that it does may depend
     * on which hash codes collide.
     */
    public static void ownEquals() {
        if (state.getAsInt() == NONE) {
            return;
        }
        Looks looks = HERE.get();
        if (looks != null && !looks.isAtAll && STACK.walk(frames -> frames.skip(2)
                .takeWhile(f -> f.getClassName().startsWith("java.") || f.getMethodName().equals("equals"))
                .anyMatch(f -> f.getClassName().startsWith("java.util.") && !f.getClassName().equals("java.util.Objects")))) {
            looks.isAtAll = true;
        }
    }

    /** Adds other looks to these. */
    public void add(Looks other) {
        isAtAll |= other.isAtAll;
        names.addAll(other.names);
    }

    /** Adds looks at names. */
    public void add(Set<String> others) {
        names.addAll(others);
    }

    /** Whether they may be at names that {@link #names} has not. */
    public boolean isAtAll() {
        return isAtAll;
    }

    /** The names that are known to be looked at, in order. */
    public Set<String> names() {
        return names;
    }
}
