package harrier.runtime.load.rewrite;

import harrier.runtime.load.rewrite.CoveredMethod.Mark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which lines and branches of the program's own code, and of what it extends, were executed by what actors do, in any copy of the
 * program. What set-up, properties and class initializers execute does not count.
 *
 * <p>Rewritten code ({@link CoverageRewrite}) sets bytes of arrays, one a class, to which a class that each loader defines leads.
 * Between steps it leads to arrays that nobody reads.
 */
public final class Coverage {
    /** The name of the class that leads to the marks. */
    public static final String HOLDER = "harrier.host.Coverage";
    /** Its field: an array of one element, the arrays of marks by the number of the class. */
    public static final String MARKS = "MARKS";
    static final String MARKS_TYPE = "[[[B";

    private static final String LAMBDA = "lambda$";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, List<CoveredMethod>> methods = new ConcurrentHashMap<>();
    private final byte[][] executed;
    private final byte[][] unread;
    private final ThreadLocal<Boolean> aside = ThreadLocal.withInitial(() -> false);

    /** Of some classes of a program. */
    Coverage(Set<String> classes) {
        for (String name : classes) {
            numbers.put(name, numbers.size());
        }
        executed = new byte[numbers.size()][];
        unread = new byte[numbers.size()][];
    }

    /** The number of a class; -1 if its code does not count. */
    int number(String type) {
        return numbers.getOrDefault(type, -1);
    }

    /** Runs something on this thread of which nothing counts. */
    public void aside(Runnable run) {
        aside.set(true);
        try {
            run.run();
        } finally {
            aside.set(false);
        }
    }

    /** Takes the methods of a class that was rewritten. Rewriting it once more, for static fields of each actor, gives the same. */
    void add(String type, List<CoveredMethod> found, int marks) {
        int number = number(type);
        if (executed[number] == null) {
            executed[number] = new byte[marks];
            unread[number] = new byte[marks];
            methods.put(type, found);
        }
    }

    /** Reports whether something of a method was executed. */
    public boolean isExecuted(CoveredMethod method, Mark mark) {
        return executed[number(method.type())][mark.number()] != 0;
    }

    /** The methods of the classes that were loaded so far, by class. Bodies of lambdas are part of the methods that they are in. */
    public List<CoveredMethod> methods() {
        List<CoveredMethod> all = new ArrayList<>();
        for (List<CoveredMethod> of : new TreeMap<>(methods).values()) {
            List<CoveredMethod> whole = new ArrayList<>();
            for (CoveredMethod m : of) {
                if (!m.name().startsWith(LAMBDA)) {
                    whole.add(new CoveredMethod(m.type(), m.file(), m.name(), m.descriptor(), new ArrayList<>(m.marks())));
                }
            }
            for (CoveredMethod m : of) {
                if (m.name().startsWith(LAMBDA)) {
                    addLambda(m, whole);
                }
            }
            all.addAll(whole);
        }
        return all;
    }

    /** Adds the body of a lambda to the method that it is in: of those with the name, the last that begins before it. */
    private static void addLambda(CoveredMethod body, List<CoveredMethod> methods) {
        CoveredMethod around = null;
        for (CoveredMethod m : methods) {
            boolean mayBe = m.name().equals(around(body.name())) && m.firstLine() <= body.firstLine();
            if (mayBe && (around == null || around.firstLine() < m.firstLine())) {
                around = m;
            }
        }
        if (around != null) {
            around.marks().addAll(body.marks());
        }
    }

    /** The name of the method that a compiler took the body of a lambda from, as it is in the name of the body's method. */
    private static String around(String body) {
        String name = body.substring(LAMBDA.length(), Math.max(LAMBDA.length(), body.lastIndexOf('$')));
        return name.equals("new") ? "<init>" : name;
    }

    /** The class file of the holder. */
    public static byte[] holder() {
        return Holder.of(HOLDER, MARKS, MARKS_TYPE, 1);
    }

    /** The marks of one copy of the program, which one thread at a time runs. */
    public final class Copy {
        private final byte[][][] marks;

        /** Of the loader whose holder has these. */
        public Copy(byte[][][] marks) {
            this.marks = marks;
            marks[0] = unread;
        }

        /** Has code executed from now on count, unless it is {@link Coverage#aside aside}, and returns the argument for {@link #end}. */
        public byte[][] begin() {
            byte[][] before = marks[0];
            marks[0] = aside.get() ? unread : executed;
            return before;
        }

        /** Has executed code count as it did before. */
        public void end(byte[][] before) {
            marks[0] = before;
        }
    }
}
