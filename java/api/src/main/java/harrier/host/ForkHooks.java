package harrier.host;

import java.util.concurrent.ForkJoinTask;

/** Stand in for those methods of {@link ForkJoinTask} that do not wait. */
public final class ForkHooks {
    private ForkHooks() {}

    static Forked forked(ForkJoinTask<?> task, String place) {
        if (task instanceof Forked forked) {
            return forked;
        }
        throw Hooks.control(place).refused("uses a " + (task == null ? "missing task" : task.getClass().getSimpleName()) + " of a ForkJoinPool",
            "extend RecursiveTask or RecursiveAction");
    }

    /** Stands in for {@link ForkJoinTask#fork}. */
    public static ForkJoinTask<?> fork(ForkJoinTask<?> task, String place) {
        ForkPool.here().begin(forked(task, place));
        return task;
    }

    /** Stands in for {@link ForkJoinTask#isCompletedNormally}. */
    public static boolean isCompletedNormally(ForkJoinTask<?> task, String place) {
        return Wait.isDoneWell(forked(task, place));
    }

    /** Stands in for {@link ForkJoinTask#isCompletedAbnormally}. */
    public static boolean isCompletedAbnormally(ForkJoinTask<?> task, String place) {
        return forked(task, place).result().thrown != null;
    }

    /** Stands in for {@link ForkJoinTask#getException}. */
    public static Throwable getException(ForkJoinTask<?> task, String place) {
        return forked(task, place).result().thrown;
    }

    /** Stands in for {@link ForkJoinTask#getRawResult}. */
    public static Object getRawResult(ForkJoinTask<?> task, String place) {
        return forked(task, place).result().value;
    }
}
