package harrier.runtime.jdk;

import harrier.host.IdentityHooks;
import harrier.host.Looks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * In which order hash collections iterate while code of a program runs, wherever they were made and whoever iterates
 * ({@code harrier.runtime.jdk.JdkRewrite}). A program that depends on it does something else in another order. It is
 * drawn for each collection by itself; up to three elements take all their orders.
 */
public final class Order {
    /** The last order in which two elements come in both orders, in each of two collections whichever order the other has. */
    private static final int OF_TWO = 3;
    /** The last one of those in which three elements, or more, come in other orders. */
    private static final int OF_MORE = 5;
    /**
     * Needed where elements are told apart by identity hash codes of their own: the plain order of these is another one in
     * each execution. The others begin with the sequence of their codes, which is that of all executions, and this one stays
     * with it.
     */
    private static final int OF_SEQUENCE = 6;

    // Of each thread: the number of its order, the numbers drawn for it, the largest collection it was applied to,
    // the largest number of elements of one that are told apart by their identity hash codes, and the rest as below.
    private static final ThreadLocal<int[]> HERE = JdkHook.field("HashOrder", "HERE",
        ThreadLocal.withInitial(() -> new int[11]));
    private static final ThreadLocal<byte[]> DRAWN_FROM = JdkHook.field("HashOrder", "DRAWN_FROM", new ThreadLocal<>());
    private static final byte[] NOTHING = {};
    private static final int LOOKUPS = 4;
    private static final int ASKED = 5;
    private static final int CODES = 6;
    private static final int DRAWN = 7;
    private static final int COLLECTIONS = 8;
    private static final int UNSEEN = 9;
    private static final int IDENTITY = 10;
    /** In how many executions of the first other order identity hash codes are others, if any is asked for. */
    private static final int OTHER_CODES = 9;

    private static final UnaryOperator<List<Object>> IN_ORDER = JdkHook.field("HashOrder", "IN_ORDER",
        UnaryOperator.identity());

    private Order() {}

    static {
        IdentityHooks.use(JdkHook.field("IdentityCodes", "IDENTITY", System::identityHashCode));
        Looks.use(Order::looks, () -> HERE.get()[UNSEEN] = 0);
    }

    /** Which looks at names this thread notes. */
    private static int looks() {
        int[] here = HERE.get();
        return here[0] == 0 ? Looks.NONE : here[UNSEEN] == 0 ? Looks.NOTED : Looks.IN_LOOKUP;
    }

    /**
     * What {@code run} gives in the other orders, and where it asks for identity hash codes, in the first of them with other
     * ones.
     *
     * @param drawnFrom what the orders of collections are drawn from
     */
    public static <T> List<T> inOthers(byte[] drawnFrom, Supplier<T> run) {
        return inOthers(drawnFrom, 1, run);
    }

    /** What {@code setUp} gives in the other orders. The objects that it makes keep their identity hash codes. */
    public static <T> List<T> ofSetUp(Supplier<T> setUp) {
        return inOthers(NOTHING, 0, setUp);
    }

    /** What {@code setUp} gives in the first of them. */
    public static <T> T inFirst(Supplier<T> setUp) {
        return withOrders(NOTHING, here -> in(1, here, 0, setUp));
    }

    private static <T> List<T> inOthers(byte[] drawnFrom, int codes, Supplier<T> run) {
        return withOrders(drawnFrom, here -> {
            List<T> given = new ArrayList<>(OF_MORE);
            given.add(in(1, here, codes, run));
            boolean asks = codes > 0 && here[ASKED] > 0;
            for (int order = 2; order <= (here[2] < 2 ? 1 : here[2] == 2 ? OF_TWO : OF_MORE); order++) {
                given.add(in(order, here, codes, run));
            }
            if (here[3] > 2) {
                given.add(in(OF_SEQUENCE, here, codes, run));
            }
            for (int others = 2; asks && others < 2 + OTHER_CODES; others++) {
                given.add(in(1, here, others, run));
            }
            return given;
        });
    }

    private static <R> R withOrders(byte[] drawnFrom, Function<int[], R> run) {
        int[] here = HERE.get();
        DRAWN_FROM.set(drawnFrom);
        here[DRAWN] = 0;
        here[2] = 0;
        here[3] = 0;
        try {
            return run.apply(here);
        } finally {
            here[0] = 0;
            here[CODES] = 0;
        }
    }

    private static <T> T in(int order, int[] here, int codes, Supplier<T> run) {
        here[0] = order;
        here[CODES] = codes;
        begin();
        return run.get();
    }

    /** Begins an execution in the order that is on: collections are counted anew. */
    public static void begin() {
        int[] here = HERE.get();
        here[ASKED] = 0;
        here[COLLECTIONS] = 0;
        here[IDENTITY] = 0;
    }

    /** What {@code run} gives while hash collections iterate as they do by themselves. Those that it iterates over do not count. */
    public static <T> T plain(Supplier<T> run) {
        int[] here = HERE.get();
        int before = here[0];
        here[0] = 0;
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

    /** Reports whether this thread, while an order is on, got an identity hash code, other than for a lookup. */
    public static boolean givesIdentity() {
        return HERE.get()[IDENTITY] != 0;
    }

    /** Begins code that runs once and is no part of an execution. It is given identity hash codes that outlive that. */
    public static int[] beginAside() {
        int[] here = HERE.get();
        int[] before = here.clone();
        here[LOOKUPS] = 0;
        here[CODES] = 0;
        here[UNSEEN] = 0;
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
