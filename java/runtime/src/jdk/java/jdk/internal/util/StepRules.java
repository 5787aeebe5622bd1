package jdk.internal.util;

import java.util.function.BiConsumer;

/**
 * What rewritten methods of the JDK ask that a step must not reach, whoever calls them for it. This class is the JDK's
 * own by its package, so that programs cannot call it.
 */
public final class StepRules {
    /** Of each thread that runs code of a program: the rules, which are given the object and the call, and throw if it is refused. */
    public static final ThreadLocal<BiConsumer<Object, String>> HERE = new ThreadLocal<>();

    private StepRules() {}

    /** A folder was listed. The list is null if that failed. */
    public static void listed(Object list, Object folder) {
        if (list == null) {
            check(folder, "");
        }
    }

    public static void check(Object receiver, String what) {
        BiConsumer<Object, String> refuses = HERE.get();
        if (refuses != null) {
            refuses.accept(receiver, what);
        }
    }
}
