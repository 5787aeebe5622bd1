package harrier.host;

import java.util.ArrayList;
import java.util.List;

/**
 * The threads of an actor that can never go on: each waits for a monitor or lock that another of them has, or, where
 * the thread of handlers is one of them or there are no handlers, so that no message can change anything, for anything but what comes to
 * a socket. A thread that an interrupt may
 * end counts as one that can go on as long as any code can still run.
 */
public final class Deadlock {
    private final Agenda agenda;
    private final List<ActorThread> waiting = new ArrayList<>();
    private final List<ActorThread> able = new ArrayList<>();

    private Deadlock(Agenda agenda) {
        this.agenda = agenda;
        for (ActorThread t : agenda.all()) {
            if (t.wait != null) {
                waiting.add(t);
            }
        }
    }

    /** Who waits, where, for what, and who has that; null if no thread is stuck. */
    public static String of(Agenda agenda) {
        List<ActorThread> stuck = new Deadlock(agenda).stuck();
        if (stuck.isEmpty()) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        for (ActorThread t : stuck) {
            List<ActorThread> holders = agenda.holders(t);
            String whose = holders.isEmpty() ? "" : t.wait.isBehind(holders.get(0)) ? ", behind " + holders.get(0).label()
                : " that " + holders.get(0).label() + " has";
            texts.add(t.description() + whose);
        }
        return "deadlock: " + String.join("; ", texts);
    }

    private List<ActorThread> stuck() {
        boolean isOpen = !agenda.isBusy() && !agenda.isOfProcess() || agenda.delayed.stream().anyMatch(d -> d.what() instanceof Task<?> t && t.body() instanceof Agenda.Alarm);
        for (boolean grows = true; grows;) {
            grows = false;
            for (ActorThread t : waiting) {
                if (!able.contains(t) && isAble(t, isOpen || !able.isEmpty())) {
                    able.add(t);
                    grows = true;
                }
            }
        }
        List<ActorThread> stuck = new ArrayList<>(waiting);
        stuck.removeAll(able);
        stuck.removeIf(t -> t.wait.kind == Wait.Kind.TASK || t.wait.kind == Wait.Kind.EXIT);
        return stuck;
    }

    /** Reports whether a thread can go on at some time, if others can that are known to, and if any code can run. */
    private boolean isAble(ActorThread t, boolean runs) {
        Wait wait = t.wait;
        if (wait.kind.isOfSockets() || agenda.isReady(t) || agenda.delayed.stream().anyMatch(d -> Threads.isTimeOut(d, t))) {
            return true;
        }
        boolean isNotified = wait.isNotified || wait.isTimedOut || wait.isInterrupted;
        boolean needsLock = wait.kind == Wait.Kind.MONITOR || wait.kind == Wait.Kind.LOCK
            || isNotified && (wait.kind == Wait.Kind.NOTIFY || wait.kind == Wait.Kind.CONDITION);
        if (needsLock && !(wait.isInterruptible && !isNotified && runs)) {
            return able.containsAll(agenda.holders(t));
        }
        return runs;
    }
}
