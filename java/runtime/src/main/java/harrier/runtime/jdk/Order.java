package harrier.runtime.jdk;

import harrier.host.IdentityHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * In which order hash collections iterate while code of a program runs, wherever they were made and whoever iterates
 * ({@code harrier.runtime.jdk.JdkRewrite}). A program that depends on it does something else in another order. Of three
 * elements each takes each place in one of the orders.
 */
public enum Order {
    /** As they iterate by themselves. */
    PLAIN,
    SECOND,
    /**
     * Needed where more than one element was met in the second one: that one is taken on a copy of the program, in which
     * objects with other identity hash codes may come in just the order of the first one.
     */
    THIRD,
    /**
     * Needed where elements are told apart by identity hash codes of their own: the plain order of these is another one in
     * each execution. The others begin with the sequence of their codes, which is that of all executions, and this one stays
     * with it.
     */
    FOURTH;

    // Of each thread: the number of its order, what was drawn for it, the largest collection it was applied to,
    // the largest number of elements of one that are told apart by their identity hash codes, and the rest as below.
    private static final ThreadLocal<int[]> HERE = JdkHook.field("HashOrder", "HERE",
        ThreadLocal.withInitial(() -> new int[8]));
    private static final ThreadLocal<byte[]> DRAWN_FROM = JdkHook.field("HashOrder", "DRAWN_FROM", new ThreadLocal<>());
    private static final int LOOKUPS = 4;
    private static final int ASKED = 5;
    private static final int CODES = 6;
    private static final int DRAWN = 7;
    /** In how many executions of the second order codes are others, if any is asked for. */
    private static final int OTHER_CODES = 9;

    private static final UnaryOperator<List<Object>> IN_ORDER = JdkHook.field("HashOrder", "IN_ORDER",
        UnaryOperator.identity());

    static {
        IdentityHooks.use(JdkHook.field("IdentityCodes", "IDENTITY", System::identityHashCode));
    }

    /**
     * What {@code run} gives in the other orders, and where it asks for identity hash codes, in the second order with other
     * ones.
     *
     * @param drawnFrom what decides which elements of more than three come first
     */
    public static <T> List<T> inOthers(byte[] drawnFrom, Supplier<T> run) {
        List<T> given = new ArrayList<>(3);
        int[] here = HERE.get();
        DRAWN_FROM.set(drawnFrom);
        here[DRAWN] = 0;
        here[2] = 0;
        here[3] = 0;
        try {
            given.add(SECOND.with(here, 1, run));
            boolean asks = here[ASKED] > 0;
            if (here[2] > 1) {
                given.add(THIRD.with(here, 1, run));
            }
            if (here[3] > 2) {
                given.add(FOURTH.with(here, 1, run));
            }
            for (int codes = 2; asks && codes < 2 + OTHER_CODES; codes++) {
                given.add(SECOND.with(here, codes, run));
            }
        } finally {
            here[0] = 0;
            here[CODES] = 0;
        }
        return given;
    }

    private <T> T with(int[] here, int codes, Supplier<T> run) {
        here[0] = ordinal();
        here[ASKED] = 0;
        here[CODES] = codes;
        return run.get();
    }

    /** What {@code run} gives in this order. In the plain one, collections that harrier's own code iterates over do not count. */
    public <T> T during(Supplier<T> run) {
        int[] here = HERE.get();
        int before = here[0];
        here[0] = ordinal();
        try {
            return run.get();
        } finally {
            here[0] = before;
        }
    }

    /** Reports whether an order other than the plain one is on in this thread. */
    public static boolean isOn() {
        return HERE.get()[0] != 0;
    }

    /** Begins what is done once and no part of an execution. It is given identity hash codes that outlive that. */
    public static int[] beginAside() {
        int[] here = HERE.get();
        int[] before = here.clone();
        here[LOOKUPS] = 0;
        here[CODES] = 0;
        return before;
    }

    /** Ends it, and forgets the collections that it met. */
    public static void endAside(int[] before) {
        System.arraycopy(before, 2, HERE.get(), 2, before.length - 2);
    }

    /** Elements in the order that is on. */
    @SuppressWarnings("unchecked")
    public static <T> List<T> of(List<T> elements) {
        return isOn() ? (List<T>) IN_ORDER.apply((List<Object>) elements) : elements;
    }
}
