package harrier.host;

/**
 * What rewritten bytecode of programs under check calls before, or instead of, what a step must not do. It depends on
 * nothing, because it runs in the middle of anybody's code, and does nothing but ask who decides on the thread:
 * programs cannot link to it, and would gain nothing if they could. {@link TimeHooks}, {@link RandomHooks},
 * {@link ThreadHooks} and {@link EnvironmentHooks} stand in for methods of the JDK; the place where each is called is their last argument.
 */
public final class Hooks {
    private static Controls controls;

    private Hooks() {}

    /** Says who decides. That cannot be changed. */
    public static synchronized void install(Controls newControls) {
        if (controls != null) {
            throw new IllegalStateException("installed already");
        }
        controls = newControls;
    }

    /** Who decides on this thread; null if it is not one that runs programs. */
    public static Control bound() {
        return controls == null ? null : controls.here();
    }

    /** Who decides on this thread. */
    static Control control(String place) {
        Control control = bound();
        if (control == null) {
            throw controls.refuseThread(place);
        }
        return control;
    }

    /** Called before a call of the table of sources. */
    public static void check(int source, String place) {
        control(place).check(null, null, source, place);
    }

    /**
     * Called before a call of the table of sources that has a receiver.
     *
     * @param called the name and descriptor of the method; null if the receiver does not decide which method of that name runs
     */
    public static void check(Object receiver, String called, int source, String place) {
        control(place).check(receiver, called, source, place);
    }

    /** Called before a static field is written outside of its class's initializer. */
    public static void staticWrite(String field, String place) {
        control(place).staticWrite(field, place);
    }

    /** Called before a static field is read, in a program with processes, unless the initializer of its class reads it. */
    public static void staticRead(String field, String place) {
        Control control = bound();
        if (control != null) {
            control.staticRead(field, place);
        }
    }

    /** Called at the start of each handler that catches any error. */
    public static void caught(Throwable thrown) {
        if (thrown instanceof StepStopped stopped) {
            throw stopped;
        }
    }

    /** Called at each line that code begins, where a line is looked for. */
    public static void line() {
        Control control = bound();
        if (control != null) {
            control.line(false);
        }
    }

    /** Called before a method returns, where a line is looked for. */
    public static void returns() {
        Control control = bound();
        if (control != null) {
            control.line(true);
        }
    }

    /** Called at the start of a class's initializer. */
    public static void initializing() {
        Control control = bound();
        if (control != null) {
            control.initializing();
        }
    }

    /** Called at the end of a class's initializer. */
    public static void initialized(Class<?> type) {
        Control control = bound();
        if (control != null) {
            control.initialized(type);
        }
    }
}
