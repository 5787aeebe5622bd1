package harrier.runtime.failure;

import harrier.host.StepStopped;
import harrier.runtime.origin.AddedNames;
import harrier.runtime.origin.Origin;
import harrier.runtime.wire.FailureKind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How a handler or a property failed.
 *
 * @param kind a {@link FailureKind}
 * @param type the class of the exception; empty for an explanation
 * @param text the exception, or why a property does not hold, in one line
 * @param stack the frames of the program's own code, innermost first; then a line for what caused it, and the frames of
 *     that
 * @param caught where the program or a library caught the exception; empty if it left the handler
 * @param property of a step that does what it must not, the name of the step invariant that says so; else empty
 */
public record Failure(String kind, String type, String text, List<String> stack, String caught, String property) {
    private static final int FRAMES = 8;
    private static final StackTraceElement[] NONE = {};
    /** The classes of proxies, whose numbers differ from run to run. */
    private static final Pattern PROXY = Pattern.compile("(^|\\.)\\$Proxy\\d+$");
    /** The classes of method handles, which stacks of other threads show. */
    private static final Pattern HOLDER = Pattern.compile("java\\.lang\\.invoke\\.\\w+\\$Holder");
    private static final Pattern DENIED = Pattern.compile("Operation not permitted|Permission denied");
    /** Of more causes, one of another, the last are left out. */
    private static final int CAUSES = 3;
    /** A text of more characters is cut: it is for one line. */
    private static final int LONGEST = 1000;

    /** Describes what code of the program threw. */
    public static Failure of(Throwable thrown) {
        List<String> stack = innermost(thrown);
        Throwable cause = cause(thrown);
        for (int n = 0; cause != null && n < CAUSES; n++) {
            stack.add("caused by " + describe(cause));
            stack.addAll(innermost(cause));
            cause = cause(cause);
        }
        return thrown instanceof StepStopped ? new Failure(FailureKind.HANG, "", thrown.getMessage(), fromProgram(thrown), "", "")
            : new Failure(thrown instanceof AssertionError ? FailureKind.ASSERTION : FailureKind.EXCEPTION,
                thrown.getClass().getName(), describe(thrown), stack, "", "");
    }

    /** The same failure, which was caught at a place. */
    public Failure caughtAt(String place) {
        return new Failure(kind, type, text, stack, place, property);
    }

    /** Reports whether it is that the heap was full. */
    public boolean isOutOfMemory() {
        return type.equals(OutOfMemoryError.class.getName());
    }

    /** Reports whether it is that something did not return. */
    public boolean isHang() {
        return kind.equals(FailureKind.HANG);
    }

    /** That threads wait for each other, by what is said of them. */
    public static Failure ofThreads(String text) {
        return new Failure(FailureKind.STUCK, "", line(text), List.of(), "", "");
    }

    /** Why a property does not hold. */
    public static Failure explanation(String text) {
        return new Failure(FailureKind.EXPLANATION, "", line(text), List.of(), "", "");
    }

    /**
     * How a step fails a step invariant.
     *
     * @param property its name
     * @param why how evaluating it failed; null if it was evaluated, and does not hold
     */
    public static Failure ofStep(String property, Failure why) {
        return why != null ? new Failure(why.kind, why.type, why.text, why.stack, why.caught, property)
            : new Failure(FailureKind.EXPLANATION, "", '"' + property + "\" does not hold", List.of(), "", property);
    }

    /** The innermost frames, without those of the JDK's code before what code of the program called of that. */
    private static List<String> fromProgram(Throwable thrown) {
        List<String> stack = stack(thrown);
        int first = 0;
        while (first < stack.size() && Origin.isJdks(stack.get(first))) {
            first++;
        }
        return stack.subList(first == stack.size() ? 0 : Math.max(first - 1, 0), stack.size()).stream().limit(FRAMES).toList();
    }

    private static List<String> innermost(Throwable thrown) {
        List<String> stack = stack(thrown);
        return new ArrayList<>(stack.subList(0, Math.min(FRAMES, stack.size())));
    }

