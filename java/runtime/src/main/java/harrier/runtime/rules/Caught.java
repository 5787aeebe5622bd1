package harrier.runtime.rules;

import harrier.host.StepStopped;
import harrier.runtime.failure.Failure;
import harrier.runtime.jdk.Order;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.OwnClasses;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What an execution throws and what catches it. Some of it fails a step although it is caught: errors of the virtual machine, failed
 * assertions, and what the scenario names. Of other exceptions it is noted if code that is not the program's own catches them.
 *
 * <p>What the JDK throws and catches with no code of the program between the two does not count. Nor do errors of linking, by which
 * libraries probe for optional classes, and what the initializer of a class throws, which becomes one.
 */
final class Caught {
    /** Of an execution that throws more the others do not count. */
    private static final int MOST = 100;

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.SHOW_REFLECT_FRAMES);

    private final Rules rules;
    private final Notes notes;
    private final OwnClasses own;
    private final Set<String> fails;
    private final BooleanSupplier initializes;
    /** The failures that were caught, in the order in which they were thrown. */
    private final List<Failed> failures = new ArrayList<>();
    /** Other exceptions that were caught by code that is not the program's own, with the places. */
    private final Map<Throwable, String> others = new IdentityHashMap<>();
    private boolean isOn;
    /** Whether the stack is no longer that of the exception. */
    private boolean isLate;

    /**
     * For a program.
     *
     * @param fails the names of the classes of exceptions that the scenario names
     * @param initializes reports whether the initializer of a class runs
     */
    Caught(Rules rules, Notes notes, OwnClasses own, Set<String> fails, BooleanSupplier initializes) {
        this.rules = rules;
        this.notes = notes;
        this.own = own;
        this.fails = fails;
        this.initializes = initializes;
    }

    /** A failure and where it was caught last. */
    private record Failed(Throwable thrown, String place) {}

    /** Where something is caught: a class by its binary name, its method, the line of the handler. */
    private record Catcher(String type, String method, int line) {
        static final Catcher NATIVE = new Catcher("", "", -1);

        /** What {@link VirtualMachine#place} says. */
        static Catcher of(String place) {
            String[] lines = place.split("\n");
            return new Catcher(lines[0].substring(1, lines[0].length() - 1).replace('/', '.'), lines[1], Integer.parseInt(lines[2]));
        }

        boolean is(String frameType, String frameMethod) {
            return type.equals(frameType) && method.equals(frameMethod);
        }
    }

    /** An execution begins. */
    void begin() {
        isOn = false;
        VirtualMachine.callMissed(); // of what came before, which does not count
        failures.clear();
        if (!others.isEmpty()) {
            others.clear();
        }
        isOn = true;
    }

    /** An execution ends. */
    void end() {
        isOn = false;
    }

    /** Something is thrown, as {@link VirtualMachine#thrown} says. */
    void note(Throwable thrown, long method, long location) {
        if (!isOn || thrown instanceof StepStopped || isOfLinking(thrown) || initializes.getAsBoolean()) {
            return;
        }
        isOn = false; // later code may throw, too
        try {
            note(thrown, method == 0 ? Catcher.NATIVE : Catcher.of(VirtualMachine.place(method, location)));
        } finally {
            isOn = true;
        }
    }

    private static boolean isOfLinking(Throwable thrown) {
        return thrown instanceof LinkageError || thrown instanceof ReflectiveOperationException;
    }

    private void note(Throwable thrown, Catcher catcher) {
        boolean isFailure = isFailure(thrown);
        String place = !isFailure && own.has(catcher.type) ? null : place(thrown, catcher);
        if (isFailure) {
            failed(thrown, place);
        } else if (place == null) {
            others.remove(thrown); // it goes on, or the program has seen to it
        } else if (others.size() < MOST || others.containsKey(thrown)) {
            others.put(thrown, place);
        }
    }

    private void failed(Throwable thrown, String place) {
        int known = 0;
        while (known < failures.size() && failures.get(known).thrown != thrown) {
            known++;
        }
        if (known < failures.size() && place == null) {
            failures.remove(known);
        } else if (known < failures.size()) {
            failures.set(known, new Failed(thrown, place));
        } else if (place != null && known < MOST) {
            failures.add(new Failed(thrown, place));
        }
    }

    /** Where something is caught, as frames of stacks are shown; null if that does not count. */
    private String place(Throwable thrown, Catcher catcher) {
        return isLate ? place(Stream.of(Failure.frames(thrown)), catcher)
            : STACK.walk(frames -> place(frames.map(StackWalker.StackFrame::toStackTraceElement)
                .dropWhile(f -> f.getClassName().startsWith("harrier.runtime.rules.")), catcher));
    }

    private static String place(Stream<StackTraceElement> stack, Catcher catcher) {
        boolean isOfProgram = isOfProgram(catcher.type);
        boolean isNative = catcher == Catcher.NATIVE;
        boolean isFirst = true;
        String file = null;
        for (StackTraceElement frame : (Iterable<StackTraceElement>) stack::iterator) {
            boolean isCatcher = catcher.is(frame.getClassName(), frame.getMethodName());
            if (!isCatcher && frame.getMethodName().equals("<clinit>")) {
                return null;
            }
            isOfProgram |= isOfProgram(frame.getClassName());
            isNative |= frame.isNativeMethod() && !isFirst; // such as that of reflection, which throws another exception instead
            isFirst = false;
            if (isCatcher || isNative) {
                file = frame.getFileName();
                break;
            }
        }
        return !isOfProgram || !isNative && Origin.isRuntime(catcher.type) ? null : isNative ? "a native method of the JDK"
            : new StackTraceElement(catcher.type, catcher.method, file, catcher.line).toString();
    }

    private static boolean isOfProgram(String type) {
        return !type.isEmpty() && !Origin.isJdks(type) && !Origin.isHarriers(type);
    }

    private boolean isFailure(Throwable thrown) {
        return (thrown instanceof AssertionError || thrown instanceof VirtualMachineError || isOneOf(fails, thrown))
            && !isOneOf(rules.caught(), thrown);
    }

    private static boolean isOneOf(Set<String> names, Throwable thrown) {
        Class<?> type = names.isEmpty() ? null : thrown.getClass();
        while (type != null && !names.contains(type.getName())) {
            type = type.getSuperclass();
        }
        return type != null;
    }

    /**
     * The first failure of the execution that was caught; null if there is none. Notes what else was caught. This runs code of the
     * program, such as to describe the failure.
     */
    Failure take() {
        isLate = true;
        VirtualMachine.callMissed();
        isLate = false;
        if (failures.isEmpty() && others.isEmpty()) {
            return null;
        }
        isOn = false;
        if (!Order.isOn()) { // it is not repeated in another order
            others.forEach((thrown, place) -> notes.caught(thrown.getClass().getName(), place));
        }
        return failures.isEmpty() ? null : Failure.of(failures.get(0).thrown).caughtAt(failures.get(0).place);
    }
}
