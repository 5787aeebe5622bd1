package harrier.runtime.step;

import harrier.host.Agenda.Alarm;
import harrier.host.Task;
import harrier.host.Threads;
import java.util.List;

/** What the JDK has done by a thread of its own after a while. */
final class AlarmAct extends Act {
    private final int index;

    /** What is pending with an index. */
    AlarmAct(String label, int index) {
        super(label, Outcome.NOTHING);
        this.index = index;
    }

    @Override
    boolean isOnMailbox() {
        return false;
    }

    @Override
    List<String> senders(Given given, List<String> ofConsumed) {
        return List.of();
    }

    @Override
    void run(Given given) throws Throwable {
        Task<?> task = (Task<?>) given.fire(index);
        Threads.alarm(given.state().actor(), given.agenda(), (Alarm) task.body());
    }
}