    /**
     * What caused what {@link #describe} says.
     */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        return thrown.getClass() == ExceptionInInitializerError.class && cause != null ? causeOf(cause) : cause;
    }

    /** What caused something; null if nothing did, or its class does not say so. */
    public static Throwable causeOf(Throwable thrown) {
        try {
            Throwable cause = thrown.getCause();
            return cause == thrown ? null : cause;
        } catch (RuntimeException | Error e) {
            return null;
        }
    }

    /** Reports whether code of the program threw something, and not harrier's own. */
    public static boolean isOfProgram(Throwable thrown) {
        return Origin.isPrograms(thrown.getClass()) || Arrays.stream(frames(thrown)).map(StackTraceElement::getClassName)
            .filter(name -> !Origin.isJdks(name)).findFirst().filter(name -> !Origin.isHarriers(name)).isPresent();
    }

    /**
     * The calls that led code of a library, or a static initializer, to where something was thrown, a line each, down
     * to the first of certain classes that no initializer called; none if it was thrown there.
     *
     * @param isOwn whether a class, by its binary name, is one of those
     */
    public static List<String> callers(Throwable thrown, Predicate<String> isOwn) {
        List<String> lines = calls(thrown, isOwn);
        return lines.size() > 1 ? lines : List.of();
    }

    /** As above, but with one line if it was thrown there; none if no code of the program did. */
    public static List<String> calls(Throwable thrown, Predicate<String> isOwn) {
        List<String> stack = stack(thrown);
        List<String> lines = new ArrayList<>();
        int initializer = stack.size() - 1;
        while (initializer >= 0 && !stack.get(initializer).contains(".<clinit>(")) {
            initializer--;
        }
        for (int i = 0; i < stack.size(); i++) {
            String frame = stack.get(i);
            if (lines.isEmpty() && Origin.isJdks(frame)) {
                continue;
            }
            lines.add("at " + frame);
            String method = frame.substring(0, frame.indexOf('('));
            if (i > initializer && isOwn.test(method.substring(0, method.lastIndexOf('.')))) {
                break;
            }
        }
        int left = lines.size() - FRAMES;
        if (left > 1) {
            lines.subList(FRAMES / 2, FRAMES / 2 + left).clear();
            lines.add(FRAMES / 2, "… " + left + " more");
        }
        return lines;
    }

    /** What the names of Scala's lambdas begin with, before the name of the method that they stand in. */
    private static final String SCALAS = "$anonfun$";

    /**
     * What people call a method: {@code Node.on}, {@code Node.the constructor}; that of a lambda as the one it stands
     * in.
     *
     * @param type the binary name of its class
     */
    public static String method(String type, String method) {
        String plain = method;
        if (plain.startsWith("lambda$") && plain.lastIndexOf('$') > "lambda$".length()) {
            plain = plain.substring("lambda$".length(), plain.lastIndexOf('$'));
        } else if (plain.startsWith(SCALAS) && plain.indexOf('$', SCALAS.length()) > 0) {
            plain = plain.substring(SCALAS.length(), plain.indexOf('$', SCALAS.length()));
        }
        String readable = switch (plain) {
            case "<init>", "new" -> "the constructor";
            case "<clinit>", "static" -> "the static initializer";
            default -> plain;
        };
        String simple = type.substring(type.lastIndexOf('.') + 1).replaceFirst("[$]+$", ""); // Scala's singletons are of classes that end so
        return simple.replace('$', '.') + "." + readable;
    }

    /** The frames of the program's own code, innermost first. */
    public static List<String> stack(Throwable thrown) {
        List<String> stack = new ArrayList<>();
        for (StackTraceElement frame : frames(thrown)) {
            // Above the program's frames may be what they called of the runtime, and below them is what
            // called them, which nobody wants to see.
            if (isCaller(frame.getClassName()) && !stack.isEmpty()) {
                break;
            }
            if (!isPlumbing(frame) && !AddedNames.isPlumbing(frame)) {
                stack.add(frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName()
                    + (frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber()) + ")");
            }
        }
        return stack;
    }

    /** The program's own classes may have a getStackTrace that fails, or gives nothing. */
    public static StackTraceElement[] frames(Throwable thrown) {
        try {
            StackTraceElement[] frames = thrown.getStackTrace();
            return frames == null || Arrays.asList(frames).contains(null) ? NONE : frames;
        } catch (RuntimeException | Error e) {
            return NONE;
        }
    }

    private static boolean isPlumbing(StackTraceElement frame) {
        String className = frame.getClassName();
        return Origin.isHarriers(className) || className.equals("java.lang.ClassLoader")
            || className.startsWith("jdk.internal.reflect.") || className.startsWith("java.lang.reflect.")
            || className.startsWith("java.lang.invoke.LambdaForm$") || HOLDER.matcher(className).matches() || PROXY.matcher(className).find()
            || className.equals("java.lang.Class") && frame.getMethodName().startsWith("forName");
    }

    /**
     * The runtime, except for what the program calls: the creation of actors, in whose middle it runs again, and its
     * loader.
     */
    private static boolean isCaller(String className) {
        return Origin.isRuntime(className) && !className.equals("harrier.runtime.step.Effects")
            && !className.equals("harrier.runtime.step.ActorHost")
            && !className.startsWith("harrier.runtime.step.setup.SetUp$")
            && !className.equals("harrier.runtime.load.ProgramLoader");
    }

    /**
     * What to say, after the text of what the JDK threw, if the operating system denied the program a socket or a file;
     * else empty.
     */
    public static String denied(Throwable thrown) {
        StackTraceElement[] frames = frames(thrown);
        boolean isDenied = thrown instanceof IOException && frames.length > 0 && Origin.isJdks(frames[0].getClassName())
            && (thrown instanceof AccessDeniedException || DENIED.matcher(describe(thrown)).find());
        return isDenied ? "; the sandbox keeps programs from sockets and from most files: leave that out of what is checked,"
            + " or try --sandbox off" : "";
    }

    /** An exception, in one line: its class and the first line of its message. */
    public static String describe(Throwable thrown) {
        if (thrown.getClass() == ExceptionInInitializerError.class && thrown.getCause() != null) {
            return "ExceptionInInitializerError: " + describe(thrown.getCause());
        }
        Class<?> type = thrown.getClass();
        String name = (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
        String message = message(thrown);
        return message == null ? name : name + ": " + line(message);
    }

    /** The program's own classes may have a getMessage that fails. */
    public static String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (RuntimeException | Error e) {
            return null;
        }
    }

    private static String line(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    /**
     * Reports whether two executions failed in the same way. Texts and places may differ: hash collections print in any
     * order.
     */
    public boolean sameAs(Failure other) {
        return other != null && kind.equals(other.kind) && type.equals(other.type) && property.equals(other.property);
    }
}
