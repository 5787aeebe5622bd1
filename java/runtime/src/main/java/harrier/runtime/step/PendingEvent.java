package harrier.runtime.step;

import java.util.Arrays;
import java.util.Comparator;

/**
 * What an actor is going to do by itself, as fairness knows it: a timer by its content, or a task by its label.
 *
 * @param task the label of the task; empty for a timer
 * @param timer the timer, encoded; empty for a task
 */
public record PendingEvent(String task, byte[] timer) implements Comparable<PendingEvent> {
    private static final Comparator<PendingEvent> ORDER =
        Comparator.comparing(PendingEvent::task).thenComparing(PendingEvent::timer, Arrays::compare);

    @Override
    public int compareTo(PendingEvent other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PendingEvent event && compareTo(event) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * task.hashCode() + Arrays.hashCode(timer);
    }
}
