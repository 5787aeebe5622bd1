package harrier.runtime.step;

import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.Task;
import harrier.runtime.actor.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the timers and tasks that a step sets anew: an equal one is pending before the step and after it, and none of
 * those that were pending before is left. Such a timer begins to wait with the step, so a run in which that happens
 * again and again need not have it fire.
 */
final class Renewals {
    private final Setting setting;
    private final List<Object> before;

    /** @param agenda the actor's agenda before the step */
    Renewals(Setting setting, Agenda agenda) {
        this.setting = setting;
        before = entries(agenda);
    }

    /** The entries that may become events: timers, scheduled tasks, and the first of the tasks that wait in turn. */
    private static List<Object> entries(Agenda agenda) {
        List<Object> entries = new ArrayList<>(agenda.delayed);
        if (!agenda.tasks.isEmpty()) {
            entries.add(agenda.tasks.get(0));
        }
        return entries;
    }

    /**
     * The timers and tasks that the step set anew, but for what it did by itself, sorted.
     *
     * @param agenda the actor's agenda after the step
     */
    List<PendingEvent> in(Agenda agenda, Act act) {
        List<Object> after = entries(agenda);
        List<Object> kept = new ArrayList<>(before);
        kept.removeIf(entry -> !isAmong(entry, after));
        if (kept.size() == before.size() || kept.size() == after.size()) {
            return List.of();
        }
        Set<PendingEvent> renewed = events(before, List.of());
        renewed.retainAll(events(after, kept));
        kept.forEach(entry -> renewed.remove(event(entry)));
        renewed.remove(new PendingEvent(act.fired().length > 0 ? "" : act.label(), act.fired()));
        return List.copyOf(renewed);
    }

    /** Compares one by one: they are few, and sets would iterate in the order that is on, of which the program knows nothing. */
    private static boolean isAmong(Object entry, List<Object> entries) {
        for (Object other : entries) {
            if (other == entry) {
                return true;
            }
        }
        return false;
    }

    private Set<PendingEvent> events(List<Object> entries, List<Object> without) {
        Set<PendingEvent> events = new TreeSet<>();
        for (Object entry : entries) {
            if (!isAmong(entry, without)) {
                events.add(event(entry));
            }
        }
        return events;
    }

    private PendingEvent event(Object entry) {
        Object what = entry instanceof Delayed delayed ? delayed.what() : entry;
        return what instanceof Task<?> task ? new PendingEvent(InternalEvents.label(task), Outcome.NOTHING)
            : new PendingEvent("", setting.codec().encode(what));
    }
}
