package harrier.host;

/**
 * What rewritten bytecode of programs under check calls before, or instead of, what a step must not do. It depends on
 * nothing, because it runs in the middle of anybody's code. {@link TimeHooks}, {@link RandomHooks} and
 * {@link EnvironmentHooks} stand in for methods of the JDK; the place where each is called is their last argument.
 */
public final class Hooks {
    private static final ThreadLocal<Refusal> REFUSED = new ThreadLocal<>();
    private static final ThreadLocal<Control> CONTROL = new ThreadLocal<>();

    private Hooks() {}

    /** Thrown into the program where it did what a step must not do. */
    public static final class Refusal extends Error {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    /** Says who decides what code that runs on this thread may do. */
    public static void bind(Control control) {
        CONTROL.set(control);
    }

    /** Who decides that on this thread; null if nobody was named. */
    public static Control bound() {
        return CONTROL.get();
    }

    /** Who decides that on this thread. */
    static Control control(String place) {
        Control control = CONTROL.get();
        if (control == null) {
            throw refuse(place + " runs on a thread of its own: an actor is one sequential process");
        }
        return control;
    }

    /** Called before a call of the table of sources. */
    public static void check(int source, String place) {
        control(place).check(null, source, place);
    }

    /** Called before a call of the table of sources about which the receiver decides. */
    public static void check(Object receiver, int source, String place) {
        control(place).check(receiver, source, place);
    }

    /** Called before a static field is written outside of its class's initializer. */
    public static void staticWrite(String field, String place) {
        control(place).staticWrite(field, place);
    }

    /** Called before a static field is read, where each actor has its own. */
    public static void staticRead(String owner, String field, String place) {
        control(place).staticRead(owner, field, place);
    }

    /** Called at the start of a class's initializer. */
    public static void initializing() {
        Control control = CONTROL.get();
        if (control != null) {
            control.initializing();
        }
    }

    /** Called at the end of a class's initializer. */
    public static void initialized(Class<?> type) {
        Control control = CONTROL.get();
        if (control != null) {
            control.initialized(type);
        }
    }

    /** Notes a refusal, which stays even if the program catches what is thrown at it, and gives what to throw. */
    public static Refusal refuse(String message) {
        Refusal refusal = new Refusal(message);
        if (REFUSED.get() == null) {
            REFUSED.set(refusal); // the first one is the cause of others
        }
        return refusal;
    }

    /**
     * The first refusal since the last call, if any: the program may have caught what was thrown, but what it
     * did stays refused.
     */
    public static Refusal takeRefusal() {
        Refusal refusal = REFUSED.get();
        REFUSED.remove();
        return refusal;
    }
}
